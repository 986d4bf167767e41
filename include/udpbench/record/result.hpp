/** @file
    What was measured of one receiver: its rounds, what they come to, and by what they were held.

    A figure that was not measured is an empty `optional`, never 0.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/histograms.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::record {

/** What held the rate of a round. */
enum class limit {
  receiver,   ///< It, or its buffer, had too much.
  sender,     ///< The receiver could have taken more.
  network,    ///< What lies between them; never on loopback.
  shared_cpu, ///< Both ends had one cpu between them.
};

/** What the system's own counters counted during a round, in datagrams. */
struct system_counters {
  std::optional<std::uint64_t> udp_in_errors;             ///< The next three are among them.
  std::optional<std::uint64_t> udp_receive_buffer_errors; ///< No room in a buffer.
  std::optional<std::uint64_t> udp_memory_errors;         ///< Beyond what UDP may have.
  std::optional<std::uint64_t> udp_checksum_errors;       ///< Damaged.
  std::optional<std::uint64_t> softnet_dropped;           ///< Packets of any kind.
};

/** Where datagrams were lost between two hosts, as far as their counters tell. Those count packets, of any kind and origin: of fragments
    more than datagrams, of segmented sends fewer. */
struct way_losses {
  std::optional<std::uint64_t>
      sending_device; ///< Dropped by the sender's interface; empty: not known.
  std::optional<std::uint64_t> receiving_device; ///< By the receiver's, likewise.
  std::optional<std::uint64_t> backlog;          ///< By the receiver's kernel, before UDP had them.
  std::optional<std::uint64_t> udp; ///< By its UDP: damaged, or beyond the memory that it may have.
  std::int64_t remainder =
      0; ///< What is unexplained without them: between the hosts, or not counted.
};

/** What the sender's pacing saw of a round. Each is empty where the load has no schedule, or no window. */
struct pacing {
  std::optional<double> period_ns;         ///< From slot to slot, as the schedule has it.
  std::optional<double> mean_gap_ns;       ///< From send to send, over the whole round.
  std::optional<std::uint64_t> lag_p50_ns; ///< From a datagram's slot to its sending.
  std::optional<std::uint64_t> lag_p99_ns; ///< Likewise.
  std::optional<std::uint64_t> lag_max_ns; ///< Likewise.
  std::optional<std::uint64_t> gap_p50_ns; ///< From one datagram's sending to the next one's.
  std::optional<std::uint64_t> gap_p99_ns; ///< Likewise.
  std::optional<std::uint64_t> gap_max_ns; ///< Likewise.
  std::optional<double> waited_share; ///< Of the sender's time, for room in its window; 1 = all.
};

/** One round of one receiver; under the backlog load: its part of one block. */
struct round {
  std::uint64_t process = 0;    ///< That it ran in, counted from 0.
  std::uint64_t block = 0;      ///< Of that process, counted from 0.
  bool valid = true;            ///< False: its block is compared nowhere.
  std::string reason;           ///< Why it is invalid; empty when valid.
  std::uint64_t elapsed_ns = 0; ///< The timed interval.
  std::uint64_t timed = 0;      ///< Datagrams received in it.
  std::uint64_t observed = 0;   ///< Datagrams received while the use of cpu was measured.
  /** Datagrams received while hook requests, allocations and calls were counted: of threads of the receiver's own, all. */
  std::uint64_t counted = 0;
  std::optional<double>
      ns_per_datagram; ///< Backlog: median over rotations; else elapsed_ns / timed.
  std::optional<double> received_per_second; ///< Loads with a sender beside the receiver.
  std::optional<double> offered_per_second;  ///< Sent, over the time that sending took; likewise.
  std::optional<double>
      sender_cpu_share;           ///< Of that time, in which the sender's thread ran; 1 = all.
  std::uint64_t intended = 0;     ///< Datagrams that the schedule asked for.
  std::uint64_t sent = 0;         ///< Those that a send call accepted.
  std::uint64_t send_refused = 0; ///< Not sent: the receiver's port was closed (ECONNREFUSED).
  std::uint64_t send_full = 0;    ///< Not sent: no room on the sender's host (EAGAIN, ENOBUFS).
  std::uint64_t send_failed = 0;  ///< Not sent: any other error of a send call.
  std::optional<std::uint64_t> send_calls; ///< Empty where nobody counts.
  std::uint64_t unique = 0;                ///< Those that arrived, at least once.
  std::uint64_t unread = 0;                ///< Left in the socket at the end.
  std::optional<std::uint64_t> duplicate;  ///< Empty for datagrams too short for a sequence number.
  std::optional<std::uint64_t> reordered;  ///< Likewise.
  std::optional<std::uint64_t> kernel_dropped; ///< Empty where the kernel doesn't tell.
  /** The most memory that the socket's queue took, as the kernel accounts for it, of some looks at it; the whole receive buffer where it
      dropped any. Empty: several sockets, or backlog. */
  std::optional<std::uint64_t> queue_peak_bytes = {};
  std::int64_t unexplained = 0;        ///< sent - unique - unread - kernel_dropped; never clamped.
  std::uint64_t foreign = 0;           ///< Not of this run.
  std::uint64_t late = 0;              ///< Of an earlier round.
  std::uint64_t old = 0;               ///< Below the duplicate window: never unique.
  std::uint64_t truncated = 0;         ///< Longer than the buffer; foreign ones apart.
  std::uint64_t bytes = 0;             ///< Payload bytes received.
  std::optional<std::uint64_t> cpu_ns; ///< Of the receiving thread.
  std::optional<std::uint64_t> cpu_user_ns;   ///< Empty where it can't be divided.
  std::optional<std::uint64_t> cpu_system_ns; ///< Likewise.
  std::optional<double>
      cpu_share; ///< Of the receiving thread: its own clock over the wall, 1 = always running.
  std::optional<std::uint64_t> hook_requests; ///< Empty for drivers that have no handler memory.
  std::optional<std::uint64_t> allocations;   ///< Behind the hook; empty where nobody counts.
  std::optional<std::uint64_t> receive_calls; ///< That gave something; empty where nobody counts.
  /** Of `unique`, what each of several threads with sockets of their own received; empty where there are none. */
  std::vector<std::uint64_t> per_thread;
  std::optional<std::uint64_t> voluntary_switches;   ///< Of the receiving thread.
  std::optional<std::uint64_t> involuntary_switches; ///< Likewise.
  /** Backlog: always the receiver; empty also where a schedule was kept without loss, and so held the rate itself. */
  std::optional<limit> limited_by;
  std::optional<record::pacing> pacing; ///< Empty for loads without a schedule or window.
  /** Of the whole host; backlog: only where a ledger didn't balance. */
  std::optional<record::system_counters> system_counters;
  /** Of what is unexplained; empty where there is no network between the two ends. */
  std::optional<record::way_losses> lost_on_the_way = {};
};

