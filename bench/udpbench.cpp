// The program udpbench: all that is its own is what only the build system knows.
#include "uring.hpp"

#include <udpbench/app/main.hpp>

int main(int argc, char** argv) {
  auto receivers = udpbench::app::builtin();
  add_uring(receivers);
  return udpbench::app::main(argc, argv, receivers,
                             {.type = UDPBENCH_BUILD_TYPE, .flags = UDPBENCH_FLAGS});
}
