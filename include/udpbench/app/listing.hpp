/** @file
    The command `list`: what there is to choose from, and what is missing here.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/inventory.hpp>
#include <udpbench/app/output.hpp>
#include <udpbench/app/sender_table.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/record/json_layout.hpp>
#include <udpbench/record/json_write.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace udpbench::app {

/** The options of `list` as they were typed; empty: not given. */
struct list_words {
  bool measure = false; ///< `--measure`: how fast each kind of sender is, instead.
  std::string json{};   ///< `--json`: a file, or `-`.
};

namespace detail {

/** A heading and lines in two columns. */
inline std::string section(const std::string& heading, const std::vector<named_line>& all) {
  std::size_t width = 0;
  for (const auto& [name, text] : all) width = std::max(width, name.size());
  std::string out = heading + '\n';
  for (const auto& [name, text] : all)
    out += "  " + name + std::string(width + 2 - name.size(), ' ') + text + '\n';
  return out;
}

/** Nothing where there is nothing to list. */
inline std::string optional_section(const std::string& heading,
                                    const std::vector<named_line>& all) {
  return all.empty() ? "" : '\n' + section(heading, all);
}

} // namespace detail

/** An inventory as text. */
inline std::string listing(const inventory& i) {
  std::vector<named_line> receivers = i.receivers;
  for (const auto& [name, text] : i.other_backends) receivers.push_back({"…@" + name, text});
  std::vector<named_line> missing;
  for (const auto& [name, reason] : i.lacking) missing.push_back({name, reason});
  using detail::section;
  return section("Receivers: driver[.variant or .sink][+take][/memory][@backend]", receivers) +
         '\n' + section("Takes: how datagrams leave a readable socket", i.takes) + '\n' +
         section("Handler memories: where an asynchronous operation's memory comes from",
                 i.memories) +
         detail::optional_section("Sinks: what is done with each datagram before it is counted",
                                  i.sinks) +
         '\n' + section("Loads", i.loads) + '\n' +
         section(missing.empty() ? "Nothing is lacking on this kernel or in this build."
                                 : "Lacking here",
                 missing);
}

/** Everything that a command line can name, with a line each. Errors: as `take_inventory`. */
inline std::string listing(const experiment::catalogue& known) {
  return listing(take_inventory(known));
}

/** Lists what there is, or measures senders, and returns the exit code.
    @param words  the options.
    @param known  the receivers of this executable.
    @param build  what the executable knows of itself.
    @param command  as it was typed.
    Errors: throws `machine_error` where the output can't be written; what `take_inventory` and `measure_senders` do. */
inline int list(const list_words& words, const experiment::catalogue& known,
                const experiment::build_info& build, const std::string& command) {
  std::optional<output> json;
  if (!words.json.empty()) json.emplace(words.json);
  const auto show = [&json](const auto& all, const std::string& text) {
    if (json) json->write(record::laid_out(record::value_of(all)));
    if (!json || !json->to_standard_output()) output("-").write(text);
    return done;
  };
  if (!words.measure) {
    const inventory all = take_inventory(known, build.version);
    return show(all, listing(all));
  }
  if (::isatty(STDERR_FILENO) == 1) std::cerr << "udpbench: measuring senders…\n";
  const sender_limits all = measure_senders(build, command);
  std::ostringstream text;
  print_senders(text, all, {.colour = wants_colour("auto"), .width = terminal_width()});
  return show(all, text.str());
}

} // namespace udpbench::app
