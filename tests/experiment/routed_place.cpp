// Several places as one.
#include "catch.hpp"
#include "scripted_place.hpp"

#include <udpbench/experiment/routed_place.hpp>

using namespace udpbench::experiment;

namespace {

seat_plan named(std::string receiver) {
  seat_plan p;
  p.receiver = std::move(receiver);
  return p;
}

} // namespace

TEST_CASE("the end of a receiver's name says at which place it is", "[experiment]") {
  scripted_place home;
  scripted_place away;
  routed_place all(home);
  all.add("io_uring", away);
  const auto first = all.open(named("async"));
  const auto second = all.open(named("async@io_uring"));
  const auto third = all.open(named("sync"));
  CHECK(home.open_now == 2);
  CHECK(away.open_now == 1);
  // The numbers of both places begin at 0; those of all of them don't meet.
  CHECK(first.number != second.number);
  CHECK(second.number != third.number);

  all.turn(second.number, {});
  all.turn(third.number, {});
  all.end(second.number, {});
  CHECK(away.turns == std::vector<std::string>{"async"});
  CHECK(home.turns == std::vector<std::string>{"sync"});
  CHECK(all.begin(second.number, {.chunk = 3}).run == 1);
  CHECK(away.chunks == std::vector<std::size_t>{3});

  all.close(second.number);
  all.close(second.number);
  CHECK(away.open_now == 0);
  CHECK(home.open_now == 2);
}

TEST_CASE("a name whose end is no place is one of those at home", "[experiment]") {
  scripted_place home;
  routed_place all(home);
  all.open(named("mine@work"));
  CHECK(home.open_now == 1);
  CHECK(routed_place::where("mine@work") == "work");
  CHECK(routed_place::where("mine").empty());
}

TEST_CASE("a result says on which backend its receiver was", "[experiment]") {
  scripted_place home;
  scripted_place away;
  away.backend = "io_uring";
  routed_place all(home);
  all.add("io_uring", away);
  udpbench::record::run out;
  comparison(plan_for({"async", "async@io_uring"}, load_kind::backlog), all, {}, make_silent_sender)
      .run(out);
  REQUIRE(out.results.size() == 3);
  CHECK(out.results[0].backend == "epoll");
  CHECK(out.results[1].backend == "io_uring");
  CHECK(out.results[2].backend == "epoll");
}
