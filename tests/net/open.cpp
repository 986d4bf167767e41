/** @file
    Sockets are opened, bound and set up here, and what went wrong is said with its endpoint.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/open.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "skip.hpp"

#include <boost/asio/ip/udp.hpp>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace net = udpbench::net;
using boost::asio::ip::make_address;

namespace {

/** What `call` threw; empty if it threw nothing. */
template <class Call>
std::optional<udpbench::system_error> thrown(Call call) {
  try {
    call();
  } catch (const udpbench::system_error& e) {
    return e;
  }
  return {};
}

bool mentions(const udpbench::system_error& e, const std::string& part) {
  return std::string(e.what()).find(part) != std::string::npos;
}

int option(int fd, int level, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  ::getsockopt(fd, level, name, &value, &length);
  return value;
}

/** The number in a file of /proc/sys. */
std::optional<std::size_t> setting(const char* path) {
  std::ifstream in(path);
  std::size_t value = 0;
  if (in >> value) return value;
  return {};
}

/** Takes from the calling thread the right to exceed the host's limits. */
bool renounce_limits() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (::syscall(SYS_capget, &header, data) != 0) return false;
  data[0].effective &= ~(1u << CAP_NET_ADMIN);
  return ::syscall(SYS_capset, &header, data) == 0;
}

constexpr const char* rmem_max = "/proc/sys/net/core/rmem_max";

} // namespace

TEST_CASE("port 0 is given out by the system and read back", "[net]") {
  for (const auto& local : {support::v4(), support::v6()}) {
    if (local == support::v6() && !support::usable(local)) SKIP("this host has no IPv6 loopback");
    const auto one = net::open_receiver(local);
    const auto two = net::open_receiver(local);
    CHECK(net::local_endpoint(one.get()).address() == local.address());
    CHECK(net::local_endpoint(one.get()).port() != 0);
    CHECK(net::local_endpoint(one.get()) != net::local_endpoint(two.get()));
    CHECK((::fcntl(one.get(), F_GETFD) & FD_CLOEXEC) != 0);
  }
}

TEST_CASE("a receiver hears what is sent to its endpoint", "[net]") {
  for (const auto& local : {support::v4(), support::v6()}) {
    if (local == support::v6() && !support::usable(local)) SKIP("this host has no IPv6 loopback");
    const auto receiver = net::open_receiver(local);
    const auto sender = net::open_sender(net::local_endpoint(receiver.get()));
    const auto sent = support::pattern(100);
    REQUIRE(::send(sender.get(), sent.data(), sent.size(), 0) == 100);
    CHECK(support::receive(receiver.get()) == sent);
  }
}

TEST_CASE("a receiver can't bind to an address that isn't this host's, and the text names it",
          "[net]") {
  if (setting("/proc/sys/net/ipv4/ip_nonlocal_bind").value_or(0) != 0)
    SKIP("this host binds to any address");
  const auto error = thrown([] { net::open_receiver({make_address("192.0.2.1"), 4242}); });
  REQUIRE(error.has_value());
  CHECK(mentions(*error, "bind"));
  CHECK(mentions(*error, "192.0.2.1:4242"));
  CHECK(error->code() == boost::system::errc::address_not_available);
}

TEST_CASE("a receiver can't bind to an endpoint in use, and the text names it", "[net]") {
  const auto first = net::open_receiver(support::v4());
  const auto taken = net::local_endpoint(first.get());
  const auto error = thrown([&] { net::open_receiver(taken); });
  REQUIRE(error.has_value());
  CHECK(mentions(*error, "127.0.0.1:" + std::to_string(taken.port())));
  CHECK(error->code() == boost::system::errc::address_in_use);
}

