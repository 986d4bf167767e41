/** @file
    Why a receiver is slower or faster than the baseline, as far as its name tells.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/report/receiver_name.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::report {

/** The known reason for a verdict about `name`; empty where none is known.
    Source: what a receive costs on epoll, by counting system calls. */
inline std::string_view reason_for(std::string_view name, std::string_view baseline,
                                   std::string_view backend, statistics::verdict verdict) {
  const receiver_name it{name};
  const receiver_name base{baseline};
  const auto one_call_each = [](const receiver_name& n) {
    return (n.driver == "sync" || n.driver == "raw") && n.take.empty();
  };
  if (backend != "epoll" || base.backend != it.backend) return {};

  if (verdict == statistics::verdict::slower && it.plain_asynchronous() && one_call_each(base)) {
    return "on epoll each datagram takes a pass through the scheduler and an epoll_wait beside the "
           "receive itself";
  }
  if (verdict == statistics::verdict::faster) {
    if (one_call_each(it) && base.plain_asynchronous()) {
      return "it spares the pass through the scheduler and the epoll_wait that each datagram takes "
             "on epoll";
    }
    if (it.take == base.take) return {};
    if (it.take == "batch") return "several datagrams are taken with one system call";
    if (it.take == "gro") return "a whole train of datagrams is taken with one system call";
    if (it.take == "drain" && base.plain_asynchronous()) {
      return "the socket is emptied before the next pass through the scheduler";
    }
  }
  return {};
}

/** The reasons of several receivers with one verdict, to follow a sentence about them without its full stop. */
inline std::string reasons_for(const group& g, const std::vector<std::string>& names,
                               statistics::verdict verdict) {
  std::map<std::string_view, std::vector<std::string>> by_reason;
  for (const std::string& name : names) {
    const record::result* r = g.result_of(name);
    if (r == nullptr) continue;
    const std::string_view reason = reason_for(name, g.baseline, r->backend, verdict);
    if (!reason.empty()) by_reason[reason].push_back(name);
  }
  std::string out;
  for (const auto& [reason, those] : by_reason) {
    out += those.size() == names.size()
               ? ": "
               : (out.empty() ? ". For " : "; for ") + listed(those) + ": ";
    out += reason;
  }
  return out + '.';
}

/** Whether the rest of a difference, as ratios to the same baseline, is less than a tenth of the whole. */
inline bool nearly_all(double whole, double rest) {
  return std::abs(std::log(rest)) < 0.1 * std::abs(std::log(whole));
}

/** Does taking several datagrams at a time make up for the driver's price? Empty where the run can't tell. */
inline std::string making_up(const group& g) {
  const auto slower = [](const record::comparison& c) {
    return has_ratio(c) && c.verdict == statistics::verdict::slower;
  };
  for (const record::comparison* plain : g.comparisons) {
    const receiver_name name{plain->receiver};
    if (!name.plain_asynchronous() || !slower(*plain)) continue;

    std::vector<std::string> clauses;
    for (const record::comparison* c : g.comparisons) {
      const receiver_name other{c->receiver};
      if (!other.sibling_of(name) || !has_ratio(*c) || !c->verdict) continue;
      if (other.take != "batch" && other.take != "drain") continue;
      std::string clause = (other.take == "batch" ? "batching (" : "draining the socket (") +
                           c->receiver + ") makes up ";

      const bool worse_is_more = !words_of_metric(c->metric).higher_is_better;
      const bool better = c->ci && plain->ci &&
                          (worse_is_more ? (*c->ci)[1] < (*plain->ci)[0] : (*c->ci)[0] > (*plain->ci)[1]);
      switch (*c->verdict) {
      case statistics::verdict::faster:
        clause += "more than all";
        break;
      case statistics::verdict::equivalent:
        clause += "all";
        break;
      case statistics::verdict::slower:
        clause += !better                                ? "nothing"
                  : nearly_all(*plain->ratio, *c->ratio) ? "nearly all"
                                                         : "a part";
        break;
      case statistics::verdict::inconclusive:
        clause += better ? "at least a part" : "perhaps a part";
        break;
      }
      clauses.push_back(std::move(clause));
    }
    if (clauses.empty()) continue;
    return "Of what " + plain->receiver + " falls behind, " + listed(clauses) + '.';
  }
  return {};
}

/** What the receivers on the heap asked of it. */
inline std::string heap_use(const group& g) {
  std::vector<std::string> uses;
  for (const record::result* r : g.receivers) {
    const figure& allocations = r->summary.allocations_per_datagram;
    if (receiver_name{r->receiver}.memory == "heap" && known(allocations)) {
      uses.push_back(r->receiver + " allocates " + shown(allocations, 2) + " times");
    }
  }
  return uses.empty() ? std::string{} : "Per datagram " + listed(uses) + " from the heap.";
}

} // namespace udpbench::report
