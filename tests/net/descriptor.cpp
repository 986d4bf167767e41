/** @file
    A descriptor is closed once.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/descriptor.hpp>

#include "catch.hpp"

#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

using udpbench::net::descriptor;

static_assert(!std::is_copy_constructible_v<descriptor>);
static_assert(!std::is_copy_assignable_v<descriptor>);
static_assert(std::is_nothrow_move_constructible_v<descriptor>);
static_assert(!std::is_convertible_v<int, descriptor>);

namespace {

int opened() {
  const int fd = ::eventfd(0, EFD_CLOEXEC);
  REQUIRE(fd >= 0);
  return fd;
}

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

} // namespace

TEST_CASE("a descriptor is closed at the end of its owner", "[net]") {
  const int fd = opened();
  {
    const descriptor owner(fd);
    CHECK(owner.get() == fd);
    CHECK(owner);
    CHECK(is_open(fd));
  }
  CHECK_FALSE(is_open(fd));
}

TEST_CASE("an owner of nothing is false", "[net]") {
  descriptor none;
  CHECK_FALSE(none);
  CHECK(none.get() == -1);
  none.reset();
  CHECK_FALSE(none);
}

TEST_CASE("descriptor 0 is one", "[net]") {
  descriptor zero(0);
  CHECK(zero);
  CHECK(zero.release() == 0);
}

TEST_CASE("a moved descriptor has one owner", "[net]") {
  const int fd = opened();
  descriptor second;
  {
    descriptor first(fd);
    second = std::move(first);
    CHECK_FALSE(first);
  }
  CHECK(is_open(fd));
  {
    const descriptor third(std::move(second));
    CHECK(third.get() == fd);
    CHECK_FALSE(second);
  }
  CHECK_FALSE(is_open(fd));
}

TEST_CASE("an owner that is given another descriptor closes its first", "[net]") {
  const int one = opened();
  const int two = opened();
  descriptor owner(one);
  owner = descriptor(two);
  CHECK_FALSE(is_open(one));
  CHECK(owner.get() == two);
  owner.reset();
  CHECK_FALSE(is_open(two));
}

TEST_CASE("a descriptor survives being moved to itself", "[net]") {
  const int fd = opened();
  descriptor owner(fd);
  auto& same = owner;
  owner = std::move(same);
  CHECK(owner.get() == fd);
  CHECK(is_open(fd));
}

TEST_CASE("a released descriptor stays open", "[net]") {
  const int fd = opened();
  {
    descriptor owner(fd);
    CHECK(owner.release() == fd);
    CHECK_FALSE(owner);
  }
  CHECK(is_open(fd));
  ::close(fd);
}
