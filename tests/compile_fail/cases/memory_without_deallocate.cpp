// expected: memory.deallocate(block, bytes, alignment)
#include <udpbench/async_server.hpp>
#include <udpbench/measure/ledger.hpp>

struct leaking {
  void* allocate(std::size_t bytes, std::size_t alignment);
};

using ledger = udpbench::measure::ledger;

void use(ledger& sink) {
  udpbench::async_server<ledger, udpbench::take::one, leaking> server(sink);
}
