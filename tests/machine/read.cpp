/** @file
    From files to facts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/machine/read.hpp>

#include "catch.hpp"
#include "machine_fixture.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <unistd.h>

namespace machine = udpbench::machine;
using udpbench::test::fixture;
using cpus = std::vector<unsigned>;
using names = std::vector<std::string>;

namespace {

const std::string cpu_folder = "/sys/devices/system/cpu";

/** With the line of cgroups, in a kernel that mounts them as `files` says. */
std::optional<double> quota(fixture& files, const std::string& groups) {
  files.put("/proc/self/cgroup", groups);
  return machine::read_limits(files.files()).cpu_quota;
}

} // namespace

TEST_CASE("of a machine without files nothing is known, and nothing is 0", "[machine]") {
  const fixture files;
  const machine::facts f = machine::read(files.files());
  CHECK(f.now.governors.empty());
  CHECK(f.now.mhz.empty());
  CHECK_FALSE(f.now.turbo);
  CHECK_FALSE(f.now.clock_source);
  CHECK_FALSE(f.now.ticks);
  CHECK_FALSE(f.now.own_ticks);
  CHECK_FALSE(f.now.load);
  CHECK_FALSE(f.now.allowed_cpus);
  CHECK_FALSE(f.cpus.model);
  CHECK_FALSE(f.cpus.hypervisor);
  CHECK_FALSE(f.cpus.isolated);
  CHECK_FALSE(f.network.rmem_max);
  CHECK_FALSE(f.network.udp_limit_bytes);
  CHECK_FALSE(f.network.udp_in_use_bytes);
  CHECK_FALSE(f.network.busy_read);
  CHECK_FALSE(f.firewall.modules);
  CHECK_FALSE(f.firewall.tables);
  CHECK_FALSE(f.limits.net_admin);
  CHECK_FALSE(f.limits.cpu_quota);
  CHECK_FALSE(f.running);
}

TEST_CASE("model and hypervisor are those of the first cpu", "[machine]") {
  fixture files;
  files.put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: First\nflags\t\t: fpu hypervisor lm\n\n"
                             "processor\t: 1\nmodel name\t: Second\nflags\t\t: fpu\n");
  const auto c = machine::read_cpus(files.files());
  CHECK(c.model == "First");
  CHECK(c.hypervisor == true);
  files.put("/proc/cpuinfo", "flags\t\t: fpu hypervisor_like\n");
  CHECK(machine::read_cpus(files.files()).hypervisor == false);
  files.put("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
  CHECK_FALSE(machine::read_cpus(files.files()).hypervisor);
}

