/** @file
    What a run of one tool comes to.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace peers {

/** A run has no figures. The text says why, as the rest of a sentence that begins with a name. */
class run_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** What a tool tells of one run. */
struct counts {
  std::uint64_t received = 0;        ///< Datagrams, by the receiving end.
  std::optional<std::uint64_t> sent; ///< Datagrams, by the sending end; empty: it doesn't tell.
  double seconds = 0;                ///< That the receiving, or else the sending, took.
};

/** What held the rate of a run. */
enum class limit {
  sender,     ///< Its cpu was full.
  receiver,   ///< Its cpu was full, and the sender's was not.
  neither,    ///< No cpu was full: the pace of the tool, or somebody else had the cpus.
  shared_cpu, ///< Both ends had one cpu between them.
};

/** As text and in files. */
inline std::string word(limit l) {
  switch (l) {
  case limit::sender:
    return "sender";
  case limit::receiver:
    return "receiver";
  case limit::shared_cpu:
    return "shared_cpu";
  case limit::neither:
    break;
  }
  return "neither";
}

/** One run of one entrant. What was not measured is empty. */
struct figures {
  double received_per_second = 0;        ///< Datagrams.
  std::optional<double> loss;            ///< 1 - received / sent.
  std::optional<double> receiver_cpu_ns; ///< Of the receiving end, per datagram received.
  std::optional<double>
      receiver_share; ///< CPU time of the receiving end over the run's; 1 = always running.
  std::optional<double> sender_cpu_ns; ///< Of the sending end, per datagram sent.
  std::optional<double> sender_share;  ///< As of the receiving end.
  std::optional<limit> limited_by;     ///< Empty where it can't be told.
};

/** Share of a cpu from which on it counts as full. */
inline constexpr double full_share = 0.9;

/** What held a rate, by the shares of two cpus. Empty where the sender's wasn't measured. */
inline std::optional<limit> limited_by(std::optional<double> sender_share,
                                       std::optional<double> receiver_share, bool shared_cpu) {
  if (shared_cpu) return limit::shared_cpu;
  if (!sender_share) return {};
  if (*sender_share >= full_share) return limit::sender;
  return receiver_share && *receiver_share >= full_share ? limit::receiver : limit::neither;
}

} // namespace peers
