/** @file
    The program: command line in, exit code out.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/builtin.hpp>
#include <udpbench/app/compare.hpp>
#include <udpbench/app/doctor.hpp>
#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/listing.hpp>
#include <udpbench/app/serve.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/error.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

/** The command line. Needs Boost.JSON and CLI11. */
namespace udpbench::app {

namespace detail {

inline constexpr std::array<std::string_view, 4> commands{"compare", "doctor", "list", "serve"};

/** Adds the options of `compare`. Values stay words: our own parser knows units, and negative numbers for what they are. */
inline void add_compare(CLI::App& to, compare_words& words, output_words& how) {
  to.add_option("RECEIVER", words.receivers, "Receivers; the first is the baseline (see: list)");
  to.add_option("--load", words.load,
                "backlog, backlog:K, flood, pause:N/T, rate:R, window:W; several divided by commas")
      ->default_str("backlog,flood");
  to.add_option("--depth", words.depth, "Datagrams that backlog queues; several divided by commas");
  to.add_option("--sockets", words.sockets,
                "Sockets of each receiver, on threads of its own: one for all or one each, as the "
                "driver has it; several numbers divided by commas")
      ->capture_default_str();
  to.add_option("--threads", words.threads,
                "Threads of each receiver, all at one port: each with a socket of its own "
                "(SO_REUSEPORT), of async.shared all on one context")
      ->capture_default_str();
  to.add_option("--work", words.work,
                "What is done with each datagram: 0, a time, touch, copy, random:BYTES; several "
                "divided by commas")
      ->capture_default_str();
  to.add_option("--size", words.size, "Payload bytes of a datagram; several divided by commas")
      ->capture_default_str();
  to.add_flag("--mixed-sizes", words.mixed_sizes,
              "Draw the size of each datagram, from that of the header up to --size");
  to.add_flag("--no-fragment", words.no_fragment,
              "Refuse a size that takes more than one packet on the path");
  to.add_option("--count", words.count,
                "Datagrams a round (not backlog); of rate:R no more than R (or 8), of window:W no "
                "more than 1000 W (or 10k)")
      ->capture_default_str();
  to.add_option("--rounds", words.rounds,
                "Blocks: exactly so many; with --precision so many at least");
  to.add_option("--precision", words.precision,
                "Half-width of interval to aim at (1% unless --rounds alone is given)");
  to.add_option("--max-time", words.max_time, "When no more blocks follow for the precision")
      ->capture_default_str();
  to.add_option("--processes", words.processes,
                "Processes, each with sockets of its own: 1, or at least 6")
      ->capture_default_str();
  to.add_option("--margin", words.margin, "Difference that doesn't matter")->capture_default_str();
  to.add_option("--address", words.address, "Address of this host to send to")
      ->default_str("127.0.0.1");
  to.add_option(
      "--to", words.to,
      "HOST[:PORT] where `udpbench serve` runs: the receivers are there, the sender here");
  to.add_flag("--reverse", words.reverse, "The server of --to sends, and the receivers are here");
  to.add_option("--key-file", words.key_file, "The key that this server asks for");
  to.add_option("--receive-buffer", words.receive_buffer,
                "Receive buffer in bytes [the kernel's own]");
  to.add_option(
        "--send", words.send,
        "auto, single, batch or segmented; backlog is filled so, too: by single sends if auto")
      ->capture_default_str();
  to.add_option("--flows", words.flows,
                "Source ports of the sender, in turn [1, or 16 for each of several threads]");
  to.add_option("--pin", words.pin, "Cpus SENDER,RECEIVER, or none [the first two]");
  to.add_option("--seed", words.seed, "Seed of all random orders [random]");
  to.add_flag("--explain", words.explain,
              "Also count each receiver's system calls, after all is measured");
  // Not for people: the process that started this one says it.
  to.add_option("--life-descriptor", words.life, "Of a pipe for signs of life")->group("");
  to.add_option("--json", how.json,
                "Also write the results to this file; - writes them to standard output, alone");
  to.add_option("--csv", how.csv, "Also write one row a round to this file; - likewise");
  to.add_option("--color", how.colour, "auto, always or never")->capture_default_str();
  to.add_flag("--quiet", how.quiet, "No progress");
}

inline void add_doctor(CLI::App& to, doctor_words& words) {
  to.add_option("--receive-buffer", words.receive_buffer,
                "Receive buffer in bytes that a run will ask for [the kernel's own]");
  to.add_option("--pin", words.pin, "Cpus SENDER,RECEIVER of a run, or none [the first two]");
  to.add_option("--json", words.json,
                "Also write the findings to this file; - writes them to standard output, alone");
  to.add_option("--color", words.colour, "auto, always or never")->capture_default_str();
}

inline void add_serve(CLI::App& to, serve_words& words) {
  serve_hosts_words& hosts = words.hosts;
  to.add_option("--listen", hosts.listen,
                "Address of this host, ADDRESS:PORT or [IPV6]:PORT; port 0: any [port " +
                    std::to_string(default_port) + "]")
      ->capture_default_str();
  to.add_option("--key-file", hosts.key_file,
                "Only clients that have the same key in a file may come in");
  to.add_flag("--insecure", hosts.insecure, "Anybody may come in, also from other hosts");
  to.add_flag("--once", hosts.once, "End after the first client");
  to.add_option("--data-ports", hosts.data_ports, "UDP ports of receivers, A-B [any]");
  to.add_option("--max-session", hosts.max_session, "How long one client may stay")
      ->capture_default_str();
  to.add_option("--max-sockets", hosts.max_sockets, "Of all receivers of a client together")
      ->capture_default_str();
  to.add_option("--max-size", hosts.max_size, "Of a datagram, in bytes")->capture_default_str();
  to.add_option("--max-memory", hosts.max_memory,
                "Of all their receive buffers, ledgers and work, in bytes")
      ->capture_default_str();
  to.add_option("--max-rate", hosts.max_rate,
                "Datagrams a second that are sent to clients, then only by rate:R [any]");
  // Not for people: another process of this program says it.
  to.add_option("--descriptor", words.descriptor, "Of a stream socket")->group("");
  to.add_option("--count-descriptor", words.count_descriptor, "Of shared memory")->group("");
}

inline std::string typed(int argc, const char* const* argv) {
  const std::string path = argc > 0 ? argv[0] : "udpbench";
  std::string all = path.substr(path.rfind('/') + 1);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain =
        !word.empty() &&
        word.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+=./:,@%") ==
            std::string::npos;
    all += plain ? " " + word : " '" + word + "'";
  }
  return all;
}

/** The words behind the program's name, last first, as CLI11 takes them; without a command it is `compare`. */
inline std::vector<std::string> words_for_parser(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::string first = words.empty() ? "" : words.front();
  const bool known = std::find(commands.begin(), commands.end(), first) != commands.end();
  const bool about = first == "-h" || first == "--help" || first == "--version";
  if (!known && !about) {
    if (!first.empty() && first.front() != '-')
      throw usage_error("command", first,
                        "known are compare, doctor, list and serve; to compare receivers write: "
                        "udpbench compare " +
                            first + " …");
    words.insert(words.begin(), "compare");
  }
  std::reverse(words.begin(), words.end());
  return words;
}

/** Occupies those of the three standard descriptors that are closed: the next file would take their number, and be written over. What
    is written to them still fails. */
inline void occupy_closed_descriptors() noexcept {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1) ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/** A template for the reason that `builtin` is one. */
template <std::same_as<experiment::catalogue> Catalogue>
int run(int argc, const char* const* argv, const Catalogue& known,
        const experiment::build_info& build) {
  CLI::App program(
      "Measures what receiving UDP costs: receivers on Boost.Asio and below it, side by side.\n"
      "Without a command: compare " +
          joined(default_receivers()) + ".",
      "udpbench");
  program.set_version_flag("--version", "udpbench " + build.version);
  program.require_subcommand(0, 1);
  compare_words words;
  output_words how;
  CLI::App* compare_command = program.add_subcommand("compare", "Compare receivers");
  add_compare(*compare_command, words, how);
  doctor_words asked;
  CLI::App* doctor_command = program.add_subcommand(
      "doctor", "Look at the machine as a place to measure; changes nothing");
  add_doctor(*doctor_command, asked);
  serve_words served;
  CLI::App* serve_command =
      program.add_subcommand("serve", "Have receivers here for udpbench on another host (--to)");
  add_serve(*serve_command, served);
  CLI::App* list_command = program.add_subcommand("list", "Name the receivers and loads");
  list_words listed;
  list_command->add_flag("--measure", listed.measure,
                         "Measure instead how fast each kind of sender is, which takes a while");
  list_command->add_option("--json", listed.json,
                           "Also write that to this file; - writes it to standard output, alone");
  try {
    program.parse(words_for_parser(argc, argv));
  } catch (const CLI::Success& e) {
    std::ostringstream text;
    program.exit(e, text, text);
    output("-").write(text.str());
    return done;
  } catch (const CLI::ParseError& e) {
    std::cerr << "udpbench: " << e.what() << "\nSee: udpbench compare --help\n";
    return usage;
  }
  if (list_command->parsed()) return list(listed, known, build, typed(argc, argv));
  if (doctor_command->parsed()) return doctor(asked, build);
  if (serve_command->parsed()) return serve(served, known, build);
  if (words.receivers.empty()) words.receivers = default_receivers();
  return compare(words, how, known, build, typed(argc, argv));
}

#ifdef UDPBENCH_SEPARATE_COMPILATION
extern template int run(int, const char* const*, const experiment::catalogue&,
                        const experiment::build_info&);
#endif

} // namespace detail

/** Runs the program on a catalogue of receivers and returns its exit code; it never throws. A main of one's own:

    @code
    int main(int argc, char** argv) {
      auto receivers = udpbench::app::builtin();
      udpbench::app::add_memory<my_memory>(receivers, "mine", "what it does");
      return udpbench::app::main(argc, argv, receivers);
    }
    @endcode

    Threads: the main one; it handles SIGINT and SIGTERM while a run lasts. */
inline int main(int argc, const char* const* argv, const experiment::catalogue& receivers,
                const experiment::build_info& build = {}) noexcept {
  detail::occupy_closed_descriptors();
  try {
    return detail::run(argc, argv, receivers, build);
  } catch (const usage_error& e) {
    std::cerr << "udpbench: " << e.what() << "\nSee: udpbench --help\n";
    return usage;
  } catch (const std::exception& e) {
    std::cerr << "udpbench: " << e.what() << '\n';
  } catch (...) {
    std::cerr << "udpbench: " << unknown_exception << '\n';
  }
  return failed;
}

} // namespace udpbench::app
