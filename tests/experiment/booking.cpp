#include "catch.hpp"

#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/limited_by.hpp>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

sample balanced() {
  sample s;
  s.sent.intended = 100;
  s.sent.sent = 100;
  s.arrivals.unique = 90;
  s.arrivals.highest = 100;
  s.kernel_dropped = 8;
  s.unread = 2;
  s.timed = 64;
  s.per_receive_call = measure::buckets{{1, 1}, {50, 1}};
  return s;
}

} // namespace

TEST_CASE("a ledger that balances is valid", "[experiment]") {
  CHECK(unexplained(balanced()) == 0);
  CHECK(invalid_because(balanced(), true).empty());
}

TEST_CASE("on loopback nothing may be unexplained, in either direction", "[experiment]") {
  sample missing = balanced();
  missing.arrivals.unique = 89;
  CHECK(unexplained(missing) == 1);
  CHECK(invalid_because(missing, true) == "1 datagrams are unexplained");
  CHECK(invalid_because(missing, false).empty());

  sample surplus = balanced();
  surplus.kernel_dropped = 9;
  CHECK(unexplained(surplus) == -1);
  CHECK_FALSE(invalid_because(surplus, true).empty());
}

TEST_CASE("a round beside which many datagrams of others arrived measures those, too",
          "[experiment]") {
  sample s = balanced();
  s.arrivals.foreign = s.arrivals.unique / 100;
  CHECK(invalid_because(s, true).empty());
  ++s.arrivals.foreign;
  CHECK_THAT(invalid_because(s, false), Catch::Contains("datagrams of others"));
}

TEST_CASE("duplicates, late and foreign datagrams never make up for a loss", "[experiment]") {
  sample s = balanced();
  s.arrivals.unique = 80;
  s.arrivals.duplicate = 10;
  s.arrivals.late = 5;
  s.arrivals.foreign = 5;
  CHECK(unexplained(s) == 10);
  CHECK_FALSE(invalid_because(s, true).empty());
}

TEST_CASE("more different datagrams than were sent are no valid round", "[experiment]") {
  sample s = balanced();
  s.arrivals.unique = 101;
  CHECK(invalid_because(s, false) == "101 different datagrams arrived of 100 sent");
}

TEST_CASE("a sequence number that was never sent is no valid round", "[experiment]") {
  sample s = balanced();
  s.arrivals.highest = 101;
  CHECK(invalid_because(s, false) == "sequence number 100 arrived, 100 were sent");
}

TEST_CASE("a handler memory that was never asked makes a round invalid", "[experiment]") {
  sample s = balanced();
  s.hook_requests = 0;
  CHECK(invalid_because(s, true) == "the handler memory was never asked");
  s.hook_requests = 1;
  CHECK(invalid_because(s, true).empty());
}

TEST_CASE("what was not measured is absent from the round, not 0", "[experiment]") {
  const auto r = book(balanced(), 3, false, true);
  CHECK(r.block == 3);
  CHECK_FALSE(r.duplicate);
  CHECK_FALSE(r.reordered);
  CHECK_FALSE(r.hook_requests);
  CHECK_FALSE(r.allocations);
  CHECK_FALSE(r.cpu_user_ns);
  CHECK_FALSE(r.system_counters);
  CHECK(book(balanced(), 3, true, true).duplicate == 0u);
}

TEST_CASE("turns add up, and the first that is invalid spoils the sum", "[experiment]") {
  sample total;
  add(total, balanced(), true);
  add(total, balanced(), true);
  CHECK(total.sent.sent == 200);
  CHECK(total.arrivals.unique == 180);
  CHECK(total.kernel_dropped == 16u);
  CHECK(total.unread == 4);
  CHECK(total.per_receive_call == measure::buckets{{1, 2}, {50, 2}});
  CHECK_FALSE(total.per_wakeup);
  CHECK(invalid_because(total, true).empty());

  sample missing = balanced();
  missing.arrivals.unique = 89;
  sample surplus = balanced();
  surplus.arrivals.unique = 91;
  add(total, missing, true);
  add(total, surplus, true);
  CHECK(unexplained(total) == 0);
  CHECK_FALSE(invalid_because(total, true).empty());
}

TEST_CASE("both ends on one cpu are the limit, whatever else is true", "[experiment]") {
  CHECK(limited_by(balanced(), true) == record::limit::shared_cpu);
}

TEST_CASE("a receiver that would have needed its whole cpu for all that was offered was the limit",
          "[experiment]") {
  sample s = balanced(); // It dropped some.
  s.cpu_share = 0.5;
  s.during = 90;
  s.cpu = std::chrono::nanoseconds(90 * 500);
  s.sending = std::chrono::nanoseconds(static_cast<std::int64_t>(s.sent.sent) * 500);
  CHECK(*demand(s) == Approx(1));
  CHECK(limited_by(s, false) == record::limit::receiver);
  s.sending *= 2;
  CHECK(*demand(s) == Approx(0.5));
  CHECK(limited_by(s, false) == record::limit::sender);
}

TEST_CASE("where the work can't be told, what was dropped means that the receiver was the limit",
          "[experiment]") {
  CHECK_FALSE(demand(balanced()));
  CHECK(limited_by(balanced(), false) == record::limit::receiver);
}

TEST_CASE("a receiver that never waits was the limit, also without a loss", "[experiment]") {
  sample s = balanced();
  s.kernel_dropped = 0;
  s.cpu_share = 0.97;
  CHECK(limited_by(s, false) == record::limit::receiver);
}

TEST_CASE("a receiver that waits and loses nothing was not the limit: the sender was",
          "[experiment]") {
  sample s = balanced();
  s.kernel_dropped = 0;
  s.cpu_share = 0.4;
  CHECK(limited_by(s, false) == record::limit::sender);
}
