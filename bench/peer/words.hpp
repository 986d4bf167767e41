/** @file
    The command line of the comparison with other tools.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "own.hpp"
#include "peer.hpp"

#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace peers {

inline constexpr const char* help =
    R"(Runs the tools iperf3, iperf, sockperf, nuttcp and qperf, as far as they are installed, as fast as they can on loopback, and
udpbench's own receivers between them, and prints one table: received/s, loss, CPU time of the receiver, ratio to the best tool.

usage: bench/peers [--rounds N] [--seconds T] [--size LIST] [--only NAMES] [--seed N] [--json FILE] [--install]

  --rounds N     rounds, in each of which everybody runs once (6; fewer have no interval)
  --seconds T    of each run (3)
  --size LIST    payload in bytes, with commas between (64,1KiB)
  --only NAMES   tools and receivers, with commas between, of which one at least is a tool
  --seed N       of the orders (random)
  --json FILE    also write all of it to this file; - writes it to standard output, alone
  --missing      print the packages of the tools that aren't installed, and nothing else
  --install      install them first (apt-get, as root or by sudo)
  --help         this

Exit codes: 0 done, 1 no tool is installed, or somebody has no figures, 2 the command line, 130 interrupted.
)";

/** What was asked for. */
struct request {
  std::uint64_t rounds = 6;
  std::chrono::seconds seconds{3};
  std::vector<std::size_t> sizes{64, 1024};
  std::vector<std::string> only; ///< Empty: everybody.
  std::optional<std::uint64_t> seed;
  std::string json; ///< Empty: none.
  bool missing = false;
  bool help = false;

  /** Whether it takes part. */
  bool wants(const std::string& name) const {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  }
};

namespace detail {

inline std::vector<std::string> parse_only(const std::string& text) {
  using udpbench::app::usage_error;
  std::vector<std::string> tools;
  std::vector<std::string> known;
  for (const auto& p : known_peers()) tools.push_back(p.name);
  known = tools;
  for (const auto& o : own_receivers())
    if (std::find(known.begin(), known.end(), o.receiver) == known.end())
      known.push_back(o.receiver);
  const auto in = [](const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  const auto listed = [](const std::vector<std::string>& all) {
    std::string out;
    for (const auto& name : all) out += (out.empty() ? "" : ", ") + name;
    return out;
  };
  std::vector<std::string> out;
  udpbench::app::for_each_part("--only", text, [&](const std::string& part) {
    if (!in(known, part)) throw usage_error("--only", part, "known are " + listed(known));
    out.push_back(part);
  });
  udpbench::app::refuse_repeated("--only", text, out);
  if (std::none_of(out.begin(), out.end(), [&](const auto& name) { return in(tools, name); }))
    throw usage_error("--only", text, "one of them has to be a tool: " + listed(tools));
  return out;
}

inline std::vector<std::size_t> parse_sizes(const std::string& text) {
  std::vector<std::size_t> out;
  // What no tool cuts into pieces, and each can number.
  udpbench::app::for_each_part("--size", text, [&](const std::string& part) {
    out.push_back(udpbench::app::parse_bytes("--size", part, {64, 1472}));
  });
  udpbench::app::refuse_repeated("--size", text, out);
  return out;
}

} // namespace detail

/** Errors: throws `usage_error`. */
inline request parse(const std::vector<std::string>& all) {
  using udpbench::app::usage_error;
  request out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& option = all[i];
    const auto value = [&]() -> const std::string& {
      if (++i == all.size()) throw usage_error("option", option, "a value has to follow");
      return all[i];
    };
    const auto number = [&](udpbench::app::range allowed) {
      return udpbench::app::parse_count(option, value(), allowed);
    };
    if (option == "--rounds")
      out.rounds = number({1, 1'000});
    else if (option == "--seconds")
      out.seconds = std::chrono::seconds(number({1, 60}));
    else if (option == "--size")
      out.sizes = detail::parse_sizes(value());
    else if (option == "--only")
      out.only = detail::parse_only(value());
    else if (option == "--seed")
      out.seed = number({0, 4'294'967'295});
    else if (option == "--json") {
      out.json = value();
      if (out.json.empty()) throw usage_error("--json", "", "allowed is the name of a file, or -");
    } else if (option == "--missing")
      out.missing = true;
    else if (option == "--help" || option == "-h")
      out.help = true;
    else
      throw usage_error("word", option,
                        "known are --rounds N, --seconds T, --size LIST, --only NAMES, --seed N, "
                        "--json FILE, --missing, "
                        "--install and --help");
  }
  return out;
}

} // namespace peers
