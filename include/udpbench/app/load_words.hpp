/** @file
    Loads, as they are written on a command line.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/experiment/load.hpp>
#include <udpbench/experiment/plan.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::app {

namespace detail {

inline experiment::load parse_pause(const std::string& text, const std::string& value) {
  const std::size_t slash = value.find('/');
  if (slash == std::string::npos)
    throw usage_error("load", text,
                      "pause wants N/T: after each N datagrams rest for T, as in pause:128/1ms");
  using namespace std::chrono_literals;
  experiment::load l{.what = experiment::load_kind::pause};
  l.sends = parse_count("load pause, datagrams", value.substr(0, slash), {1, 1'000'000'000});
  l.rest = parse_time("load pause, rest", value.substr(slash + 1), 1ns, 10s);
  return l;
}

/** One thread can't send as many as are allowed: what it reached is on record. */
inline experiment::load parse_rate(const std::string& value) {
  return {.what = experiment::load_kind::rate,
          .per_second = parse_count("load rate, datagrams per second", value, {1, 10'000'000})};
}

/** What the receive buffer holds is known only when it is there. */
inline experiment::load parse_window(const std::string& value) {
  return {.what = experiment::load_kind::window,
          .in_flight = parse_count("load window, datagrams in flight", value, {1, 65'536})};
}

inline experiment::load parse_load(const std::string& text) {
  using experiment::load_kind;
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (colon == std::string::npos) {
    if (name == "flood") return {.what = load_kind::flood};
    if (name == "backlog") return {.what = load_kind::backlog};
    if (name == "pause") return parse_pause(text, "");
  } else {
    const std::string value = text.substr(colon + 1);
    if (name == "backlog")
      return {.what = load_kind::backlog,
              .depth = parse_count("load backlog, datagrams", value, {1, 65'536})};
    if (name == "pause") return parse_pause(text, value);
    if (name == "rate") return parse_rate(value);
    if (name == "window") return parse_window(value);
  }
  throw usage_error(
      "load", text,
      "known are backlog, backlog:K (K datagrams queued at a time), flood, pause:N/T "
      "(after each N datagrams the sender rests for T), rate:R (R datagrams a second, as in "
      "rate:200k) and window:W (at most W datagrams in flight, as in window:64)");
}

/** Puts one backlog of each depth in the place of each that names none. */
inline std::vector<experiment::load> at_depths(const std::vector<experiment::load>& loads,
                                               const std::string& text) {
  std::vector<std::uint64_t> depths;
  for_each_part("--depth", text, [&](const std::string& part) {
    depths.push_back(parse_count("--depth", part, {1, 65'536}));
  });
  refuse_repeated("--depth", text, depths);
  std::vector<experiment::load> out;
  bool used = false;
  for (const auto& l : loads) {
    if (!l.held() || l.depth) {
      out.push_back(l);
      continue;
    }
    used = true;
    for (const std::uint64_t depth : depths) {
      out.push_back(l);
      out.back().depth = depth;
    }
  }
  if (!used)
    throw usage_error("--depth", text, "it is that of the load backlog, which --load has to name");
  return out;
}

} // namespace detail

/** The numbers of `--sockets`. Errors: throws `usage_error`. */
inline std::vector<std::size_t> parse_sockets(const std::string& text) {
  std::vector<std::size_t> out;
  for_each_part("--sockets", text, [&](const std::string& part) {
    out.push_back(parse_count("--sockets", part, {1, 16'384}));
  });
  refuse_repeated("--sockets", text, out);
  return out;
}

/** The number of `--threads`. Errors: throws `usage_error`. */
inline std::size_t parse_threads(const std::string& text, const std::vector<std::size_t>& sockets) {
  const std::size_t threads = parse_count("--threads", text, {1, 256});
  if (threads > 1 && sockets != std::vector<std::size_t>{1})
    throw usage_error("--threads", text,
                      "with --sockets allowed is 1: how many threads serve several sockets is the "
                      "receiver's own");
  return threads;
}

/** The loads of `--load` and, unless it is empty, `--depth`. Where none is named they are backlog and flood, and with several sockets,
    which these don't tell apart, a rate; with several threads a flood and a rate. Errors: throws `usage_error`.
    @param asked  the word behind `--load`; empty: not given.
    @param depths  the word behind `--depth`, or empty.
    @param p  has its sockets and threads. */
inline std::vector<experiment::load> parse_loads(const std::optional<std::string>& asked,
                                                 const std::string& depths,
                                                 const experiment::plan& p) {
  using experiment::load_kind;
  const bool sockets = p.several_sockets();
  const std::string text = asked.value_or(sockets         ? "rate:100k"
                                          : p.threads > 1 ? "flood,rate:100k"
                                                          : "backlog,flood");
  std::vector<experiment::load> out;
  for_each_part("--load", text,
                [&](const std::string& part) { out.push_back(detail::parse_load(part)); });
  if (!depths.empty()) out = detail::at_depths(out, depths);
  refuse_repeated("--load", text, out);
  for (const auto& l : out)
    if ((sockets || p.threads > 1) && (l.held() || l.what == load_kind::window))
      throw usage_error("--load", l.name(),
                        std::string("with several ") + (sockets ? "sockets" : "threads") +
                            " allowed are flood, pause and rate: the others take one");
  return out;
}

} // namespace udpbench::app
