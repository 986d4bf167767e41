#include "catch.hpp"

#include <udpbench/experiment/load.hpp>
#include <udpbench/experiment/sender.hpp>

using namespace udpbench::experiment;
using namespace std::chrono_literals;

TEST_CASE("a load's name is what is typed for it", "[experiment]") {
  CHECK(load{.what = load_kind::flood}.name() == "flood");
  CHECK(load{.what = load_kind::backlog}.name() == "backlog");
  CHECK(load{.what = load_kind::backlog, .depth = 16}.name() == "backlog:16");
  CHECK(load{.what = load_kind::pause, .sends = 128, .rest = 1ms}.name() == "pause:128/1ms");
  CHECK(load{.what = load_kind::pause, .sends = 1, .rest = 1500us}.name() == "pause:1/1500us");
  CHECK(load{.what = load_kind::rate, .per_second = 1}.name() == "rate:1");
  CHECK(load{.what = load_kind::rate, .per_second = 200'000}.name() == "rate:200k");
  CHECK(load{.what = load_kind::rate, .per_second = 1'500'000}.name() == "rate:1500k");
  CHECK(load{.what = load_kind::rate, .per_second = 10'000'000}.name() == "rate:10M");
  CHECK(load{.what = load_kind::rate, .per_second = 1'001}.name() == "rate:1001");
  CHECK(load{.what = load_kind::window, .in_flight = 64}.name() == "window:64");
}

TEST_CASE(
    "a round by a schedule has no more datagrams than a second has, or 8, and by a narrow window "
    "fewer than by a wide one",
    "[experiment]") {
  const auto count = [](std::uint64_t per_second, std::uint64_t most) {
    return load{.what = load_kind::rate, .per_second = per_second}.round_count(most);
  };
  CHECK(count(1, 50'000) == 8);
  CHECK(count(8, 50'000) == 8);
  CHECK(count(1000, 50'000) == 1000);
  CHECK(count(200'000, 50'000) == 50'000);
  CHECK(count(1000, 3) == 3);
  CHECK(load{.what = load_kind::flood}.round_count(50'000) == 50'000);
  CHECK(load{.what = load_kind::window, .in_flight = 1}.round_count(50'000) == 10'000);
  CHECK(load{.what = load_kind::window, .in_flight = 1}.round_count(500) == 500);
  CHECK(load{.what = load_kind::window, .in_flight = 20}.round_count(50'000) == 20'000);
  CHECK(load{.what = load_kind::window, .in_flight = 64}.round_count(50'000) == 50'000);
}

TEST_CASE("a round is received 64 datagrams at a time, but for narrow windows and few datagrams",
          "[experiment]") {
  CHECK(load{.what = load_kind::flood}.chunk(10) == 64);
  CHECK(load{.what = load_kind::rate, .per_second = 1}.chunk(8) == 1);
  CHECK(load{.what = load_kind::rate, .per_second = 1}.chunk(3) == 1);
  CHECK(load{.what = load_kind::rate, .per_second = 1}.chunk(100) == 12);
  CHECK(load{.what = load_kind::rate, .per_second = 1}.chunk(512) == 64);
  for (const auto& [in_flight, chunk] :
       {std::pair{1u, 1u}, {2u, 1u}, {3u, 1u}, {64u, 32u}, {128u, 64u}, {65'536u, 64u}})
    CHECK(load{.what = load_kind::window, .in_flight = in_flight}.chunk(50'000) == chunk);
}

TEST_CASE("a chunk of trains is longer where nothing else depends on its length", "[experiment]") {
  const load flood{.what = load_kind::flood};
  CHECK(flood.joined_chunk(10) == 64);
  CHECK(flood.joined_chunk(10'000) == 312);
  CHECK(flood.joined_chunk(1'000'000) == 1024);
  const load rate{.what = load_kind::rate, .per_second = 1};
  CHECK(rate.joined_chunk(50'000) == rate.chunk(50'000));
  const load window{.what = load_kind::window, .in_flight = 10};
  CHECK(window.joined_chunk(50'000) == window.chunk(50'000));
}

TEST_CASE("the result names the one pacer that its sender had", "[experiment]") {
  CHECK(pacer({.what = load_kind::backlog}) == "");
  CHECK(pacer({.what = load_kind::flood}) == "unpaced");
  CHECK(pacer({.what = load_kind::pause}) == "pause");
  CHECK(pacer({.what = load_kind::rate}) == "rate");
  CHECK(pacer({.what = load_kind::window}) == "window");
}

TEST_CASE("under a pause and a rate datagrams are sent singly unless another mode is asked for",
          "[experiment]") {
  const auto here = boost::asio::ip::make_address("127.0.0.1");
  const load pause{.what = load_kind::pause, .sends = 128, .rest = 1ms};
  CHECK(choose_mode(send_mode::automatic, pause, here, 1024) == send_mode::single);
  CHECK(choose_mode(send_mode::batch, pause, here, 1024) == send_mode::batch);
  const load rate{.what = load_kind::rate, .per_second = 1000};
  CHECK(choose_mode(send_mode::automatic, rate, here, 1024) == send_mode::single);
  CHECK(choose_mode(send_mode::batch, rate, here, 1024) == send_mode::batch);
  const auto window = [](std::uint64_t w) {
    return load{.what = load_kind::window, .in_flight = w};
  };
  CHECK(choose_mode(send_mode::automatic, window(1), here, 1024) == send_mode::single);
  CHECK(choose_mode(send_mode::automatic, window(2), here, 1024) != send_mode::single);
  CHECK(choose_mode(send_mode::automatic, {.what = load_kind::flood}, here, 1024) !=
        send_mode::single);
  // Only one of these fits into a segmented send.
  CHECK(choose_mode(send_mode::automatic, {.what = load_kind::flood}, here, 40'000) ==
        send_mode::batch);
}
