/** @file
    Another tool that measures UDP: how it is started, ended and read.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "output.hpp"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace peers {

/** A program and its arguments. */
using command_line = std::vector<std::string>;

/** What a tool is asked to do. */
struct setting {
  std::size_t size = 1024;         ///< Payload, bytes.
  std::chrono::seconds seconds{1}; ///< Of sending.
  std::uint16_t port = 0;          ///< Of the server.
  std::uint16_t data_port = 0;     ///< Where the datagrams have one of their own.
};

/** A tool. */
struct peer {
  std::string name;     ///< Of the program, and of its package in Debian.
  command_line version; ///< Prints it.
  std::function<command_line(const setting&)> server;
  std::function<command_line(const setting&)> client;
  int end_server_by = 0; ///< A signal; 0: it ends by itself after one client.
  std::function<counts(const texts&)> read;
};

/** Those that are known. All of them send one datagram per call, which was looked at with strace. */
inline std::vector<peer> known_peers() {
  const auto text = [](auto number) { return std::to_string(number); };
  const std::string here = "127.0.0.1";
  return {
      // A rate of 0 is no limit.
      {.name = "iperf3",
       .version = {"iperf3", "--version"},
       .server = [=](const setting& s) -> command_line {
         return {"iperf3", "-s", "-1", "-B", here, "-p", text(s.port)};
       },
       .client = [=](const setting& s) -> command_line {
         return {"iperf3", "-c", here, "-p",         text(s.port), "-u",
                 "-b",     "0",  "-l", text(s.size), "-t",         text(s.seconds.count()),
                 "-J"};
       },
       .read = read_iperf3},
      // Without a rate it sends 1 Mbit/s. Its client gets the server's report by a datagram, which may be lost; the server's own is not.
      {.name = "iperf",
       .version = {"iperf", "-v"},
       .server = [=](const setting& s) -> command_line {
         return {"iperf", "-s", "-u", "-B", here, "-p", text(s.port), "-l", text(s.size)};
       },
       .client = [=](const setting& s) -> command_line {
         return {"iperf", "-c",   here, "-p",         text(s.port), "-u",
                 "-b",    "100g", "-l", text(s.size), "-t",         text(s.seconds.count())};
       },
       .end_server_by = SIGINT,
       .read = read_iperf},
      {.name = "sockperf",
       .version = {"sockperf", "--version"},
       .server = [=](const setting& s) -> command_line {
         return {"sockperf", "server", "-i", here, "-p", text(s.port)};
       },
       .client = [=](const setting& s) -> command_line {
         return {"sockperf",   "throughput", "-i",         here, "-p",
                 text(s.port), "-m",         text(s.size), "-t", text(s.seconds.count())};
       },
       .end_server_by = SIGINT,
       .read = read_sockperf},
      // Its one-shot server (-1) receives in a child that it doesn't wait for, so that the CPU time would be lost.
      {.name = "nuttcp",
       .version = {"nuttcp", "-V"},
       .server = [=](const setting& s) -> command_line {
         return {"nuttcp", "-S", "--nofork", "-P", text(s.port)};
       },
       .client = [=](const setting& s) -> command_line {
         return {"nuttcp", "-u",         "-Ru", "-l" + text(s.size), "-T" + text(s.seconds.count()),
                 "-P",     text(s.port), "-p",  text(s.data_port),   "-fparse",
                 here};
       },
       .end_server_by = SIGTERM,
       .read = read_nuttcp},
      {.name = "qperf",
       .version = {"qperf", "--version"},
       .server = [=](const setting& s) -> command_line { return {"qperf", "-lp", text(s.port)}; },
       .client = [=](const setting& s) -> command_line {
         return {"qperf", here,
                 "-lp",   text(s.port),
                 "-ip",   text(s.data_port),
                 "-t",    text(s.seconds.count()),
                 "-m",    text(s.size),
                 "-vvs",  "-vvt",
                 "-uu",   "udp_bw"};
       },
       .end_server_by = SIGTERM,
       .read = read_qperf},
  };
}

/** Whether PATH has a program of that name. */
inline bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const auto folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (::access((std::string(folder) + '/' + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

} // namespace peers
