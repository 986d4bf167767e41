// A sink of one's own, and two servers that give it what they receive.
#include <udpbench/async_server.hpp>
#include <udpbench/sync_client.hpp>
#include <udpbench/sync_server.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>

namespace {

// Counts datagrams and bytes by size class: class k holds the lengths below 2^k, and from 2^(k-1). A sink is any type that can be
// called with a datagram and says `noexcept`; it runs on the receiving thread, so it doesn't lock, allocate or print.
class size_classes {
 public:
  struct count {
    std::uint64_t datagrams = 0;
    std::uint64_t bytes = 0;
  };

  void operator()(const udpbench::datagram& d) noexcept {
    // `length` is the true one; `bytes`, valid during this call alone, is what fitted into the buffer.
    count& c = counts_[static_cast<std::size_t>(std::bit_width(d.length))];
    ++c.datagrams;
    c.bytes += d.length;
    if (d.truncated()) ++truncated_;
  }

  const count& of(std::size_t length) const {
    return counts_.at(static_cast<std::size_t>(std::bit_width(length)));
  }
  std::uint64_t truncated() const noexcept { return truncated_; }

 private:
  std::array<count, 17> counts_{}; // A UDP length has 16 bits.
  std::uint64_t truncated_ = 0;
};
static_assert(udpbench::datagram_sink<size_classes>);

// The servers have one face, so what is done with them is written once.
template <class Server>
bool run(const char* name) {
  constexpr std::array<std::size_t, 3> sizes{100, 1000, 4000};
  size_classes sink;
  Server server(sink); // The sink outlives the server.
  udpbench::sync_client<> client;
  // 4,000 bytes are more than the buffer: they arrive truncated, and are counted by their true length.
  client.open(server.open({boost::asio::ip::address_v4::loopback(), 0},
                          {.socket = {}, .largest_datagram = 2048}));
  for (const std::size_t size : sizes) {
    const std::size_t sent = client.send({.size = size}, 10).sent;
    server.receive(sent, udpbench::measure::monotonic_clock::now() + std::chrono::seconds(1));
  }
  std::cout << name << ':';
  for (const std::size_t size : sizes)
    std::cout << ' ' << sink.of(size).datagrams << " of " << size << " bytes,";
  std::cout << ' ' << sink.truncated() << " truncated\n";
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](std::size_t size) { return sink.of(size).bytes == 10 * size; });
}

} // namespace

int main() {
  try {
    const bool sync = run<udpbench::sync_server<size_classes>>("sync");
    const bool async = run<udpbench::async_server<size_classes>>("async");
    return sync && async ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "own_sink: " << e.what() << '\n';
    return 1;
  }
}
