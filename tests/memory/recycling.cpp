/** @file
    Asio's own memory, and the block that is carried from one run of a context to the next.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/memory/recycling.hpp>

#include "blocks.hpp"
#include "catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

using udpbench::memory::recycling;

static_assert(!std::is_copy_constructible_v<recycling>);

namespace {

constexpr std::size_t bytes = 200;

/** Runs `handler` inside a context that stops afterwards. */
template <class Handler>
void run(boost::asio::io_context& context, Handler handler) {
  context.restart();
  boost::asio::post(context, handler);
  context.run();
}

/** Holds what the C library would give to the next who asks for a block like ours. */
class taken {
 public:
  taken() {
    for (std::size_t i = 0; i < 64; ++i) blocks_.push_back(::operator new(bytes + i % 16));
  }
  taken(const taken&) = delete;
  taken& operator=(const taken&) = delete;
  ~taken() {
    for (void* block : blocks_) ::operator delete(block);
  }

 private:
  std::vector<void*> blocks_;
};

} // namespace

TEST_CASE("within a running context the same block is used again", "[memory]") {
  recycling memory;
  boost::asio::io_context context;
  std::vector<void*> blocks;
  run(context, [&] {
    for (int i = 0; i < 4; ++i) {
      const block<recycling> b(memory, bytes);
      blocks.push_back(b.get());
    }
  });
  REQUIRE(blocks.size() == 4);
  for (const void* b : blocks) CHECK(b == blocks[0]);
}

TEST_CASE("a block that is carried over is used again in the next run", "[memory]") {
  recycling memory;
  boost::asio::io_context context;
  std::vector<void*> blocks;
  for (int i = 0; i < 4; ++i) {
    run(context, [&] {
      {
        const block<recycling> b(memory, bytes);
        blocks.push_back(b.get());
      }
      memory.carry_over();
    });
    const taken others;
    blocks.push_back(nullptr);
    run(context, [&] {
      {
        const block<recycling> b(memory, bytes);
        blocks.back() = b.get();
      }
      memory.carry_over();
    });
  }
  REQUIRE(blocks.size() == 8);
  for (const void* b : blocks) CHECK(b == blocks[0]);
}

TEST_CASE("carrying over twice takes one block", "[memory]") {
  recycling memory;
  boost::asio::io_context context;
  void* carried = nullptr;
  void* next = nullptr;
  run(context, [&] {
    {
      const block<recycling> b(memory, bytes);
      carried = b.get();
    }
    memory.carry_over();
    memory.carry_over();
    const block<recycling> b(memory, bytes);
    next = b.get();
  });
  CHECK(next == carried);
}

TEST_CASE("carrying over before anything was asked for takes nothing, and is no hindrance later",
          "[memory]") {
  recycling memory;
  boost::asio::io_context context;
  void* carried = nullptr;
  void* next = nullptr;
  run(context, [&] {
    memory.carry_over();
    {
      const block<recycling> b(memory, bytes);
      carried = b.get();
    }
    memory.carry_over();
  });
  const taken others;
  run(context, [&] {
    const block<recycling> b(memory, bytes);
    next = b.get();
  });
  CHECK(next == carried);
}

TEST_CASE("a carried block is not lost on requests of other sizes, nor they on it", "[memory]") {
  recycling memory;
  boost::asio::io_context context;
  void* carried = nullptr;
  void* again = nullptr;
  run(context, [&] {
    {
      const block<recycling> b(memory, bytes);
      carried = b.get();
    }
    memory.carry_over();
  });
  const taken others;
  run(context, [&] {
    // Every byte of each block is written to; a block that Asio takes for larger than it is would show.
    for (const std::size_t other :
         {bytes / 2, bytes - 1, bytes * 5, std::size_t{1000}, bytes + 1}) {
      {
        const block<recycling> b(memory, other);
      }
      const block<recycling> one(memory, other);
      const block<recycling> two(memory, 4 * other);
    }
    const block<recycling> b(memory, bytes);
    again = b.get();
  });
  CHECK(again == carried);
}

TEST_CASE("two blocks at a time are two blocks", "[memory]") {
  recycling memory;
  boost::asio::io_context context;
  bool apart = false;
  run(context, [&] {
    {
      const block<recycling> b(memory, bytes);
    }
    memory.carry_over();
    const block<recycling> one(memory, bytes);
    const block<recycling> two(memory, bytes);
    apart = one.get() != two.get();
  });
  CHECK(apart);
}

TEST_CASE("Asio's own memory gives every alignment that is asked for", "[memory]") {
  recycling memory;
  boost::asio::io_context context;
  std::vector<std::size_t> wrong;
  run(context, [&] {
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2)
      for (int i = 0; i < 3; ++i) {
        const block<recycling> one(memory, bytes, alignment);
        const block<recycling> two(memory, bytes, alignment);
        if (!aligned(one.get(), alignment) || !aligned(two.get(), alignment))
          wrong.push_back(alignment);
        memory.carry_over();
      }
  });
  CHECK(wrong.empty());
}

TEST_CASE("memory works outside a context, and a carried block may outlive its own", "[memory]") {
  recycling memory;
  {
    boost::asio::io_context context;
    run(context, [&] {
      {
        const block<recycling> b(memory, bytes);
      }
      memory.carry_over();
    });
  }
  const block<recycling> one(memory, bytes);
  const block<recycling> two(memory, bytes);
  CHECK(one.get() != two.get());
}
