/** @file
    The command `serve` for other hosts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/far_host.hpp>
#include <udpbench/app/host_words.hpp>
#include <udpbench/app/output.hpp>
#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/control/connection_watch.hpp>
#include <udpbench/control/limits.hpp>
#include <udpbench/control/listener.hpp>
#include <udpbench/control/session.hpp>
#include <udpbench/error.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/machine.hpp>
#include <udpbench/machine/boot.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/net/stream_socket.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <string>

namespace udpbench::app {

/** The options of `serve` for other hosts, as they were typed. */
struct serve_hosts_words {
  std::string listen = "127.0.0.1";  ///< `--listen`: an address of this host, and a port.
  std::string key_file;              ///< `--key-file`: whoever has it may come in.
  bool insecure = false;             ///< `--insecure`: whoever comes may come in.
  bool once = false;                 ///< `--once`: for one client.
  std::string data_ports;            ///< `--data-ports`: A-B, of UDP.
  std::string max_session = "3600s"; ///< `--max-session`: how long one client may stay.
  std::string max_sockets = "1024";  ///< `--max-sockets`: of all its receivers.
  std::string max_size = "65507";    ///< `--max-size`: of a datagram.
  std::string max_memory = "1GiB"; ///< `--max-memory`: of their receive buffers, ledgers and work.
  std::string max_rate;            ///< `--max-rate`: of what is sent to a client.
};

namespace detail {

inline net::stream_endpoint parse_listen(const serve_hosts_words& words) {
  const auto where = parse_host("--listen", words.listen, 0);
  error_code problem;
  const auto address = boost::asio::ip::make_address(where.host, problem);
  if (problem)
    throw usage_error("--listen", words.listen,
                      "allowed is an address of this host, with or without a port, such as "
                      "127.0.0.1, 192.0.2.1:7527 or [::]");
  if (!address.is_loopback() && words.key_file.empty() && !words.insecure)
    throw usage_error("--listen", words.listen,
                      "others than this host can come there, so it takes --key-file, or --insecure "
                      "where anybody may come in");
  return {address, where.port};
}

inline control::limits parse_limits(const serve_hosts_words& words) {
  using namespace std::chrono_literals;
  control::limits most;
  most.session = std::chrono::ceil<std::chrono::seconds>(
      parse_time("--max-session", words.max_session, 1s, 24h));
  most.sockets = parse_count("--max-sockets", words.max_sockets, {1, 1'000'000});
  most.size = parse_bytes("--max-size", words.max_size, {1, sync_client<>::largest_payload});
  most.memory =
      parse_bytes("--max-memory", words.max_memory, {1, std::numeric_limits<std::int64_t>::max()});
  if (!words.max_rate.empty())
    most.rate = parse_count("--max-rate", words.max_rate, {1, most.rate - 1});
  return most;
}

inline control::offer offer_of(const serve_hosts_words& words, const experiment::catalogue& known,
                               const experiment::build_info& build) {
  control::offer out;
  out.limits = parse_limits(words);
  if (!words.data_ports.empty()) out.ports = parse_ports("--data-ports", words.data_ports);
  out.hello.version = build.version;
  out.hello.backend = net::features::backend;
  for (const auto& receiver : known.entries()) out.hello.receivers.push_back(receiver.name);
  out.hello.cpus = net::allowed_cpus();
  out.hello.boot = machine::boot_id();
  out.hello.host = experiment::read_machine(build);
  return out;
}

} // namespace detail

/** Serves other hosts, one at a time, until SIGINT or SIGTERM. Where it listens goes to standard output, and what happens to standard
    error.
    Errors: throws `usage_error`, `machine_error`. */
inline int serve_hosts(const serve_hosts_words& words, const experiment::catalogue& known,
                       const experiment::build_info& build) {
  if (words.insecure && !words.key_file.empty())
    throw usage_error("--insecure", "", "with --key-file nobody may come in who hasn't the key");
  control::admission how{
      .listen = detail::parse_listen(words),
      .version = build.version,
      .key = read_key(words.key_file),
      .once = words.once,
      .note = [](const std::string& line) { std::cerr << "udpbench: " + line + "\n"; },
      .signals = {SIGINT, SIGTERM}};
  const control::offer offer = detail::offer_of(words, known, build);
  const auto serve = [&](control::admitted& client) {
    const control::connection_watch watch(client.connection.native_handle(), offer.limits.session);
    experiment::in_process here(known, nullptr, &watch.over());
    control::session session(here, offer, watch, client.address.address(), client.client.address());
    session.serve(client.connection);
  };
  std::optional<control::listener> server;
  try {
    server.emplace(std::move(how), serve);
  } catch (const system_error& e) {
    throw machine_error("--listen", words.listen, e.code().message());
  }
  std::signal(SIGPIPE, SIG_IGN);
  output("-").write("udpbench serves at " + net::written(server->endpoint()) + " (TCP)\n");
  server->run();
  return done;
}

} // namespace udpbench::app
