// The program udpbench: all that is its own is what only the build system knows.
#include <udpbench/app/main.hpp>

int main(int argc, char** argv) {
  return udpbench::app::main(argc, argv, udpbench::app::builtin(),
                             {.type = UDPBENCH_BUILD_TYPE, .flags = UDPBENCH_FLAGS});
}
