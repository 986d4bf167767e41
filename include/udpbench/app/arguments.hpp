/** @file
    From the words of a command line to a plan.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/load_words.hpp>
#include <udpbench/app/pin_words.hpp>
#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/app/work_words.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/routed_place.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/path_mtu.hpp>
#include <udpbench/statistics/pilot.hpp>
#include <udpbench/statistics/processes.hpp>
#include <udpbench/wire/header.hpp>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::app {

/** The options of `compare` as they were typed; empty: not given. */
struct compare_words {
  std::vector<std::string> receivers; ///< By name; the first is the baseline.
  std::optional<std::string> load;    ///< `--load`: `name[:value[/value]]`, with commas between.
  std::string depth;           ///< `--depth`: datagrams queued by backlog, with commas between.
  std::string sockets = "1";   ///< `--sockets`: of each receiver, with commas between.
  std::string threads = "1";   ///< `--threads`: of each receiver, at one address and port.
  std::string work = "0";      ///< `--work`: what is done with each datagram, with commas between.
  std::string size = "1KiB";   ///< `--size`: payload in bytes, with commas between.
  bool mixed_sizes = false;    ///< `--mixed-sizes`: `--size` is the largest of each datagram's own.
  bool no_fragment = false;    ///< `--no-fragment`: a size that takes several packets is refused.
  std::string count = "50000"; ///< `--count`: datagrams a round.
  std::string rounds;          ///< `--rounds`: blocks of each load and size.
  std::string precision;       ///< `--precision`, a percentage: more blocks until then.
  std::string max_time = "60s";       ///< `--max-time`: no more blocks after that.
  std::string processes = "1";        ///< `--processes`: each with sockets of its own.
  std::string margin = "2%";          ///< `--margin`, a percentage.
  std::optional<std::string> address; ///< `--address`: IPv4 or IPv6.
  std::optional<std::string> to;      ///< `--to`: a host that has the receivers.
  bool reverse = false;               ///< `--reverse`: that host sends, and the receivers are here.
  std::string key_file;               ///< `--key-file`: of that host.
  std::string receive_buffer;         ///< `--receive-buffer`, bytes.
  std::string send = "auto";          ///< `--send`: auto, single, batch or segmented.
  std::string flows;                  ///< `--flows`: source ports of the sender.
  std::string pin;                    ///< `--pin`: SENDER,RECEIVER or none.
  std::string seed;                   ///< `--seed`: a whole number.
  bool explain = false;               ///< `--explain`: count system calls, too.
  std::string
      life; ///< `--life-descriptor`: of a pipe for signs of life, from the process that started this one.
};

namespace detail {

inline std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const auto& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all;
}

/** The name up to its first `.`, `+`, `/` or `@`: the driver. */
inline std::string driver_of(const std::string& receiver) {
  return receiver.substr(0, receiver.find_first_of(".+/@"));
}

inline void check_receiver(const std::string& name, const experiment::catalogue& known) {
  using experiment::routed_place;
  if (known.find(name) != nullptr) return;
  for (const auto& absence : known.left_out())
    if (absence.name == name || absence.name == driver_of(name))
      throw machine_error("receiver", name, absence.reason);
  std::vector<std::string> drivers;
  std::vector<std::string> same_driver;
  for (const auto& e : known.entries()) {
    const std::string driver = driver_of(e.name);
    if (std::find(drivers.begin(), drivers.end(), driver) == drivers.end())
      drivers.push_back(driver);
    if (driver == driver_of(name) && routed_place::where(e.name) == routed_place::where(name))
      same_driver.push_back(e.name);
  }
  throw usage_error(
      "receiver", name,
      same_driver.empty()
          ? "there is no such driver; known are " + joined(drivers) + " (see: udpbench list)"
          : "known of the driver '" + driver_of(name) + "' are " + joined(same_driver));
}

