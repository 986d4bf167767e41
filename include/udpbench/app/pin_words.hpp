/** @file
    Cpus, as they are written on a command line.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/net/affinity.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace udpbench::app::detail {

inline std::string listed(const std::vector<unsigned>& cpus) {
  std::string all;
  for (const unsigned cpu : cpus) all += (all.empty() ? "" : ",") + std::to_string(cpu);
  return all;
}

/** What threads may be bound to. */
struct usable_cpus {
  std::vector<unsigned> sending = net::allowed_cpus(); ///< Of the host that sends.
  std::vector<unsigned> receiving = sending;           ///< Of the host that has the receivers.
  bool one_machine = true;                             ///< They are one, which is this.
};

/** Sets pins and `shared_cpu`. Without `--pin`: the first allowed cpu sends, the second receives, and several receiving threads share all
    but the first; one alone does all. */
inline void parse_pin(const std::string& text, experiment::plan& plan,
                      const usable_cpus& cpus_of = {}) {
  const auto& sending = cpus_of.sending;
  const auto& receiving = cpus_of.receiving;
  plan.shared_cpu = cpus_of.one_machine && sending.size() == 1 && receiving == sending;
  if (text == "none" || sending.empty() || receiving.empty()) return;
  if (text.empty()) {
    plan.pin.sender = sending.front();
    if (plan.threads > 1 && receiving.size() > 1)
      plan.pin.receivers.assign(receiving.begin() + 1, receiving.end());
    else
      plan.pin.receiver = receiving.size() > 1 ? receiving[1] : receiving[0];
    return;
  }
  std::vector<unsigned> cpus;
  constexpr auto form = "allowed is SENDER,RECEIVER, two numbers of cpus, or none";
  for_each_part("--pin", text, [&](const std::string& part) {
    std::uint64_t cpu = 0;
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), cpu);
    if (problem != std::errc() || end != part.data() + part.size() ||
        cpu > std::numeric_limits<unsigned>::max())
      throw usage_error("--pin", text, form);
    cpus.push_back(static_cast<unsigned>(cpu));
  });
  if (cpus.size() != 2) throw usage_error("--pin", text, form);
  const auto check = [&](unsigned cpu, const std::vector<unsigned>& allowed, const char* who) {
    if (std::find(allowed.begin(), allowed.end(), cpu) == allowed.end())
      throw machine_error("--pin", text,
                          "cpu " + std::to_string(cpu) + " is none of those that " + who + ": " +
                              listed(allowed));
  };
  const auto whose = [&](const std::vector<unsigned>& allowed) {
    return allowed == net::allowed_cpus() ? "this process may use here" : "the server may use";
  };
  check(cpus[0], sending, whose(sending));
  check(cpus[1], receiving, whose(receiving));
  plan.pin = {.sender = cpus[0], .receiver = cpus[1]};
  plan.shared_cpu = cpus_of.one_machine && cpus[0] == cpus[1];
}

} // namespace udpbench::app::detail
