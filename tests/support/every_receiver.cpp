#include "every_receiver.hpp"

#include <udpbench/app/builtin.hpp>

udpbench::experiment::catalogue support::every_receiver() { return udpbench::app::builtin(); }
