/** @file
    The key that two hosts have in common, in a file.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/descriptor.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace udpbench::control {

/** A file can't be used as a key; the text says why, and what is allowed. */
class key_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** Bytes of the shortest key: 128 bits, if they are random. */
inline constexpr std::size_t shortest_key = 16;
/** Bytes of the longest. */
inline constexpr std::size_t longest_key = 4096;

/** A secret of two ends. Threads: any. */
class key {
 public:
  /** Takes it from its bytes. Errors: throws `key_error` where it is too short or too long, or one byte over and over. */
  explicit key(std::string bytes) : bytes_(std::move(bytes)) {
    if (bytes_.size() < shortest_key || bytes_.size() > longest_key)
      throw key_error("it has " + std::to_string(bytes_.size()) + " bytes, and allowed are " +
                      std::to_string(shortest_key) + " to " + std::to_string(longest_key));
    if (bytes_.find_first_not_of(bytes_.front()) == std::string::npos)
      throw key_error("it is one byte over and over, which anybody can guess");
  }

  /** Reads a file whole, but for an end of line at its end.
      Errors: throws `key_error` also where it can't be read, is no plain file, or may be read by others than its owner. */
  static key of_file(const std::string& path) {
    // Of a pipe without a writer, opening would wait.
    const net::descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat what{};
    if (!file || ::fstat(file.get(), &what) != 0) throw key_error(reason());
    if (!S_ISREG(what.st_mode)) throw key_error("it is no plain file");
    if ((what.st_mode & (S_IRWXG | S_IRWXO)) != 0)
      throw key_error("others than its owner may use it: chmod 600 " + path);
    std::string bytes;
    std::array<char, longest_key + 2> part;
    for (;;) {
      const auto n = ::read(file.get(), part.data(), part.size());
      if (n < 0) throw key_error(reason());
      if (n == 0 || bytes.size() > longest_key) break;
      bytes.append(part.data(), static_cast<std::size_t>(n));
    }
    if (!bytes.empty() && bytes.back() == '\n') bytes.pop_back();
    return key(std::move(bytes));
  }

  /** Its bytes. Lifetime: this object's. */
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  static std::string reason() { return std::generic_category().message(errno); }

  std::string bytes_;
};

} // namespace udpbench::control
