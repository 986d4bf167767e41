/** @file
    A reader is told in words who is slower, and what each figure is.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

using namespace examples;
using printed::has;

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

} // namespace

TEST_CASE("the verdict is a word, and neither err% nor a p value asks to be read backwards",
          "[report]") {
  for (const auto& [word, text] :
       {std::pair{verdict::slower, "slower"}, std::pair{verdict::faster, "faster"},
        std::pair{verdict::equivalent, "equivalent"},
        std::pair{verdict::inconclusive, "inconclusive"}}) {
    INFO(text);
    record::run run = default_run();
    for (auto& c : run.comparisons) c.verdict = word;
    const std::string report = printed::text(run, 120);
    // In the row of each receiver that is compared.
    for (const auto& c : run.comparisons) {
      const auto lines = printed::lines(report);
      CHECK(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.starts_with(c.receiver + ' ') && has(line, text);
      }));
    }
    const std::string out = lower(printed::flat(report));
    for (const char* never :
         {"err%", "err %", "error %", "error rate", "p value", "p-value", "p ="})
      CHECK_FALSE(has(out, never));
  }
}

TEST_CASE("each figure is named with its unit and with which way is better", "[report]") {
  const std::string out = printed::flat(printed::text(default_run()));
  CHECK(has(out, "backlog, 1 KiB: time per queued datagram (ns), lower is better"));
  CHECK(has(out, "flood, 1 KiB: datagrams received per second (k/s), higher is better"));
  CHECK(has(out, "CPU is the time that the receiving thread ran."));
  CHECK(has(out, "95 % interval"));
}
