/** @file
    What threads have used: CPU time, context switches.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <dirent.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

/** CPU time of one thread of this process since it began. */
struct time_of_thread {
  pid_t thread = 0;               ///< Its number, as gettid(2) tells it.
  std::chrono::nanoseconds cpu{}; ///< Exact.
};

/** That of each other thread of this process that there is now; those that have ended are left out. Two readings of a moment apart
    for each thread. Empty where /proc isn't there. Errors: throws std::bad_alloc. Source: proc(5), clock_getcpuclockid(3), whose way of
    making a clock's number of a thread's the kernel keeps to. */
inline std::vector<time_of_thread> times_of_other_threads() {
  std::vector<time_of_thread> all;
  const std::unique_ptr<DIR, int (*)(DIR*)> threads(::opendir("/proc/self/task"), ::closedir);
  if (!threads) return all;
  const pid_t own = ::gettid();
  while (const dirent* entry = ::readdir(threads.get())) {
    const pid_t thread = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (thread <= 0 || thread == own) continue;
    constexpr unsigned of_a_thread = 6;
    const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | of_a_thread);
    timespec t{};
    if (::clock_gettime(clock, &t) == 0)
      all.push_back({thread, std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec)});
  }
  return all;
}

/** What each of them used between two readings, in the order of the later one; from its beginning for one that the earlier doesn't have. */
inline std::vector<std::chrono::nanoseconds> between(const std::vector<time_of_thread>& earlier,
                                                     const std::vector<time_of_thread>& later) {
  std::vector<std::chrono::nanoseconds> used;
  for (const time_of_thread& t : later) {
    const auto before = std::find_if(earlier.begin(), earlier.end(),
                                     [&](const auto& e) { return e.thread == t.thread; });
    used.push_back(t.cpu - (before == earlier.end() ? std::chrono::nanoseconds{} : before->cpu));
  }
  return used;
}

} // namespace udpbench::measure
