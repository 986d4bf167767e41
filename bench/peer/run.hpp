/** @file
    One run of a tool: its server on one cpu, its client on another.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "figures.hpp"
#include "peer.hpp"
#include "ports.hpp"
#include "process.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace peers {

/** The cpus of the two ends; empty: not bound. */
struct cpus {
  std::optional<unsigned> sender;
  std::optional<unsigned> receiver;
  /** They have one between them. */
  bool shared() const noexcept { return sender && sender == receiver; }
};

/** How long is waited for what takes no time that is measured. */
struct patience {
  std::chrono::milliseconds start = std::chrono::seconds(5);    ///< Until a server serves.
  std::chrono::milliseconds further = std::chrono::seconds(10); ///< Beyond the seconds of sending.
  std::chrono::milliseconds end = std::chrono::seconds(5);      ///< Until a server has ended.
};

namespace detail {

/** The last line that isn't empty, cut to what fits a sentence. */
inline std::string last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \r\n") + 1);
  const auto begin = text.find_last_of("\r\n");
  return std::string(text.substr(begin == text.npos ? 0 : begin + 1).substr(0, 200));
}

/** An ending that wasn't good, with what the process had to say. */
inline std::string described(const process& p, const ending& e) {
  auto said = last_line(p.errors());
  if (said.empty()) said = last_line(p.output());
  return "ended with " + e.how + (said.empty() ? "" : ": " + said);
}

/** A time as in a sentence. */
inline std::string seconds_text(std::chrono::milliseconds t) {
  return std::to_string(t.count() / 1000) + "." + std::to_string(t.count() % 1000 / 100) + " s";
}

inline void wait_until_served(process& server, std::uint16_t port, const patience& p,
                              const std::atomic<bool>& stop) {
  const auto deadline = clock::now() + p.start;
  while (!is_served(port)) {
    if (server.wait(clock::now() + std::chrono::milliseconds(5), stop)) {
      const auto end = server.reap();
      throw run_error("has a server that " + described(server, end));
    }
    if (clock::now() >= deadline)
      throw run_error("has a server that served nobody within " + seconds_text(p.start));
  }
}

} // namespace detail

/** What the counts and CPU times of both ends come to. */
inline figures figures_of(const counts& c, std::chrono::nanoseconds sender_cpu,
                          std::chrono::nanoseconds receiver_cpu, bool shared_cpu) {
  const auto received = static_cast<double>(c.received);
  const auto ns = [](std::chrono::nanoseconds t) { return static_cast<double>(t.count()); };
  figures f;
  f.received_per_second = received / c.seconds;
  f.receiver_cpu_ns = ns(receiver_cpu) / received;
  f.receiver_share = ns(receiver_cpu) / 1e9 / c.seconds;
  f.sender_share = ns(sender_cpu) / 1e9 / c.seconds;
  if (c.sent) {
    const auto sent = static_cast<double>(*c.sent);
    f.loss = 1 - received / sent;
    f.sender_cpu_ns = ns(sender_cpu) / sent;
  }
  f.limited_by = limited_by(f.sender_share, f.receiver_share, shared_cpu);
  return f;
}

/** Runs the two and returns what came of it; neither outlives the call.
    @param seconds  of sending.
    Errors: throws `run_error` with what went wrong, `interrupted` where `stop` becomes true, `system_error`. */
inline figures run(const peer& tool, std::size_t size, std::chrono::seconds seconds,
                   const cpus& where, const std::atomic<bool>& stop, const patience& patient = {}) {
  const setting s{.size = size, .seconds = seconds, .port = free_port(), .data_port = free_port()};
  process server(tool.server(s), where.receiver);
  detail::wait_until_served(server, s.port, patient, stop);

  process client(tool.client(s), where.sender);
  const auto most = seconds + patient.further;
  if (!client.wait(clock::now() + most, stop))
    throw run_error("has a client that had not ended after " + detail::seconds_text(most));
  const auto sending = client.reap();
  if (!sending.good) throw run_error("has a client that " + detail::described(client, sending));

  if (tool.end_server_by != 0) server.signal(tool.end_server_by);
  if (!server.wait(clock::now() + patient.end, stop))
    throw run_error("has a server that had not ended " + detail::seconds_text(patient.end) +
                    " after its client");
  const auto receiving = server.reap();
  if (!receiving.good) throw run_error("has a server that " + detail::described(server, receiving));
  return figures_of(tool.read({client.output(), server.output()}), sending.cpu, receiving.cpu,
                    where.shared());
}

/** The first line with a digit of what the tool says of its version; empty where it says none. */
inline std::string version_of(const peer& tool, const std::atomic<bool>& stop) {
  try {
    process asked(tool.version, {});
    if (!asked.wait(clock::now() + std::chrono::seconds(5), stop)) return {};
    std::istringstream lines(asked.output() + '\n' + asked.errors());
    for (std::string line; std::getline(lines, line);)
      if (line.find_first_of("0123456789") != line.npos) return line;
  } catch (const run_error&) {
  }
  return {};
}

} // namespace peers
