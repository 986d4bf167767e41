/** @file
    What a receiver without work gets of a load: rounds to hold others against.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>
#include <udpbench/record/result.hpp>
#include <udpbench/statistics/order.hpp>

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** Datagrams per second that were sent in a round; empty where the time of sending wasn't measured. */
inline std::optional<double> offered_per_second(const sample& s) noexcept {
  if (s.sent.sent == 0 || s.sending.count() <= 0) return {};
  return static_cast<double>(s.sent.sent) / std::chrono::duration<double>(s.sending).count();
}

/** What was received per second over what was offered per second; more than 1 where the sender ended with a rest. Empty where one of them
    wasn't measured. */
inline std::optional<double> part_taken(const sample& s) noexcept {
  const auto offered = offered_per_second(s);
  if (!offered || s.timed == 0 || s.elapsed.count() <= 0) return {};
  return static_cast<double>(s.timed) / std::chrono::duration<double>(s.elapsed).count() / *offered;
}

/** Rounds of a bare receiver, as one: their medians. Empty where none of them was measured. */
inline std::optional<record::without_work> reference_from(const std::vector<sample>& rounds) {
  std::vector<double> offered;
  std::vector<double> parts;
  for (const sample& s : rounds)
    if (const auto part = part_taken(s)) {
      offered.push_back(*offered_per_second(s));
      parts.push_back(*part);
    }
  if (parts.empty()) return {};
  return record::without_work{.offered_per_second = statistics::median(offered),
                              .part_taken = statistics::median(parts)};
}

/** The references of one table, each measured when it is first asked for, and never again. Threads: one. */
class references {
 public:
  /** Runs rounds of the bare receiver whose socket joins datagrams, or doesn't; none where it can't be had. */
  using run_rounds = std::function<std::vector<sample>(bool joins)>;

  /** @param run  not called until somebody asks. */
  explicit references(run_rounds run) : run_(std::move(run)) {}

  /** For a receiver of that kind; empty where there is none. */
  const std::optional<record::without_work>& of(bool joins) {
    auto& known = known_[joins ? 1 : 0];
    if (!known) known.emplace(reference_from(run_(joins)));
    return *known;
  }

 private:
  run_rounds run_;
  std::array<std::optional<std::optional<record::without_work>>, 2> known_;
};

} // namespace udpbench::experiment
