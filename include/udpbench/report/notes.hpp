/** @file
    What a reader has to know beside a table's figures.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/absence_sentences.hpp>
#include <udpbench/report/batch_sentences.hpp>
#include <udpbench/report/caveats.hpp>
#include <udpbench/report/conditions.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/invalid_rounds.hpp>
#include <udpbench/report/schedule_sentences.hpp>
#include <udpbench/report/thread_sentences.hpp>
#include <udpbench/report/way_sentences.hpp>

#include <string>
#include <utility>
#include <vector>

namespace udpbench::report {

/** The notes of a table, each a sentence or two; those that don't apply aren't there. */
inline std::vector<std::string> notes(const record::run& run, const group& g) {
  detail::lines out;
  if (g.receivers.empty()) return out;
  detail::note_load(out, run, g);
  detail::note_threads(out, run, g);
  detail::note_batches(out, g);
  detail::note_schedule(out, g);
  detail::note_without_work(out, g);
  detail::note_limits(out, run, g);
  detail::note_ratios(out, run, g);
  detail::note_busy_poll(out, g);
  detail::note_elsewhere(out, g);
  detail::note_loss(out, g);
  detail::note_way(out, g);
  detail::note_counting(out, g);
  detail::note_absent(out, g);
  for (std::string& note : invalid_rounds(g)) out.push_back(std::move(note));
  return out;
}

} // namespace udpbench::report
