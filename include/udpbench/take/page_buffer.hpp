/** @file
    Memory for datagrams, on page boundaries.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace udpbench::take {

/** Bytes that start on a page boundary: an unlucky offset costs a plain receive loop up to a quarter of its rate, so every
    receiver starts at the same one. Touched once, so that the first datagram meets no page fault. */
class page_buffer {
 public:
  /** Bytes. */
  static constexpr std::size_t page = 4096;

  page_buffer() = default;
  /** Errors: throws std::bad_alloc. */
  explicit page_buffer(std::size_t bytes)
      : bytes_(static_cast<std::byte*>(::operator new(round_up(bytes), std::align_val_t(page)))),
        size_(bytes) {
    std::uninitialized_value_construct_n(bytes_.get(), round_up(bytes));
  }

  /** Null if it is empty. */
  std::byte* data() const noexcept { return bytes_.get(); }
  /** Bytes, as asked for. */
  std::size_t size() const noexcept { return size_; }
  /** Both within `size`, which nobody checks. Lifetime: that of the buffer. */
  std::span<std::byte> slice(std::size_t offset, std::size_t bytes) const noexcept {
    return {bytes_.get() + offset, bytes};
  }

 private:
  static constexpr std::size_t round_up(std::size_t bytes) noexcept {
    return (bytes + page - 1) / page * page;
  }

  struct deleter {
    void operator()(std::byte* p) const noexcept { ::operator delete(p, std::align_val_t(page)); }
  };

  std::unique_ptr<std::byte, deleter> bytes_;
  std::size_t size_ = 0;
};

} // namespace udpbench::take
