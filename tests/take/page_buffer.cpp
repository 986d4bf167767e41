/** @file
    Memory on page boundaries.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/take/page_buffer.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

using udpbench::take::page_buffer;

TEST_CASE("a buffer starts on a page boundary, has its size and can be written to", "[take]") {
  for (const std::size_t size : {1u, 64u, 4095u, 4096u, 4097u, 200'000u}) {
    const page_buffer buffer(size);
    CAPTURE(size);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % page_buffer::page == 0);
    CHECK(buffer.size() == size);
    CHECK(std::all_of(buffer.data(), buffer.data() + size,
                      [](std::byte b) { return b == std::byte{}; }));
    std::memset(buffer.data(), 0xff, size);
  }
}

TEST_CASE("a slice is a part of its buffer", "[take]") {
  const page_buffer buffer(100);
  CHECK(buffer.slice(0, 100).data() == buffer.data());
  CHECK(buffer.slice(30, 20).data() == buffer.data() + 30);
  CHECK(buffer.slice(30, 20).size() == 20);
  CHECK(buffer.slice(100, 0).empty());
}

TEST_CASE("a buffer moves with its memory", "[take]") {
  page_buffer first(100);
  auto* const at = first.data();
  page_buffer second;
  CHECK(second.size() == 0);
  second = std::move(first);
  CHECK(second.data() == at);
  CHECK(second.size() == 100);
  second = page_buffer(10);
  CHECK(second.size() == 10);
}
