/** @file
    Which cpus a thread may run on.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <optional>
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

/** Binds the calling thread to one cpu for the length of a scope, then gives it back what it had.
    With an empty `cpu`, or one that the thread may not use, nothing changes and `bound()` is false. Threads: its own. */
class scoped_affinity {
 public:
  /** @param cpu  its number, as the kernel counts. */
  explicit scoped_affinity(std::optional<unsigned> cpu) noexcept {
    if (!cpu || *cpu >= CPU_SETSIZE) return;
    if (::pthread_getaffinity_np(::pthread_self(), sizeof before_, &before_) != 0) return;
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    CPU_SET(*cpu, &wanted);
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

} // namespace udpbench::net
