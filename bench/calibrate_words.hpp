/** @file
    The command line of the calibration.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibration {

inline constexpr const char* help =
    R"(Tries the comparison itself: how often are equal receivers, and ones with 2, 5 and 10 % of planted cost, called what?
The baseline is the synchronous server with a short spin in its sink; the others spin longer. `ns` is what was planted, measured
alone; `%` is that of what a datagram took the baseline.

usage: calibrate [--runs N] [--quick] [--processes]

  --runs N      runs, each a comparison of all of them (20)
  --quick       8 blocks a run instead of 20; nothing is judged then
  --processes   another N runs, each in a process of its own
  --help        this

As it should be: in 20 runs the baseline's equal is called slower or faster once at the most, 5 % is called slower
19 times at least, and the median half-width of the equal's intervals is 1 % at the most; in proportion for other N.
Exit codes: 0 all is so (or --quick), 1 something falls short, which is said, or went wrong,
2 wrong words, 5 no valid block to start from, 130 interrupted.
)";

/** What was asked for. */
struct words {
  std::uint64_t runs = 20;
  bool quick = false;
  bool processes = false;
  bool help = false;
  /** Only one run, written as JSON, with a whole cost of so many turns: how this program calls itself. */
  std::optional<std::uint64_t> one_run;
};

/** Blocks of a quick run: the fewest that let a verdict on one of four comparisons be `slower`, for which the exact sign test has to be
    below 0.05 / 4: 2 / 2^8. */
inline constexpr std::uint64_t quick_blocks = 8;

/** Errors: throws `usage_error`. */
inline words parse(const std::vector<std::string>& all) {
  using udpbench::app::usage_error;
  words out;
  const auto number = [&all](std::size_t i, udpbench::app::range allowed) {
    if (i == all.size()) throw usage_error("option", all.back(), "a number has to follow");
    return udpbench::app::parse_count(all[i - 1], all[i], allowed);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == "--runs")
      out.runs = number(++i, {1, 10'000});
    else if (all[i] == "--one-run")
      out.one_run = number(++i, {1, 1'000'000'000});
    else if (all[i] == "--quick")
      out.quick = true;
    else if (all[i] == "--processes")
      out.processes = true;
    else if (all[i] == "--help" || all[i] == "-h")
      out.help = true;
    else
      throw usage_error("word", all[i], "known are --runs N, --quick, --processes and --help");
  }
  return out;
}

} // namespace calibration
