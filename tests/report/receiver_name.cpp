// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"

#include <udpbench/report/receiver_name.hpp>

using udpbench::report::receiver_name;

TEST_CASE("a receiver's name falls into driver, variants, take, memory and backend", "[report]") {
  constexpr receiver_name whole{"async.x8.immediate+batch32/pool@io_uring"};
  CHECK(whole.driver == "async");
  CHECK(whole.variants == ".x8.immediate");
  CHECK(whole.take == "batch");
  CHECK(whole.memory == "pool");
  CHECK(whole.backend == "io_uring");

  constexpr receiver_name plain{"sync"};
  CHECK(plain.driver == "sync");
  CHECK(plain.variants.empty());
  CHECK(plain.take.empty());
  CHECK(plain.memory.empty());
  CHECK(plain.backend.empty());

  CHECK(receiver_name{""}.driver.empty());
  CHECK(receiver_name{"async/heap"}.memory == "heap");
  CHECK(receiver_name{"uring.multishot"}.variants == ".multishot");
}

TEST_CASE("only one receive per datagram on epoll is plain asynchronous", "[report]") {
  CHECK(receiver_name{"async"}.plain_asynchronous());
  CHECK(receiver_name{"async/heap"}.plain_asynchronous());
  CHECK(receiver_name{"coroutine"}.plain_asynchronous());
  CHECK_FALSE(receiver_name{"sync"}.plain_asynchronous());
  CHECK_FALSE(receiver_name{"async+batch"}.plain_asynchronous());
  CHECK_FALSE(receiver_name{"async.immediate"}.plain_asynchronous());
  CHECK_FALSE(receiver_name{"async@io_uring"}.plain_asynchronous());
  CHECK_FALSE(receiver_name{"asynchronous"}.plain_asynchronous());
}
