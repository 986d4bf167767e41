/** @file
    A contest as JSON.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "summary.hpp"

#include <udpbench/record/json.hpp>
#include <udpbench/record/json_layout.hpp>
#include <udpbench/record/utf8.hpp>

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace peers {

/** What belongs to a file beside the figures. */
struct circumstances {
  udpbench::record::context machine;                      ///< With seed and command.
  std::uint64_t rounds = 0;                               ///< That were asked for.
  std::int64_t seconds = 0;                               ///< Of each run.
  std::optional<unsigned> sender;                         ///< Its cpu; empty: not bound.
  std::optional<unsigned> receiver;                       ///< Likewise.
  std::vector<std::pair<std::string, std::string>> tools; ///< Names and versions.
  std::vector<std::string> missing;                       ///< Tools that aren't installed.
};

namespace detail {

template <class T>
boost::json::value or_null(const std::optional<T>& x) {
  return x ? boost::json::value(*x) : boost::json::value();
}

inline boost::json::string text(const std::string& s) {
  return boost::json::string(udpbench::record::valid_utf8(s));
}

inline boost::json::value limit_json(const std::optional<limit>& l) {
  return l ? boost::json::value(word(*l)) : boost::json::value();
}

/** Figures of one run, and the medians of several, under the same names. */
template <class Figures>
boost::json::object figures_json(const Figures& f) {
  return {{"received_per_second", or_null(std::optional<double>(f.received_per_second))},
          {"loss", or_null(f.loss)},
          {"receiver_cpu_ns_per_datagram", or_null(f.receiver_cpu_ns)},
          {"receiver_cpu_share", or_null(f.receiver_share)},
          {"sender_cpu_ns_per_datagram", or_null(f.sender_cpu_ns)},
          {"sender_cpu_share", or_null(f.sender_share)},
          {"limited_by", limit_json(f.limited_by)}};
}

inline boost::json::value ratio_json(const std::optional<udpbench::statistics::paired_ratio>& r) {
  if (!r) return nullptr;
  boost::json::value ci;
  if (r->ci95) ci = {r->ci95->low, r->ci95->high};
  return boost::json::object{{"ratio", r->estimate}, {"ci95", ci}, {"rounds", r->n}};
}

inline boost::json::object entry_json(const field& at, const entry& e) {
  const auto s = summarise(at, e);
  boost::json::object medians = figures_json(s);
  medians.emplace("rate_to_best_tool", ratio_json(s.rate_ratio));
  medians.emplace("cpu_to_best_tool", ratio_json(s.cpu_ratio));
  boost::json::array rounds;
  for (const auto& f : e.rounds)
    rounds.push_back(f ? boost::json::value(figures_json(*f)) : boost::json::value());
  boost::json::array failures;
  for (const auto& f : e.failures)
    failures.push_back({{"round", f.round}, {"reason", text(f.reason)}});
  return {{"size_bytes", at.size}, {"receiver", text(e.name)}, {"tool", e.is_peer},
          {"send", text(e.send)},  {"summary", medians},       {"rounds", rounds},
          {"failures", failures}};
}

} // namespace detail

/** The text of a file. A figure that was not measured is null, and so is a round without any. */
inline std::string to_json(const circumstances& c, const outcome& o) {
  boost::json::array tools;
  for (const auto& [name, version] : c.tools)
    tools.push_back({{"name", detail::text(name)}, {"version", detail::text(version)}});
  boost::json::array missing;
  for (const auto& name : c.missing) missing.push_back(detail::text(name));
  boost::json::array results;
  for (const auto& at : o.fields)
    for (const auto& e : at.entries) results.push_back(detail::entry_json(at, e));
  udpbench::record::run described;
  described.context = c.machine;
  return udpbench::record::laid_out(boost::json::object{
      {"schema", "udpbench-peers/1"},
      {"complete", o.complete},
      {"context", udpbench::record::to_json(described).at("context")},
      {"rounds_asked_for", c.rounds},
      {"seconds", c.seconds},
      {"pin", {{"sender", detail::or_null(c.sender)}, {"receiver", detail::or_null(c.receiver)}}},
      {"tools", tools},
      {"tools_missing", missing},
      {"results", results}});
}

} // namespace peers
