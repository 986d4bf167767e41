/** @file
    Where the receivers of a run are: in this process, in another of this program, on another host.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/backend.hpp>
#include <udpbench/app/far_host.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/control/remote_sender.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/routed_place.hpp>
#include <udpbench/machine/boot.hpp>
#include <udpbench/record/run.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace udpbench::app {

/** All receivers that a command line may name, and the place that has them. Threads: one. */
class receivers_of_run {
 public:
  /** Connects to the host of `--to`, or starts another process where a name asks for its backend.
      @param words  of the command line.
      @param known  receivers of this process. Lifetime: outlives this.
      @param build  this program's own.
      Errors: throws `usage_error`, `machine_error`. */
  receivers_of_run(const compare_words& words, const experiment::catalogue& known,
                   const experiment::build_info& build)
      : known_(known), here_(known) {
    if (!words.to) {
      if (!words.key_file.empty())
        throw usage_error("--key-file", words.key_file, "is for the server of --to");
      add_others(words, build);
      return;
    }
    far_.emplace(*words.to, words.key_file, build);
    auto& place = far_->place();
    const auto& hello = far_->greeted();
    const bool this_machine = !hello.boot.empty() && hello.boot == machine::boot_id();
    end_.emplace(
        far_end{words.reverse ? place.own_address() : place.address(), hello.cpus, this_machine});
    described_.emplace();
    described_->has = words.reverse ? "sender" : "receivers";
    described_->address = place.address().to_string();
    described_->round_trip_ns = static_cast<std::uint64_t>(place.round_trip().count());
    described_->same_machine = this_machine;
    if (hello.host) described_->context = *hello.host;
    if (words.reverse)
      add_others(words, build);
    else
      known_ = far_->catalogue();
  }

  /** What the words ask for. Errors: as `make_plan`. */
  experiment::plan plan(const compare_words& words) const {
    return make_plan(words, known_, end_ ? &*end_ : nullptr);
  }

  /** Has them; until `release`. */
  experiment::place& place() noexcept {
    if (far_ && described_->has == "receivers") return far_->place();
    return everywhere_;
  }

  /** Makes the sender of a plan; until `release`. */
  experiment::sender_maker sender(const experiment::plan& plan) {
    if (!plan.reverse) return experiment::make_sender;
    return [this, cpu = plan.pin.sender](experiment::send_mode mode, const experiment::load& l) {
      return std::make_unique<control::remote_sender>(far_->place(), mode, l, cpu);
    };
  }

  /** Tells the other host now and then that this one is still there, also while it measures without it. To be called often. */
  void stay() noexcept {
    const auto now = std::chrono::steady_clock::now();
    if (!far_ || now < next_sign_) return;
    next_sign_ = now + std::chrono::seconds(10);
    try {
      far_->place().echo();
    } catch (const std::exception&) {
      // Whoever needs it next hears of it.
    }
  }

  /** Leaves the other process, or host. */
  void release() noexcept {
    others_.reset();
    far_.reset();
  }

  /** The other host, as it stands on record; empty: both ends are on this one. */
  const std::optional<record::other_host>& host() const noexcept { return described_; }

 private:
  /** Receivers here, and on another backend. */
  void add_others(const compare_words& words, const experiment::build_info& build) {
    others_.emplace(words.receivers, known_, build);
    others_->add_to(everywhere_);
  }

  experiment::catalogue known_;
  experiment::in_process here_;
  experiment::routed_place everywhere_{here_};
  std::optional<other_backends> others_;
  std::optional<far_host> far_;
  std::chrono::steady_clock::time_point next_sign_{};
  std::optional<far_end> end_;
  std::optional<record::other_host> described_;
};

} // namespace udpbench::app
