// The receivers on io_uring: CMake chooses the source that has them, or the one that says that there are none.
#pragma once

#include <udpbench/experiment/catalogue.hpp>

/** Adds them, or what keeps them out. */
void add_uring(udpbench::experiment::catalogue& to);
