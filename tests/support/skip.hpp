/** @file
    `SKIP(reason)`: ends a test that this machine can't run, and says so by name. Catch2 3 has it, Catch2 2 doesn't.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "catch.hpp"

#ifndef SKIP
#define SKIP(reason)                                                                               \
  do {                                                                                             \
    WARN("skipped: " << reason);                                                                   \
    return;                                                                                        \
  } while (false)
#endif
