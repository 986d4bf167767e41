// Receiving inside Google Benchmark: an iteration is one backlog slice, filled outside the measured time.
//   google_benchmark --benchmark_repetitions=10 --benchmark_enable_random_interleaving=true
// Its column "Time" is that of a slice, measured by us; its column "CPU" has the filling in it, so `cpu_ns`, the receiving
// thread's own, is reported beside it. It has no ledger's balance, control or interval; `udpbench compare` has.
#include <udpbench/udpbench.hpp>

#include <benchmark/benchmark.h>

#include <chrono>

using namespace udpbench;

namespace {

template <class Server>
void receive(benchmark::State& state) {
  const auto depth = static_cast<std::uint64_t>(state.range(0));
  measure::ledger ledger;
  Server server(ledger);
  sync_client<> client;
  client.open(server.open({boost::asio::ip::address_v4::loopback(), 0}));
  net::drop_meter drops(net::drop_counter(server.native_handle()));

  measure::monotonic_clock clock;
  schedule to_send{.run = 7, .round = 1, .size = 1024};
  ledger.begin(to_send.run, to_send.round);
  std::chrono::nanoseconds drained{};
  std::chrono::nanoseconds cpu{};
  for (auto _ : state) {
    to_send.first_sequence += client.send(to_send, depth).sent;
    // What the full buffer dropped isn't waited for: it is a loss, and no time.
    const auto dropped = drops.update(net::drop_counter(server.native_handle())).value_or(0);
    const std::size_t there = to_send.first_sequence - dropped - ledger.counts().unique;
    std::chrono::nanoseconds drain{};
    std::size_t got = 0;
    const auto before = measure::thread_cpu_time();
    {
      const timed_scope scope(clock, drain);
      got = server.receive(there, clock.now() + std::chrono::seconds(1));
    }
    cpu += measure::thread_cpu_time() - before;
    drained += drain;
    state.SetIterationTime(std::chrono::duration<double>(drain).count());
    if (got < there) {
      state.SkipWithError("queued datagrams didn't arrive");
      return;
    }
  }

  const auto unique = static_cast<double>(ledger.counts().unique);
  state.SetItemsProcessed(static_cast<std::int64_t>(ledger.counts().unique));
  state.counters["ns"] = static_cast<double>(drained.count()) / unique; // Per datagram, as cpu_ns.
  state.counters["cpu_ns"] = static_cast<double>(cpu.count()) / unique;
  state.counters["loss"] = 1 - unique / static_cast<double>(to_send.first_sequence);
}

// 64 datagrams of 1 KiB fit into the default receive buffer; 128 don't, and show the loss.
template <class Server>
void add(const char* name) {
  benchmark::RegisterBenchmark(name, receive<Server>)->Arg(64)->Arg(128)->UseManualTime();
}

} // namespace

int main(int argc, char** argv) {
  using measure::ledger;
  add<raw_server<ledger>>("raw");
  add<sync_server<ledger>>("sync");
  add<sync_server<ledger, take::batch<>>>("sync+batch");
  add<async_server<ledger>>("async");
  add<async_server<ledger, take::batch<>>>("async+batch");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
