/** @file
    Messages on a stream of bytes: each has its length before it. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

/** The protocol between two processes, of which one has receivers that the other measures. Needs Boost.JSON. */
namespace udpbench::control {

/** Bytes of the longest message. */
inline constexpr std::size_t longest_message = std::size_t{16} << 20;

/** Bytes of the longest message of a session with another host. */
inline constexpr std::size_t longest_of_session = std::size_t{1} << 20;

/** The other end doesn't keep to the protocol. */
class protocol_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

inline constexpr std::size_t prefix_bytes = 4;

} // namespace detail

/** The message as it stands on the stream. Errors: throws `protocol_error` where it is too long. */
inline std::string framed(std::string_view message) {
  if (message.size() > longest_message)
    throw protocol_error("a message of " + std::to_string(message.size()) +
                         " bytes is too long: allowed are " + std::to_string(longest_message));
  std::string out;
  out.reserve(detail::prefix_bytes + message.size());
  for (std::size_t i = 0; i < detail::prefix_bytes; ++i)
    out += static_cast<char>(message.size() >> (8 * (detail::prefix_bytes - 1 - i)) & 0xFF);
  out += message;
  return out;
}

/** Takes messages out of bytes that come in parts. It holds no more than one message and what came with its end. Threads: one. */
class unframer {
 public:
  /** @param longest  bytes of a message that it takes: fewer are for an end that is not known yet. */
  explicit unframer(std::size_t longest = longest_message) noexcept : longest_(longest) {}

  /** Appends bytes. Errors: throws `protocol_error` where a message is announced that is too long; nothing more can be read then. */
  void add(std::string_view bytes) {
    bytes_ += bytes;
    check();
  }

  /** Whether nothing is left of what was added. */
  bool empty() const noexcept { return bytes_.empty(); }

  /** The next message, if all of it is there. Errors: as `add`, of the message after it. */
  std::optional<std::string> next() {
    if (bytes_.size() < detail::prefix_bytes || bytes_.size() - detail::prefix_bytes < length())
      return {};
    std::string message = bytes_.substr(detail::prefix_bytes, length());
    bytes_.erase(0, detail::prefix_bytes + message.size());
    check();
    return message;
  }

 private:
  std::size_t length() const noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i < detail::prefix_bytes; ++i)
      n = n << 8 | static_cast<unsigned char>(bytes_[i]);
    return n;
  }

  void check() const {
    if (bytes_.size() >= detail::prefix_bytes && length() > longest_)
      throw protocol_error("a message of " + std::to_string(length()) +
                           " bytes is announced: allowed are " + std::to_string(longest_));
  }

  std::size_t longest_;
  std::string bytes_;
};

} // namespace udpbench::control
