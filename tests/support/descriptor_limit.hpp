/** @file
    Few descriptors, for a while.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>

#include <sys/resource.h>

namespace support {

/** Lets this process have no more than `most` descriptors, for as long as it exists. */
class descriptor_limit {
 public:
  explicit descriptor_limit(std::size_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit now = before_;
    now.rlim_cur = most;
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
  descriptor_limit(const descriptor_limit&) = delete;
  descriptor_limit& operator=(const descriptor_limit&) = delete;
  ~descriptor_limit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

} // namespace support
