/** @file
    The receivers that an experiment can be asked for, by name.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/ledger.hpp>
#include <udpbench/receiver.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** A list of receivers, each with a name, a line of description and a way to make one. */
class catalogue {
 public:
  /** One receiver. */
  struct entry {
    std::string name;        ///< As an experiment asks for it.
    std::string description; ///< One line.
    /** Makes one, closed; the ledger, its sink, outlives it. Errors: throws what its constructor throws. */
    std::function<any_receiver(measure::ledger&)> make;
  };

  /** Adds a receiver `R`, which is constructed from its sink: a `measure::ledger&` that outlives it.
      Errors: throws std::invalid_argument if the name is taken, empty, or has a space or a comma. */
  template <receiver R>
  void add(std::string name, std::string description) {
    static_assert(std::constructible_from<R, measure::ledger&>,
                  "a receiver is constructed from its sink, a measure::ledger& that outlives it");
    if (name.empty() || name.find_first_of(", \t\n") != std::string::npos)
      throw std::invalid_argument("receiver '" + name + "': a name has no space and no comma");
    if (find(name) != nullptr)
      throw std::invalid_argument("receiver '" + name + "' is there already");
    entries_.push_back({std::move(name), std::move(description),
                        [](measure::ledger& sink) { return any_receiver::make<R>(sink); }});
  }

  /** A part that receivers are composed of, for those who read a list: a take policy or a handler memory. */
  struct part {
    std::string kind;        ///< `take` or `handler memory`.
    std::string name;        ///< As in names of receivers, or `(none named)`.
    std::string description; ///< One line.
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

  /** A receiver that others have and this build hasn't. */
  struct lack {
    std::string name; ///< As an experiment asks for it.
    std::string why;  ///< What would have to be otherwise; one line.
  };

  /** Says that there is no such receiver here, and why. */
  void lacks(std::string name, std::string why) {
    lacking_.push_back({std::move(name), std::move(why)});
  }

  /** Those, in that order. Lifetime: until the next `lacks`. */
  const std::vector<lack>& lacking() const noexcept { return lacking_; }

  /** The receiver of that name; null if there is none. Lifetime: until the next `add`. */
  const entry* find(std::string_view name) const noexcept {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [name](const entry& e) { return e.name == name; });
    return at == entries_.end() ? nullptr : &*at;
  }

  /** All, in the order of `add`. Lifetime: until the next `add`. */
  const std::vector<entry>& entries() const noexcept { return entries_; }

 private:
  std::vector<entry> entries_;
  std::vector<part> parts_;
  std::vector<lack> lacking_;
};

} // namespace udpbench::experiment
