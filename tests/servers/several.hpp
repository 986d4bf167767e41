/** @file
    What the tests of servers with several sockets share.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "subject.hpp"

#include <algorithm>

namespace servers {

inline constexpr std::size_t sockets = 3;

inline std::vector<udpbench::net::endpoint> anywhere(std::size_t n = sockets) {
  return std::vector(n, v4());
}

/** A sender to each of `locals`. */
inline std::vector<sender> senders_to(const std::vector<udpbench::net::endpoint>& locals) {
  return {locals.begin(), locals.end()};
}

/** How many threads of its own a server of that kind needs. */
inline std::size_t own_threads(const kind& k) {
  return k.name.starts_with("raw") || k.name.starts_with("sync") ? sockets : 1;
}

inline bool all_seen(const subject& s, std::uint64_t each) {
  return std::all_of(s.sinks.begin(), s.sinks.end(),
                     [each](const probe& p) { return p.seen == each; });
}

inline void check_all_closed(subject& s) {
  for (std::size_t i = 0; i < s.sinks.size(); ++i) CHECK(s.native_handle(i) == -1);
  CHECK(error_of([&] { s.start(); }) == udpbench::error::not_open);
}

} // namespace servers
