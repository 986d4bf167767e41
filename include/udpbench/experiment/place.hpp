/** @file
    Where receivers live: in this process, in another, on another host. An experiment says what happens there, and gets samples.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/send_mode.hpp>
#include <udpbench/experiment/work.hpp>
#include <udpbench/measure/buckets.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/net/busy_poll.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/net/host_counters.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/sync_client.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::experiment {

/** The number of an opened receiver at its place. */
using seat = std::size_t;

/** The name by which every place knows a receiver that does as little as one can: it takes datagrams by as few system calls as possible and
    counts them. No catalogue has it.
    @param joins  it has them joined (UDP_GRO), which is another load for the sender, too. */
inline std::string bare_receiver(bool joins) { return joins ? "(bare+gro)" : "(bare)"; }

/** A receiver opened for one round or block, with its own socket, buffers, memory and ledger. */
struct seat_plan {
  std::string receiver;             ///< Its name in the catalogue, or a `bare_receiver`.
  boost::asio::ip::address address; ///< To bind to; the port is the system's choice.
  server_options options;           ///< What it is opened with.
  std::optional<unsigned> cpu;      ///< Of the receiving thread.
  std::uint64_t run = 0;            ///< Run id of its datagrams.
  measure::work_plan work = {};     ///< Done with each datagram.
  std::size_t sockets = 1;          ///< More than one: on threads of the receiver's own.
  std::uint16_t flows = 1;          ///< Source ports that they come from.
  std::size_t threads = 1;          ///< More than one: that receive one address and port.
  std::vector<unsigned> cpus = {};  ///< Of several threads, if they are bound; empty: `cpu`.
  /** Seed of the sizes of its datagrams, if they are mixed; see `schedule`. */
  std::optional<std::uint64_t> mixed = {};
};

/** A receiver that has its seat. */
struct opened {
  seat number = 0;                           ///< What `place` calls it by.
  net::endpoint endpoint;                    ///< Where it is bound; of several sockets the first.
  std::size_t receive_buffer_bytes = 0;      ///< Granted, to each socket.
  std::vector<net::endpoint> endpoints = {}; ///< Of several sockets, all; else empty.
  std::size_t threads = 1;                   ///< That receive.
  /** What came of the busy polling that it asked for; empty if it didn't. */
  std::optional<net::busy_polling> busy_poll = {};
  bool joined = false; ///< Its socket joins datagrams (UDP_GRO), of one socket and thread.
  /** What Asio's sockets wait by in its process. */
  std::string backend = std::string(net::features::backend);
};

/** Backlog: `untimed` and then `timed` slices, each of `depth` datagrams that are put into the socket and then received, all
    on one thread. */
struct turn_plan {
  std::size_t depth = 64;             ///< Datagrams a slice.
  std::size_t size = 1024;            ///< Payload, bytes; of mixed ones the largest.
  send_mode send = send_mode::single; ///< How they are put there; not `automatic`.
  unsigned untimed = 2;               ///< Slices to warm up by.
  unsigned timed = 8;                 ///< Slices after them.
};

/** A round of a load with a sender beside the receiver. */
struct round_plan {
  std::size_t size = 1024;       ///< Payload, bytes; of mixed ones the largest.
  std::size_t chunk = 64;        ///< Datagrams that the receiver is asked for at a time.
  std::size_t joined_chunk = 64; ///< The same where the receiver's socket joins datagrams.
  std::uint64_t count = 0;       ///< Datagrams that are to come, as far as is known.
  std::chrono::nanoseconds limit{
      std::chrono::seconds(60)}; ///< The receiver gives up then, whatever was sent.
  std::chrono::nanoseconds tail{
      std::chrono::milliseconds(250)}; ///< Quiet that ends a round when datagrams are missing.
};

