// expected: r.native_handle()
#include <udpbench/receiver.hpp>

struct incomplete {
  udpbench::net::endpoint open(const udpbench::net::endpoint&, const udpbench::server_options&);
  std::size_t receive(std::size_t, udpbench::measure::monotonic_clock::time_point);
  void stop() noexcept;
};

void use() { udpbench::any_receiver::make<incomplete>(); }
