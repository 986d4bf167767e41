/** @file
    The work that a comparison has done with each datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/written.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/statistics/order.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace udpbench::experiment {

/** One work, as it is asked for. */
struct work {
  using kind = measure::work_plan::kind; ///< Short for it.

  kind what = kind::none;          ///< Which of them.
  std::chrono::nanoseconds time{}; ///< Of `spin`.
  std::size_t bytes = 0;           ///< Of the table of `random`.

  /** As it is written on a command line; empty: none. */
  std::string name() const {
    switch (what) {
    case kind::none:
      return "";
    case kind::spin:
      return written(time);
    case kind::touch:
      return "touch";
    case kind::copy:
      return "copy";
    case kind::random:
      return "random:" + written_bytes(bytes);
    }
    return "";
  }

  bool operator==(const work&) const = default; ///< By all values.
};

/** What that is on this cpu, for datagrams of up to `size` bytes: one plan for all receivers, or they would differ by it. Takes 0.3 s for
    a spin, which is measured. */
inline measure::work_plan calibrated(const work& w, std::size_t size) noexcept {
  measure::work_plan out{.what = w.what, .turns = 0, .bytes = w.bytes};
  if (w.what == work::kind::spin)
    out.turns = measure::spin_turns(static_cast<double>(w.time.count()));
  if (w.what == work::kind::copy) out.bytes = size;
  return out;
}

/** What a work takes for a datagram of `size` bytes when nothing else is done, in ns; median of batches.
    Errors: throws std::bad_alloc.   Threads: any; takes 0.1 s. */
inline double cost_ns(const measure::work_plan& plan, std::size_t size) {
  measure::work work(plan);
  if (!work) return 0;
  const std::vector<std::byte> bytes(size);
  const auto batch = [&](int calls) {
    const auto begin = measure::monotonic_clock::now();
    for (int i = 0; i < calls; ++i) work(datagram{bytes, bytes.size()});
    const std::chrono::duration<double, std::nano> took = measure::monotonic_clock::now() - begin;
    return took.count() / calls;
  };
  const int calls = static_cast<int>(std::clamp(1e6 / std::max(batch(1), 1.0), 1.0, 10'000.0));
  std::vector<double> costs;
  for (int i = 0; i < 51; ++i) costs.push_back(batch(calls));
  return statistics::median(costs);
}

/** A work that is to be done with datagrams, before any comes. */
struct work_trial {
  work what;                  ///< Which.
  std::size_t largest = 0;    ///< Bytes of a datagram.
  std::size_t usual = 0;      ///< Bytes of the one by which its cost is measured.
  std::vector<unsigned> cpus; ///< It is done on one of them; empty: on any.
};

/** What came of that. */
struct tried_work {
  measure::work_plan plan; ///< The same for all receivers.
  double ns = 0;           ///< What it takes when nothing else is done.
};

/** Calibrates and measures it on this host. Errors: throws std::invalid_argument for a cpu that can't be had. Threads: any. */
inline tried_work try_work(const work_trial& t) {
  net::require_cpus(t.cpus);
  const net::scoped_affinity as_receivers(t.cpus);
  const auto plan = calibrated(t.what, t.largest);
  return {plan, cost_ns(plan, t.usual)};
}

} // namespace udpbench::experiment
