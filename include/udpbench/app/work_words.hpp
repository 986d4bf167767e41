/** @file
    The work per datagram, as it is written on a command line.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/experiment/work.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace udpbench::app {

/** One work: `0`, a time, `touch`, `copy` or `random:BYTES`. Errors: throws `usage_error`. */
inline experiment::work parse_work(const std::string& text) {
  using kind = experiment::work::kind;
  using namespace std::chrono_literals;
  const std::string random = "random:";
  if (text == "0") return {};
  if (text == "touch") return {.what = kind::touch};
  if (text == "copy") return {.what = kind::copy};
  if (text.starts_with(random))
    return {.what = kind::random,
            .time = {},
            .bytes = parse_bytes("--work random", text.substr(random.size()),
                                 {64, std::size_t{1} << 30})};
  if (text.empty() || text.front() < '0' || text.front() > '9')
    throw usage_error("--work", text,
                      "known are 0, a time such as 5us, touch (every byte is read), copy, and "
                      "random:BYTES (16 places of a table of that size are read)");
  return {.what = kind::spin, .time = parse_time("--work", text, 1ns, 10ms)};
}

/** The works of `--work`. Errors: throws `usage_error`. */
inline std::vector<experiment::work> parse_works(const std::string& text) {
  std::vector<experiment::work> out;
  for_each_part("--work", text, [&](const std::string& part) { out.push_back(parse_work(part)); });
  refuse_repeated("--work", text, out);
  return out;
}

} // namespace udpbench::app
