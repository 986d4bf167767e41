/** @file
    Receivers in another process, as a place.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/messages.hpp>
#include <udpbench/control/shared_count.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/experiment/place.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace udpbench::control {

/** How long what costs no time may take, on a machine that is busy with something else. */
inline constexpr std::chrono::milliseconds patience{10'000};

/** What is known of the process at the other end. */
struct other_end {
  std::string name = "the process that has it"; ///< For errors.
  std::function<std::string()>
      how_it_ended; ///< Asked after it has closed the stream; may be empty.
  std::chrono::milliseconds patience = control::patience; ///< For whatever costs it no time.
};

/** A place at the other end of a stream. What is thrown there comes out here, in its words; when the other end is gone or silent,
    every later call says so. Threads: one at a time. */
class remote_place final : public experiment::place {
 public:
  /** Waits for the other end's greeting.
      @param to  the other end.
      @param count  where its receivers publish what they have, if it has that memory, too. Lifetime: outlives this.
      @param who  the other end is.
      Errors: throws what `stream::receive` does; `refused_error` where the other end turns this one away; `protocol_error` if it speaks
      another protocol. */
  explicit remote_place(stream to, const shared_count* count = nullptr, other_end who = {})
      : stream_(std::move(to)), count_(count), who_(std::move(who)) {
    greeting_ = guarded([this] { return given<greeting>(stream_.receive(who_.patience)); });
    if (greeting_.protocol != protocol)
      throw protocol_error("the other end speaks '" + greeting_.protocol + "', and this one '" +
                           std::string(protocol) + "'");
  }

  /** What it said first. */
  const greeting& greeted() const noexcept { return greeting_; }
  /** Of the stream. Lifetime: this object's. */
  int native_handle() const noexcept { return stream_.native_handle(); }
  /** How long to wait for what costs the other end no time. */
  std::chrono::milliseconds patience() const noexcept { return who_.patience; }
  /** Waits so long from now on. */
  void be_patient(std::chrono::milliseconds how_long) noexcept { who_.patience = how_long; }

  experiment::opened open(const experiment::seat_plan& plan) override {
    return ask<experiment::opened>(who_.patience, "open", plan);
  }

  void close(experiment::seat s) noexcept override {
    try {
      rounds_.erase(s);
      ask<bool>(who_.patience, "close", s);
    } catch (const std::exception&) {
      // Whoever opens the next hears of it.
    }
  }

  experiment::sample turn(experiment::seat s, const experiment::turn_plan& plan) override {
    // A slice waits 2 s for its datagrams.
    return ask<experiment::sample>(
        who_.patience + std::chrono::seconds(2) * (plan.untimed + plan.timed), "turn", s, plan);
  }

  schedule begin(experiment::seat s, const experiment::round_plan& plan) override {
    auto reply = ask<begun>(who_.patience, "begin", s, plan);
    rounds_[s] = std::chrono::ceil<std::chrono::milliseconds>(plan.limit + plan.tail);
    if (reply.published && count_ != nullptr) reply.round.received = &count_->value();
    return reply.round;
  }

  experiment::sample end(experiment::seat s, const send_counts& sent) override {
    return ask<experiment::sample>(who_.patience + rounds_[s], "end", s, sent);
  }

  experiment::tried_work try_work(const experiment::work_trial& t) override {
    // It is done some thousand times.
    return ask<experiment::tried_work>(who_.patience + std::chrono::seconds(10), "try_work", t);
  }

  std::uint64_t capacity(const experiment::seat_plan& plan, const experiment::turn_plan& turn,
                         std::uint64_t most) override {
    return ask<std::uint64_t>(who_.patience, "capacity", plan, turn, most);
  }

  /** Leaves the other end, and waits until it can be another's; not long. Nothing may be asked after that. */
  void leave() noexcept {
    stream_.say_goodbye(std::chrono::milliseconds(2'000));
    broken_ = "the connection was closed here";
  }

  /** Asks for something that is none of a place's.
      @param how_long  to wait for the answer.
      @param name  of the call.
      @param arguments  that stand in its brackets.
      Errors: throws `refused_error`, and `closed_error` where nothing can be asked any more. */
  template <class Result, class... Arguments>
  Result ask(std::chrono::milliseconds how_long, std::string_view name,
             const Arguments&... arguments) {
    return guarded([&] {
      stream_.send(call::text(name, arguments...), who_.patience);
      return given<Result>(stream_.receive(how_long));
    });
  }

 private:
  /** After anything but a refusal, what comes next may be the answer to something else: that was the last message. */
  template <class F>
  std::invoke_result_t<F> guarded(F f) {
    if (!broken_.empty()) throw closed_error(broken_);
    try {
      return f();
    } catch (const refused_error&) {
      throw;
    } catch (const closed_error& e) {
      broken_ = e.what();
      if (who_.how_it_ended) broken_ = who_.name + " ended with " + who_.how_it_ended();
    } catch (const timeout_error& e) {
      broken_ = who_.name + ": " + e.what();
    } catch (const std::exception& e) {
      broken_ = e.what();
    }
    throw closed_error(broken_);
  }

  stream stream_;
  const shared_count* count_;
  other_end who_;
  greeting greeting_;
  std::string broken_; ///< Why there is no more to be had; empty: there is.
  std::map<experiment::seat, std::chrono::milliseconds> rounds_; ///< How long they may take.
};

} // namespace udpbench::control
