/** @file
    What two processes say to each other: a greeting, then calls of a place and their answers.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/framing.hpp>
#include <udpbench/control/place_fields.hpp>
#include <udpbench/record/fields.hpp>
#include <udpbench/record/json.hpp>
#include <udpbench/record/run.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::control {

/** What the protocol is called; another name is another protocol. */
inline constexpr std::string_view protocol = "udpbench-control/1";

/** What the serving end says first. */
struct greeting {
  std::string protocol = std::string(control::protocol); ///< That it speaks.
  std::string version;                                   ///< Of udpbench.
  std::string backend;                                   ///< What Asio's sockets wait by there.
  std::vector<std::string> receivers;                    ///< Their names there.
  std::vector<unsigned> cpus = {}; ///< That its receiving threads may be bound to.
  std::string boot = {}; ///< The same for all processes of one machine, until it starts anew.
  std::optional<record::context> host = {}; ///< What it runs on; empty: on the same as who asks.
};

/** Its keys. */
template <class Visitor, record::maybe_const<greeting> Greeting>
void fields(Visitor&& v, Greeting& g) {
  v("protocol", g.protocol);
  v("version", g.version);
  v("backend", g.backend);
  v("receivers", g.receivers);
  v("cpus", g.cpus);
  v("boot", g.boot);
  v("host", g.host);
}

/** What `begin` gives: a schedule, and whether the receiver's count is in the memory that both have. */
struct begun {
  schedule round;         ///< Of the datagrams that are to be sent.
  bool published = false; ///< See `shared_count`.
};

/** Its keys. */
template <class Visitor, record::maybe_const<begun> Begun>
void fields(Visitor&& v, Begun& b) {
  v("round", b.round);
  v("published", b.published);
}

/** A call of a place: its name, and what stands in its brackets. */
class call {
 public:
  /** One to be sent. */
  template <class... Arguments>
  static std::string text(std::string_view name, const Arguments&... arguments) {
    boost::json::array with;
    (with.push_back(record::value_of(arguments)), ...);
    return record::laid_out(boost::json::object{{"call", name}, {"with", std::move(with)}});
  }

  /** One that was received. Errors: throws `record::format_error`, `protocol_error`. */
  explicit call(std::string_view text) {
    const boost::json::value message = record::parse(text);
    const auto* object = message.if_object();
    const auto* name = object == nullptr ? nullptr : object->if_contains("call");
    const auto* with = object == nullptr ? nullptr : object->if_contains("with");
    if (name == nullptr || !name->is_string() || with == nullptr || !with->is_array())
      throw protocol_error("a message that is no call");
    name_ = std::string(name->get_string());
    with_ = with->get_array();
  }

  /** What is called. */
  const std::string& name() const noexcept { return name_; }

  /** The i-th of what stands in the brackets. Errors: throws `record::format_error`, `protocol_error` where it is missing. */
  template <class T>
  T argument(std::size_t i) const {
    if (i >= with_.size()) throw protocol_error("the call '" + name_ + "' lacks an argument");
    return record::of_value<T>(with_[i]);
  }

 private:
  std::string name_;
  boost::json::array with_;
};

/** The answer to a call that gave something. */
template <class T>
std::string answer(const T& gave) {
  return record::laid_out(boost::json::object{{"gave", record::value_of(gave)}});
}

/** The answer to one that threw. */
inline std::string refusal(const std::string& why) {
  return record::laid_out(boost::json::object{{"threw", record::value_of(why)}});
}

/** What the called place threw, in its words. */
class refused_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** What an answer gave. Errors: throws `refused_error`, `record::format_error`, `protocol_error`. */
template <class T>
T given(std::string_view text) {
  const boost::json::value message = record::parse(text);
  const auto* object = message.if_object();
  if (object != nullptr) {
    if (const auto* gave = object->if_contains("gave")) return record::of_value<T>(*gave);
    if (const auto* why = object->if_contains("threw"))
      throw refused_error(record::of_value<std::string>(*why));
  }
  throw protocol_error("a message that is no answer");
}

} // namespace udpbench::control
