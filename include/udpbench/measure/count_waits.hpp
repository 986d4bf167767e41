/** @file
    Counts how often each thread waits for events. Include it in exactly one source file of an executable: it defines epoll_wait in front
    of the C library's own, which it calls. Not with sanitizers, some of which define it, too.

    Needs a C library that is linked dynamically.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>

#include <dlfcn.h>
#include <sys/epoll.h>

namespace udpbench::detail {
inline constinit thread_local std::uint64_t waits_of_thread = 0;
}

/** @cond  The first is declared in waits.hpp; the second has the C library's name, whose manual says what it does. */
extern "C" {
const std::uint64_t* udpbench_thread_waits() noexcept { return &udpbench::detail::waits_of_thread; }

int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  using function = int(int, epoll_event*, int, int);
  static function* const next = reinterpret_cast<function*>(::dlsym(RTLD_NEXT, "epoll_wait"));
  if (timeout != 0) ++udpbench::detail::waits_of_thread;
  return next(epoll, events, most, timeout);
}
}
/** @endcond */
