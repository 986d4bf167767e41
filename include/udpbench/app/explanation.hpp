/** @file
    What `--explain` adds: the system calls of each receiver, counted in a process of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/backend.hpp>
#include <udpbench/app/child.hpp>
#include <udpbench/app/served_process.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/routed_place.hpp>
#include <udpbench/experiment/system_calls.hpp>
#include <udpbench/measure/system_calls.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/record/run.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace udpbench::app {

namespace detail {

/** What the receiver of a result calls, in a process of its own. Errors: throws what that does, and `count_system_calls`. */
inline std::vector<record::system_call> calls_of(const record::result& like,
                                                 const experiment::plan& plan,
                                                 const experiment::build_info& build) {
  using measure::traced_threads;
  constexpr std::uint16_t most_flows = 32;    // They come at once, and have to find room.
  constexpr std::uint64_t most_threads = 256; // Each wakes some 50 times a second.
  if (like.threads > most_threads)
    throw std::runtime_error("it has " + std::to_string(like.threads) + " threads, and at most " +
                             std::to_string(most_threads) + " can be traced while they wait");
  const std::string& receiver = like.receiver;
  const bool elsewhere = !experiment::routed_place::where(receiver).empty();
  served_process other(elsewhere ? other_executable().string() : std::string(this_program), build,
                       elsewhere ? other_backend : net::features::backend);
  experiment::seat_plan how;
  how.receiver = receiver.substr(0, elsewhere ? receiver.rfind('@') : receiver.npos);
  how.address = plan.address;
  how.options.socket.receive_buffer_bytes = plan.receive_buffer_bytes;
  how.options.largest_datagram =
      std::max<std::size_t>(like.size, server_options().largest_datagram);
  how.run = plan.run;
  how.sockets = like.sockets;
  how.threads = plan.threads;
  how.flows = std::min(plan.flows, most_flows);
  if (plan.mixed_sizes) how.mixed = plan.seed;
  const experiment::turn_plan turn{.depth = like.depth.value_or(1),
                                   .size = like.size,
                                   .send = like.depth ? experiment::filled_by(plan.send)
                                                      : experiment::send_mode::single};
  const bool own_threads = how.sockets > 1 || how.threads > 1;
  const measure::system_call_tracer tracer(other.id());
  return experiment::count_system_calls(other.place(), how, turn, [&] {
    return tracer.counts(own_threads ? traced_threads::others : traced_threads::first);
  });
}

} // namespace detail

/** Counts the system calls of every receiver of the run once for each size, depth and number of sockets, after all has been measured, and
    writes them to its results; where that fails, the reason becomes a warning, once.
    Errors: throws nothing but bad_alloc. */
inline void explain(record::run& run, const experiment::plan& plan,
                    const experiment::build_info& build) {
  struct key {
    std::string receiver;
    std::uint64_t size;
    std::optional<std::uint64_t> depth;
    std::uint64_t sockets = 1;
    auto operator<=>(const key&) const = default;
  };
  std::map<key, std::vector<record::system_call>> known;
  for (auto& r : run.results) {
    if (!r.failure.empty()) continue;
    const key k{r.receiver, r.size, r.depth, r.sockets};
    if (const auto found = known.find(k); found != known.end()) {
      r.system_calls = found->second;
      continue;
    }
    auto& calls = known[k];
    try {
      r.system_calls = calls = detail::calls_of(r, plan, build);
    } catch (const std::exception& e) {
      const std::string why =
          "The system calls of " + r.receiver + " could not be counted: " + e.what() + ".";
      if (std::find(run.warnings.begin(), run.warnings.end(), why) == run.warnings.end())
        run.warnings.push_back(why);
    }
  }
}

} // namespace udpbench::app
