/** @file
    How two ends come to know that they speak of the same, and have the same key: messages in, messages out. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/digest.hpp>
#include <udpbench/control/framing.hpp>
#include <udpbench/control/key.hpp>
#include <udpbench/control/messages.hpp>
#include <udpbench/record/json.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace udpbench::control {

/** Bytes of the longest message until both know each other. */
inline constexpr std::size_t longest_of_handshake = 1024;

/** The two ends don't come together; the text says why, for a person at the end that it is thrown at. */
class handshake_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** What each end says of itself. */
struct introduction {
  std::string protocol = std::string(control::protocol); ///< That it speaks.
  std::string version;                                   ///< Of udpbench.
  std::string nonce;                                     ///< Random, and never used before.
  bool keyed = false;                                    ///< It has a key.
  std::string proof; ///< Of that, by the server: the client proves it afterwards.
};

/** Its keys. */
template <class Visitor, record::maybe_const<introduction> Introduction>
void fields(Visitor&& v, Introduction& i) {
  v("protocol", i.protocol);
  v("version", i.version);
  v("nonce", i.nonce);
  v("keyed", i.keyed);
  v("proof", i.proof);
}

/** One end of a connection that is to be. */
struct identity {
  std::string version;                                 ///< Of udpbench.
  std::optional<control::key> key = {};                ///< Empty: it asks nobody for one.
  std::string nonce = hex(random_bytes(digest_bytes)); ///< Tests give one of their own.
};

namespace detail {

/** What both ends have said, whoever says it: each proof is one of all that. */
inline std::string agreed(std::string_view what, const introduction& client,
                          const introduction& server) {
  std::string text(what);
  for (const auto& part : {client.protocol, client.version, client.nonce, server.protocol,
                           server.version, server.nonce}) {
    // With its length before it, no part can pass for two.
    text += '\n' + std::to_string(part.size()) + ':';
    text += part;
  }
  return text;
}

inline std::string proof(const key& k, std::string_view what, const introduction& client,
                         const introduction& server) {
  return digest(k.bytes(), agreed(what, client, server));
}

inline constexpr std::string_view server_has_it = "udpbench server";
inline constexpr std::string_view client_has_it = "udpbench client";
inline constexpr std::string_view of_session = "udpbench session";

inline introduction introduced(std::string_view message) {
  try {
    auto i = record::of_value<introduction>(record::parse(message));
    if (i.nonce.size() != 2 * digest_bytes)
      throw handshake_error("the other end's nonce has " + std::to_string(i.nonce.size()) +
                            " digits");
    return i;
  } catch (const record::format_error& e) {
    throw handshake_error(std::string("the other end doesn't introduce itself: ") + e.what());
  }
}

inline void check_versions(std::string_view here, const introduction& mine,
                           const introduction& its) {
  if (its.protocol == mine.protocol && its.version == mine.version) return;
  throw handshake_error("it is udpbench " + its.version + " and speaks '" + its.protocol +
                        "', and this " + std::string(here) + " is " + mine.version +
                        " and speaks '" + mine.protocol + "': both have to be the same");
}

} // namespace detail

/** The end that was called. Its messages: an introduction comes, one is sent; with a key, the client's proof comes. Threads: one. */
class server_handshake {
 public:
  /** @param me  this end. */
  explicit server_handshake(identity me) : key_(std::move(me.key)) {
    mine_.version = std::move(me.version);
    mine_.nonce = std::move(me.nonce);
    mine_.keyed = key_.has_value();
  }

  /** Takes the client's next message, and gives what is to be answered; empty: nothing.
      Errors: throws `handshake_error`; the connection is of no use then, and `farewell` what may be said. */
  std::string receive(std::string_view message) {
    if (done_) throw handshake_error("a message after the last");
    return its_ ? take_proof(message) : take_introduction(message);
  }

  /** Both know each other: what follows is sealed by `session_key`, if there is a key. */
  bool done() const noexcept { return done_; }
  /** Of this connection alone; empty without a key. */
  std::string session_key() const {
    return key_ ? detail::proof(*key_, detail::of_session, *its_, mine_) : std::string();
  }
  /** What a client of another version is told, after `receive` has thrown; empty: nothing. */
  const std::string& farewell() const noexcept { return farewell_; }

 private:
  std::string take_introduction(std::string_view message) {
    introduction client = detail::introduced(message);
    try {
      detail::check_versions("server", mine_, client);
    } catch (const handshake_error&) {
      farewell_ = record::laid_out(record::value_of(introduction{
          .version = mine_.version, .nonce = mine_.nonce, .keyed = mine_.keyed, .proof = {}}));
      throw;
    }
    its_ = std::move(client);
    if (key_) mine_.proof = hex(detail::proof(*key_, detail::server_has_it, *its_, mine_));
    done_ = !key_;
    return record::laid_out(record::value_of(mine_));
  }

  std::string take_proof(std::string_view message) {
    const std::string expected = hex(detail::proof(*key_, detail::client_has_it, *its_, mine_));
    if (!same_secret(message, expected)) throw handshake_error("the client hasn't the key");
    done_ = true;
    return {};
  }

  std::optional<key> key_;
  introduction mine_;
  std::optional<introduction> its_;
  std::string farewell_;
  bool done_ = false;
};

/** The end that calls. Threads: one. */
class client_handshake {
 public:
  /** @param me  this end. */
  explicit client_handshake(identity me) : key_(std::move(me.key)) {
    mine_.version = std::move(me.version);
    mine_.nonce = std::move(me.nonce);
    mine_.keyed = key_.has_value();
  }

  /** The first message. */
  std::string begin() const { return record::laid_out(record::value_of(mine_)); }

  /** Takes the server's answer, and gives what is to be sent; empty: nothing. Then both know each other.
      Errors: throws `handshake_error`, and nothing may be sent any more. */
  std::string receive(std::string_view message) {
    its_ = detail::introduced(message);
    detail::check_versions("client", mine_, its_);
    if (its_.keyed && !key_) throw handshake_error("it asks for a key: --key-file");
    // Else anybody could pass for the server by having none.
    if (!its_.keyed && key_) throw handshake_error("it has no key, and this client has one");
    if (!key_) return {};
    if (!same_secret(its_.proof, hex(detail::proof(*key_, detail::server_has_it, mine_, its_))))
      throw handshake_error("it has another key");
    return hex(detail::proof(*key_, detail::client_has_it, mine_, its_));
  }

  /** Of this connection alone; empty without a key. */
  std::string session_key() const {
    return key_ ? detail::proof(*key_, detail::of_session, mine_, its_) : std::string();
  }

 private:
  std::optional<key> key_;
  introduction mine_;
  introduction its_;
};

} // namespace udpbench::control
