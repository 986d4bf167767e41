/** @file
    What figures, loads and verdicts are called in a report.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/style.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::report {

/** How a metric is read. */
struct metric_words {
  std::string_view name; ///< In words.
  bool higher_is_better; ///< True of rates.
};

/** Of a key of a summary; one that isn't known keeps its name. */
inline metric_words words_of_metric(std::string_view metric) {
  if (metric == "received_per_second") return {"datagrams received per second", true};
  if (metric == "ns_per_datagram") return {"time per datagram", false};
  if (metric == "cpu_ns_per_datagram") return {"CPU time per datagram", false};
  return {metric, false};
}

/** May a ratio of this comparison be shown? Not one of rates that the sender set. */
inline bool has_ratio(const record::comparison& c) {
  return known(c.ratio) &&
         !(c.metric == "received_per_second" && c.limited_by == record::limit::sender);
}

/** The margin in words; a record may not tell it. */
inline std::string margin_words(double margin) {
  return margin > 0 ? chosen_percent(margin) : "the margin";
}

/** Which way the ratio points: `slower` or `faster`. */
inline std::string_view direction(const record::comparison& c) {
  return (c.ratio.value_or(1) > 1) == words_of_metric(c.metric).higher_is_better ? "faster"
                                                                                 : "slower";
}

/** The verdict with what stands behind it. */
inline std::string verdict_words(const record::comparison& c, double margin) {
  using statistics::qualifier;
  using statistics::verdict;
  if (!has_ratio(c)) {
    return c.limited_by == record::limit::sender ? "no ratio: limited by the sender" : "no ratio";
  }
  if (!c.ci) return "inconclusive: too few blocks";
  if (!c.verdict) return "no verdict";
  switch (*c.verdict) {
  case verdict::equivalent:
    return c.qualifier == qualifier::below_margin
               ? "equivalent: differs, by less than " + margin_words(margin)
               : "equivalent";
  case verdict::slower:
  case verdict::faster:
    return (*c.verdict == verdict::slower ? "slower" : "faster") +
           (c.qualifier == qualifier::beyond_margin ? " by more than " + margin_words(margin)
                                                    : std::string{});
  case verdict::inconclusive:
    if (c.qualifier == qualifier::direction_only) {
      return "inconclusive: " + std::string{direction(c)} + ", size not shown";
    }
    if (c.qualifier == qualifier::below_level) {
      return "inconclusive: " + std::string{direction(c)} + " if alone in the table";
    }
    return c.qualifier == qualifier::noise_floor ? "inconclusive: within the noise"
                                                 : "inconclusive";
  }
  return "no verdict";
}

/** Good or bad; plain where nothing is shown. */
inline ink verdict_ink(const record::comparison& c) {
  if (!has_ratio(c) || !c.verdict) return ink::plain;
  return *c.verdict == statistics::verdict::slower   ? ink::bad
         : *c.verdict == statistics::verdict::faster ? ink::good
                                                     : ink::plain;
}

/** What the second instance of the baseline says of the run. */
inline std::string control_words(const record::control& c) {
  if (c.suspect) return "suspect";
  if (!known(c.ratio) || !c.verdict) return std::string{absent};
  if (!c.ci) return "too few blocks";
  return *c.verdict == statistics::verdict::equivalent ? "clean" : "noise floor above the margin";
}

/** A size of datagrams, or the largest of mixed ones. */
inline std::string size_words(std::uint64_t size, bool mixed) {
  return (mixed ? "mixed sizes up to " : "") + bytes(size);
}

/** What the sender really did, in words. */
inline std::string send_words(std::string_view send) {
  if (send == "segmented") return "segmented sends (UDP_SEGMENT)";
  if (send == "batch") return "batched sends (sendmmsg)";
  if (send == "single") return "single sends";
  return std::string{send};
}

/** `a`, `a and b`, `a, b and c`. */
inline std::string listed(const std::vector<std::string>& items, std::string_view last = " and ") {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? last : std::string_view{", "};
    out += items[i];
  }
  return out;
}

/** `1 round`, `2 rounds`. */
inline std::string counted(std::uint64_t n, std::string_view noun) {
  return count(n) + ' ' + std::string{noun} + (n == 1 ? "" : "s");
}

} // namespace udpbench::report
