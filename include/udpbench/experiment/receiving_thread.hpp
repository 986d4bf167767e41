/** @file
    The receiving end of a round with a sender beside it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/lost_trains.hpp>
#include <udpbench/experiment/observe.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/host_counters.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/receiver.hpp>

#include <boost/thread/thread.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>

namespace udpbench::experiment {

/** The longest round, in datagrams of a flow, of which the ledger tells the lost trains, by a bit each: 16 MiB. */
inline constexpr std::uint64_t most_reach = std::uint64_t{1} << 27;

/** A thread that receives one round, a chunk of datagrams at a time (64, or what the plan says), from its construction until every datagram of which it was told by
    `end` is accounted for, or nothing has come for the plan's tail, or the plan's limit is over.
    The clock is read after each `receive`; the timed interval runs from the end of the first chunk to that of the last full one.
    Lifetime: receiver and ledger outlive it. Threads: the constructing one calls `end`. */
class receiving_thread {
 public:
  /** Returns when the thread is about to receive.
      @param receiver  open.
      @param ledger  the receiver's sink.
      @param s  what is sent to it.
      @param plan  the round's: its chunk, tail and limit.
      @param cpu  that the thread runs on; any where empty.
      @param published  where it tells `received`, instead of within itself; may be null. Lifetime: outlives it. */
  receiving_thread(any_receiver& receiver, measure::ledger& ledger, const schedule& s,
                   const round_plan& plan, std::optional<unsigned> cpu,
                   std::atomic<std::uint64_t>* published = nullptr)
      : receiver_(receiver),
        ledger_(ledger),
        schedule_(s),
        plan_(plan),
        cpu_(cpu),
        joined_(net::joins_datagrams(receiver.native_handle())),
        published_(published != nullptr ? *published : own_published_) {
    published_ = 0;
    // Which trains were lost is told by the numbers of all that was received.
    if (joined_) plan_.chunk = plan_.joined_chunk;
    if (joined_) ledger_.reach(std::min(plan_.count, most_reach));
    sample_.joined = joined_;
    sample_.never_sleeps = receiver.never_sleeps();
    begin_ledger(ledger_, schedule_);
    device_ = net::device_behind(receiver.native_handle());
    host_before_ = net::read_host_counters(device_);
    thread_ = boost::thread([this] { run(); });
    ready_.wait(false);
  }
  receiving_thread(const receiving_thread&) = delete;
  receiving_thread& operator=(const receiving_thread&) = delete;
  ~receiving_thread() { finish(); }

  /** How many datagrams of the round have arrived, as of the last `receive`: there is no telling within one, so that no datagram pays
      for it. Threads: any. */
  const std::atomic<std::uint64_t>& received() const noexcept { return published_; }

  /** Waits for the round's end. Errors: throws what the receiver threw. */
  sample end(const send_counts& sent) {
    sent_ = &sent;
    for (const auto& flow : sent.trains)
      for (const auto& run : flow.runs()) longest_ = std::max(longest_, run.length);
    told_.store(true, std::memory_order_release);
    finish();
    if (failure_) std::rethrow_exception(failure_);
    sample_.sent = sent;
    sample_.host = net::read_host_counters(device_) - host_before_;
    // Where no number tells the trains that are left from lost ones, the ledger does, whose counts are on record by now.
    book_unread(sample_, receiver_.native_handle(), schedule_,
                [this](const datagram& d) { ledger_(d); });
    sample_.kernel_dropped = in_datagrams(sample_.kernel_dropped, sample_.unread);
    return std::move(sample_);
  }

 private:
  using clock = measure::monotonic_clock;

  void finish() noexcept {
    const boost::this_thread::disable_interruption uninterrupted;
    told_.store(true, std::memory_order_release);
    if (thread_.joinable()) thread_.join();
  }

  void say_ready() noexcept {
    ready_.store(true);
    ready_.notify_one();
  }

  void run() noexcept {
    try {
      const net::scoped_affinity bound(cpu_);
      receive_round();
    } catch (...) {
      failure_ = std::current_exception();
    }
    say_ready();
  }

  void receive_round() {
    const int fd = receiver_.native_handle();
    net::drop_meter drops(net::drop_counter(fd));
    const call_watch all_calls(receiver_.counters());
    const auto begin = clock::now();
    auto quiet_since = begin;
    auto meter_read = begin;
    std::size_t have = 0; // Of a chunk that `receive` has not filled yet.
    std::uint64_t unique = 0;
    say_ready();
    for (;;) {
      const std::size_t got = receiver_.receive(plan_.chunk - have, clock::now() + server_tick);
      const auto now = clock::now();
      // Whoever else sends here doesn't make the round last.
      if (ledger_.counts().unique != unique) quiet_since = now;
      unique = ledger_.counts().unique;
      published_.store(unique, std::memory_order_release);
      have += got;
      received_ += got;
      if (have >= plan_.chunk) {
        have = 0;
        book_chunk(now);
      }
      if (now - meter_read > meter_interval) {
        drops.update(net::drop_counter(fd));
        meter_read = now;
      }
      if (told_.load(std::memory_order_acquire)) {
        if (all_told(drops.update(net::drop_counter(fd)))) break;
        if (now - quiet_since > plan_.tail) break;
      }
      if (schedule_.stopped()) {
        sample_.trouble = stopped_early;
        break;
      }
      if (now - begin > plan_.limit) {
        sample_.trouble = "the round took longer than its limit";
        break;
      }
    }
    if (sample_.trouble.empty()) sample_.trouble = all_calls.trouble();
    if (batches_) batches_->write_to(sample_);
    sample_.arrivals = ledger_.counts();
    sample_.kernel_dropped = drops.update(net::drop_counter(fd));
    // Between two looks it was full.
    if (sample_.kernel_dropped.value_or(0) > 0)
      sample_.queue_peak =
          std::max<std::uint64_t>(sample_.queue_peak.value_or(0), net::granted_receive_buffer(fd));
  }

