/** @file
    Messages that nobody between the two ends can change, leave out, repeat or make.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/digest.hpp>
#include <udpbench/control/framing.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace udpbench::control {

/** Which of the two ends sends a message. */
enum class end : char {
  client = 'c', ///< The one that drives.
  server = 's'  ///< The one that is asked.
};

/** Puts a digest before each message, and takes it off again: of the session's key, of who sent it, and of how many came before. The
    messages can be read by anybody. One for each direction. Threads: one. */
class seal {
 public:
  /** @param session_key  of this connection alone.
      @param from  who sends the messages that go through it. */
  seal(std::string session_key, end from) : key_(std::move(session_key)), from_(from) {}

  /** A message with its digest. */
  std::string put_on(std::string_view message) {
    return digest(key_, numbered(message)) + std::string(message);
  }

  /** The message without it. Errors: throws `protocol_error` where it isn't the next message of that end. */
  std::string take_off(std::string_view sealed) {
    if (sealed.size() < digest_bytes)
      throw protocol_error("a message without the digest of its sender");
    const auto message = sealed.substr(digest_bytes);
    if (!same_secret(sealed.substr(0, digest_bytes), digest(key_, numbered(message))))
      throw protocol_error("a message that was changed on its way, or isn't of the other end");
    return std::string(message);
  }

 private:
  std::string numbered(std::string_view message) {
    std::string text(1, static_cast<char>(from_));
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(number_ >> shift & 0xFF);
    ++number_;
    text += message;
    return text;
  }

  std::string key_;
  end from_;
  std::uint64_t number_ = 0;
};

} // namespace udpbench::control
