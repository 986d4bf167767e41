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
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace udpbench::app {

namespace detail {

/** What each receiver was found to call, and why some couldn't be looked at. */
inline std::vector<record::system_call> calls_of(const std::string& receiver,
                                                 const record::result& like,
                                                 const experiment::plan& plan,
                                                 const experiment::build_info& build) {
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
  if (plan.mixed_sizes) how.mixed = plan.seed;
  const experiment::turn_plan turn{.depth = like.depth.value_or(1),
                                   .size = like.size,
                                   .send = like.depth ? experiment::filled_by(plan.send)
                                                      : experiment::send_mode::single};
  return experiment::count_system_calls(other.place(), how, turn,
                                        [&other](const std::function<void()>& what) {
                                          measure::system_call_tracer tracer(other.id());
                                          what();
                                          return tracer.stop();
                                        });
}

} // namespace detail

/** Counts the system calls of every receiver of the run once for each size and depth, after all has been measured, and writes them to its
    results; where that fails, the reason becomes a warning.
    Errors: throws nothing but bad_alloc. */
inline void explain(record::run& run, const experiment::plan& plan,
                    const experiment::build_info& build) {
  struct key {
    std::string receiver;
    std::uint64_t size;
    std::optional<std::uint64_t> depth;
    auto operator<=>(const key&) const = default;
  };
  std::map<key, std::vector<record::system_call>> known;
  for (auto& r : run.results) {
    if (r.sockets > 1 || r.threads > 1 || !r.failure.empty()) continue;
    const key k{r.receiver, r.size, r.depth};
    if (const auto found = known.find(k); found != known.end()) {
      r.system_calls = found->second;
      continue;
    }
    try {
      r.system_calls = known[k] = detail::calls_of(r.receiver, r, plan, build);
    } catch (const std::exception& e) {
      run.warnings.push_back("The system calls of " + r.receiver +
                             " could not be counted: " + e.what() + ".");
    }
  }
}

} // namespace udpbench::app
