/** @file
    The command `serve`: receivers of this process for another one, which has started it, or for other hosts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/inherited.hpp>
#include <udpbench/app/serve_hosts.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/control/serve.hpp>
#include <udpbench/control/shared_count.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/features.hpp>

#include <csignal>
#include <string>
#include <utility>

#include <sys/stat.h>

namespace udpbench::app {

/** The options of `serve` as they were typed. */
struct serve_words {
  serve_hosts_words hosts;      ///< Those for people.
  std::string descriptor;       ///< `--descriptor`: of a connected stream socket.
  std::string count_descriptor; ///< `--count-descriptor`: of the memory of a `shared_count`.
};

namespace detail {

inline bool is_socket(int fd) noexcept {
  struct stat what{};
  return ::fstat(fd, &what) == 0 && S_ISSOCK(what.st_mode);
}

/** Serves the process at the other end of a socket, until that closes it. It is that process who decides what Ctrl-C means.
    Errors: throws `usage_error` where the words name no such descriptor, `machine_error` and what `control::serve` does. */
inline int serve_process(const serve_words& words, const experiment::catalogue& known,
                         const experiment::build_info& build) {
  net::descriptor socket = inherited("--descriptor", words.descriptor);
  if (!detail::is_socket(socket.get()))
    throw usage_error("--descriptor", words.descriptor, "allowed is that of a stream socket");
  const control::shared_count count(inherited("--count-descriptor", words.count_descriptor));
  std::signal(SIGINT, SIG_IGN);
  control::stream to(std::move(socket));
  experiment::in_process here(known, &count.value());
  control::greeting hello;
  hello.version = build.version;
  hello.backend = net::features::backend;
  for (const auto& receiver : known.entries()) hello.receivers.push_back(receiver.name);
  control::serve(to, here, hello);
  return done;
}

} // namespace detail

/** Serves the process that has handed over a socket, or other hosts. Errors: throws `usage_error`, `machine_error`, and what serving
    throws. */
inline int serve(const serve_words& words, const experiment::catalogue& known,
                 const experiment::build_info& build) {
  if (words.descriptor.empty() != words.count_descriptor.empty())
    throw usage_error("--descriptor", words.descriptor, "goes with --count-descriptor");
  return words.descriptor.empty() ? serve_hosts(words.hosts, known, build)
                                  : detail::serve_process(words, known, build);
}

} // namespace udpbench::app
