/** @file
    The catalogue that udpbench brings along, compiled once for all tests: it is most of what a test would compile.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/catalogue.hpp>

namespace support {

/** What `app::builtin` returns. */
udpbench::experiment::catalogue every_receiver();

} // namespace support
