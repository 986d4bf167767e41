/** @file
    The guard at this room's doors: no NaN and no infinity comes in, and nobody looks for one later.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

namespace udpbench::statistics {

/** Refuses a value that is NaN or infinite.
    @param value  refused where it is no number.
    @param name  what the value is called in the message.
    Errors: throws `std::invalid_argument` with name and value.   Threads: any. */
inline void require_finite(double value, const std::string& name) {
  if (!std::isfinite(value))
    throw std::invalid_argument(name + " is " + std::to_string(value) + ", not a finite number");
}

/** Refuses a series with a NaN or an infinity in it.
    @param values  refused where one is no number.
    @param name  what the series is called in the message, which also counts the culprit from 0.
    Errors: throws `std::invalid_argument`.   Threads: any. */
inline void require_finite(std::span<const double> values, const std::string& name) {
  for (std::size_t i = 0; i != values.size(); ++i)
    if (!std::isfinite(values[i])) require_finite(values[i], name + '[' + std::to_string(i) + ']');
}

/** Refuses what is no share of 1: a confidence of 95 % is 0.95, never 95.
    Errors: throws `std::invalid_argument` unless 0 < confidence < 1.   Threads: any. */
inline void require_confidence(double confidence) {
  require_finite(confidence, "confidence");
  if (confidence <= 0 || confidence >= 1)
    throw std::invalid_argument("confidence is " + std::to_string(confidence) +
                                ", not between 0 and 1");
}

} // namespace udpbench::statistics
