/** @file
    The command `doctor`.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/findings_text.hpp>
#include <udpbench/app/output.hpp>
#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/findings.hpp>
#include <udpbench/machine/read.hpp>
#include <udpbench/machine/try_io_uring.hpp>
#include <udpbench/measure/allocations.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/net/try_receives.hpp>

#include <boost/asio/ip/address_v4.hpp>

#include <optional>
#include <sstream>
#include <string>

namespace udpbench::app {

/** The options of `doctor` as they were typed; empty: not given. */
struct doctor_words {
  std::string receive_buffer{}; ///< `--receive-buffer`.
  std::string pin{};            ///< `--pin`.
  std::string json{};           ///< `--json`: a file, or `-`.
  std::string colour = "auto";  ///< `--color`.
};

namespace detail {

inline machine::asked make_asked(const doctor_words& words) {
  experiment::plan plan;
  parse_pin(words.pin, plan);
  machine::asked a{.sender = plan.pin.sender, .receiver = plan.pin.receiver};
  if (!words.receive_buffer.empty())
    a.receive_buffer_bytes = parse_receive_buffer(words.receive_buffer);
  return a;
}

inline machine::build_facts build_facts(const experiment::build_info& build) {
  namespace features = net::features;
  return {.type = build.type,
          .flags = build.flags,
          .compiler = std::string(features::compiler),
          .asserts = features::asserts,
          .optimised = features::optimised,
          .sanitizer = features::sanitizer,
          .counts_allocations = measure::thread_allocations().has_value()};
}

/** Tries it out on sockets of its own, which are closed again. */
inline machine::tried_facts try_kernel() {
  const auto here = boost::asio::ip::address_v4::loopback();
  const auto works = [&](experiment::send_mode mode) {
    return experiment::mode_works(mode, here, 1024);
  };
  const auto socket = net::open_receiver({here, 0});
  return {.segmented_sends = works(experiment::send_mode::segmented),
          .batched_sends = works(experiment::send_mode::batch),
          .gro = net::accepts_gro(socket.get()),
          .batched_receives = net::accepts_recvmmsg(socket.get()),
          .drop_counter = net::drop_counter(socket.get()).has_value(),
          .io_uring_error = machine::try_io_uring()};
}

} // namespace detail

/** Says what the machine is like as a place to measure, and returns the exit code, which is 0 whatever is found. It changes
    nothing, and writes only where `words` wants it to.
    @param words  the options.
    @param build  what the executable knows of itself.
    @param from  where the kernel's files are.
    Errors: throws `usage_error`; `machine_error` where the kernel's files can't be read at all or the output can't be written;
    `system_error` where no socket can be had. */
inline int doctor(const doctor_words& words, const experiment::build_info& build,
                  const machine::files& from = machine::files{}) {
  const bool colour = wants_colour(words.colour);
  const machine::asked asked = detail::make_asked(words);
  if (!from.text("/proc/thread-self/status"))
    throw machine_error("doctor", "/proc", "can't be read, and all that it looks at is there");
  std::optional<output> json;
  if (!words.json.empty()) json.emplace(words.json);

  machine::facts facts = machine::read(from);
  facts.build = detail::build_facts(build);
  facts.tried = detail::try_kernel();
  const auto findings = machine::findings(facts, asked);

  if (json) json->write(findings_json(findings));
  if (!json || !json->to_standard_output()) {
    std::ostringstream text;
    print_findings(text, findings, {.colour = colour, .width = terminal_width()});
    output("-").write(text.str());
  }
  return done;
}

} // namespace udpbench::app