  /** The counter's drops as datagrams. */
  std::optional<std::uint64_t> in_datagrams(std::optional<std::uint64_t> drops,
                                            std::uint64_t unread) const {
    if (!joined_ || !drops || sent_ == nullptr) return drops;
    const std::uint64_t missing = sent_->sent - sample_.arrivals.unique - unread;
    return datagrams_dropped(*drops, sent_->trains, missing,
                             schedule_.size < wire::header_bytes ? nullptr : &ledger_);
  }

  /** Every datagram that was sent has been received or dropped. */
  bool all_told(std::optional<std::uint64_t> drops) {
    if (sent_ == nullptr) return true;
    sample_.arrivals = ledger_.counts();
    const std::uint64_t unique = sample_.arrivals.unique;
    // Looking for the lost trains takes time that would be booked as the receiver's: not while it is sure that more are to come.
    const std::uint64_t most = drops.value_or(0) * (joined_ ? longest_ : 1);
    return unique + most >= sent_->sent &&
           unique + in_datagrams(drops, 0).value_or(0) >= sent_->sent;
  }

  /** Books the end of a full chunk. What costs a system call is read at the first, then at the second, fourth, eighth and so on, and
      from there at every `most_chunks`th: its interval ends with one of them, too, and holds nothing of the waiting for the tail. */
  void book_chunk(clock::time_point now) {
    if (chunks_++ == 0) {
      use_at_first_ = measure::current_thread_use();
      watch_.emplace(receiver_.counters());
      calls_.emplace(receiver_.counters());
      batches_.emplace(receiver_.counters());
      first_ = clock::now();
      at_first_ = received_;
      return;
    }
    sample_.elapsed = now - first_;
    sample_.timed = received_ - at_first_;
    if (chunks_ < next_reading_) return;
    next_reading_ += std::min(next_reading_, most_chunks);
    book_use(now);
  }

  void look_at_queue() {
    const auto held = net::queued_memory(receiver_.native_handle());
    if (held) sample_.queue_peak = std::max(sample_.queue_peak.value_or(0), *held);
  }

  void book_use(clock::time_point now) {
    const auto use = measure::current_thread_use() - use_at_first_;
    sample_.hook_requests.reset();
    sample_.allocations.reset();
    sample_.receive_calls.reset();
    watch_->add_to(sample_);
    calls_->add_to(sample_);
    batches_->take();
    sample_.during = sample_.counted = sample_.timed;
    sample_.cpu = use.cpu;
    sample_.user = use.user;
    sample_.system = use.system;
    sample_.voluntary_switches = use.voluntary_switches;
    sample_.involuntary_switches = use.involuntary_switches;
    const auto wall = std::chrono::duration<double, std::nano>(now - first_).count();
    if (wall > 0) sample_.cpu_share = static_cast<double>(use.cpu.count()) / wall;
    look_at_queue();
  }

  static constexpr std::uint64_t most_chunks = 16;
  static constexpr std::chrono::seconds meter_interval{10};

  any_receiver& receiver_;
  measure::ledger& ledger_;
  schedule schedule_;
  round_plan plan_;
  std::optional<unsigned> cpu_;
  bool joined_;        ///< The socket's drop counter counts trains.
  std::string device_; ///< The interface that its datagrams come by; empty: loopback, or not known.
  net::host_counters host_before_;
  std::atomic<bool> ready_{false};
  std::atomic<bool> told_{false};
  const send_counts* sent_ = nullptr; ///< Of `end`, as the next; read after `told_`.
  std::uint64_t longest_ = 1;         ///< Datagrams of a train.
  std::atomic<std::uint64_t>& published_;
  alignas(64) std::atomic<std::uint64_t> own_published_{
      0}; ///< Alone: a waiting sender reads it all the time.
  alignas(64) std::uint64_t received_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t next_reading_ = 2;
  clock::time_point first_;
  std::uint64_t at_first_ = 0;
  measure::thread_use use_at_first_;
  std::optional<allocation_watch> watch_;
  std::optional<call_watch> calls_;
  std::optional<batch_watch> batches_;
  sample sample_;
  std::exception_ptr failure_;
  boost::thread thread_;
};

} // namespace udpbench::experiment
