// Receivers at the other end of a connection.
#include "catch.hpp"
#include "ends.hpp"
#include "everything.hpp"

#include <udpbench/control/remote_place.hpp>
#include <udpbench/control/serve.hpp>
#include <udpbench/control/shared_count.hpp>

#include <boost/thread/scoped_thread.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <unistd.h>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

/** Writes down what it is asked for. */
struct noted_place final : place {
  opened open(const seat_plan& plan) override {
    if (plan.receiver == "broken") throw std::runtime_error("no memory for it");
    asked += "open " + plan.receiver + "; ";
    opened o;
    o.number = 7;
    o.endpoint = {boost::asio::ip::make_address("127.0.0.1"), 4'000};
    return o;
  }
  void close(seat s) noexcept override { asked += "close " + std::to_string(s) + "; "; }
  sample turn(seat s, const turn_plan& plan) override {
    asked += "turn " + std::to_string(s) + " of " + std::to_string(plan.depth) + " by " +
             std::string(name(plan.send)) + "; ";
    return control::some_sample();
  }
  schedule begin(seat s, const round_plan& plan) override {
    asked += "begin " + std::to_string(s) + " of " + std::to_string(plan.count) + "; ";
    schedule round{.run = 1, .round = 2, .flow = 3, .size = 64, .first_sequence = 5, .mixed = 6};
    round.received = received;
    return round;
  }
  sample end(seat s, const send_counts& sent) override {
    asked += "end " + std::to_string(s) + " of " + std::to_string(sent.sent) + "; ";
    return control::some_sample();
  }
  std::uint64_t capacity(const seat_plan&, const turn_plan& plan, std::uint64_t most) override {
    asked += std::string(name(plan.send)) + " capacity " + std::to_string(plan.size) + " up to " +
             std::to_string(most) + "; ";
    return 92;
  }

  std::string asked;
  const std::atomic<std::uint64_t>* received = nullptr;
};

control::greeting hello(std::string protocol = std::string(control::protocol)) {
  control::greeting g;
  g.protocol = std::move(protocol);
  g.version = "0.1.0";
  g.backend = "io_uring";
  g.receivers = {"sync", "async"};
  return g;
}

/** A place, served on a thread of its own. */
class served {
 public:
  explicit served(const control::greeting& words = hello(),
                  const control::shared_count* count = nullptr)
      : thread_([this, words] { control::serve(ends_.there, there, words); }),
        here(std::in_place, std::move(ends_.here), count) {}
  ~served() { here.reset(); }

  noted_place there;

 private:
  control::ends ends_;
  boost::scoped_thread<> thread_;

 public:
  std::optional<control::remote_place> here;
};

} // namespace

TEST_CASE("a remote place does what the place at the other end does", "[control]") {
  served both;
  CHECK(both.here->greeted().backend == "io_uring");
  CHECK(both.here->greeted().receivers.size() == 2);

  const opened o = both.here->open(control::some_seat());
  CHECK(o.number == 7);
  CHECK(o.endpoint.port() == 4'000);
  CHECK(both.here->turn(7, {.depth = 46, .send = send_mode::segmented}).arrivals.highest == 12);
  const schedule round = both.here->begin(7, {.count = 100});
  CHECK(round.run == 1);
  CHECK(round.round == 2);
  CHECK(round.flow == 3);
  CHECK(round.size == 64);
  CHECK(round.first_sequence == 5);
  CHECK(round.mixed == 6u);
  CHECK(round.received == nullptr);
  send_counts sent;
  sent.sent = 99;
  CHECK(both.here->end(7, sent).arrivals.unique == 4);
  CHECK(both.here->capacity(control::some_seat(), {.size = 1024, .send = send_mode::batch}, 4096) ==
        92);
  both.here->close(7);
  CHECK(both.there.asked ==
        "open async+batch; turn 7 of 46 by segmented; begin 7 of 100; end 7 of 99; "
        "batch capacity 1024 up to 4096; close 7; ");
}

TEST_CASE("what a receiver throws elsewhere comes out here, in its words, and ends nothing else",
          "[control]") {
  served both;
  auto broken = control::some_seat();
  broken.receiver = "broken";
  CHECK_THROWS_WITH(both.here->open(broken), "no memory for it");
  CHECK(both.here->open(control::some_seat()).number == 7);
}

TEST_CASE("a receiver's count is read where both processes have it", "[control]") {
  const control::shared_count mine;
  const control::shared_count its{net::descriptor(::dup(mine.descriptor()))};
  served both(hello(), &mine);
  CHECK(both.here->begin(7, {}).received == nullptr);
  both.there.received = &its.value();
  const auto* received = both.here->begin(7, {}).received;
  REQUIRE(received != nullptr);
  CHECK(*received == 0);
  its.value() = 5'000'000'000;
  CHECK(*received == 5'000'000'000);
}

TEST_CASE("another protocol is refused, and named", "[control]") {
  CHECK_THROWS_WITH(served(hello("udpbench-control/9")),
                    Catch::Contains("'udpbench-control/9'") &&
                        Catch::Contains("'udpbench-control/1'"));
}

TEST_CASE("when the other end dies, every call says how", "[control]") {
  control::ends both;
  both.there.send(control::answer(hello()), control::patience);
  control::remote_place place(std::move(both.here), nullptr,
                              {.how_it_ended = [] { return "signal 9"; }});
  {
    const control::stream dies = std::move(both.there);
  }
  CHECK_THROWS_WITH(place.open(control::some_seat()), Catch::Contains("signal 9"));
  CHECK_THROWS_WITH(place.turn(7, {}), Catch::Contains("signal 9"));
  CHECK_NOTHROW(place.close(7));
}

TEST_CASE("when the other end is silent, every call names it, and only the first waits",
          "[control]") {
  control::ends both;
  both.there.send(control::answer(hello()), control::patience);
  control::remote_place place(
      std::move(both.here), nullptr,
      {.name = "process 4711", .how_it_ended = {}, .patience = std::chrono::milliseconds(20)});
  const auto said = Catch::Contains("process 4711: no answer for 20 ms");
  CHECK_THROWS_WITH(place.open(control::some_seat()), said);
  // It comes too late: it could be taken for the answer to something else.
  both.there.send(control::answer(opened()), control::patience);
  CHECK_THROWS_WITH(place.open(control::some_seat()), said);
  CHECK_NOTHROW(place.close(7));
}

TEST_CASE("an other end that answers with nonsense is not listened to again", "[control]") {
  control::ends both;
  both.there.send(control::answer(hello()), control::patience);
  both.there.send("[]", control::patience);
  both.there.send(control::answer(opened()), control::patience);
  control::remote_place place(std::move(both.here));
  CHECK_THROWS_WITH(place.open(control::some_seat()), Catch::Contains("no answer"));
  CHECK_THROWS_WITH(place.open(control::some_seat()), Catch::Contains("no answer"));
}

TEST_CASE("a call that doesn't exist is refused, and the next is served", "[control]") {
  control::ends both;
  noted_place there;
  const boost::scoped_thread<> thread([&] { control::serve(both.there, there, hello()); });
  {
    control::stream here = std::move(both.here);
    here.receive(control::patience);
    here.send(control::call::text("explode"), control::patience);
    CHECK_THROWS_WITH(control::given<bool>(here.receive(control::patience)),
                      Catch::Contains("explode"));
    here.send("nonsense", control::patience);
    CHECK_THROWS_AS(control::given<bool>(here.receive(control::patience)), control::refused_error);
    here.send(control::call::text("close", seat{3}), control::patience);
    CHECK(control::given<bool>(here.receive(control::patience)));
  }
}
