/** @file
    What a table means, in sentences drawn from its numbers by rules.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/report/rate_sentences.hpp>
#include <udpbench/report/reasons.hpp>
#include <udpbench/report/schedule_sentences.hpp>
#include <udpbench/report/verdict_sentences.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace udpbench::report {

/** The sentences for one table; never empty. */
inline std::vector<std::string> explain(const record::run& run, const group& g) {
  std::vector<std::string> out;
  const bool figures =
      std::any_of(g.receivers.begin(), g.receivers.end(), [](const record::result* r) {
        return known(r->summary.ns_per_datagram) || known(r->summary.received_per_second);
      });
  if (!figures) return {"No valid round, so nothing can be said."};

  const bool shared_cpu = !g.backlog() && run.plan.shared_cpu;
  if (g.scheduled() && !shared_cpu) detail::explain_schedule(out, g);
  if (!g.backlog() && !g.scheduled() && !shared_cpu) detail::explain_limits(out, g);
  const bool overflowed = !g.backlog() && std::any_of(g.receivers.begin(), g.receivers.end(),
                                                      [](const record::result* r) {
                                                        return detail::overflowed_idle(*r);
                                                      });
  const record::control* control = g.control_ratio();
  if (control != nullptr && control->suspect) {
    out.push_back(
        "This table is suspect: " + g.baseline + " compared with itself gives " +
        ratio(control->ratio) + detail::prose_interval(control->ci, *control->ratio) +
        " where 1 is right. Don't rely on its verdicts; measure again on a quieter machine.");
  } else {
    if (g.receivers.size() == 1) detail::explain_alone(out, g);
    detail::explain_differences(out, g, !shared_cpu && !overflowed);
    detail::explain_equivalence(out, run, g);
    detail::explain_open(out, run, g);
  }
  out.push_back(heap_use(g));
  if (!g.backlog()) detail::explain_loss(out, g);
  if (!suspicions(run, g).empty() && !(control != nullptr && control->suspect))
    out.push_back("This table is suspect, so all this may not hold: measure again.");
  if (!run.complete && g.blocks() < run.plan.blocks) {
    out.push_back("All this rests on " + count(std::uint64_t{g.blocks()}) + " of " +
                  counted(run.plan.blocks, "block") + ", since the run was interrupted.");
  }
  std::erase(out, std::string{});
  if (out.empty()) out.push_back("There is no ratio to draw a conclusion from.");
  return out;
}

} // namespace udpbench::report
