/** @file
    What threads have used: CPU time, context switches.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <chrono>
#include <cstdint>

#include <sys/resource.h>
#include <time.h>

namespace udpbench::measure {

/** What a clock of CPU time shows, in ns. Source: clock_gettime(2). */
inline std::chrono::nanoseconds cpu_time_of(clockid_t clock) noexcept {
  timespec t{};
  ::clock_gettime(clock, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

/** CPU time of the calling thread since it began, in ns. Exact; one system call. Source: clock_gettime(2). */
inline std::chrono::nanoseconds thread_cpu_time() noexcept {
  return cpu_time_of(CLOCK_THREAD_CPUTIME_ID);
}

/** Use of one thread up to a moment; the difference of two is the use between them. */
struct thread_use {
  std::chrono::nanoseconds cpu{}; ///< User and system together, exact.
  std::chrono::nanoseconds
      user{}; ///< Many kernels divide `cpu` by sampling at the timer tick: coarse below 1 s.
  std::chrono::nanoseconds system{};      ///< Likewise.
  std::uint64_t voluntary_switches = 0;   ///< It gave up the cpu.
  std::uint64_t involuntary_switches = 0; ///< Another was given the cpu.

  /** What was used from `b` to `a`. */
  friend thread_use operator-(const thread_use& a, const thread_use& b) noexcept {
    return {a.cpu - b.cpu, a.user - b.user, a.system - b.system,
            a.voluntary_switches - b.voluntary_switches,
            a.involuntary_switches - b.involuntary_switches};
  }
};

namespace detail {

inline thread_use use_of(int who, std::chrono::nanoseconds cpu) noexcept {
  rusage r{};
  ::getrusage(who, &r);
  const auto time = [](const timeval& t) {
    return std::chrono::nanoseconds(std::chrono::seconds(t.tv_sec) +
                                    std::chrono::microseconds(t.tv_usec));
  };
  return {cpu, time(r.ru_utime), time(r.ru_stime), static_cast<std::uint64_t>(r.ru_nvcsw),
          static_cast<std::uint64_t>(r.ru_nivcsw)};
}

} // namespace detail

/** The calling thread's use up to now. Source: getrusage(2), RUSAGE_THREAD. */
inline thread_use current_thread_use() noexcept {
  return detail::use_of(RUSAGE_THREAD, thread_cpu_time());
}

/** The use of all other threads of this process up to now, those that have ended among them. Source: getrusage(2), RUSAGE_SELF. */
inline thread_use other_threads_use() noexcept {
  return detail::use_of(RUSAGE_SELF, cpu_time_of(CLOCK_PROCESS_CPUTIME_ID)) - current_thread_use();
}

} // namespace udpbench::measure
