/** @file
    Rings that serve many sockets.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../servers/subject.hpp"

#include "../support/skip.hpp"

#include <udpbench/uring_server.hpp>

#include <algorithm>
#include <vector>

using namespace servers;
namespace uring = udpbench::uring;

namespace {

template <class Flight>
void check_all_served(std::size_t sockets) {
  const watchdog guard;
  subject_of<udpbench::uring_server<probe, Flight>> s(sockets);
  const auto locals = s.open_each(std::vector(sockets, v4()));
  s.start();
  for (std::uint64_t turn = 1; turn <= 2; ++turn) {
    for (const auto& local : locals) sender{local}(3);
    CHECK(eventually([&] {
      return std::all_of(s.sinks.begin(), s.sinks.end(),
                         [&](const probe& p) { return p.seen == 3 * turn; });
    }));
  }
  s.stop();
  CHECK(!s.failure());
  CHECK(s.receive_errors() == 0);
}

} // namespace

TEST_CASE("a ring serves more sockets than it takes operations or completions at once", "[uring]") {
  if (!io_uring_allowed()) SKIP("this kernel doesn't allow io_uring");
  check_all_served<uring::singles<>>(150);
  check_all_served<uring::multishot<>>(150);
  check_all_served<uring::multishot<4, 1>>(150);
}
