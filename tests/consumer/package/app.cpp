// The program's command line on a choice of receivers of one's own.
#include <udpbench/app/main.hpp>

using udpbench::measure::ledger;

int main(int argc, char** argv) {
  udpbench::experiment::catalogue receivers;
  receivers.add<udpbench::sync_server<ledger>>("sync", "one datagram by each call");
  receivers.add<udpbench::sync_server<ledger, udpbench::take::batch<8>>>("sync+batch8", "eight");
  return udpbench::app::main(argc, argv, receivers);
}
