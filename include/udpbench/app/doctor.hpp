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
#include <udpbench/experiment/facts.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/findings.hpp>

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

  const auto findings = machine::findings(experiment::read_facts(build, from), asked);

  if (json) json->write(findings_json(findings));
  if (!json || !json->to_standard_output()) {
    std::ostringstream text;
    print_findings(text, findings, {.colour = colour, .width = terminal_width()});
    output("-").write(text.str());
  }
  return done;
}

} // namespace udpbench::app
