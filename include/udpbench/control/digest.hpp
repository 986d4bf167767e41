/** @file
    What two ends with a common key need of cryptography: random bytes, a keyed digest, and a comparison that takes the same time for all.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace udpbench::control {

/** Bytes of a digest. */
inline constexpr std::size_t digest_bytes = 32;

/** As many random bytes, which nobody can guess. Errors: throws std::runtime_error where the system has none. Source: RAND_bytes(3). */
inline std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (::RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
    throw std::runtime_error("the system has no random numbers");
  return bytes;
}

/** HMAC-SHA-256 of a text: 32 bytes that only who has the key can make. Errors: throws std::runtime_error where OpenSSL lacks it.
    Source: RFC 2104, FIPS 180-4. */
inline std::string digest(std::string_view key, std::string_view text) {
  std::array<unsigned char, digest_bytes> out{};
  unsigned int length = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(),
             out.data(), &length) == nullptr ||
      length != digest_bytes)
    throw std::runtime_error("no HMAC-SHA-256");
  return {out.begin(), out.end()};
}

/** Whether both are equal, in a time that doesn't tell where they differ. */
inline bool same_secret(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

/** Bytes as hexadecimal digits, two each. */
inline std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 0xF];
  }
  return out;
}

} // namespace udpbench::control
