/** @file
    The error of a file that isn't a record.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <stdexcept>
#include <string>

namespace udpbench::record {

/** Says where (`results[0].rounds[3].valid`), what was found, and what is allowed there. */
class format_error : public std::runtime_error {
 public:
  /** @param where  the path to it; empty: the whole document.
      @param found  what is there.
      @param allowed  what might be. */
  format_error(const std::string& where, const std::string& found, const std::string& allowed)
      : std::runtime_error{(where.empty() ? "the document" : where) + ": found " + found +
                           ", allowed: " + allowed} {}
};

} // namespace udpbench::record
