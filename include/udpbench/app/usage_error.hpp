/** @file
    What is wrong with a command line.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <stdexcept>
#include <string>

namespace udpbench::app {

/** The words of the user can't be carried out, on any machine: exit code 2. The text names the thing, the value and what is
    allowed. */
class usage_error : public std::runtime_error {
 public:
  /** @param thing  an option or argument.
      @param value  as it was typed.
      @param allowed  what would be right, or what is wrong. */
  usage_error(const std::string& thing, const std::string& value, const std::string& allowed)
      : std::runtime_error(thing + " '" + value + "': " + allowed) {}
};

/** They can't be carried out on this machine: exit code 1. */
class machine_error : public std::runtime_error {
 public:
  /** @param thing  an option or argument.
      @param value  as it was typed.
      @param allowed  what this machine allows, or what it says. */
  machine_error(const std::string& thing, const std::string& value, const std::string& allowed)
      : std::runtime_error(thing + " '" + value + "': " + allowed) {}
};

} // namespace udpbench::app