TEST_CASE("governor and frequency are read for the cpus that are asked for", "[machine]") {
  fixture files;
  for (const char* cpu : {"/cpu0", "/cpu1"})
    files.put(cpu_folder + cpu + "/cpufreq/scaling_governor", "powersave\n")
        .put(cpu_folder + cpu + "/cpufreq/scaling_cur_freq", "2400000\n");
  const auto s = machine::read_state(files.files(), {1});
  CHECK(s.governors == std::map<unsigned, std::string>{{1, "powersave"}});
  CHECK(s.mhz == std::map<unsigned, double>{{1, 2'400}});
}

TEST_CASE("without cpufreq the frequency is that of cpuinfo", "[machine]") {
  fixture files;
  files.put("/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2596.098\n\n"
                             "processor\t: 1\ncpu MHz\t\t: 3000.000\n");
  CHECK(machine::read_state(files.files(), {0, 1}).mhz ==
        std::map<unsigned, double>{{0, 2596.098}, {1, 3000}});
}

TEST_CASE("where no cpu is named, those that the thread may use are read", "[machine]") {
  fixture files;
  files.put("/proc/thread-self/status", "Name:\tx\nCpus_allowed:\tc\nCpus_allowed_list:\t2-3\n")
      .put(cpu_folder + "/cpu0/cpufreq/scaling_governor", "powersave\n")
      .put(cpu_folder + "/cpu3/cpufreq/scaling_governor", "performance\n");
  const auto s = machine::read_state(files.files());
  CHECK(s.allowed_cpus == cpus{2, 3});
  CHECK(s.governors == std::map<unsigned, std::string>{{3, "performance"}});
}

TEST_CASE("no_turbo and boost say the opposite of each other", "[machine]") {
  fixture intel;
  intel.put(cpu_folder + "/intel_pstate/no_turbo", "1\n");
  CHECK(machine::read_state(intel.files()).turbo == false);
  fixture other;
  other.put(cpu_folder + "/cpufreq/boost", "1\n");
  CHECK(machine::read_state(other.files()).turbo == true);
}

TEST_CASE("ticks are those of all cpus, without guest time twice or interrupts as work",
          "[machine]") {
  fixture files;
  files.put("/proc/stat", "cpu  10 20 30 400 5 6 7 8 9 9\ncpu0 5 10 15 200 2 3 3 4 4 4\n"
                          "cpu1 5 10 15 200 3 3 4 4 5 5\nintr 1 2 3\n");
  const auto s = machine::read_state(files.files());
  REQUIRE(s.ticks);
  CHECK(s.ticks->busy == 60);
  CHECK(s.ticks->steal == 8);
  CHECK(s.ticks->total == 486);
  CHECK(s.cpus == 2);
}

TEST_CASE("the process's own ticks are found behind a name with blanks and brackets", "[machine]") {
  fixture files;
  files.put("/proc/self/stat", "7 (a ) b) R 1 7 7 0 -1 4194304 1 0 0 0 100 20 3 4 20 0 1 0 5 6\n");
  CHECK(machine::read_state(files.files()).own_ticks == 127);
}

TEST_CASE("pages of UDP become bytes, and the first of the three limits is the one that holds",
          "[machine]") {
  fixture files;
  files.put("/proc/sys/net/ipv4/udp_mem", "100\t200\t300\n")
      .put("/proc/net/sockstat",
           "sockets: used 13\nTCP: inuse 1 mem 9\nUDP: inuse 3 mem 40\nUDPLITE: inuse 0\n");
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto n = machine::read_network(files.files());
  CHECK(n.udp_limit_bytes == 100 * page);
  CHECK(n.udp_in_use_bytes == 40 * page);
}

TEST_CASE("of the modules those of netfilter are named, and an empty list is no missing one",
          "[machine]") {
  fixture files;
  files
      .put("/proc/modules", "nf_conntrack 196608 1 nf_nat, Live 0x0\next4 1 1 - Live 0x0\n"
                            "iptable_filter 16384 1 - Live 0x0\n")
      .put("/proc/net/ip_tables_names", "filter\nnat\n");
  const auto f = machine::read_firewall(files.files());
  CHECK(f.modules == names{"nf_conntrack", "iptable_filter"});
  CHECK(f.tables == names{"filter", "nat"});
  files.put("/proc/modules", "").put("/proc/net/ip_tables_names", "");
  CHECK(machine::read_firewall(files.files()).modules == names{});
  CHECK(machine::read_firewall(files.files()).tables == names{});
}

TEST_CASE("the least quota of a control group and of those above it holds", "[machine]") {
  fixture files;
  files.put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n")
      .put("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  CHECK(quota(files, "0::/a/b\n") == 1.5);
  CHECK(std::isinf(quota(files, "0::/other\n").value()));
  // In a namespace of its own a container's group is the root.
  files.put("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  CHECK(quota(files, "0::/\n") == 0.5);
}

TEST_CASE("quotas of the older control groups are found too, -1 being none", "[machine]") {
  fixture files;
  files.put("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "300000\n")
      .put("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n")
      .put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
      .put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  CHECK(quota(files, "4:memory:/x\n3:cpu,cpuacct:/x\n") == 3);
  CHECK(std::isinf(quota(files, "3:cpu,cpuacct:/\n").value()));
  CHECK(std::isinf(quota(files, "3:cpuset:/x\n").value()));
}

TEST_CASE("CAP_NET_ADMIN is bit 12 of the effective capabilities", "[machine]") {
  fixture files;
  files.put("/proc/thread-self/status", "CapPrm:\t0000000000000000\nCapEff:\t0000000000001000\n");
  CHECK(machine::read_limits(files.files()).net_admin == true);
  files.put("/proc/thread-self/status", "CapPrm:\t0000000000001000\nCapEff:\tffffffffffffefff\n");
  CHECK(machine::read_limits(files.files()).net_admin == false);
}

TEST_CASE("who else runs: those in state R, once each, without this process", "[machine]") {
  fixture files;
  files.put("/proc/self/stat", "7 (udpbench) R 1\n")
      .put("/proc/7/stat", "7 (udpbench) R 1\n")
      .put("/proc/70/stat", "70 (cc1plus) R 1\n")
      .put("/proc/71/stat", "71 (cc1plus) R 1\n")
      .put("/proc/72/stat", "72 (a (b) R) R 1\n")
      .put("/proc/73/stat", "73 (bash) S 1\n")
      .put("/proc/net/stat", "x");
  CHECK(machine::read(files.files()).running == names{"a (b) R", "cc1plus"});
}

TEST_CASE("cpus of one core are known by either name of the file", "[machine]") {
  fixture files;
  files.put(cpu_folder + "/online", "0-1\n")
      .put(cpu_folder + "/cpu0/topology/core_cpus_list", "0,2\n")
      .put(cpu_folder + "/cpu1/topology/thread_siblings_list", "1\n");
  CHECK(machine::read_cpus(files.files()).siblings ==
        std::map<unsigned, cpus>{{0, {0, 2}}, {1, {1}}});
}

TEST_CASE("this machine's own files are understood", "[machine]") {
  const auto f = machine::read();
  REQUIRE(f.now.allowed_cpus);
  CHECK_FALSE(f.now.allowed_cpus->empty());
  REQUIRE(f.now.ticks);
  CHECK(f.now.ticks->total >= f.now.ticks->busy + f.now.ticks->steal);
  CHECK(f.now.own_ticks);
  CHECK(f.now.cpus > 0);
  CHECK(f.now.load);
}
