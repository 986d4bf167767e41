/** @file
    Descriptors that another process has handed over.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/net/descriptor.hpp>

#include <string>

#include <fcntl.h>

namespace udpbench::app {

/** The one of that number, which goes to no child of this process.
    @param option  that says so.
    @param text  its value.
    Errors: throws `usage_error` where there is none. */
inline net::descriptor inherited(const char* option, const std::string& text) {
  const auto fd = static_cast<int>(parse_count(option, text, {3, 1'000'000}));
  if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
    throw usage_error(option, text, "no such descriptor was handed to this process");
  return net::descriptor(fd);
}

} // namespace udpbench::app