TEST_CASE("a sender leaves by the address and port that it is given", "[net]") {
  const auto one = net::open_receiver(support::v4());
  const auto two = net::open_receiver(support::v4());
  const net::source any{.address = make_address("127.0.0.2"), .port = 0, .ports = {}};
  const auto first = net::open_sender(net::local_endpoint(one.get()), any);
  const auto its = net::local_endpoint(first.get());
  CHECK(its.address() == make_address("127.0.0.2"));
  CHECK(its.port() != 0);

  const net::source from{.address = any.address, .port = 21'581, .ports = {}};
  const auto to_one = net::open_sender(net::local_endpoint(one.get()), from);
  const auto to_two = net::open_sender(net::local_endpoint(two.get()), from);
  CHECK(net::local_endpoint(to_one.get()).port() == 21'581);
  CHECK(net::local_endpoint(to_two.get()).port() == 21'581);

  const net::source some{.address = any.address, .port = 0, .ports = {21'582, 21'583}};
  const auto in_range = net::open_sender(net::local_endpoint(one.get()), some);
  CHECK(net::local_endpoint(in_range.get()).port() == 21'582);
}

TEST_CASE("a sender can't leave by an address that isn't this host's, and the text names it",
          "[net]") {
  if (setting("/proc/sys/net/ipv4/ip_nonlocal_bind").value_or(0) != 0)
    SKIP("this host binds to any address");
  const net::source elsewhere{.address = make_address("192.0.2.1"), .port = 0, .ports = {}};
  const auto error = thrown([&] { net::open_sender({make_address("127.0.0.1"), 9}, elsewhere); });
  REQUIRE(error.has_value());
  CHECK(mentions(*error, "192.0.2.1"));
}

TEST_CASE("sockets that ask for it share a port, and every datagram reaches one of them", "[net]") {
  for (const auto& local : {support::v4(), support::v6()}) {
    if (local == support::v6() && !support::usable(local)) SKIP("this host has no IPv6 loopback");
    const auto first = net::open_receiver(local, {.reuse_port = true});
    const auto shared = net::local_endpoint(first.get());
    const auto second = net::open_receiver(shared, {.reuse_port = true});
    CHECK(net::local_endpoint(second.get()) == shared);
    constexpr int flows = 64;
    for (int i = 0; i < flows; ++i) {
      const auto sender = net::open_sender(shared);
      REQUIRE(::send(sender.get(), "x", 1, 0) == 1);
    }
    int got = 0;
    for (const auto* socket : {&first, &second}) {
      CHECK_FALSE(support::drained(socket->get()));
      for (; !support::drained(socket->get()); ++got) support::receive(socket->get());
    }
    CHECK(got == flows);
  }
}

TEST_CASE("a port is shared by none that doesn't ask for it", "[net]") {
  const auto alone = net::open_receiver(support::v4());
  const auto taken = net::local_endpoint(alone.get());
  const auto sharing = net::open_receiver(support::v4(), {.reuse_port = true});
  const auto shared = net::local_endpoint(sharing.get());
  for (const auto& error : {thrown([&] { net::open_receiver(taken, {.reuse_port = true}); }),
                            thrown([&] { net::open_receiver(shared); })}) {
    REQUIRE(error.has_value());
    CHECK(error->code() == boost::system::errc::address_in_use);
  }
}

TEST_CASE("a port that the system chooses to be shared is nobody's yet", "[net]") {
  std::vector<net::descriptor> open;
  std::set<unsigned short> ports;
  // So many would have some in common if the system might choose those of others.
  constexpr std::size_t many = 600;
  for (std::size_t i = 0; i < many; ++i) {
    open.push_back(net::open_receiver(support::v4(), {.reuse_port = true}));
    ports.insert(net::local_endpoint(open.back().get()).port());
  }
  CHECK(ports.size() == many);
}

TEST_CASE("what can't share its port is named", "[net]") {
  const auto error = thrown([] { net::share_port(-1, {make_address("127.0.0.1"), 4242}); });
  REQUIRE(error.has_value());
  CHECK(mentions(*error, "share"));
  CHECK(mentions(*error, "127.0.0.1:4242"));
}

TEST_CASE("an IPv6 endpoint in use is named in brackets", "[net]") {
  if (!support::usable(support::v6())) SKIP("this host has no IPv6 loopback");
  const auto first = net::open_receiver(support::v6());
  const auto taken = net::local_endpoint(first.get());
  const auto error = thrown([&] { net::open_receiver(taken); });
  REQUIRE(error.has_value());
  CHECK(mentions(*error, "[::1]:" + std::to_string(taken.port())));
}

TEST_CASE("a sender can't be opened to an address that needs a permission, and the text names it",
          "[net]") {
  const auto error = thrown([] { net::open_sender({make_address("255.255.255.255"), 9}); });
  REQUIRE(error.has_value());
  CHECK(mentions(*error, "connect"));
  CHECK(mentions(*error, "255.255.255.255:9"));
  CHECK(error->code());
}

TEST_CASE("the endpoint of something that is no socket can't be read", "[net]") {
  const auto error = thrown([] { net::local_endpoint(-1); });
  REQUIRE(error.has_value());
  CHECK(error->code() == boost::system::errc::bad_file_descriptor);
}

TEST_CASE("a receive buffer that nobody asks for stays the kernel's own", "[net]") {
  const net::descriptor plain(::socket(AF_INET, SOCK_DGRAM, 0));
  const auto receiver = net::open_receiver(support::v4());
  CHECK(net::granted_receive_buffer(receiver.get()) == net::granted_receive_buffer(plain.get()));
}

TEST_CASE("a receive buffer within the host's limit is granted at least as asked", "[net]") {
  const auto limit = setting(rmem_max);
  if (!limit) SKIP("this kernel doesn't tell rmem_max");
  for (const std::size_t asked : {std::size_t{16'384}, std::size_t{65'536}, *limit}) {
    const auto receiver = net::open_receiver(support::v4(), {asked});
    CAPTURE(asked);
    CHECK(net::granted_receive_buffer(receiver.get()) >= asked);
    CHECK(net::granted_receive_buffer(receiver.get()) ==
          static_cast<std::size_t>(option(receiver.get(), SOL_SOCKET, SO_RCVBUF)));
  }
}

TEST_CASE("a receive buffer above the host's limit is cut down to it, and told so", "[net]") {
  const auto limit = setting(rmem_max);
  if (!limit || *limit > std::numeric_limits<int>::max() / 8)
    SKIP("this kernel doesn't tell rmem_max, or has none");
  bool renounced = false;
  std::size_t granted = 0;
  std::thread([&] {
    renounced = renounce_limits();
    const auto receiver = net::open_receiver(support::v4(), {4 * *limit});
    granted = net::granted_receive_buffer(receiver.get());
  }).join();
  if (!renounced) SKIP("a thread can't give up its capabilities here");
  CHECK(granted == 2 * *limit);
}

TEST_CASE("a receive buffer above the host's limit is granted to the privileged", "[net]") {
  const auto limit = setting(rmem_max);
  if (!limit || *limit > std::numeric_limits<int>::max() / 8)
    SKIP("this kernel doesn't tell rmem_max, or has none");
  const net::descriptor probe(::socket(AF_INET, SOCK_DGRAM, 0));
  const int little = 16'384;
  if (::setsockopt(probe.get(), SOL_SOCKET, SO_RCVBUFFORCE, &little, sizeof little) != 0)
    SKIP("this process lacks CAP_NET_ADMIN");
  const auto receiver = net::open_receiver(support::v4(), {2 * *limit});
  CHECK(net::granted_receive_buffer(receiver.get()) == 4 * *limit);
}

TEST_CASE("a receive buffer beyond every limit is cut down and not refused", "[net]") {
  const auto receiver =
      net::open_receiver(support::v4(), {std::numeric_limits<std::size_t>::max()});
  const auto granted = net::granted_receive_buffer(receiver.get());
  CHECK(granted >= net::granted_receive_buffer(net::open_receiver(support::v4()).get()));
  CHECK(granted <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
}

TEST_CASE("a sender is told of errors by its send calls", "[net]") {
  const auto v4 = net::open_receiver(support::v4());
  const auto to_v4 = net::open_sender(net::local_endpoint(v4.get()));
  CHECK(option(to_v4.get(), IPPROTO_IP, IP_RECVERR) == 1);
  if (!support::usable(support::v6())) SKIP("this host has no IPv6 loopback");
  const auto v6 = net::open_receiver(support::v6());
  const auto to_v6 = net::open_sender(net::local_endpoint(v6.get()));
  CHECK(option(to_v6.get(), IPPROTO_IPV6, IPV6_RECVERR) == 1);
}

TEST_CASE("a sender sends to its receiver alone and hears nobody else", "[net]") {
  const auto receiver = net::open_receiver(support::v4());
  const auto sender = net::open_sender(net::local_endpoint(receiver.get()));
  net::endpoint peer;
  auto length = static_cast<socklen_t>(peer.capacity());
  REQUIRE(::getpeername(sender.get(), peer.data(), &length) == 0);
  CHECK(peer == net::local_endpoint(receiver.get()));
}

TEST_CASE("a receive timeout is set to the microsecond, in seconds and their rest", "[net]") {
  const auto receiver = net::open_receiver(support::v4());
  net::set_receive_timeout(receiver.get(), std::chrono::microseconds(2'500'000));
  timeval t{};
  socklen_t length = sizeof t;
  REQUIRE(::getsockopt(receiver.get(), SOL_SOCKET, SO_RCVTIMEO, &t, &length) == 0);
  CHECK(t.tv_sec == 2);
  CHECK(t.tv_usec == 500'000);
}
