// The program udpbench with the plain servers, and beside each a receive loop written by hand:
//   by_hand compare raw by_hand.recv async by_hand.async coroutine by_hand.coroutine --load backlog
#include "by_hand.hpp"

#include <udpbench/app/main.hpp>
#include <udpbench/async_server.hpp>
#include <udpbench/coroutine_server.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>

int main(int argc, char** argv) {
  using udpbench::measure::ledger;
  udpbench::experiment::catalogue receivers;
  receivers.add<udpbench::raw_server<ledger>>("raw", "recv");
  receivers.add<udpbench::sync_server<ledger>>("sync", "receive");
  receivers.add<udpbench::async_server<ledger>>("async", "async_receive");
  receivers.add<udpbench::coroutine_server<ledger>>("coroutine", "a coroutine");
  receivers.add<by_hand::recv_loop>("by_hand.recv", "recv without this library");
  receivers.add<by_hand::async_loop>("by_hand.async", "async_receive without this library");
  receivers.add<by_hand::coroutine_loop>("by_hand.coroutine", "a coroutine without this library");
  return udpbench::app::main(argc, argv, receivers,
                             {.type = UDPBENCH_BUILD_TYPE, .flags = UDPBENCH_FLAGS});
}
