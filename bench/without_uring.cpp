// For builds without liburing.
#include "uring.hpp"

void add_uring(udpbench::experiment::catalogue& to) {
  to.leave_out(
      "uring",
      "this build has no receivers on io_uring, for want of liburing (Debian: liburing-dev)");
}
