// The program udpbench with receive loops written by hand beside its own servers:
//   by_hand compare raw by_hand.recv async by_hand.async coroutine by_hand.coroutine --load backlog
#include "by_hand.hpp"

#include <udpbench/app/main.hpp>

int main(int argc, char** argv) {
  auto receivers = udpbench::app::builtin();
  receivers.add<by_hand::recv_loop>("by_hand.recv", "recv without this library");
  receivers.add<by_hand::async_loop>("by_hand.async", "async_receive without this library");
  receivers.add<by_hand::coroutine_loop>("by_hand.coroutine", "a coroutine without this library");
  return udpbench::app::main(argc, argv, receivers,
                             {.type = UDPBENCH_BUILD_TYPE, .flags = UDPBENCH_FLAGS});
}