/** The medians over a result's valid rounds. */
struct summary {
  std::optional<double> ns_per_datagram; ///< The metric of backlog.
  std::optional<double>
      mean_ns_per_datagram; ///< Total time over total datagrams: rare costs weigh here.
  std::optional<double> received_per_second;    ///< The metric of the others.
  std::optional<double> loss;                   ///< 1 - unique / sent, 0 to 1.
  std::optional<std::array<double, 2>> loss_ci; ///< By order statistics of the rounds.
  std::optional<double> pooled_loss; ///< Of all valid rounds together: describes, has no interval.
  std::optional<double> cpu_ns_per_datagram;        ///< Of the receiving thread.
  std::optional<double> cpu_user_ns_per_datagram;   ///< Likewise.
  std::optional<double> cpu_system_ns_per_datagram; ///< Likewise.
  std::optional<double> cpu_share;                  ///< Likewise; 1 = always running.
  std::optional<double> hook_requests_per_datagram; ///< Empty: no handler memory.
  std::optional<double> allocations_per_datagram;   ///< Empty where nobody counts.
  /** How many one receive call gave; empty where nobody counts the calls. */
  std::optional<double> datagrams_per_receive_call;
  std::optional<double> voluntary_switches_per_datagram;   ///< Sleeps of the receiving thread.
  std::optional<double> involuntary_switches_per_datagram; ///< Times that it lost its cpu.
  std::optional<limit> limited_by;                         ///< Of most rounds.
};

/** What a receiver without work got of the same load, in rounds of its own. A round that doesn't show by itself what its limit was is held
    against them. */
struct without_work {
  double offered_per_second = 0; ///< Sent, over the time that sending took; datagrams.
  double part_taken = 0;         ///< What it received per second over that.
};

/** How long the kernel polls the device's queue before a receive call sleeps. */
struct busy_poll {
  std::uint64_t requested_us = 0;          ///< What it was asked for.
  std::optional<std::uint64_t> granted_us; ///< Empty where it can't tell.
};

/** A system call, and how often a receiver makes it. */
struct system_call {
  std::string name; ///< As its manual page calls it; `no. 123` for one that isn't known here.
  double per_datagram = 0; ///< Calls.
};

/** A figure that isn't there, and why not in this run. */
struct absence {
  std::string what; ///< Its key; `summary`: all of that.
  std::string why;  ///< In words.
};

/** One receiver under one load at one size. */
struct result {
  std::string receiver;          ///< Its name.
  bool control = false;          ///< The second instance of the baseline.
  std::string backend;           ///< What Asio's sockets wait by: epoll or io_uring.
  std::string compiler;          ///< With its version.
  std::string flags;             ///< Of the compiler; empty: not told.
  std::string load;              ///< As on a command line.
  std::uint64_t size = 0;        ///< Payload, bytes.
  std::uint64_t sockets = 1;     ///< Of the receiver.
  std::uint64_t threads = 1;     ///< Of the receiver.
  std::string work;              ///< Done with each datagram, as on a command line; empty: none.
  std::optional<double> work_ns; ///< What that takes, measured alone; subtracted nowhere.
  std::string send;              ///< What the sender really used.
  std::uint64_t flows = 1;       ///< Source ports that it used.
  /** Of a datagram of `size`, or the largest; above 1 they are fragments. Empty where the path's MTU isn't known. */
  std::optional<std::uint64_t> packets = {};
  std::string
      pacer; ///< What let its datagrams through: unpaced, pause, rate, window; empty: no sender.
  bool sequenced =
      true; ///< False: datagrams too short for the header, counted without sequence numbers.
  std::optional<std::uint64_t> depth; ///< Backlog: datagrams queued per slice.
  std::optional<std::uint64_t>
      capacity; ///< Datagrams that the receive buffer was measured to hold.
  std::optional<record::busy_poll> busy_poll; ///< Empty for a receiver that didn't ask for it.
  /** Counted once, with a queue of `depth` datagrams (else 1; of several sockets or flows 1 of each), while nothing was timed; the most
      frequent first. Empty: not counted. */
  std::vector<system_call> system_calls = {};
  /** Empty where every round shows its limit by itself. */
  std::optional<record::without_work> without_work;
  std::string failure;     ///< Why this receiver's rounds ended early; empty where they didn't.
  record::summary summary; ///< Of the valid rounds.
  record::histograms histograms;          ///< Likewise.
  std::vector<absence> not_measured = {}; ///< Of `summary`, `histograms` and the rounds.
  std::vector<round> rounds;              ///< All, valid or not.
};

} // namespace udpbench::record
