/** @file
    What system calls are called.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <sys/syscall.h>

namespace udpbench::measure {

/** The name of a system call that a receiver may use; else its number. */
inline std::string system_call_name(std::uint64_t number) {
  using pair = std::pair<std::uint64_t, std::string_view>;
  constexpr std::array names{pair(SYS_clock_gettime, "clock_gettime"),
                             pair(SYS_epoll_ctl, "epoll_ctl"),
                             pair(SYS_epoll_pwait, "epoll_pwait"),
                             pair(SYS_epoll_wait, "epoll_wait"),
                             pair(SYS_futex, "futex"),
                             pair(SYS_getsockopt, "getsockopt"),
                             pair(SYS_io_uring_enter, "io_uring_enter"),
                             pair(SYS_poll, "poll"),
                             pair(SYS_ppoll, "ppoll"),
                             pair(SYS_read, "read"),
                             pair(SYS_recvfrom, "recvfrom"),
                             pair(SYS_recvmmsg, "recvmmsg"),
                             pair(SYS_recvmsg, "recvmsg"),
                             pair(SYS_restart_syscall, "restart_syscall"),
                             pair(SYS_sched_yield, "sched_yield"),
                             pair(SYS_sendmmsg, "sendmmsg"),
                             pair(SYS_sendmsg, "sendmsg"),
                             pair(SYS_sendto, "sendto"),
                             pair(SYS_timerfd_settime, "timerfd_settime"),
                             pair(SYS_write, "write")};
  const auto found = std::find_if(names.begin(), names.end(),
                                  [number](const pair& p) { return p.first == number; });
  return found != names.end() ? std::string(found->second) : "no. " + std::to_string(number);
}

} // namespace udpbench::measure
