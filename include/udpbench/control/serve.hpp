/** @file
    A place of this process, for another one to use.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/messages.hpp>
#include <udpbench/control/remote_place.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/error.hpp>
#include <udpbench/experiment/place.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace udpbench::control {

namespace detail {

/** Does what a call asks for, and gives the answer. Errors: throws what the place throws; `protocol_error`, `record::format_error`. */
inline std::string carry_out(const call& c, experiment::place& here) {
  using namespace experiment;
  if (c.name() == "open") return answer(here.open(c.argument<seat_plan>(0)));
  if (c.name() == "close") {
    here.close(c.argument<seat>(0));
    return answer(true);
  }
  if (c.name() == "turn") return answer(here.turn(c.argument<seat>(0), c.argument<turn_plan>(1)));
  if (c.name() == "begin") {
    const schedule round = here.begin(c.argument<seat>(0), c.argument<round_plan>(1));
    return answer(begun{round, round.received != nullptr});
  }
  if (c.name() == "end") return answer(here.end(c.argument<seat>(0), c.argument<send_counts>(1)));
  if (c.name() == "try_work") return answer(here.try_work(c.argument<work_trial>(0)));
  if (c.name() == "capacity")
    return answer(here.capacity(c.argument<seat_plan>(0), c.argument<turn_plan>(1),
                                c.argument<std::uint64_t>(2)));
  throw protocol_error("there is no call '" + c.name() + "'");
}

} // namespace detail

/** How one end serves the other. */
struct serving {
  /** How long the other end may ask for nothing; empty: for ever. */
  std::optional<std::chrono::milliseconds> silence = {};
  /** Carries out a call that is none of a place, and gives the answer; empty where there is no such. May be empty itself. */
  std::function<std::optional<std::string>(const call&)> also = {};
  /** Called before a call is carried out, and after it: what it throws is told instead of the answer. May be empty. */
  std::function<void()> check = {};
  /** Once this is true, the next answer is the last one; may be null. */
  const std::atomic<bool>* over = nullptr;
};

namespace detail {

/** The answer to a message: what is thrown is told to the other end. */
inline std::string reply_to(const std::string& message, experiment::place& here,
                            const serving& how) {
  try {
    const call asked(message);
    if (how.check) how.check();
    auto also = how.also ? how.also(asked) : std::nullopt;
    std::string reply = also ? std::move(*also) : carry_out(asked, here);
    if (how.check) how.check();
    return reply;
  } catch (const std::exception& e) {
    return refusal(e.what());
  } catch (...) {
    return refusal(unknown_exception);
  }
}

} // namespace detail

/** Greets the other end and does what it asks for, until it closes the stream. What the place throws is told to it, and the next call
    is waited for.
    @param to  the other end.
    @param here  of which every call is one of the other end's.
    @param hello  what is said first.
    @param how  it is done.
    Errors: throws what `stream` does, but for the end that the other end makes. Threads: one. */
inline void serve(stream& to, experiment::place& here, const greeting& hello,
                  const serving& how = {}) {
  try {
    to.send(answer(hello), patience);
    for (bool last = false; !last;) {
      const auto message = to.receive(how.silence);
      last = how.over != nullptr && *how.over;
      to.send(detail::reply_to(message, here, how), patience);
    }
  } catch (const closed_error&) {
  }
}

} // namespace udpbench::control
