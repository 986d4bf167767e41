/** @file
    One finding of all.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/findings.hpp>

#include <stdexcept>
#include <string>

namespace udpbench::test {

/** What is said of one subject. */
inline machine::finding of(const std::string& subject, const machine::facts& f,
                           const machine::asked& a = {}) {
  for (const auto& each : machine::findings(f, a))
    if (each.subject == subject) return each;
  throw std::runtime_error("no finding on " + subject);
}

} // namespace udpbench::test
