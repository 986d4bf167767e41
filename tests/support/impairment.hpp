/** @file
    What a bad network does to a round of datagrams, decided beforehand by a seed: no sockets, no time.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/ledger.hpp>
#include <udpbench/wire/header.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace support {

/** How often each thing happens, in per mille of the datagrams or of their copies. Every copy meets a fate of its own, so that a
    datagram whose first copy is dropped may arrive by its second. */
struct impairment {
  unsigned drop = 0;      ///< The copy never arrives.
  unsigned duplicate = 0; ///< There are one to three copies more.
  unsigned reorder = 0;   ///< The copy is held back for 1 to 4 other datagrams.
  unsigned delay = 0;     ///< The copy is held back for 20 to 60 others.
  unsigned overstay = 0;  ///< The copy arrives amid the next round.
  unsigned lengthen = 0;  ///< The copy becomes longer than the receiver's buffer.
  unsigned shorten = 0;   ///< The copy loses bytes behind its header.
  unsigned behead = 0;    ///< The copy is cut off within its header.
  unsigned inject = 0;    ///< A datagram that the client never sent comes after this one.
};

/** One datagram on its way to the receiver. */
struct parcel {
  enum class content {
    original,
    wrong_magic,
    wrong_run,
    wrong_flow,
    later_round,
    earlier_round,
  };

  std::uint64_t index = 0;  ///< Of the client's datagram that it is made of, from 0 in each round.
  std::size_t size = 0;     ///< Bytes; cut off or filled up to that.
  bool of_previous = false; ///< Made of a datagram of the round before.
  content what = content::original;

  bool operator==(const parcel&) const = default;
};

/** What the client sends and the receiver's buffers hold, in bytes. */
struct sizes {
  std::size_t payload = 64;
  std::size_t room = 96;
};

/** What a receiver's books must show, and what they can't: how many of the client's datagrams they lack. */
struct expectation {
  udpbench::measure::arrivals arrivals;
  std::uint64_t lost = 0;
};

/** Counts by the definition of each column, one after the other, over the parcels in the order of their arrival. The client sent
    `sent` datagrams, numbered from `first_sequence`. */
inline expectation expected_of(const std::vector<parcel>& parcels, std::uint64_t sent,
                               const sizes& s, std::uint64_t first_sequence = 0) {
  constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  const auto numbered = [](const parcel& p) { return p.size >= udpbench::wire::header_bytes; };
  const auto late = [&](const parcel& p) {
    return numbered(p) && (p.what == parcel::content::earlier_round ||
                           (p.of_previous && p.what == parcel::content::original));
  };
  const auto counted = [&](const parcel& p) {
    return numbered(p) && !p.of_previous && p.what == parcel::content::original;
  };

  expectation out;
  auto& a = out.arrivals;
  std::vector<std::size_t> first(sent, never); // arrival of the first copy of each
  std::uint64_t copies = 0;
  for (std::size_t at = 0; at < parcels.size(); ++at) {
    const parcel& p = parcels[at];
    if (late(p)) ++a.late;
    if (!late(p) && !counted(p)) ++a.foreign;
    if ((late(p) || counted(p)) && p.size > s.room) ++a.truncated;
    if (!counted(p)) continue;
    ++copies;
    first[p.index] = std::min(first[p.index], at);
  }
  for (std::uint64_t i = 0; i < sent; ++i) {
    if (first[i] == never) {
      ++out.lost;
      continue;
    }
    ++a.unique;
    a.bytes += std::min(parcels[first[i]].size, s.room);
    a.highest = first_sequence + i + 1;
    const bool overtaken =
        std::any_of(first.begin() + static_cast<std::ptrdiff_t>(i), first.end(),
                    [&](std::size_t other) { return other != never && other < first[i]; });
    if (overtaken) ++a.reordered;
  }
  a.duplicate = copies - a.unique;
  return out;
}

/** A network that impairs one round after another. Equal seeds give equal rounds. */
class impaired_network {
 public:
  impaired_network(const impairment& how, std::uint64_t seed, const sizes& s = {})
      : how_(how), random_(seed), sizes_(s) {}

  /** The parcels made of a round of `sent` datagrams, above 0, in the order in which they arrive. */
  std::vector<parcel> round(std::uint64_t sent) {
    std::vector<departure> departures;
    for (const parcel& p : std::exchange(overstaying_, {}))
      departures.push_back({up_to(2 * sent - 1), p});
    for (std::uint64_t i = 0; i < sent; ++i) {
      const auto copies = 1 + (happens(how_.duplicate) ? 1 + up_to(2) : 0);
      for (std::uint64_t copy = 0; copy < copies; ++copy) send_copy(departures, i);
      if (happens(how_.inject)) departures.push_back({2 * i + 1, injected(i)});
    }
    std::stable_sort(departures.begin(), departures.end(),
                     [](const auto& a, const auto& b) { return a.when < b.when; });
    std::vector<parcel> out;
    for (const auto& d : departures) out.push_back(d.what);
    return out;
  }

 private:
  /** Datagram i leaves at 2i, and what was held back for it or made of it follows at 2i + 1. */
  struct departure {
    std::uint64_t when = 0;
    parcel what;
  };

  void send_copy(std::vector<departure>& departures, std::uint64_t i) {
    if (happens(how_.drop)) return;
    parcel p{.index = i, .size = copy_size()};
    if (happens(how_.overstay)) {
      p.of_previous = true;
      overstaying_.push_back(p);
    } else if (happens(how_.reorder)) {
      departures.push_back({2 * (i + 1 + up_to(3)) + 1, p});
    } else if (happens(how_.delay)) {
      departures.push_back({2 * (i + 20 + up_to(40)) + 1, p});
    } else {
      departures.push_back({2 * i, p});
    }
  }

  std::size_t copy_size() {
    constexpr std::size_t header = udpbench::wire::header_bytes;
    if (happens(how_.lengthen)) return sizes_.room + 1 + up_to(40);
    if (happens(how_.shorten)) return header + up_to(sizes_.payload - header - 1);
    if (happens(how_.behead)) return up_to(header - 1);
    return sizes_.payload;
  }

  parcel injected(std::uint64_t i) {
    constexpr auto kinds = static_cast<std::uint64_t>(parcel::content::earlier_round) + 1;
    parcel p{.index = i, .size = sizes_.payload};
    p.what = static_cast<parcel::content>(up_to(kinds - 1));
    // An original again would be a duplicate.
    if (p.what == parcel::content::original) p.size = up_to(udpbench::wire::header_bytes - 1);
    return p;
  }

  bool happens(unsigned per_mille) { return random_() % 1000 < per_mille; }
  std::uint64_t up_to(std::uint64_t most) { return random_() % (most + 1); }

  impairment how_;
  std::mt19937_64 random_;
  sizes sizes_;
  std::vector<parcel> overstaying_;
};

} // namespace support
