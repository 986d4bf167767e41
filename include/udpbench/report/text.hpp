/** @file
    A run as text for a terminal.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/compare_table.hpp>
#include <udpbench/report/explain.hpp>
#include <udpbench/report/explain_table.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/head.hpp>
#include <udpbench/report/notes.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/paragraph.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/report/series.hpp>
#include <udpbench/report/style.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace udpbench::report {

namespace detail {

inline void print_group(std::ostream& out, const record::run& run, const group& g,
                        const text_style& style) {
  out << '\n' << std::string(std::min(style.width, prose_width), '-') << '\n';
  paragraph(out, "", title(g), style, ink::strong);
  const auto banner = [&](const std::string& text) { paragraph(out, "", text, style, ink::alert); };
  if (!run.complete && g.blocks() < run.plan.blocks) {
    banner("incomplete: " + count(std::uint64_t{g.blocks()}) + " of " +
           counted(run.plan.blocks, "block"));
  }
  for (const std::string& reason : suspicions(run, g)) banner("suspect: " + reason);
  out << '\n';
  print_table(out, g, run.plan, style);
  print_explanation(out, g, style);
  const std::vector<std::string> all = notes(run, g);
  if (!all.empty()) out << '\n';
  for (const std::string& note : all) paragraph(out, "- ", note, style);

  std::string meaning;
  for (const std::string& sentence : explain(run, g))
    meaning += (meaning.empty() ? "" : " ") + sentence;
  out << '\n' << painted("What this means", ink::strong, style) << '\n';
  paragraph(out, "", meaning, style);
}

/** How to read what `--explain` added, if it did. */
template <class Note>
void note_explanation(const record::run& run, Note note) {
  const auto explained = [](const record::result& r) { return !r.system_calls.empty(); };
  if (std::none_of(run.results.begin(), run.results.end(), explained)) return;
  note("System calls were counted once, in another process, with a full backlog (other loads: one "
       "datagram at a time, of several sockets or flows one of each), while nothing was timed. "
       "sleeps are waits for which the thread gave up its cpu, preempted is how often it lost it "
       "to another.");
  if (std::any_of(run.results.begin(), run.results.end(),
                  [&](const auto& r) { return r.depth && explained(r); }))
    note(
        "A backlog's CPU time isn't divided into user and system time: the kernel divides by "
        "looking at a thread once a timer tick, and within the some ms of one the same thread "
        "fills the queue and empties it many times. Its sleeps and preemptions are those of both.");
}

/** What holds for every table, said once. */
inline void print_reading(std::ostream& out, const record::run& run, const std::vector<group>& all,
                          const text_style& style) {
  const bool ratios = std::any_of(run.comparisons.begin(), run.comparisons.end(), has_ratio);
  const bool controls =
      std::any_of(all.begin(), all.end(), [](const group& g) { return g.control != nullptr; });
  const bool several = ratios && std::any_of(all.begin(), all.end(), [](const group& g) {
                         return g.comparisons.size() > 1;
                       });
  const auto note = [&](const std::string& text) { paragraph(out, "- ", text, style); };
  const std::string margin = margin_words(run.plan.margin);

  out << '\n' << std::string(std::min(style.width, prose_width), '-') << '\n';
  out << painted("How to read the tables", ink::strong, style) << '\n';
  if (ratios) {
    note("ratio = exp(median of log ratios), block by block: need not be the quotient of the "
         "medians shown. "
         "Each interval holds for its line alone.");
    note("equivalent: a difference of more than " + margin +
         " is ruled out (the 90 % interval lies within it). slower, faster: the ratio is shown to "
         "differ from 1, "
         "and by its estimate differs by more than " +
         margin + ". inconclusive: neither is shown.");
  }
  if (controls) {
    note("(control) is the baseline once more, as a receiver of its own: its ratio shows what no "
         "difference looks "
         "like in this run.");
  }
  if (several) {
    note("With several receivers in a table, slower and faster are held to a stricter level than "
         "95 %, so that "
         "chance seldom puts one wrong word into the whole table.");
  }
  note("CPU is the time that the receiving thread ran. hook requests are what it asked of its "
       "handler memory, "
       "allocations what that memory had to ask for elsewhere. mean time is all time over all "
       "datagrams, so rare "
       "and costly ones weigh in it. " +
       std::string{absent} + " is a figure that was not measured.");
  note_explanation(run, note);
  note(run.plan.processes == 1
           ? "All figures come from this process. Another one, with its memory laid out "
             "differently, may differ "
             "by 1 to 2 %."
           : "Ratios and intervals are over " + count(run.plan.processes) +
                 " processes, the median of each counting once; the other figures are medians of "
                 "all rounds.");
}

} // namespace detail

/** Prints the whole run. Errors: those of the stream. */
inline void text(std::ostream& out, const record::run& run, const text_style& style) {
  print_head(out, run, style);
  const std::vector<group> all = groups(run);
  if (all.empty()) {
    out << "\nNothing was measured.\n";
    return;
  }
  for (const group& g : all) detail::print_group(out, run, g, style);
  print_series(out, run, style);
  detail::print_reading(out, run, all, style);
}

} // namespace udpbench::report
