// Rounds of receivers whose sockets join datagrams: what was lost is counted in datagrams.
#include "catch.hpp"
#include "every_receiver.hpp"
#include "run_here.hpp"
#include "skip.hpp"
#include "train.hpp"

#include <udpbench/async_server.hpp>
#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/receiving_thread.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/gro.hpp>
#include <udpbench/take/one.hpp>

#include <atomic>
#include <chrono>
#include <thread>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

bool possible() {
  return support::joins() && mode_works(send_mode::segmented, support::v4().address(), 1024);
}

/** A ledger behind a gate: the receiver is held at its first datagram. */
struct gated {
  measure::ledger& books;
  std::atomic<bool>& open;

  void operator()(const datagram& d) noexcept {
    open.wait(false);
    books(d);
  }
};

/** What a round with losses was seen as, and by how much the socket's counter went up. */
struct lossy {
  sample seen;
  std::uint64_t counted = 0;
};

/** Sends more than the receive buffer holds while the receiver is held, `more` datagrams after it has taken what there was. */
template <template <class...> class Server>
lossy lossy_round(std::size_t size, std::uint64_t first, std::uint64_t more) {
  measure::ledger books;
  std::atomic<bool> open{false};
  gated gate{books, open};
  auto receiver = any_receiver::make<Server<gated, take::gro<>>>(gate);
  const auto sender = make_sender(send_mode::segmented, {.what = load::kind::flood});
  sender->open(receiver.open(support::v4(), {.socket = {.receive_buffer_bytes = 100'000}}));
  const int fd = receiver.native_handle();
  schedule s{.run = 1, .round = 1, .size = size};
  receiving_thread thread(receiver, books, s, {.size = size, .count = first + more}, {});
  auto sent = sender->send(s, first);
  open = true;
  open.notify_all();
  // Everything is queued by now, so what is queued is soon taken.
  const auto end = std::chrono::steady_clock::now() + support::deadline;
  while (!support::drained(fd) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  s.first_sequence = sent.sent;
  if (more != 0) sent += sender->send(s, more);
  lossy out{thread.end(sent), 0};
  out.counted = net::drop_counter(fd).value_or(0);
  return out;
}

template <class... T>
using sync_of = sync_server<T...>;
template <class... T>
using async_of = async_server<T...>;

void check(const lossy& l) {
  INFO(l.counted << " trains dropped, " << l.seen.kernel_dropped.value_or(0) << " datagrams");
  CHECK(l.seen.trouble.empty());
  CHECK(l.counted > 0);
  REQUIRE(l.seen.kernel_dropped);
  CHECK(*l.seen.kernel_dropped > l.counted);
  CHECK(l.seen.arrivals.unique > 0);
  CHECK(l.seen.sent.sent == l.seen.arrivals.unique + *l.seen.kernel_dropped);
  CHECK(unexplained(l.seen) == 0);
  CHECK(invalid_because(l.seen, true).empty());
}

record::run run_here(const catalogue& known, std::vector<std::string> receivers, load what,
                     std::size_t size, std::optional<std::size_t> buffer, send_mode mode,
                     std::uint16_t flows = 1) {
  plan p;
  p.receivers = std::move(receivers);
  p.loads = {what};
  p.sizes = {size};
  p.blocks = 2;
  p.count = 20'000;
  p.seed = 1;
  p.send = mode;
  p.flows = flows;
  p.receive_buffer_bytes = buffer;
  return experiments::run_here(known, p);
}

} // namespace

#define NEEDS_TRAINS()                                                                             \
  if (!possible()) SKIP("this kernel has no segmented sends, or doesn't join datagrams")

TEST_CASE("trains that the kernel dropped are counted in datagrams", "[experiment]") {
  NEEDS_TRAINS();
  // 63 a train; the last one has 17, and is dropped like those before it.
  check(lossy_round<sync_of>(1024, 63 * 20 + 17, 0));
  check(lossy_round<async_of>(1024, 63 * 20 + 17, 0));
}

TEST_CASE("so are those in the middle of a round", "[experiment]") {
  NEEDS_TRAINS();
  check(lossy_round<sync_of>(1024, 63 * 20 + 17, 100));
  check(lossy_round<async_of>(1024, 63 * 20 + 17, 100));
}

TEST_CASE("so are those of datagrams without a number", "[experiment]") {
  NEEDS_TRAINS();
  check(lossy_round<async_of>(20, 64 * 400 + 5, 0));
  check(lossy_round<async_of>(20, 64 * 400, 5));
}

TEST_CASE("a flood into a small buffer leaves nothing unexplained for any receiver of trains",
          "[experiment]") {
  NEEDS_TRAINS();
  const catalogue known = support::every_receiver();
  for (const std::size_t size : {std::size_t{20}, std::size_t{64}, std::size_t{1472}}) {
    const auto run =
        run_here(known, {"raw+gro", "sync+gro", "async+gro/pool", "coroutine+gro", "sync"},
                 {.what = load::kind::flood}, size, 32 * 1024, send_mode::segmented);
    CHECK(run.warnings.empty());
    for (const auto& result : run.results)
      for (const auto& r : result.rounds) {
        INFO(result.receiver << ", " << size << " bytes: " << r.reason);
        CHECK(r.sent == 20'000);
        CHECK(r.unexplained == 0);
        CHECK(r.sent == r.unique + r.unread + r.kernel_dropped.value_or(0));
        CHECK(r.foreign == 0);
        CHECK(r.truncated == 0);
        CHECK(r.bytes == r.unique * size);
      }
  }
}

TEST_CASE("so do trains of unlike lengths", "[experiment]") {
  NEEDS_TRAINS();
  const catalogue known = support::every_receiver();
  const load pause{.what = load::kind::pause, .sends = 100, .rest = std::chrono::microseconds(10)};
  const auto run =
      run_here(known, {"sync+gro", "async+gro"}, pause, 1024, 16 * 1024, send_mode::segmented);
  for (const auto& result : run.results)
    for (const auto& r : result.rounds) {
      INFO(result.receiver << ": " << r.reason);
      CHECK(r.unexplained == 0);
    }
}

TEST_CASE("a train that was cut makes its round invalid, which says why", "[experiment]") {
  NEEDS_TRAINS();
  catalogue known = support::every_receiver();
  known.add<sync_server<measure::ledger, take::gro<8192>>>("short", "of 8 datagrams");
  known.add<async_server<measure::ledger, take::gro<8192>>>("async-short", "of 8 datagrams");
  for (const std::string name : {"short", "async-short"}) {
    // All of a round has room, so that no receiver gets too little of it to be timed.
    const auto run = run_here(known, {"sync", name}, {.what = load::kind::flood}, 1024,
                              std::size_t{64} << 20, send_mode::segmented);
    for (const auto& result : run.results)
      for (const auto& r : result.rounds) {
        CHECK_FALSE(r.valid);
        CHECK_THAT(r.reason, Catch::Contains("longer than the receive buffer"));
      }
  }
}

TEST_CASE("how many datagrams a receive call gives is on record where calls are counted",
          "[experiment]") {
  NEEDS_TRAINS();
  const catalogue known = support::every_receiver();
  const auto run = run_here(known, {"sync+gro", "sync+batch8", "sync"}, {.what = load::kind::flood},
                            64, {}, send_mode::segmented);
  for (const auto& result : run.results) {
    INFO(result.receiver);
    for (const auto& r : result.rounds)
      CHECK(r.receive_calls.has_value() == (result.receiver != "sync"));
    const auto each = result.summary.datagrams_per_receive_call;
    if (result.receiver == "sync+gro" && !result.control) CHECK(each.value_or(0) > 60);
    if (result.receiver == "sync+batch8") CHECK((each.value_or(0) >= 1 && each.value_or(9) <= 8));
    if (result.receiver == "sync") CHECK_FALSE(each);
    CHECK(result.histograms.datagrams_per_receive_call.has_value() == each.has_value());
  }
}

TEST_CASE("histograms of receive calls and wake-ups hold every call and every datagram",
          "[experiment]") {
  NEEDS_TRAINS();
  const catalogue known = support::every_receiver();
  const auto all_in = [](const measure::buckets& b) {
    std::uint64_t sum = 0;
    for (const auto& [datagrams, calls] : b) sum += datagrams * calls;
    return sum;
  };
  for (const auto kind : {load::kind::flood, load::kind::backlog}) {
    const auto run =
        run_here(known, {"async+gro", "sync+batch", "async+batch8", "async+drain", "async"},
                 {.what = kind}, 64, {}, send_mode::segmented);
    for (const auto& result : run.results) {
      INFO(result.load << ", " << result.receiver << (result.control ? " (control)" : ""));
      std::uint64_t observed = 0;
      std::uint64_t calls = 0;
      for (const auto& r : result.rounds) {
        if (!r.valid) continue;
        observed += r.observed;
        calls += r.receive_calls.value_or(0);
      }
      if (observed == 0) continue;
      const auto& per_call = result.histograms.datagrams_per_receive_call;
      const auto& per_wakeup = result.histograms.datagrams_per_wakeup;
      CHECK(per_call.has_value() ==
            (result.receiver != "async" && result.receiver != "async+drain"));
      CHECK(per_wakeup.has_value() ==
            (result.receiver != "async" && result.receiver != "sync+batch"));
      if (per_call) {
        CHECK(measure::values_in(*per_call) == calls);
        CHECK(all_in(*per_call) == observed);
      }
      if (per_wakeup) {
        // Of large numbers it is known within which powers of two they are.
        const bool exact = per_wakeup->back()[0] <= measure::batch_sizes::exact;
        CHECK(all_in(*per_wakeup) <= observed);
        CHECK(all_in(*per_wakeup) > (exact ? observed - 1 : observed / 2));
      }
      if (per_call && per_wakeup) CHECK(measure::values_in(*per_wakeup) <= calls);
    }
  }
}

TEST_CASE("ledgers balance for datagrams from several ports, of which the last may be left out",
          "[experiment]") {
  NEEDS_TRAINS();
  const catalogue known = support::every_receiver();
  for (const std::size_t size : {std::size_t{20}, std::size_t{1024}})
    for (const std::uint16_t flows : {std::uint16_t{3}, std::uint16_t{500}}) {
      const auto run = run_here(known, {"async+gro", "sync"}, {.what = load::kind::flood}, size,
                                32 * 1024, send_mode::segmented, flows);
      CHECK(run.plan.flows == flows);
      for (const auto& result : run.results) {
        CHECK(result.flows == flows);
        for (const auto& r : result.rounds) {
          INFO(result.receiver << ", " << size << " bytes, " << flows << " flows: " << r.reason);
          CHECK(r.sent == 20'000);
          CHECK(r.unexplained == 0);
          CHECK(r.foreign == 0);
          CHECK(r.reordered.value_or(0) == 0);
        }
      }
    }
}
