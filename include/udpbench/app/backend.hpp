/** @file
    The same program on another backend of Asio, in a process of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/process.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/control/remote_place.hpp>
#include <udpbench/control/shared_count.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/routed_place.hpp>
#include <udpbench/machine/why_no_io_uring.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/features.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

namespace udpbench::app {

/** The backend that another executable may have: what stands behind the `@` of a receiver's name. */
inline constexpr std::string_view other_backend = "io_uring";

/** Where that executable is: beside this one, and called the same but for `-io_uring` at its end. */
inline std::filesystem::path other_executable() {
  std::error_code problem;
  auto path = std::filesystem::read_symlink("/proc/self/exe", problem);
  path += "-" + std::string(other_backend);
  return path;
}

/** Why there is no `@io_uring` here; empty if there is. */
inline std::string why_no_other_backend() {
  if (net::features::backend == other_backend)
    return "this executable is itself on io_uring: a receiver's name alone says that";
  if (std::string reason = machine::why_no_io_uring(); !reason.empty()) return reason;
  const auto path = other_executable();
  if (::access(path.c_str(), X_OK) == 0) return {};
  return "there is no " + path.string() +
         ", which is built where liburing is found (Debian: "
         "liburing-dev)";
}

/** The other executable, running, and its receivers. Threads: one. */
class backend_process {
 public:
  /** Starts it and hears its greeting.
      Errors: throws `machine_error` where it can't be started, or is of another version than `build`. */
  explicit backend_process(const experiment::build_info& build) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      detail::child_failed(path_, errno);
    net::descriptor mine(ends[0]);
    net::descriptor its(ends[1]);
    constexpr int socket = 3;
    constexpr int count = 4;
    process_.emplace(
        path_,
        std::vector<std::string>{"serve", "--descriptor", std::to_string(socket),
                                 "--count-descriptor", std::to_string(count)},
        std::vector<process::handed>{{its.get(), socket}, {count_.descriptor(), count}});
    // Its death is seen only when nobody else has its end.
    its.reset();
    place_.emplace(control::stream(std::move(mine)), &count_, [this] { return end(); });
    const auto& hello = place_->greeted();
    if (hello.version != build.version || hello.backend != other_backend)
      throw machine_error("program", path_,
                          "is version " + hello.version + " on " + hello.backend +
                              ", and version " + build.version + " on " +
                              std::string(other_backend) +
                              " is needed: build both of the same sources");
  }
  backend_process(const backend_process&) = delete;
  backend_process& operator=(const backend_process&) = delete;
  /** Asks it to end, and waits for that; kills it if it doesn't. */
  ~backend_process() {
    place_.reset();
    if (process_) process_->wait_for(patience);
  }

  /** Its receivers, under the names that they have there. */
  control::remote_place& place() noexcept { return *place_; }

 private:
  static constexpr std::chrono::milliseconds patience{5'000};

  /** It has closed its end, so it is about to end itself. */
  std::string end() { return process_->wait_for(patience).value_or("no word"); }

  std::string path_ = other_executable().string();
  control::shared_count count_;
  std::optional<process> process_;
  std::optional<control::remote_place> place_;
};

/** Receivers of other backends, as far as names ask for them. Threads: one. */
class other_backends {
 public:
  /** Starts the other executable if one of `receivers` ends with `@io_uring`, and mentions its receivers in `known`.
      Errors: throws `usage_error` for another backend, `machine_error` where it can't be had. */
  other_backends(const std::vector<std::string>& receivers, experiment::catalogue& known,
                 const experiment::build_info& build) {
    for (const auto& name : receivers) {
      if (name.find('@') == std::string::npos) continue;
      if (experiment::routed_place::where(name) != other_backend)
        throw usage_error("receiver", name,
                          "behind the @ there may be " + std::string(other_backend));
      if (process_) continue;
      if (const auto reason = why_no_other_backend(); !reason.empty())
        throw machine_error("receiver", name, reason);
      process_ = std::make_unique<backend_process>(build);
      const std::string at = "@" + std::string(other_backend);
      for (const auto& there : process_->place().greeted().receivers)
        known.mention(there + at, "on Asio's io_uring, in another process");
    }
  }

  /** Tells a place where they are. Lifetime: this object outlives it. */
  void add_to(experiment::routed_place& all) {
    if (process_) all.add(std::string(other_backend), process_->place());
  }

 private:
  std::unique_ptr<backend_process> process_;
};

} // namespace udpbench::app
