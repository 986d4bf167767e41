/** @file
    From books to figures: what a loss, a rate and a count mean, whatever arrives.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../experiment/scripted_place.hpp"
#include "passage.hpp"

#include <udpbench/experiment/analysis.hpp>
#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/rounds.hpp>

#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace passage;
namespace experiment = udpbench::experiment;
namespace record = udpbench::record;

namespace {

/** The round as it stands on record after a network on which datagrams may be lost. */
record::round booked(const experiment::sample& s) { return experiment::book(s, 0, true, false); }

std::optional<double> loss(const experiment::sample& s) {
  return experiment::summarise_rounds({booked(s)}).loss;
}

/** Books of that many datagrams. */
experiment::sample books_of(std::uint64_t sent, std::uint64_t unique) {
  experiment::sample s;
  s.sent.intended = s.sent.sent = sent;
  s.arrivals.unique = s.arrivals.highest = unique;
  s.kernel_dropped = 0;
  return s;
}

} // namespace

TEST_CASE("a lost tail counts as lost: by the sender's own count, not by the highest number seen",
          "[ledger]") {
  route r(any());
  check_round(r, 10, untouched({0, 1, 2, 3, 4, 5, 6}));
  CHECK(r.arrivals().highest == 7);
  CHECK(loss(r.sample()) == Approx(0.3));
  CHECK(booked(r.sample()).unexplained == 3);

  SECTION("also where nothing at all arrived") {
    check_round(r, 10, {});
    CHECK(loss(r.sample()) == 1.0);
  }
}

TEST_CASE("loss never leaves 0 to 1, whatever arrives", "[ledger]") {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto often = [&] { return static_cast<unsigned>(random() % 1000); };
    impairment how{often(), often(), often(), often(), often(), often(), often()};
    // What is taken for another's makes rounds of so few invalid.
    if (seed > 2) {
      how.behead = often();
      how.inject = often();
    }
    support::impaired_network network(how, seed, sizes);
    route r(any());
    std::vector<record::round> rounds;
    for (int round = 0; round < 4; ++round) {
      check_round(r, 100, network.round(100));
      rounds.push_back(booked(r.sample()));
      // So many of others would have taken its time from it.
      const bool disturbed = static_cast<double>(rounds.back().foreign) >
                             experiment::most_foreign * static_cast<double>(rounds.back().unique);
      CHECK(rounds.back().valid != disturbed);
      CHECK((!disturbed || seed > 2));
      const auto one = loss(r.sample());
      CHECK(one.has_value() != disturbed);
      CHECK(one.value_or(0) >= 0);
      CHECK(one.value_or(0) <= 1);
    }
    const auto all_rounds = experiment::summarise_rounds(rounds);
    CHECK((all_rounds.pooled_loss.has_value() || seed > 2));
    CHECK(all_rounds.pooled_loss.value_or(0) >= 0);
    CHECK(all_rounds.pooled_loss.value_or(0) <= 1);
  }
  // More than was sent is no loss below 0 but no round, and nothing sent has none.
  CHECK_FALSE(booked(books_of(10, 11)).valid);
  CHECK_FALSE(loss(books_of(10, 11)));
  CHECK_FALSE(loss(books_of(0, 0)));
}

TEST_CASE("neither a duplicate nor a late arrival makes up for a loss", "[ledger]") {
  route r(any());
  check_round(r, 4, untouched({0, 2, 2, 2, 0}));
  CHECK(loss(r.sample()) == 0.5);
  auto parcels = untouched({0, 1});
  for (int copy = 0; copy < 3; ++copy)
    parcels.push_back({.index = 3, .size = sizes.payload, .of_previous = true});
  check_round(r, 4, parcels);
  CHECK(loss(r.sample()) == 0.5);
}

TEST_CASE("unique, duplicate, reordered and lost are counted apart", "[ledger]") {
  route r(any());
  check_round(r, 6, untouched({0, 3, 1, 3, 1, 4}));
  const auto on_record = booked(r.sample());
  CHECK(on_record.unique == 4);
  CHECK(on_record.duplicate == 2);
  CHECK(on_record.reordered == 1);
  CHECK(on_record.unexplained == 2);
  CHECK(loss(r.sample()) == Approx(2.0 / 6));
}

TEST_CASE("counters run past 2^32, and the loss with them", "[ledger]") {
  constexpr std::uint64_t many = std::uint64_t{1} << 33;
  const auto on_record = booked(books_of(many, many - (many >> 2)));
  CHECK(on_record.valid);
  CHECK(on_record.sent == many);
  CHECK(on_record.unexplained == std::int64_t{many >> 2});
  CHECK(loss(books_of(many, many - (many >> 2))) == 0.25);
  auto sum = books_of(many, many);
  experiment::add(sum, books_of(many, many), false);
  CHECK(sum.arrivals.unique == 2 * many);
  CHECK(sum.sent.sent == 2 * many);
}

TEST_CASE("the headline is what was received, whatever was sent", "[ledger]") {
  experiment::scripted_place where;
  where.cost = [](const std::string&, std::size_t) { return 1000.0; };
  where.spoil = [](const std::string&, experiment::sample& s) {
    // Half is lost, and the rest took as long as all.
    s.timed /= 2;
    s.arrivals.unique /= 2;
    s.kernel_dropped = s.sent.sent - s.arrivals.unique;
  };
  auto plan = experiment::plan_for({"a"}, experiment::load::kind::flood);
  plan.blocks = 1;
  plan.count = 10'000;
  const auto run = experiment::run_scripted(plan, where);
  REQUIRE(run.results.front().summary.received_per_second);
  CHECK(*run.results.front().summary.received_per_second == Approx(500'000));
  CHECK(run.results.front().summary.loss == 0.5);
}
