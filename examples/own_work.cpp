// What an application does with each datagram, compared under every driver: a sink of one's own in a main of one's own.
#include <udpbench/app/builtin.hpp>
#include <udpbench/app/main.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/sync_server.hpp>

#include <cstddef>
#include <cstdint>

namespace {

// A checksum over the payload, as a stand-in for parsing. It runs on the receiving thread, before the datagram is counted.
class checksum {
 public:
  void operator()(const udpbench::datagram& d) noexcept {
    std::uint32_t sum = 0;
    for (const std::byte b : d.bytes) sum = sum * 31 + std::to_integer<std::uint32_t>(b);
    sum_ = sum_ ^ sum; // Kept in a volatile, or the compiler would leave the work out.
  }

 private:
  volatile std::uint32_t sum_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  // `app::builtin()` would be all of udpbench's; the one to compare with is enough here.
  udpbench::experiment::catalogue receivers;
  receivers.add<udpbench::sync_server<udpbench::measure::ledger>>("sync", "synchronous");
  udpbench::app::add_sink<checksum>(receivers, "checksum", "a checksum over the payload");
  return udpbench::app::main(argc, argv, receivers);
}
