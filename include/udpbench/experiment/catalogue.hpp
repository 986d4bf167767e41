/** @file
    The receivers that an experiment can be asked for, by name.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/ledger.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/server.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** Its address tells a type from others, without run-time type information. */
template <class T>
inline constexpr char type_mark = 0;

/** A list of receivers, each with a name, a line of description and a way to make one. */
class catalogue {
 public:
  /** One receiver. */
  struct entry {
    std::string name;        ///< As an experiment asks for it.
    std::string description; ///< One line.
    /** Makes one, closed; the ledger, its sink, outlives it. Empty where the receiver is in another process. Errors: throws what its
        constructor throws. */
    std::function<any_receiver(measure::ledger&)> make;
    /** Makes one of several sockets, closed, with a ledger for each that outlives it; empty where it can have only one. */
    std::function<any_server(std::span<measure::ledger>)> serve = {};
    /** Makes one of one socket, closed, on which so many threads work together; empty where each thread has one of its own. */
    std::function<any_server(measure::ledger&, std::size_t threads)> share = {};
  };

  /** Adds a receiver `R`, which is constructed from its sink: a `measure::ledger&` that outlives it.
      Errors: throws std::invalid_argument if the name is taken, empty, or has a space or a comma. */
  template <receiver R>
  void add(std::string name, std::string description) {
    static_assert(std::constructible_from<R, measure::ledger&>,
                  "a receiver is constructed from its sink, a measure::ledger& that outlives it");
    check(name);
    entries_.push_back({std::move(name), std::move(description),
                        [](measure::ledger& sink) { return any_receiver::make<R>(sink); }});
    if constexpr (server<R> && std::constructible_from<R, std::span<measure::ledger>>)
      entries_.back().serve = [](std::span<measure::ledger> sinks) {
        return any_server::make<R>(sinks);
      };
    if constexpr (server<R> && std::constructible_from<R, measure::ledger&, std::size_t>)
      entries_.back().share = [](measure::ledger& sink, std::size_t threads) {
        return any_server::make<R>(sink, threads);
      };
  }

  /** Adds the name of a receiver that is in another process: only a place has it. Errors: as `add`. */
  void mention(std::string name, std::string description) {
    check(name);
    entries_.push_back({std::move(name), std::move(description), {}});
  }

  /** A part that receivers are composed of, for those who read a list: a take policy or a handler memory. */
  struct part {
    std::string kind;        ///< `take` or `handler memory`.
    std::string name;        ///< As in names of receivers, or `(none named)`.
    std::string description; ///< One line.
    const void* type =
        nullptr; ///< The address of `type_mark` of what it names; null: nobody asks by type.
  };

  /** Adds a line to that list; naming a part again changes nothing. */
  void describe(part p) {
    const auto same = [&p](const part& other) {
      return other.kind == p.kind && other.name == p.name;
    };
    if (std::none_of(parts_.begin(), parts_.end(), same)) parts_.push_back(std::move(p));
  }

  /** Those described, in that order. Lifetime: until the next `describe`. */
  const std::vector<part>& parts() const noexcept { return parts_; }

  /** The first of them that names `T`; null if none does. Lifetime: until the next `describe`. */
  template <class T>
  const part* part_of() const noexcept {
    const auto at = std::find_if(parts_.begin(), parts_.end(),
                                 [](const part& p) { return p.type == &type_mark<T>; });
    return at == parts_.end() ? nullptr : &*at;
  }

  /** Receivers that could be here and are not. */
  struct absence {
    std::string name;   ///< A driver, with all that follows from it, or one receiver.
    std::string reason; ///< A clause or whole sentences.
  };

  /** Says why a driver or a receiver can't be had. */
  void leave_out(std::string name, std::string reason) {
    left_out_.push_back({std::move(name), std::move(reason)});
  }

  /** Those left out, in that order. Lifetime: until the next `leave_out`. */
  const std::vector<absence>& left_out() const noexcept { return left_out_; }

  /** The receiver of that name; null if there is none. Lifetime: until the next `add`. */
  const entry* find(std::string_view name) const noexcept {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [name](const entry& e) { return e.name == name; });
    return at == entries_.end() ? nullptr : &*at;
  }

  /** All, in the order of `add`. Lifetime: until the next `add`. */
  const std::vector<entry>& entries() const noexcept { return entries_; }

 private:
  void check(const std::string& name) const {
    if (name.empty() || name.find_first_of(", \t\n") != std::string::npos)
      throw std::invalid_argument("receiver '" + name + "': a name has no space and no comma");
    if (find(name) != nullptr)
      throw std::invalid_argument("receiver '" + name + "' is there already");
  }

  std::vector<entry> entries_;
  std::vector<part> parts_;
  std::vector<absence> left_out_;
};

} // namespace udpbench::experiment
