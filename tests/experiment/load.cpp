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
}

TEST_CASE("under a pause datagrams are sent singly unless another mode is asked for",
          "[experiment]") {
  const auto here = boost::asio::ip::make_address("127.0.0.1");
  const load pause{.what = load_kind::pause, .sends = 128, .rest = 1ms};
  CHECK(choose_mode(send_mode::automatic, pause, here, 1024) == send_mode::single);
  CHECK(choose_mode(send_mode::batch, pause, here, 1024) == send_mode::batch);
  CHECK(choose_mode(send_mode::automatic, {.what = load_kind::flood}, here, 1024) !=
        send_mode::single);
  // Only one of these fits into a segmented send.
  CHECK(choose_mode(send_mode::automatic, {.what = load_kind::flood}, here, 40'000) ==
        send_mode::batch);
}
