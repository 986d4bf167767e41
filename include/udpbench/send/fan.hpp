/** @file
    One datagram per send call, to several receivers in turn.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/open.hpp>
#include <udpbench/send/send_policy.hpp>
#include <udpbench/send/single.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace udpbench::send {

/** Sends each datagram from the next of several sockets, each of which has its own receiver, and starts again with the first. `open`
    comes before all else; the client's own socket isn't used. */
class fan {
 public:
  /** Datagrams per call. */
  static constexpr std::size_t most(std::size_t) noexcept { return 1; }

  /** Opens a socket that sends to each of `remotes`; those there were are closed.
      Errors: throws `system_error` whose text names the endpoint. */
  void open(std::span<const net::endpoint> remotes) {
    std::vector<net::descriptor> fresh;
    fresh.reserve(remotes.size());
    for (const auto& remote : remotes) fresh.push_back(net::open_sender(remote));
    sockets_ = std::move(fresh);
    next_ = 0;
  }

  /** Gives one to the kernel. Errors: within the outcome. */
  outcome operator()(int, const datagrams& d) noexcept {
    const int fd = sockets_[next_].get();
    next_ = next_ + 1 == sockets_.size() ? 0 : next_ + 1;
    return single{}(fd, d);
  }

 private:
  std::vector<net::descriptor> sockets_;
  std::size_t next_ = 0;
};
static_assert(send_policy<fan>);

} // namespace udpbench::send
