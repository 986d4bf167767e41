// The program udpbench, as this build has it.
#pragma once

#include <string>

namespace udpbench::test {

/** Runs it in the place of the shell, so that it has the shell's process number. */
inline const std::string program = "exec '" UDPBENCH_EXECUTABLE "' ";

} // namespace udpbench::test