/** Between 1 and the fewest that have an interval there is nothing to gain. */
inline std::uint64_t words_processes(const compare_words& words) {
  const auto count = parse_count("--processes", words.processes, {1, 1'000});
  if (count > 1 && count < statistics::fewest_processes)
    throw usage_error("--processes", words.processes,
                      "allowed are 1 and " + std::to_string(statistics::fewest_processes) +
                          " to 1000: fewer have no interval");
  return count;
}

/** Who says only how many blocks gets as many. Everybody else gets a pilot, and as many more as its width asks for. */
inline void parse_length(const compare_words& words, experiment::plan& plan) {
  using namespace std::chrono_literals;
  if (!words.rounds.empty()) plan.blocks = parse_count("--rounds", words.rounds, {1, 10'000});
  plan.max_time = parse_time("--max-time", words.max_time, 1ms, 24h);
  if (words.precision.empty() && !words.rounds.empty()) return;
  plan.precision =
      parse_percent("--precision", words.precision.empty() ? "1%" : words.precision, 1);
  plan.blocks = statistics::pilot_blocks(plan.blocks);
}

inline experiment::send_mode parse_send(const std::string& text) {
  using experiment::send_mode;
  for (const auto mode :
       {send_mode::automatic, send_mode::single, send_mode::batch, send_mode::segmented})
    if (text == experiment::name(mode)) return mode;
  throw usage_error("--send", text, "known are auto, single, batch and segmented");
}

inline std::size_t parse_receive_buffer(const std::string& text) {
  return parse_bytes("--receive-buffer", text, {1, std::numeric_limits<int>::max() / 2});
}

inline boost::asio::ip::address parse_address(const std::string& text) {
  boost::system::error_code problem;
  const auto address = boost::asio::ip::make_address(text, problem);
  if (problem)
    throw usage_error("--address", text,
                      "allowed is an IPv4 or IPv6 address, such as 127.0.0.1 or ::1");
  if (address.is_unspecified() || address.is_multicast() || text == "255.255.255.255")
    throw usage_error("--address", text, "allowed is the address of one interface of this host");
  return address;
}

/** Several threads have datagrams of as many flows as the kernel's hash needs to spread them. */
inline std::uint16_t parse_flows(const std::string& text, const experiment::plan& plan) {
  constexpr std::uint64_t most = 1'000;
  if (text.empty())
    return static_cast<std::uint16_t>(
        plan.threads > 1 ? std::min<std::uint64_t>(16 * plan.threads, most) : 1);
  const auto flows = static_cast<std::uint16_t>(parse_count("--flows", text, {1, most}));
  if (flows > 1 && plan.several_sockets())
    throw usage_error("--flows", text, "with several sockets allowed is 1: each has its own");
  return flows;
}

} // namespace detail

/** Checks that the receive buffer is granted that was asked for, and returns what is.
    @param plan  asks for it.
    @param where  a socket gets it.
    @param typed  is what was asked for in words.
    Errors: throws `machine_error`; what the place does where the address can't be bound. */
inline std::size_t check_receive_buffer(const experiment::plan& plan, experiment::place& where,
                                        const std::string& typed) {
  experiment::seat_plan probe;
  probe.receiver = experiment::bare_receiver(false);
  probe.address = plan.address;
  probe.options.socket.receive_buffer_bytes = plan.receive_buffer_bytes;
  const auto opened = where.open(probe);
  const std::size_t granted = opened.receive_buffer_bytes;
  where.close(opened.number);
  // getsockopt tells twice what counts as granted (socket(7)).
  if (plan.receive_buffer_bytes && granted / 2 < *plan.receive_buffer_bytes)
    throw machine_error("--receive-buffer", typed,
                        "the kernel grants " + std::to_string(granted / 2) +
                            " bytes here; raise net.core.rmem_max, or run as root");
  return granted;
}

/** Another process that has one end of what is measured, reached as another host. */
struct far_end {
  boost::asio::ip::address address; ///< Where datagrams go: there, or, in reverse, here.
  std::vector<unsigned> cpus;       ///< That its threads may be bound to.
  bool this_machine = false;        ///< It runs on this one.
};

namespace detail {

/** What can't be had where one end is elsewhere. */
inline void require_here(const compare_words& words, const experiment::plan& plan) {
  if (words.address)
    throw usage_error("--address", *words.address,
                      "with --to the address is that of the connection");
  if (words.explain) throw usage_error("--explain", "", "with --to nothing is traced");
  for (const auto& l : plan.loads)
    if (l.what == experiment::load_kind::window)
      throw usage_error("--load", l.name(),
                        "with --to there is no window: the receiver tells how much it has through "
                        "memory that both ends share");
}

} // namespace detail

namespace detail {

/** Errors: throws `machine_error` where datagrams don't fit into one packet of the path, as far as this host knows it. */
inline void refuse_fragments(const experiment::plan& plan) {
  const auto mtu = net::path_mtu(plan.address);
  if (!mtu) return;
  for (const std::size_t size : plan.sizes)
    if (net::packets_of(size, *mtu, plan.address) > 1)
      throw machine_error("--no-fragment", std::to_string(size),
                          "the path's MTU is " + std::to_string(*mtu) + " bytes, so allowed are " +
                              std::to_string(*mtu - net::header_bytes_before(plan.address)) +
                              " bytes of payload");
}

} // namespace detail

/** Turns words into a plan. Errors: throws `usage_error`, or `machine_error` for what only this machine forbids. */
inline experiment::plan make_plan(const compare_words& words, const experiment::catalogue& known,
                                  const far_end* far = nullptr) {
  experiment::plan plan;
  plan.receivers = words.receivers;
  for (std::size_t i = 0; i < plan.receivers.size(); ++i) {
    detail::check_receiver(plan.receivers[i], known);
    if (std::find(plan.receivers.begin(), plan.receivers.begin() + static_cast<std::ptrdiff_t>(i),
                  plan.receivers[i]) != plan.receivers.begin() + static_cast<std::ptrdiff_t>(i))
      throw usage_error(
          "receiver", plan.receivers[i],
          "is named twice; a second instance of the baseline takes part anyway, as control");
  }
  plan.sockets = parse_sockets(words.sockets);
  plan.threads = parse_threads(words.threads, plan.sockets);
  plan.loads = parse_loads(words.load, words.depth, plan);
  plan.works = parse_works(words.work);
  plan.sizes.clear();
  for_each_part("--size", words.size, [&](const std::string& part) {
    plan.sizes.push_back(parse_bytes("--size", part, {1, sync_client<>::largest_payload}));
  });
  refuse_repeated("--size", words.size, plan.sizes);
  plan.mixed_sizes = words.mixed_sizes;
  for (const std::size_t size : plan.sizes)
    if (plan.mixed_sizes && size <= wire::header_bytes)
      throw usage_error("--mixed-sizes", std::to_string(size),
                        "the largest size has to be above the smallest, that of the header: " +
                            std::to_string(wire::header_bytes) + " bytes");
  plan.count = parse_count("--count", words.count, {1, 1'000'000'000});
  detail::parse_length(words, plan);
  detail::words_processes(words);
  plan.margin = parse_percent("--margin", words.margin, 1);
  if (far != nullptr)
    plan.address = far->address;
  else if (words.address)
    plan.address = detail::parse_address(*words.address);
  if (words.no_fragment) detail::refuse_fragments(plan);
  plan.remote = far != nullptr;
  plan.reverse = words.reverse;
  if (words.reverse && far == nullptr)
    throw usage_error("--reverse", "", "is for the server of --to");
  plan.same_machine = far != nullptr && far->this_machine;
  if (far != nullptr) detail::require_here(words, plan);
  if (!words.receive_buffer.empty())
    plan.receive_buffer_bytes = detail::parse_receive_buffer(words.receive_buffer);
  plan.send = detail::parse_send(words.send);
  if (plan.several_sockets() && plan.send != experiment::send_mode::automatic &&
      plan.send != experiment::send_mode::single)
    throw usage_error("--send", words.send,
                      "with several sockets allowed are auto and single: each send goes to the "
                      "next of them");
  plan.flows = detail::parse_flows(words.flows, plan);
  for (const std::size_t size : plan.sizes)
    if (plan.send == experiment::send_mode::segmented && send::segmented::most(size) < 2)
      throw usage_error("--send", words.send,
                        "two datagrams or more must fit into " +
                            std::to_string(send::segmented::largest_payload) +
                            " bytes, and these have " + std::to_string(size));
  detail::usable_cpus cpus;
  if (far != nullptr) {
    (plan.reverse ? cpus.sending : cpus.receiving) = far->cpus;
    cpus.one_machine = far->this_machine;
  }
  detail::parse_pin(words.pin, plan, cpus);
  if (!words.seed.empty())
    plan.seed = parse_count("--seed", words.seed, {0, std::numeric_limits<std::uint64_t>::max()});
  return plan;
}

} // namespace udpbench::app
