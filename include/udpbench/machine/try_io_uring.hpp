/** @file
    Whether this kernel lets this process use io_uring.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>

#include <sys/syscall.h>
#include <unistd.h>

namespace udpbench::machine {

/** Sets up a ring of one entry and closes it again.
    @return 0 where that works, else errno: ENOSYS from a kernel without it, EPERM where a sysctl or a filter of system calls
    forbids it. Source: io_uring_setup(2). */
inline int try_io_uring() noexcept {
  // The kernel wants it zeroed and fills in 120 bytes; the header that names them isn't everywhere.
  alignas(std::max_align_t) std::array<std::byte, 256> parameters{};
  const long fd = ::syscall(SYS_io_uring_setup, 1u, parameters.data());
  if (fd < 0) return errno;
  ::close(static_cast<int>(fd));
  return 0;
}

} // namespace udpbench::machine
