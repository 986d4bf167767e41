/** @file
    The plain data of a run: what was planned, where it ran, what came out. Reports, files and other hosts read
    nothing else.

    A figure that was not measured is an empty `optional`, never 0.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/result.hpp>
#include <udpbench/statistics/loss.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/** The plain data of a run, and its JSON. */
namespace udpbench::record {

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
  std::vector<absence> not_measured = {}; ///< What is missing here, and why.
};

/** The host of one end, where that isn't the one whose `context` the run has. */
struct other_host {
  std::string has;     ///< Which end: `receivers` or `sender`.
  std::string address; ///< Its own.
  std::uint64_t round_trip_ns =
      0; ///< The shortest from a question to its answer over TCP; half of it is no latency.
  bool same_machine = false; ///< It is another process of the same machine.
  record::context context;   ///< Of the process there, before the run.
};

/** The receive buffer of each socket. */
struct receive_buffer {
  std::optional<std::uint64_t> requested; ///< Bytes; empty: the kernel's default was kept.
  std::uint64_t granted = 0;              ///< Bytes, as getsockopt gives them (twice the request).
};

/** The cpus that the threads were really bound to; empty: not bound. */
struct pin {
  std::optional<unsigned> sender;       ///< Its number.
  std::optional<unsigned> receiver;     ///< Its number.
  std::vector<unsigned> receivers = {}; ///< Of several receiving threads, those that they share.
};

/** What was asked for, and what came of it. */
struct plan {
  std::vector<std::string> receivers; ///< The first is the baseline.
  std::vector<std::string> loads;     ///< As on a command line.
  std::vector<std::uint64_t> sizes;   ///< Payload, bytes.
  /** Bytes from which up to each of `sizes` those of single datagrams are drawn; empty: all are alike. */
  std::optional<std::uint64_t> mixed_from = {};
  std::vector<std::uint64_t> sockets; ///< Of each receiver.
  std::uint64_t threads = 1;          ///< Of each receiver, at one address and port.
  std::vector<std::string> works;     ///< Done with each datagram, as on a command line; 0: none.
  std::uint64_t count = 0;            ///< Datagrams of a round (loads other than backlog).
  std::uint64_t blocks = 0;           ///< Of each load and size.
  std::uint64_t processes = 1;        ///< That the rounds are spread over.
  double margin = 0;                  ///< 0.02 is 2 %.
  double confidence = 0;              ///< 0.95 is 95 %.
  std::optional<double> precision;    ///< Half-width of interval that was aimed at; 0.01 is 1 %.
  std::optional<std::uint64_t> max_time_ns; ///< Of the whole run, for more blocks than the first.
  std::string address;                      ///< Of the receivers.
  std::optional<std::uint64_t> path_mtu =
      {};                                ///< To it, bytes; empty where the kernel doesn't tell.
  std::string send;                      ///< What was asked for: auto, segmented, batch, single.
  std::string fill;                      ///< What fills a backlog; empty: there is none.
  std::uint64_t flows = 1;               ///< Source ports of a sender.
  record::receive_buffer receive_buffer; ///< Requested and granted.
  record::pin pin;                       ///< Of the two threads.
  bool shared_cpu = false;               ///< Sender and receiver have one cpu between them.
  /** Datagrams filled per slice of the first backlog load and size; each result has its own. */
  std::optional<std::uint64_t> depth;
  /** How many of them the receive buffer was measured to hold. */
  std::optional<std::uint64_t> capacity;
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
  std::string work;            ///< Done with each datagram; empty: none.
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
  std::optional<bool> precision_reached;  ///< Whether `ci` is as narrow as was aimed at, if it was.
  std::string reason;                     ///< Why there is no ratio.
  std::optional<limit> limited_by;        ///< `sender` if that is why there is no ratio.
  std::vector<absence> not_measured = {}; ///< What is missing here, and why.
  record::control control;                ///< The same for each of a load and size.
};

/** Why the verdicts of a table, or of the whole run, should not be trusted. */
struct suspicion {
  std::string load;          ///< As on a command line; empty: of all of them.
  std::uint64_t size = 0;    ///< Payload, bytes; 0: of all of them.
  std::uint64_t sockets = 1; ///< Of each receiver.
  std::string work;          ///< Done with each datagram; empty: none.
  std::string reason;        ///< Such as "more than 5 % of the blocks are invalid".
};

/** From where on a receiver is as good as the baseline: the work per datagram beside which what differs between them no longer
    matters. */
struct break_even {
  std::string receiver;      ///< The one compared.
  std::string baseline;      ///< What it is compared with.
  std::string load;          ///< As on a command line.
  std::uint64_t size = 0;    ///< Payload, bytes.
  std::uint64_t sockets = 1; ///< Of each receiver.
  double surcharge_ns = 0;   ///< Per datagram, over the baseline's; the median over the works.
  /** Of that, as the interval of the ratio has it (that of the mean of two, for an even number of works); empty without one. */
  std::optional<std::array<double, 2>> surcharge_ci = {};
  std::optional<double>
      work_ns; ///< By that surcharge and the margin; empty: it is within it without any work.
  std::string
      equivalent_from; ///< The first work from which on every verdict is `equivalent`; empty: none.
  std::optional<double> equivalent_from_ns; ///< What that work takes, measured alone.
};

/** From how many queued datagrams, or sockets, on a receiver is faster than the baseline. */
struct crossing {
  /** One table's comparison. */
  struct point {
    std::uint64_t at = 0;                       ///< Of what was varied.
    std::optional<double> ratio;                ///< As the comparison has it.
    std::optional<statistics::verdict> verdict; ///< Likewise.
  };

  std::string receiver;      ///< The one compared.
  std::string baseline;      ///< What it is compared with.
  std::string over;          ///< What was varied: depth (of the backlog, in datagrams) or sockets.
  std::string load;          ///< As on a command line, without its depth.
  std::uint64_t size = 0;    ///< Payload, bytes.
  std::string work;          ///< Done with each datagram; empty: none.
  std::vector<point> points; ///< Rising.
  std::optional<std::uint64_t> faster_from;  ///< From there on every verdict is `faster`.
  std::optional<std::uint64_t> slower_up_to; ///< Up to there every verdict is `slower`.
  std::optional<std::uint64_t> slower_from;  ///< From there on every verdict is `slower`.
  std::optional<std::uint64_t> faster_up_to; ///< Up to there every verdict is `faster`.
};

/** All that a file holds. */
struct run {
  std::string experiment;                       ///< Such as compare.
  bool complete = true;                         ///< False: interrupted, or failed.
  record::context context;                      ///< The machine and the build.
  std::optional<record::other_host> other_host; ///< Empty: the same machine has both ends.
  record::plan plan;                            ///< What was asked for.
  std::vector<record::result> results;          ///< Controls among them.
  std::vector<record::comparison> comparisons;  ///< None of the baseline itself.
  std::vector<break_even> break_evens;          ///< Where there were several works.
  std::vector<crossing> crossings;              ///< Where there were several depths, or sockets.
  std::vector<std::string> warnings;            ///< Whole sentences.
  std::vector<suspicion> suspect; ///< Empty where nothing speaks against the verdicts.
  std::string error;              ///< Why the run failed; empty when it didn't.
};

} // namespace udpbench::record
