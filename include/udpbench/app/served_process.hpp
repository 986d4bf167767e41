/** @file
    A program of udpbench that serves this one with its receivers.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/process.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/control/remote_place.hpp>
#include <udpbench/control/shared_count.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/net/descriptor.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/socket.h>

namespace udpbench::app {

/** Another process, and its receivers. Threads: one. */
class served_process {
 public:
  /** Starts it and hears its greeting.
      @param path  of an executable of the same version, on that backend.
      @param build  this process's own, whose version it must have.
      @param backend  what Asio waits by there, as its greeting says: `io_uring`.
      @param patience  for its answers; it is killed where one doesn't come.
      Errors: throws `machine_error` where it can't be started, or is another one; what `control::remote_place` throws. */
  served_process(std::string path, const experiment::build_info& build, std::string_view backend,
                 std::chrono::milliseconds patience = control::patience)
      : path_(std::move(path)) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      detail::child_failed(path_, errno);
    net::descriptor mine(ends[0]);
    net::descriptor its(ends[1]);
    constexpr int socket = 3;
    constexpr int count = 4;
    process_.emplace(
        path_,
        std::vector<std::string>{"udpbench", "serve", "--descriptor", std::to_string(socket),
                                 "--count-descriptor", std::to_string(count)},
        start_options{.descriptors = {{its.get(), socket}, {count_.descriptor(), count}}});
    // Its death is seen only when nobody else has its end.
    its.reset();
    place_.emplace(
        control::stream(std::move(mine)), &count_,
        control::other_end{.name = "process " + std::to_string(process_->id()) + " (" + path_ + ")",
                           .how_it_ended = [this] { return end(); },
                           .patience = patience});
    const auto& hello = place_->greeted();
    if (hello.version != build.version || hello.backend != backend)
      throw machine_error("program", path_,
                          "is version " + hello.version + " on " + hello.backend +
                              ", and version " + build.version + " on " + std::string(backend) +
                              " is needed: build both of the same sources");
  }
  served_process(const served_process&) = delete;
  served_process& operator=(const served_process&) = delete;
  /** Asks it to end, and waits for that; kills it if it doesn't. */
  ~served_process() {
    place_.reset();
    if (process_) process_->wait_until(process::clock::now() + to_end);
  }

  /** Its receivers, under the names that they have there. */
  control::remote_place& place() noexcept { return *place_; }
  /** Its id. */
  pid_t id() const noexcept { return process_->id(); }

 private:
  static constexpr std::chrono::milliseconds to_end{5'000};

  /** It has closed its end, so it is about to end itself. */
  std::string end() {
    const ending* e = process_->wait_until(process::clock::now() + to_end);
    return e != nullptr ? e->how : "no word";
  }

  std::string path_;
  control::shared_count count_;
  std::optional<process> process_;
  std::optional<control::remote_place> place_;
};

} // namespace udpbench::app
