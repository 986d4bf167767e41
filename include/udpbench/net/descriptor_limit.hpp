/** @file
    How many descriptors this process may have open.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>

#include <sys/resource.h>

namespace udpbench::net {

/** Raises the soft limit to `count` where it is lower and the hard limit allows that, which needs no privilege; returns what may then
    be open. Threads: any. Source: getrlimit(2), RLIMIT_NOFILE. */
inline std::uint64_t allow_descriptors(std::uint64_t count) noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return count;
  if (limit.rlim_cur >= count) return limit.rlim_cur;
  limit.rlim_cur = count < limit.rlim_max ? count : limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

} // namespace udpbench::net