/** What was seen of one receiver, by its own thread, in a turn or a round. */
struct sample {
  std::vector<std::chrono::nanoseconds> slices; ///< Backlog: the timed ones.
  std::chrono::nanoseconds elapsed{}; ///< The timed interval, or the sum of the timed slices.
  std::uint64_t timed = 0;            ///< Datagrams received in it.
  std::uint64_t during = 0;           ///< Datagrams received while the use of cpu was measured.
  /** Datagrams received while hook requests, allocations and calls were counted. */
  std::uint64_t counted = 0;
  measure::arrivals arrivals;         ///< The ledger.
  send_counts sent;                   ///< As the sender told.
  std::chrono::nanoseconds sending{}; ///< How long it took to send them; backlog: not measured.
  std::optional<std::uint64_t> kernel_dropped; ///< Datagrams; empty where the kernel doesn't tell.
  std::uint64_t unread = 0;                    ///< Of this round, left in the socket.
  /** Of a round of one socket: the most memory that its queue took, of some looks at it; bytes. */
  std::optional<std::uint64_t> queue_peak = {};
  std::chrono::nanoseconds cpu{};                 ///< Of the receiving thread, over `during`.
  std::optional<std::chrono::nanoseconds> user;   ///< Empty where the division can't be measured.
  std::optional<std::chrono::nanoseconds> system; ///< Likewise.
  double cpu_share = 0; ///< The thread's own clock over the wall, filling included.
  /** Of several receiving threads: how many cpus would have been theirs whole, had the busiest of them always been running. */
  double cpus = 1;
  /** Of several receiving threads that never sleep, the share of the time in which that one ran which ran the least; in a round. Empty
      where they have fewer cpus than they are. */
  std::optional<double> least_share = {};
  std::vector<std::uint64_t> per_thread =
      {};              ///< Of `arrivals.unique`; empty: one thread, or not told.
  bool joined = false; ///< Its socket joins datagrams (UDP_GRO); in a round.
  /** So what is missing of that share was taken from the thread; in a round. */
  bool never_sleeps = false;
  std::uint64_t voluntary_switches = 0;       ///< Of the receiving thread.
  std::uint64_t involuntary_switches = 0;     ///< Likewise.
  std::optional<std::uint64_t> hook_requests; ///< Empty: no handler memory.
  std::optional<std::uint64_t> allocations;   ///< Empty where nobody counts.
  std::optional<std::uint64_t> receive_calls; ///< That gave something; empty where nobody counts.
  /** How many datagrams each of them gave; likewise. */
  std::optional<measure::buckets> per_receive_call;
  std::optional<measure::buckets> per_wakeup; ///< How many a wake-up gave, where that can be told.
  /** What the host's own counters did meanwhile; in a turn only where its ledger doesn't balance, and then since the receiver was
      opened. */
  std::optional<net::host_counters> host;
  std::string trouble; ///< What went wrong with the measurement itself; empty if nothing did.
};

/** See the file's description. Whatever a receiver throws comes out of the call that it came from.
    Threads: one at a time. */
class place {
 public:
  virtual ~place() = default;

  /** Makes the receiver and binds its socket. */
  virtual opened open(const seat_plan&) = 0;
  /** Gives up the seat. */
  virtual void close(seat) noexcept = 0;

  /** Backlog: runs one turn. A receiver on threads of its own is held by nothing: there a slice is `depth` datagrams to each socket, or of
      each flow, which are taken while they come, and the sample tells no more than what was sent, and whether the threads never sleep. */
  virtual sample turn(seat, const turn_plan&) = 0;

  /** Warms the receiver and returns once it receives; the datagrams of the returned schedule are then its round. Within one process it
      tells where the receiver publishes what it has, until `end`. */
  virtual schedule begin(seat, const round_plan&) = 0;

  /** Sends a datagram from each socket of a receiver that isn't in a round, so that who gets it knows where that is.
      Errors: throws std::logic_error where the place can't; what is not sent is not told. */
  virtual void send_from(seat, const net::endpoint& /*to*/, std::string_view /*bytes*/) {
    throw std::logic_error("this place sends nothing from its receivers");
  }

  /** Tells what was sent and waits for the rest to arrive. */
  virtual sample end(seat, const send_counts&) = 0;

  /** What a work is where the receivers run. */
  virtual tried_work try_work(const work_trial& t) { return experiment::try_work(t); }

  /** How many datagrams the receive buffer of a socket opened by `plan` holds before it drops one, sent as `turn` has it, whatever its depth;
      looks no further than `most`. Of trains the fewer of what it holds joined and cut up. */
  virtual std::uint64_t capacity(const seat_plan& plan, const turn_plan& turn,
                                 std::uint64_t most) = 0;
};

} // namespace udpbench::experiment
