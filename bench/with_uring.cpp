// For builds with liburing.
#include "uring.hpp"

#include <udpbench/app/with_uring.hpp>

void add_uring(udpbench::experiment::catalogue& to) { udpbench::app::add_uring(to); }
