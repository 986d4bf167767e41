/** @file
    When a round begins and ends, and that all that was asked for is in it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../experiment/scripted_place.hpp"
#include "passage.hpp"

#include <udpbench/experiment/receiving_thread.hpp>
#include <udpbench/experiment/rounds.hpp>
#include <udpbench/experiment/sender.hpp>

#include <span>
#include <string>
#include <vector>

using namespace passage;
namespace experiment = udpbench::experiment;

namespace {

using journal = std::vector<std::string>;

/** Writes down when it is asked to begin and to end. */
class noting_place final : public experiment::place {
 public:
  explicit noting_place(journal& to) : to_(to) {}

  experiment::opened open(const experiment::seat_plan&) override { return {}; }
  void close(experiment::seat) noexcept override {}
  experiment::sample turn(experiment::seat, const experiment::turn_plan&) override { return {}; }
  udpbench::schedule begin(experiment::seat, const experiment::round_plan& plan) override {
    to_.push_back("ready");
    return {.size = plan.size};
  }
  experiment::sample end(experiment::seat, const udpbench::send_counts&) override {
    to_.push_back("end");
    return {};
  }
  std::uint64_t capacity(const experiment::seat_plan&, const experiment::turn_plan&,
                         std::uint64_t) override {
    return 0;
  }

 private:
  journal& to_;
};

class noting_sender final : public experiment::sender {
 public:
  explicit noting_sender(journal& to) : to_(to) {}
  void open(const udpbench::net::endpoint&) override {}
  void open_each(std::span<const udpbench::net::endpoint>) override {}
  udpbench::send_counts send(const udpbench::schedule&, std::uint64_t) override {
    to_.push_back("send");
    return {};
  }

 private:
  journal& to_;
};

} // namespace

TEST_CASE("the receiver says that it is ready before the first send", "[ledger]") {
  journal seen;
  noting_place where(seen);
  noting_sender from(seen);
  experiment::run_round(where, from, {}, {}, nullptr);
  CHECK(seen == journal{"ready", "send", "end"});
}

TEST_CASE("all is in the ledger, and the first datagrams, for which all was set up, in no interval",
          "[ledger]") {
  for (const kind& k : all()) {
    INFO(k.name);
    udpbench::measure::ledger ledger;
    auto receiver = k.make(ledger);
    udpbench::sync_client<> client;
    client.open(receiver.open(support::v4()));
    const udpbench::schedule s{.run = 1, .round = 1, .size = 64};
    experiment::receiving_thread thread(receiver, ledger, s, {.size = s.size}, {});
    const auto sample = thread.end(client.send(s, 200));
    CHECK(sample.trouble.empty());
    CHECK(sample.sent.sent == 200);
    CHECK(sample.arrivals.unique == 200);
    CHECK(sample.kernel_dropped.value_or(0) == 0);
    // From the end of the first 64 to the end of the third.
    CHECK(sample.timed == 128);
  }
}

TEST_CASE("exactly as many as are asked for are sent and counted, in every mode of sending",
          "[ledger]") {
  using experiment::send_mode;
  const auto mode = GENERATE(send_mode::single, send_mode::batch, send_mode::segmented);
  if (!experiment::mode_works(mode, support::v4().address(), sizes.payload)) return;
  const auto sender = experiment::make_sender(mode, {.what = experiment::load::kind::flood});
  udpbench::measure::ledger ledger;
  auto receiver = any().make(ledger);
  sender->open(receiver.open(support::v4()));
  std::uint16_t round = 0;
  for (const std::uint64_t count : {1u, 2u, 63u, 64u, 65u, 99u, 100u, 128u, 129u}) {
    CAPTURE(experiment::name(mode), count);
    ledger.begin(1, ++round);
    const auto sent = sender->send({.run = 1, .round = round, .size = sizes.payload}, count);
    CHECK(sent.intended == count);
    CHECK(sent.sent == count);
    CHECK(receiver.receive(count, udpbench::measure::monotonic_clock::now() + support::deadline) ==
          count);
    CHECK(ledger.counts().unique == count);
    CHECK(ledger.counts().highest == count);
    CHECK(support::drained(receiver.native_handle()));
  }
}
