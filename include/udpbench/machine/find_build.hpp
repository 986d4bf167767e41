/** @file
    What there is to say of this executable.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/words.hpp>

#include <string>
#include <vector>

namespace udpbench::machine {

/** Whether it was built to be measured: optimised, without assertions and sanitizers. */
inline finding find_build(const facts& f) {
  const build_facts& b = f.build;
  finding out{.subject = "build"};
  std::vector<std::string> wrong;
  if (!b.optimised) wrong.push_back("without optimisation");
  if (b.asserts) wrong.push_back("with assertions (NDEBUG isn't defined)");
  // g++ has no macro for each of its sanitizers, but they stand among the flags.
  if (b.sanitizer || b.flags.find("-fsanitize") != std::string::npos)
    wrong.push_back("with a sanitizer");
  out.found = "Build type " + (b.type.empty() ? "unknown" : b.type) +
              (b.compiler.empty() ? "" : ", by " + b.compiler) +
              (b.flags.empty() ? "" : ", " + b.flags);
  if (wrong.empty()) {
    out.level = level::ok;
    out.found += ".";
    return out;
  }
  out.level = level::warning;
  out.found += ": " + listed(wrong) + ".";
  out.why = "What differs between receivers is small beside what such a build adds.";
  out.change = "Build with CMAKE_BUILD_TYPE=Release, as bench/run does.";
  return out;
}

/** Whether it counts allocations. */
inline finding find_allocations(const facts& f) {
  if (f.build.counts_allocations)
    return {.level = level::ok,
            .subject = "allocations",
            .found = "This executable counts the allocations of each thread."};
  return {.level = level::note,
          .subject = "allocations",
          .found = "This executable doesn't count allocations.",
          .why = "They stay unknown for handler memories that don't report them themselves.",
          .change = "Include udpbench/measure/count_allocations.hpp in one of its source files; "
                    "builds with a sanitizer do without."};
}

} // namespace udpbench::machine
