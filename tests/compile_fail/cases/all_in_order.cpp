// compiles: what the others do, as it should be done
#include <udpbench/async_server.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/sync_server.hpp>

struct receiver {
  explicit receiver(udpbench::measure::ledger&);
  udpbench::net::endpoint open(const udpbench::net::endpoint&, const udpbench::server_options&);
  std::size_t receive(std::size_t, udpbench::measure::monotonic_clock::time_point);
  void stop() noexcept;
  int native_handle();
};

struct sink {
  void operator()(const udpbench::datagram&) noexcept {}
};

struct memory {
  void* allocate(std::size_t bytes, std::size_t alignment);
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept;
};

void use(udpbench::experiment::catalogue& to, udpbench::measure::ledger& ledger, sink& s) {
  udpbench::any_receiver::make<receiver>(ledger);
  to.add<receiver>("receiver", "complete");
  udpbench::sync_server<sink> sync(s);
  udpbench::async_server<sink, udpbench::take::one, memory> async(s);
}
