// Data of a place of which no member has its default.
#pragma once

#include <udpbench/experiment/place.hpp>

namespace udpbench::control {

inline experiment::seat_plan some_seat() {
  experiment::seat_plan p;
  p.receiver = "async+batch";
  p.address = boost::asio::ip::make_address("::1");
  p.options.socket.receive_buffer_bytes = 4'194'304;
  p.options.largest_datagram = 9'000;
  p.cpu = 1;
  p.run = 0xFFFF'FFFF'FFFF'FFFF;
  p.work = {.what = measure::work_plan::kind::random, .turns = 3, .bytes = 65'536};
  p.sockets = 64;
  p.flows = 16;
  p.threads = 4;
  p.cpus = {1, 3};
  p.options.socket.reuse_port = true;
  p.options.socket.ports = {.first = 4'000, .last = 4'010};
  p.mixed = 77;
  return p;
}

inline experiment::sample some_sample() {
  using std::chrono::nanoseconds;
  experiment::sample s;
  s.slices = {nanoseconds(1), nanoseconds(-2)};
  s.elapsed = nanoseconds(3);
  s.timed = 4;
  s.during = 5;
  s.arrivals = {.unique = 4,
                .duplicate = 5,
                .old = 6,
                .late = 7,
                .foreign = 8,
                .reordered = 9,
                .truncated = 10,
                .bytes = 11,
                .highest = 12};
  s.sent = {.intended = 1,
            .sent = 2,
            .refused = 3,
            .full = 4,
            .failed = 5,
            .calls = 6,
            .error = make_error_code(boost::system::errc::network_unreachable)};
  s.sent.trains.resize(2);
  s.sent.trains[1].add(60, 3);
  s.sent.trains[1].add(7);
  s.sending = nanoseconds(6);
  s.kernel_dropped = 0;
  s.unread = 1;
  s.cpu = nanoseconds(13);
  s.user = nanoseconds(7);
  s.cpu_share = 0.1 + 0.2;
  s.voluntary_switches = 14;
  s.involuntary_switches = 15;
  s.hook_requests = 16;
  s.allocations = 17;
  s.receive_calls = 18;
  s.cpus = 1.5;
  s.least_share = 0.25;
  s.per_thread = {7, 8};
  s.joined = true;
  s.never_sleeps = true;
  s.per_receive_call = measure::buckets{{1, 2}, {64, 3}};
  s.host = net::host_counters{1, 2, 3, 4, 5, 6};
  s.trouble = "a \"quoted\"\nword";
  return s;
}

} // namespace udpbench::control
