// What a client may ask a server for.
#include "catch.hpp"
#include "everything.hpp"

#include <udpbench/control/limited_place.hpp>

#include <functional>
#include <set>
#include <string>

using namespace udpbench;
using namespace udpbench::experiment;
using control::limit_error;
using control::limited_place;

namespace {

/** Gives out seats, and knows which are open. */
struct giving_place final : place {
  opened open(const seat_plan& plan) override {
    last = plan;
    opened o;
    o.number = next;
    o.receive_buffer_bytes = 1'000;
    o.joined = joined;
    seats.insert(next++);
    return o;
  }
  void close(seat s) noexcept override { seats.erase(s); }
  sample turn(seat, const turn_plan&) override { return ++calls, sample(); }
  schedule begin(seat, const round_plan& plan) override {
    round = plan;
    return ++calls, schedule();
  }
  sample end(seat, const send_counts&) override { return ++calls, sample(); }
  std::uint64_t capacity(const seat_plan& plan, const turn_plan&, std::uint64_t) override {
    last = plan;
    return ++calls, 92;
  }

  seat_plan last;
  round_plan round;
  bool joined = false; ///< The sockets of whatever it opens.
  std::set<seat> seats;
  seat next = 0;
  int calls = 0;
};

const auto called = boost::asio::ip::make_address("127.0.0.2");

seat_plan modest() {
  seat_plan p;
  p.receiver = "sync";
  p.address = boost::asio::ip::make_address("192.0.2.1");
  return p;
}

} // namespace

