/** @file
    The parts of a receiver's name: `driver[.variant…][+take[N]][/memory][@backend]`.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <string_view>

namespace udpbench::report {

/** Lifetime: points into the name. */
struct receiver_name {
  std::string_view driver;   ///< Such as async.
  std::string_view variants; ///< With their dots.
  std::string_view take;     ///< Without its number; empty: one datagram at a time.
  std::string_view memory;   ///< Without its slash; empty: the driver's own.
  std::string_view backend;  ///< Without its @; empty: not named.

  /** @param name  outlives it. */
  constexpr explicit receiver_name(std::string_view name) {
    backend = cut(name, '@');
    memory = cut(name, '/');
    take = cut(name, '+');
    take = take.substr(0, take.find_last_not_of("0123456789") + 1);
    const std::size_t dot = name.find('.');
    driver = name.substr(0, dot);
    variants = dot == name.npos ? std::string_view{} : name.substr(dot);
  }

  /** Its driver runs an event loop. */
  constexpr bool asynchronous() const { return driver == "async" || driver == "coroutine"; }

  /** One asynchronous receive per datagram on epoll: what has a price that is known. */
  constexpr bool plain_asynchronous() const {
    return asynchronous() && variants.empty() && take.empty() && backend.empty();
  }

  /** The same receiver but for how it takes datagrams. */
  constexpr bool sibling_of(const receiver_name& other) const {
    return driver == other.driver && variants == other.variants && memory == other.memory &&
           backend == other.backend;
  }

 private:
  static constexpr std::string_view cut(std::string_view& name, char at) {
    const std::size_t found = name.find(at);
    if (found == name.npos) return {};
    const std::string_view part = name.substr(found + 1);
    name = name.substr(0, found);
    return part;
  }
};

} // namespace udpbench::report
