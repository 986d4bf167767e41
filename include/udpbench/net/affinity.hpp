/** @file
    Which cpus a thread may run on.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace udpbench::net {

/** The cpus that the calling thread may run on, ascending. Source: sched_getaffinity(2). */
inline std::vector<unsigned> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<unsigned> cpus;
  if (::pthread_getaffinity_np(::pthread_self(), sizeof set, &set) != 0) return cpus;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

/** Binds the calling thread to one cpu, or to some, for the length of a scope, then gives it back what it had.
    With none, or with none that the thread may use, nothing changes and `bound()` is false. Threads: its own. */
class scoped_affinity {
 public:
  /** @param cpu  its number, as the kernel counts; empty: none. */
  explicit scoped_affinity(std::optional<unsigned> cpu) noexcept
      : scoped_affinity(cpu ? std::span<const unsigned>(&*cpu, 1) : std::span<const unsigned>()) {}

  /** @param cpus  their numbers. */
  explicit scoped_affinity(std::span<const unsigned> cpus) noexcept {
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (const unsigned cpu : cpus)
      if (cpu < CPU_SETSIZE) CPU_SET(cpu, &wanted);
    if (CPU_COUNT(&wanted) == 0) return;
    if (::pthread_getaffinity_np(::pthread_self(), sizeof before_, &before_) != 0) return;
    bound_ = ::pthread_setaffinity_np(::pthread_self(), sizeof wanted, &wanted) == 0;
  }
  scoped_affinity(const scoped_affinity&) = delete;
  scoped_affinity& operator=(const scoped_affinity&) = delete;
  ~scoped_affinity() {
    if (bound_) ::pthread_setaffinity_np(::pthread_self(), sizeof before_, &before_);
  }

  /** Whether the thread was bound. */
  bool bound() const noexcept { return bound_; }

 private:
  cpu_set_t before_{};
  bool bound_ = false;
};

/** Makes sure that threads can be bound to each of some cpus, so that nobody takes figures of unbound ones for those of bound ones.
    @param cpus  their numbers, as the kernel counts.
    Errors: throws std::invalid_argument, with the first that can't be had and those that the calling thread has. Threads: any. */
inline void require_cpus(std::span<const unsigned> cpus) {
  for (const unsigned cpu : cpus) {
    if (scoped_affinity(cpu).bound()) continue;
    std::string has;
    for (const unsigned each : allowed_cpus())
      has += (has.empty() ? "" : ", ") + std::to_string(each);
    throw std::invalid_argument("cpu " + std::to_string(cpu) +
                                ": no thread can be bound to it; this one may use " + has);
  }
}

} // namespace udpbench::net
