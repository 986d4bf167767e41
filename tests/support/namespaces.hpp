/** @file
    Two network namespaces of a test's own, joined by a pair of veth interfaces, as if they were two hosts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "program.hpp"

#include <stdexcept>
#include <string>
#include <tuple>

#include <unistd.h>

namespace udpbench::test {

/** Why no network namespace can be made here; empty if one can. */
inline std::string why_no_namespaces() {
  if (::getuid() != 0) return "making network namespaces needs root";
  if (run("command -v ip").code != 0) return "ip isn't installed (Debian: iproute2)";
  const std::string name = "udpbench-try-" + std::to_string(::getpid());
  if (run("ip netns add " + name + " && ip netns delete " + name).code != 0)
    return "network namespaces aren't allowed here";
  return {};
}

/** They last as long as this does. The server has 10.57.1.1 and fd57::1, the client 10.57.1.2 and fd57::2, on interfaces that have different
    names, and each its loopback. */
class two_hosts {
 public:
  /** Errors: throws std::runtime_error with the command that failed. */
  two_hosts() {
    try {
      for (const auto& name : {server_, client_}) make("ip netns add " + name);
      make("ip -n " + server_ + " link add srv0 type veth peer name cli0 netns " + client_);
      for (const auto& [name, device, end] :
           {std::tuple(server_, "srv0", "1"), std::tuple(client_, "cli0", "2")}) {
        const std::string ip = "ip -n " + name + " ";
        make(ip + "address add 10.57.1." + end + "/24 dev " + device);
        make(ip + "address add fd57::" + end + "/64 dev " + device + " nodad");
        make(ip + "link set " + device + " addrgenmode none");
        make(ip + "address add fe80::" + end + "/64 dev " + device + " nodad");
        make(ip + "link set lo up");
        make(ip + "link set " + device + " up");
      }
    } catch (...) {
      remove();
      throw;
    }
  }
  two_hosts(const two_hosts&) = delete;
  two_hosts& operator=(const two_hosts&) = delete;
  ~two_hosts() { remove(); }

  /** What stands before a command that is to run on the server, `exec` included. */
  std::string on_server() const { return "exec ip netns exec " + server_ + " "; }
  /** The same of the client. */
  std::string on_client() const { return "exec ip netns exec " + client_ + " "; }

 private:
  static void make(const std::string& command) {
    const finished end = run(command);
    if (end.code != 0) throw std::runtime_error(command + ": " + end.err);
  }

  void remove() const noexcept {
    for (const auto& name : {server_, client_}) run("ip netns delete " + name);
  }

  const std::string server_ = "udpbench-s-" + std::to_string(::getpid());
  const std::string client_ = "udpbench-c-" + std::to_string(::getpid());
};

} // namespace udpbench::test
