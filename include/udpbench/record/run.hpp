/** @file
    The plain data of a run: what was planned, where it ran, what came out. Reports, files and other hosts read
    nothing else.

    A figure that was not measured is an empty `optional`, never 0.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/loss.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/** The plain data of a run, and its JSON. */
namespace udpbench::record {

/** What held the rate of a round. */
enum class limit {
  receiver,   ///< It, or its buffer, had too much.
  sender,     ///< The receiver could have taken more.
  network,    ///< What lies between them; never on loopback.
  shared_cpu, ///< Both ends had one cpu between them.
};

/** Something about the machine that a reader of figures should know. */
struct finding {
  std::string level;   ///< note, warning or unknown.
  std::string subject; ///< Such as governor.
  std::string found;   ///< Whole sentences.
};

/** The machine and the build. */
struct context {
  std::string version;                   ///< Of udpbench.
  std::string build_type;                ///< Such as Release.
  std::string boost;                     ///< Its version.
  std::string kernel;                    ///< Its name and release.
  std::string cpu;                       ///< Its model; empty where the kernel tells none.
  unsigned cpus = 0;                     ///< That the machine has; 0: can't be told.
  std::optional<std::string> governor;   ///< Empty where the kernel shows none.
  std::optional<bool> virtualised;       ///< Empty where it can't be told.
  std::optional<std::uint64_t> rmem_max; ///< Bytes.
  double clock_resolution_ns = 0;        ///< The smallest step that the clock showed.
  double clock_read_ns = 0;              ///< What one reading of the clock costs.
  std::optional<double> overhead_ns;     ///< Sink, ledger and scope, per datagram.
  std::uint64_t seed = 0;                ///< Of every random order.
  std::string started;                   ///< UTC, ISO 8601.
  std::string command;                   ///< As it can be typed again.
  std::vector<finding> findings; ///< What `udpbench doctor` finds that isn't as it should be.
  std::vector<std::string>
      changes; ///< What changed on the machine during the run; whole sentences.
};

/** The receive buffer of each socket. */
struct receive_buffer {
  std::optional<std::uint64_t> requested; ///< Bytes; empty: the kernel's default was kept.
  std::uint64_t granted = 0;              ///< Bytes, as getsockopt gives them (twice the request).
};

/** The cpus that the threads were really bound to; empty: not bound. */
struct pin {
  std::optional<unsigned> sender;   ///< Its number.
  std::optional<unsigned> receiver; ///< Its number.
};

/** What was asked for, and what came of it. */
struct plan {
  std::vector<std::string> receivers; ///< The first is the baseline.
  std::vector<std::string> loads;     ///< As on a command line.
  std::vector<std::uint64_t> sizes;   ///< Payload, bytes.
  std::uint64_t count = 0;            ///< Datagrams of a round (loads other than backlog).
  std::uint64_t blocks = 0;           ///< Of each load and size.
  std::uint64_t processes = 1;        ///< That the rounds are spread over.
  double margin = 0;                  ///< 0.02 is 2 %.
  double confidence = 0;              ///< 0.95 is 95 %.
  std::optional<double> precision;    ///< Half-width of interval that was aimed at; 0.01 is 1 %.
  std::optional<std::uint64_t> max_time_ns; ///< Of the whole run, for more blocks than the first.
  std::string address;                      ///< Of this host.
  std::string send;                         ///< What was asked for: auto, segmented, batch, single.
  std::uint64_t flows = 1;                  ///< Source ports of a sender.
  record::receive_buffer receive_buffer;    ///< Requested and granted.
  record::pin pin;                          ///< Of the two threads.
  bool shared_cpu = false;                  ///< Sender and receiver have one cpu between them.
  /** Datagrams filled per slice of the first backlog load and size; each result has its own. */
  std::optional<std::uint64_t> depth;
  /** How many of them the receive buffer was measured to hold. */
  std::optional<std::uint64_t> capacity;
};

/** What the system's own counters counted during a round, in datagrams. */
struct system_counters {
  std::optional<std::uint64_t> udp_in_errors;             ///< The next three are among them.
  std::optional<std::uint64_t> udp_receive_buffer_errors; ///< No room in a buffer.
  std::optional<std::uint64_t> udp_memory_errors;         ///< Beyond what UDP may have.
  std::optional<std::uint64_t> udp_checksum_errors;       ///< Damaged.
  std::optional<std::uint64_t> softnet_dropped;           ///< Packets of any kind.
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
  std::uint64_t observed =
      0; ///< Datagrams received while cpu, hook, allocations and calls were counted.
  std::optional<double>
      ns_per_datagram; ///< Backlog: median over rotations; else elapsed_ns / timed.
  std::optional<double> received_per_second; ///< Loads with a sender beside the receiver.
  std::uint64_t intended = 0;                ///< Datagrams that the schedule asked for.
  std::uint64_t sent = 0;                    ///< Those that a send call accepted.
  std::uint64_t send_refused = 0; ///< Not sent: the receiver's port was closed (ECONNREFUSED).
  std::uint64_t send_full = 0;    ///< Not sent: no room on the sender's host (EAGAIN, ENOBUFS).
  std::uint64_t send_failed = 0;  ///< Not sent: any other error of a send call.
  std::uint64_t unique = 0;       ///< Those that arrived, at least once.
  std::uint64_t unread = 0;       ///< Left in the socket at the end.
  std::optional<std::uint64_t> duplicate; ///< Empty for datagrams too short for a sequence number.
  std::optional<std::uint64_t> reordered; ///< Likewise.
  std::optional<std::uint64_t> kernel_dropped; ///< Empty where the kernel doesn't tell.
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
  std::optional<std::uint64_t> voluntary_switches;   ///< Of the receiving thread.
  std::optional<std::uint64_t> involuntary_switches; ///< Likewise.
  /** Backlog: always the receiver; empty also where a schedule was kept without loss, and so held the rate itself. */
  std::optional<limit> limited_by;
  std::optional<record::pacing> pacing; ///< Empty for loads without a schedule or window.
  /** Of the whole host; backlog: only where a ledger didn't balance. */
  std::optional<record::system_counters> system_counters;
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
  std::optional<limit> limited_by; ///< Of most rounds.
};

/** One receiver under one load at one size. */
struct result {
  std::string receiver;      ///< Its name.
  bool control = false;      ///< The second instance of the baseline.
  std::string backend;       ///< What Asio's sockets wait by: epoll or io_uring.
  std::string compiler;      ///< With its version.
  std::string flags;         ///< Of the compiler; empty: not told.
  std::string load;          ///< As on a command line.
  std::uint64_t size = 0;    ///< Payload, bytes.
  std::uint64_t sockets = 1; ///< Of the receiver.
  std::uint64_t threads = 1; ///< Of the receiver.
  std::string send;          ///< What the sender really used.
  std::uint64_t flows = 1;   ///< Source ports that it used.
  std::string
      pacer; ///< What let its datagrams through: unpaced, pause, rate, window; empty: no sender.
  bool sequenced =
      true; ///< False: datagrams too short for the header, counted without sequence numbers.
  std::optional<std::uint64_t> depth; ///< Backlog: datagrams queued per slice.
  std::optional<std::uint64_t>
      capacity;              ///< Datagrams that the receive buffer was measured to hold.
  std::string failure;       ///< Why this receiver's rounds ended early; empty where they didn't.
  record::summary summary;   ///< Of the valid rounds.
  std::vector<round> rounds; ///< All, valid or not.
};

/** The second instance of the baseline against the first: what "no difference" looks like in this run. */
struct control {
  std::optional<double> ratio;                ///< Second over first.
  std::optional<std::array<double, 2>> ci;    ///< Empty below six blocks.
  std::optional<statistics::verdict> verdict; ///< Of that ratio.
  bool suspect = false;                       ///< The two differ: trust no verdict.
};

/** The loss of a receiver less that of the baseline, block by block: 0.01 is one percentage point more. */
struct loss_difference {
  std::optional<double> median;                    ///< Empty under backlog, which loses nothing.
  std::optional<std::array<double, 2>> ci;         ///< Empty below six blocks.
  std::optional<statistics::loss_verdict> verdict; ///< By a margin of half a percentage point.
};

/** One receiver against the baseline, under one load at one size. */
struct comparison {
  std::string receiver;        ///< The one compared.
  std::string baseline;        ///< What it is compared with.
  std::string load;            ///< As on a command line.
  std::uint64_t size = 0;      ///< Payload, bytes.
  std::uint64_t sockets = 1;   ///< Of each receiver.
  std::string metric;          ///< A key of `summary`.
  std::optional<double> ratio; ///< Receiver over baseline; empty when none may be published.
  std::optional<std::array<double, 2>> ci; ///< Empty below six blocks.
  std::optional<double> ratio_of_sums;     ///< By total times: rare costs weigh.
  std::optional<double> hodges_lehmann; ///< The same ratio by another estimator, for sensitivity.
  double confidence = 0;                ///< Of `ci`; 0.95 is 95 %.
  std::uint64_t blocks = 0;             ///< Valid blocks that the interval rests on.
  std::uint64_t processes = 1; ///< Where there are more, each counts as one value, its median.
  std::uint64_t blocks_per_unit = 1; ///< Neighbours that were counted together, as they correlate.
  std::optional<double> ljung_box_p; ///< Of the blocks; reported, decides nothing.
  std::optional<double> runs_p;      ///< Likewise.
  record::loss_difference loss;      ///< Beside the metric.
  std::optional<statistics::verdict> verdict;                    ///< Empty where there is no ratio.
  statistics::qualifier qualifier = statistics::qualifier::none; ///< What stands behind it.
  std::optional<std::uint64_t> blocks_needed;                    ///< Where inconclusive.
  std::string reason;                                            ///< Why there is no ratio.
  std::optional<limit> limited_by; ///< `sender` if that is why there is no ratio.
  record::control control;         ///< The same for each of a load and size.
};

/** Why the verdicts of a table, or of the whole run, should not be trusted. */
struct suspicion {
  std::string load;       ///< As on a command line; empty: of all of them.
  std::uint64_t size = 0; ///< Payload, bytes; 0: of all of them.
  std::string reason;     ///< Such as "more than 5 % of the blocks are invalid".
};

/** All that a file holds. */
struct run {
  std::string experiment;                      ///< Such as compare.
  bool complete = true;                        ///< False: interrupted, or failed.
  record::context context;                     ///< The machine and the build.
  record::plan plan;                           ///< What was asked for.
  std::vector<record::result> results;         ///< Controls among them.
  std::vector<record::comparison> comparisons; ///< None of the baseline itself.
  std::vector<std::string> warnings;           ///< Whole sentences.
  std::vector<suspicion> suspect;              ///< Empty where nothing speaks against the verdicts.
  std::string error;                           ///< Why the run failed; empty when it didn't.
};

} // namespace udpbench::record