TEST_CASE("a client's receivers are bound to the address that it has called, and to no other",
          "[control]") {
  giving_place inner;
  limited_place place(inner, called, {4'000, 4'010}, {});
  place.open(modest());
  CHECK(inner.last.address == called);
  CHECK(inner.last.options.socket.ports.first == 4'000);
  CHECK(inner.last.options.socket.ports.last == 4'010);
  place.capacity(modest(), {}, 100);
  CHECK(inner.last.address == called);
}

TEST_CASE(
    "whatever a client asks for above a limit is refused by its name, and doesn't reach the place",
    "[control]") {
  using change = std::function<void(seat_plan&)>;
  const auto [name, more] = GENERATE(table<std::string, change>({
      {"sockets 1025", [](seat_plan& p) { p.sockets = 1'025; }},
      {"threads 65", [](seat_plan& p) { p.threads = 65; }},
      {"threads 65", [](seat_plan& p) { p.cpus.resize(65); }},
      {"flows 1001", [](seat_plan& p) { p.flows = 1'001; }},
      {"receive buffer",
       [](seat_plan& p) { p.options.socket.receive_buffer_bytes = 2'000'000'000; }},
      {"largest datagram 65536", [](seat_plan& p) { p.options.largest_datagram = 65'536; }},
      {"turns of work", [](seat_plan& p) { p.work.turns = 1'000'000'000'000; }},
      {"bytes of work", [](seat_plan& p) { p.work.bytes = std::size_t{1} << 40; }},
      {"sockets 1028", [](seat_plan& p) { p.sockets = 257, p.threads = 4; }},
  }));
  CAPTURE(name);
  giving_place inner;
  limited_place place(inner, called, {}, {});
  seat_plan p = modest();
  more(p);
  CHECK_THROWS_WITH(place.open(p), Catch::StartsWith(name) && Catch::Contains("allows up to"));
  CHECK(inner.seats.empty());
}

TEST_CASE("a turn or round above a limit is refused", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {});
  const seat s = place.open(modest()).number;
  using std::chrono::hours;
  CHECK_THROWS_WITH(place.turn(s, {.depth = 2'000'000}), Catch::StartsWith("depth 2000000"));
  CHECK_THROWS_WITH(place.turn(s, {.size = 65'508}), Catch::StartsWith("size 65508"));
  CHECK_THROWS_WITH(place.turn(s, {.timed = 1'001}), Catch::StartsWith("slices 1001"));
  CHECK_THROWS_WITH(place.turn(s, {.untimed = 1'001}), Catch::StartsWith("slices 1001"));
  CHECK_THROWS_WITH(place.begin(s, {.count = 2'000'000'000}), Catch::StartsWith("count"));
  CHECK_THROWS_WITH(place.begin(s, {.limit = hours(1)}), Catch::StartsWith("time of a round"));
  CHECK_THROWS_WITH(place.begin(s, {.tail = hours(1)}), Catch::StartsWith("tail"));
  CHECK_THROWS_WITH(place.begin(s, {.tail = hours(-1)}), Catch::StartsWith("tail"));
  CHECK_THROWS_WITH(place.begin(s, {.chunk = 2'000'000}), Catch::StartsWith("chunk"));
  CHECK(inner.calls == 0);
  place.turn(s, {});
  place.begin(s, {});
  place.end(s, {});
  CHECK(inner.calls == 3);
}

TEST_CASE("what there has to be one of is refused where there is none", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {});
  for (const auto& none : {&seat_plan::sockets, &seat_plan::threads}) {
    seat_plan p = modest();
    p.*none = 0;
    CHECK_THROWS_WITH(place.open(p), Catch::Contains(" 0: allowed is 1"));
  }
  seat_plan p = modest();
  p.flows = 0;
  CHECK_THROWS_WITH(place.open(p), "flows 0: allowed is 1 or more");
  CHECK(inner.seats.empty());
  const seat s = place.open(modest()).number;
  CHECK_THROWS_AS(place.turn(s, {.depth = 0}), limit_error);
  CHECK_THROWS_AS(place.begin(s, {.size = 0}), limit_error);
  CHECK_THROWS_AS(place.begin(s, {.chunk = 0}), limit_error);
  CHECK(inner.calls == 0);
}

TEST_CASE("datagrams are no larger than the server allows", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {.size = 1'472});
  const seat s = place.open(modest()).number;
  CHECK_THROWS_WITH(place.turn(s, {.size = 1'473}), Catch::StartsWith("size 1473"));
  CHECK_THROWS_WITH(place.begin(s, {.size = 1'473}), Catch::StartsWith("size 1473"));
  CHECK(inner.calls == 0);
  place.turn(s, {.size = 1'472});
}

TEST_CASE("a work that a client asks for is tried within the limits", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {.memory = 1'000'000});
  using kind = measure::work_plan::kind;
  const work_trial touch{{.what = kind::touch}, 64, 64, {}};
  CHECK(place.try_work(touch).plan.what == kind::touch);
  work_trial long_one = touch;
  long_one.what.time = std::chrono::milliseconds(11);
  CHECK_THROWS_WITH(place.try_work(long_one), Catch::StartsWith("time of work"));
  work_trial big = touch;
  big.what.bytes = 1'000'001;
  CHECK_THROWS_WITH(place.try_work(big), Catch::StartsWith("memory"));
  work_trial large = touch;
  large.usual = std::size_t{1} << 40;
  CHECK_THROWS_WITH(place.try_work(large), Catch::StartsWith("usual datagram"));
}

TEST_CASE("a round begins once and ends once, and no turn comes between", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {});
  const seat s = place.open(modest()).number;
  CHECK_THROWS_WITH(place.end(s, {}), Catch::Contains("it is in no round"));
  place.begin(s, {});
  CHECK_THROWS_WITH(place.begin(s, {}), Catch::Contains("it is in a round"));
  CHECK_THROWS_WITH(place.turn(s, {}), Catch::Contains("it is in a round"));
  place.end(s, {});
  CHECK_THROWS_WITH(place.end(s, {}), Catch::Contains("it is in no round"));
  CHECK(inner.calls == 2);
}

TEST_CASE("a sender's trains are of its flows, and no more than was sent", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {});
  const seat s = place.open(modest()).number;
  place.begin(s, {});
  send_counts told;
  told.sent = 120;
  SECTION("more flows than there are") { told.trains.resize(2); }
  SECTION("more datagrams than were sent") { told.trains.resize(1), told.trains[0].add(11, 11); }
  SECTION("so many that their product is none") {
    told.trains.resize(1);
    told.trains[0].add(std::uint32_t{1} << 31, std::uint32_t{1} << 31);
  }
  CHECK_THROWS_AS(place.end(s, told), limit_error);
  CHECK(inner.calls == 1);
}

TEST_CASE("the limits are those of all that is open together", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {},
                      {.receivers = 3, .sockets = 4, .memory = 4 * (1'000 + 8'192) - 1});
  seat_plan two = modest();
  two.sockets = 2;
  const seat first = place.open(two).number;
  CHECK_THROWS_WITH(place.open([] {
    auto p = modest();
    p.sockets = 3;
    return p;
  }()),
                    Catch::StartsWith("sockets 5"));
  place.open(modest());
  // What it costs is known only when it is open.
  CHECK_THROWS_WITH(place.open(modest()), Catch::StartsWith("memory 36768"));
  CHECK(inner.seats.size() == 2);
  place.close(first);
  place.open(modest());
  place.open(modest());
  CHECK_THROWS_WITH(place.open(modest()), Catch::StartsWith("receivers 4"));
}

TEST_CASE("a receiver that isn't open can't be used", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {});
  CHECK_THROWS_AS(place.turn(0, {}), limit_error);
  CHECK_THROWS_AS(place.begin(7, {}), limit_error);
  CHECK_THROWS_AS(place.end(7, {}), limit_error);
  CHECK(inner.calls == 0);
}

TEST_CASE("a ledger that has to tell trains apart takes of the memory", "[control]") {
  giving_place inner;
  inner.joined = true;
  // A bit for each datagram.
  limited_place place(inner, called, {}, {.memory = 1'000'000});
  const seat s = place.open(modest()).number;
  CHECK_THROWS_WITH(place.begin(s, {.count = 100'000'000}), Catch::StartsWith("memory 16"));
  CHECK(inner.calls == 0);
  place.begin(s, {.count = 1'000'000});
  CHECK(inner.round.count == 1'000'000);
  CHECK_THROWS_WITH(place.open([] {
    auto p = modest();
    p.work.bytes = 900'000;
    return p;
  }()),
                    Catch::StartsWith("memory"));
}

TEST_CASE("over a network no ledger has to tell trains apart", "[control]") {
  giving_place inner;
  inner.joined = true;
  limited_place place(inner, boost::asio::ip::make_address("192.0.2.1"), {}, {});
  place.begin(place.open(modest()).number, {.count = 100'000'000});
  CHECK(inner.round.count == 0);
}

TEST_CASE("the socket by which a capacity is found takes of the memory", "[control]") {
  giving_place inner;
  limited_place place(inner, called, {}, {.memory = 1'000'000});
  auto p = modest();
  p.options.socket.receive_buffer_bytes = 600'000;
  CHECK_THROWS_WITH(place.capacity(p, {}, 10), Catch::StartsWith("memory 1200000"));
  CHECK(inner.calls == 0);
}
