/** @file
    A server on another host, for the length of a run.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/host_words.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/control/handshake.hpp>
#include <udpbench/control/host_place.hpp>
#include <udpbench/control/key.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/error.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/net/stream_socket.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::app {

/** The key in a file. Errors: throws `usage_error`, `machine_error`. */
inline std::optional<control::key> read_key(const std::string& file) {
  if (file.empty()) return {};
  try {
    return control::key::of_file(file);
  } catch (const control::key_error& e) {
    throw machine_error("--key-file", file, e.what());
  }
}

/** A connection to `udpbench serve`. Threads: one. */
class far_host {
 public:
  /** Connects, and finds out whether datagrams arrive.
      @param to  the host, as `--to` has it.
      @param key_file  as `--key-file` has it; may be empty.
      @param build  this program's own, of which the server has to have the version.
      Errors: throws `usage_error`, and `machine_error` that says what didn't work and what to look at. */
  far_host(const std::string& to, const std::string& key_file, const experiment::build_info& build)
      : words_(to) {
    const host_and_port where = parse_host("--to", to);
    auto key = read_key(key_file);
    guarded([&] {
      control::stream connection(connect(where), control::longest_of_session);
      const auto address = net::remote_end(connection.native_handle()).address();
      shake_hands(connection, {.version = build.version, .key = std::move(key)});
      place_.emplace(std::move(connection), address,
                     control::other_end{
                         .name = "the server " + words_, .how_it_ended = {}, .patience = answer_});
      place_->check_path();
    });
  }

  far_host(const far_host&) = delete;
  far_host& operator=(const far_host&) = delete;
  /** Leaves the server, which is free for the next client then. */
  ~far_host() {
    if (place_) place_->leave();
  }

  /** Its receivers. */
  control::host_place& place() noexcept { return *place_; }
  /** What it said first. */
  const control::greeting& greeted() const noexcept { return place_->greeted(); }

  /** Its receivers by name. */
  experiment::catalogue catalogue() const {
    experiment::catalogue known;
    for (const auto& name : greeted().receivers) known.mention(name, "at the server " + words_);
    return known;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds answer_{8'000}; ///< For what costs the server no time.

  /** What is left of the time until the server has to be there. */
  std::chrono::milliseconds left() const {
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(until_ - clock::now()),
                    std::chrono::milliseconds(1));
  }

  [[noreturn]] void fail(const std::string& why) const { throw machine_error("--to", words_, why); }

  template <class F>
  void guarded(F f) const {
    try {
      f();
    } catch (const machine_error&) {
      throw;
    } catch (const std::exception& e) {
      fail(e.what());
    }
  }

  net::descriptor connect(const host_and_port& where) const {
    std::vector<boost::asio::ip::address> addresses;
    try {
      addresses = net::resolve(where.host, left() / 2);
    } catch (const system_error& e) {
      fail("this host isn't known: " + e.code().message());
    }
    std::string why = "it has no address";
    auto untried = static_cast<std::int64_t>(addresses.size());
    for (const auto& address : addresses) {
      const net::stream_endpoint to(address, where.port);
      try {
        net::descriptor fd = net::connect_stream(to, left() * 2 / 3 / untried--);
        net::look_after(fd.get());
        return fd;
      } catch (const system_error& e) {
        why = reason(to, e.code());
      }
    }
    fail(why);
  }

  static std::string reason(const net::stream_endpoint& to, const error_code& problem) {
    namespace errc = boost::system::errc;
    const std::string at = net::written(to) + " (TCP)";
    if (problem == errc::connection_refused)
      return "nothing listens at " + at +
             ": is `udpbench serve` running there, and with --listen at this address?";
    if (problem == errc::timed_out)
      return "no answer from " + at + ": is the host on, and does a firewall let TCP through?";
    return at + " can't be reached: " + problem.message();
  }

  void shake_hands(control::stream& with, control::identity me) const {
    const bool keyed = me.key.has_value();
    control::client_handshake handshake(std::move(me));
    try {
      with.send(handshake.begin(), left());
      const std::string proof = handshake.receive(with.receive(left()));
      if (!proof.empty()) with.send(proof, left());
    } catch (const control::timeout_error&) {
      fail(
          "the connection stands, but nothing is said: is it `udpbench serve` that listens there?");
    } catch (const control::closed_error&) {
      fail("it has closed the connection without a word: is it `udpbench serve` that listens "
           "there?");
    } catch (const control::protocol_error& e) {
      fail(std::string("what answers isn't `udpbench serve`: ") + e.what());
    }
    if (keyed) with.seal_by(handshake.session_key(), control::end::client);
  }

  std::string words_;
  clock::time_point until_ = clock::now() + std::chrono::seconds(9); ///< For all that comes first.
  std::optional<control::host_place> place_;
};

} // namespace udpbench::app
