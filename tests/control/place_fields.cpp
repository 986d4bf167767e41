// What goes to a place and comes from it, as text and back.
#include "catch.hpp"
#include "everything.hpp"

#include <udpbench/control/messages.hpp>

#include <boost/pfr/core.hpp>

#include <cstddef>
#include <string>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

template <class T>
std::size_t keys_of() {
  T x{};
  std::size_t n = 0;
  fields([&n](record::key, auto&) { ++n; }, x);
  return n;
}

/** Crosses once and comes back the same, to the text. */
template <class T>
T crossed(const T& x) {
  const T back = control::given<T>(control::answer(x));
  CHECK(control::answer(back) == control::answer(x));
  return back;
}

} // namespace

TEST_CASE("no member of what crosses to a place, or back, is left behind", "[control]") {
  CHECK(keys_of<seat_plan>() == boost::pfr::tuple_size_v<seat_plan>);
  CHECK(keys_of<opened>() == boost::pfr::tuple_size_v<opened>);
  CHECK(keys_of<turn_plan>() == boost::pfr::tuple_size_v<turn_plan>);
  CHECK(keys_of<round_plan>() == boost::pfr::tuple_size_v<round_plan>);
  CHECK(keys_of<sample>() == boost::pfr::tuple_size_v<sample>);
  CHECK(keys_of<send_counts>() == boost::pfr::tuple_size_v<send_counts>);
  CHECK(keys_of<measure::arrivals>() == boost::pfr::tuple_size_v<measure::arrivals>);
  CHECK(keys_of<measure::work_plan>() == boost::pfr::tuple_size_v<measure::work_plan>);
  CHECK(keys_of<net::host_counters>() == boost::pfr::tuple_size_v<net::host_counters>);
  CHECK(keys_of<net::busy_polling>() == boost::pfr::tuple_size_v<net::busy_polling>);
  CHECK(keys_of<net::port_range>() == boost::pfr::tuple_size_v<net::port_range>);
  CHECK(keys_of<net::receive_options>() == boost::pfr::tuple_size_v<net::receive_options>);
  CHECK(keys_of<server_options>() == boost::pfr::tuple_size_v<server_options>);
  // Three pointers and a time, which mean nothing elsewhere.
  CHECK(keys_of<schedule>() + 4 == boost::pfr::tuple_size_v<schedule>);
}

TEST_CASE("a receiver's plan crosses whole", "[control]") {
  const seat_plan plan = control::some_seat();
  const seat_plan back = crossed(plan);
  CHECK(back.receiver == "async+batch");
  CHECK(back.address == plan.address);
  CHECK(back.options.socket.receive_buffer_bytes == 4'194'304);
  CHECK(back.options.largest_datagram == 9'000);
  CHECK(back.cpu == 1);
  CHECK(back.run == 0xFFFF'FFFF'FFFF'FFFF);
  CHECK(back.work == plan.work);
  CHECK(back.sockets == 64);
  CHECK(back.flows == 16);
  CHECK(back.threads == 4);
  CHECK(back.cpus == plan.cpus);
  CHECK(back.mixed == 77u);
  CHECK(back.options.socket.reuse_port);
  CHECK(back.options.socket.ports.first == 4'000);
  CHECK(back.options.socket.ports.last == 4'010);
}

TEST_CASE("a sample crosses whole, and what wasn't measured stays that", "[control]") {
  const sample back = crossed(control::some_sample());
  CHECK(back.slices == control::some_sample().slices);
  CHECK(back.arrivals.highest == 12);
  CHECK(back.sent.error == boost::system::errc::network_unreachable);
  REQUIRE(back.sent.trains.size() == 2);
  CHECK(back.sent.trains[1].runs() == control::some_sample().sent.trains[1].runs());
  CHECK(back.user == std::chrono::nanoseconds(7));
  CHECK_FALSE(back.system);
  CHECK(back.cpu_share == 0.1 + 0.2);
  CHECK(back.cpus == 1.5);
  CHECK(back.least_share == 0.25);
  CHECK(back.per_thread == std::vector<std::uint64_t>{7, 8});
  CHECK(back.joined);
  CHECK(back.never_sleeps);
  CHECK(back.per_receive_call == control::some_sample().per_receive_call);
  CHECK_FALSE(back.per_wakeup);
  CHECK(back.host->softnet_dropped == 5);
  CHECK(back.host->device_dropped == 6);
  CHECK(back.trouble == "a \"quoted\"\nword");

  const sample nothing = crossed(sample{});
  CHECK_FALSE(nothing.kernel_dropped);
  CHECK_FALSE(nothing.host);
  CHECK_FALSE(nothing.sent.error);
}

TEST_CASE("an opened receiver crosses with its endpoints, IPv6 and scope too", "[control]") {
  opened o;
  o.endpoint = {boost::asio::ip::make_address("fe80::1%1"), 65'535};
  o.endpoints = {o.endpoint, {boost::asio::ip::make_address("127.0.0.1"), 1}};
  o.joined = true;
  o.busy_poll = net::busy_polling{std::chrono::microseconds(50), {}};
  o.backend = "io_uring";
  const opened back = crossed(o);
  CHECK(back.endpoint == o.endpoint);
  CHECK(back.endpoints == o.endpoints);
  CHECK(back.joined);
  CHECK(back.busy_poll->requested == std::chrono::microseconds(50));
  CHECK_FALSE(back.busy_poll->granted);
  CHECK(back.backend == "io_uring");
}

TEST_CASE("what is no message is refused by name", "[control]") {
  using control::call;
  using control::given;
  CHECK_THROWS_AS(call("{}"), control::protocol_error);
  CHECK_THROWS_AS(call("[]"), control::protocol_error);
  CHECK_THROWS_AS(call("{\"call\": 1, \"with\": []}"), control::protocol_error);
  CHECK_THROWS_AS(call("nonsense"), record::format_error);
  CHECK_THROWS_AS(call(std::string(40, '[')), record::format_error);
  CHECK_THROWS_WITH(call("{\"call\": \"open\", \"with\": []}").argument<seat_plan>(0),
                    Catch::Contains("open"));
  CHECK_THROWS_AS(given<bool>("{}"), control::protocol_error);
  CHECK_THROWS_AS(given<bool>("{\"gave\": 3}"), record::format_error);
  CHECK_THROWS_AS(given<opened>("{\"gave\": {}}"), record::format_error);
  CHECK_THROWS_WITH(given<net::endpoint>("{\"gave\": {\"address\": \"here\", \"port\": 1}}"),
                    Catch::Contains("here"));
  CHECK_THROWS_AS(given<net::endpoint>("{\"gave\": {\"address\": \"::1\", \"port\": 65536}}"),
                  record::format_error);
}
