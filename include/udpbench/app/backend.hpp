/** @file
    The same program on another backend of Asio, in a process of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/served_process.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/routed_place.hpp>
#include <udpbench/machine/why_no_io_uring.hpp>
#include <udpbench/net/features.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

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
      process_ =
          std::make_unique<served_process>(other_executable().string(), build, other_backend);
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
  std::unique_ptr<served_process> process_;
};

} // namespace udpbench::app
