// Receiving inside Catch2's BENCHMARK_ADVANCED, by Catch2 2.13 or 3:
//   catch2_benchmark --benchmark-samples 200
// Catch2 chooses how often the measured part runs in one sample, and a socket's buffer holds only one filling. So there are as many
// servers as runs, all filled before, and run i empties the one of number i. What Catch2 can't do:
// - take a time that we measured, or another divisor: its figures are per run, which is one slice of 64 datagrams;
// - show a counter: loss becomes a REQUIRE, CPU time and hook requests have no place;
// - interleave: one receiver's samples come after the other's, so a drift of the machine looks like a difference.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#endif

#include <udpbench/udpbench.hpp>

#include <chrono>
#include <deque>

using namespace udpbench;

namespace {

constexpr std::size_t depth = 64;

// Servers of one kind, made as they are needed; a deque, because a server doesn't move.
template <class Server>
class fleet {
 public:
  void fill(std::size_t count) {
    while (members_.size() < count) members_.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
      auto& m = members_[i];
      m.ledger.begin(7, ++m.round);
      m.client.send({.run = 7, .round = m.round, .size = 1024}, depth);
    }
  }

  std::size_t empty(std::size_t which) {
    return members_[which].server.receive(depth, clock::now() + std::chrono::seconds(1));
  }

  std::uint64_t unique(std::size_t which) const { return members_[which].ledger.counts().unique; }

 private:
  using clock = measure::monotonic_clock;
  struct member {
    member() { client.open(server.open({boost::asio::ip::address_v4::loopback(), 0})); }

    measure::ledger ledger;
    Server server{ledger};
    sync_client<> client;
    std::uint16_t round = 0;
  };
  std::deque<member> members_;
};

template <class Server>
void measure_slices(fleet<Server>& servers, Catch::Benchmark::Chronometer& meter) {
  const auto runs = static_cast<std::size_t>(meter.runs());
  servers.fill(runs);
  meter.measure([&](int run) { return servers.empty(static_cast<std::size_t>(run)); });
  for (std::size_t i = 0; i < runs; ++i) REQUIRE(servers.unique(i) == depth);
}

} // namespace

TEST_CASE("64 queued datagrams are received") {
  fleet<raw_server<measure::ledger>> raw;
  fleet<sync_server<measure::ledger>> sync;
  fleet<async_server<measure::ledger>> async;
  fleet<async_server<measure::ledger, take::batch<>>> batch;

  BENCHMARK_ADVANCED("raw")(Catch::Benchmark::Chronometer meter) { measure_slices(raw, meter); };
  BENCHMARK_ADVANCED("sync")(Catch::Benchmark::Chronometer meter) { measure_slices(sync, meter); };
  BENCHMARK_ADVANCED("async")(Catch::Benchmark::Chronometer meter) {
    measure_slices(async, meter);
  };
  BENCHMARK_ADVANCED("async+batch")(Catch::Benchmark::Chronometer meter) {
    measure_slices(batch, meter);
  };
}
