/** @file
    The receiving end of a round with a sender beside it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

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

/** A thread that receives one round, a chunk of datagrams at a time (64, or what the plan says), from its construction until every datagram of which it was told by
    `end` is accounted for, or nothing has come for the plan's tail, or the plan's limit is over.
    The clock is read after each `receive`; the timed interval runs from the end of the first chunk to that of the last full one.
    Lifetime: receiver and ledger outlive it. Threads: the constructing one calls `end`. */
class receiving_thread {
 public:
  /** Returns when the thread is about to receive. */
  receiving_thread(any_receiver& receiver, measure::ledger& ledger, const schedule& s,
                   const round_plan& plan, std::optional<unsigned> cpu)
      : receiver_(receiver), ledger_(ledger), schedule_(s), plan_(plan), cpu_(cpu) {
    begin_ledger(ledger_, schedule_);
    host_before_ = net::read_host_counters();
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
    sent_.store(sent.sent, std::memory_order_relaxed);
    told_.store(true, std::memory_order_release);
    finish();
    if (failure_) std::rethrow_exception(failure_);
    sample_.sent = sent;
    sample_.host = net::read_host_counters() - host_before_;
    book_unread(sample_, receiver_.native_handle(), schedule_);
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
    const auto begin = clock::now();
    auto quiet_since = begin;
    auto meter_read = begin;
    std::size_t have = 0; // Of a chunk that `receive` has not filled yet.
    say_ready();
    for (;;) {
      const std::size_t got = receiver_.receive(plan_.chunk - have, clock::now() + server_tick);
      const auto now = clock::now();
      published_.store(ledger_.counts().unique, std::memory_order_release);
      have += got;
      received_ += got;
      if (have >= plan_.chunk) {
        have = 0;
        book_chunk(now);
      }
      if (got != 0) quiet_since = now;
      if (now - meter_read > meter_interval) {
        drops.update(net::drop_counter(fd));
        meter_read = now;
      }
      if (told_.load(std::memory_order_acquire)) {
        const auto dropped = drops.update(net::drop_counter(fd)).value_or(0);
        const auto& a = ledger_.counts();
        if (a.unique + dropped >= sent_.load(std::memory_order_relaxed)) break;
        if (now - quiet_since > plan_.tail) break;
      }
      if (now - begin > plan_.limit) {
        sample_.trouble = "the round took longer than its limit";
        break;
      }
    }
    sample_.arrivals = ledger_.counts();
    sample_.kernel_dropped = drops.update(net::drop_counter(fd));
  }

  /** Books the end of a full chunk. What costs a system call is read at the first, then at the second, fourth, eighth and so on, and
      from there at every `most_chunks`th: its interval ends with one of them, too, and holds nothing of the waiting for the tail. */
  void book_chunk(clock::time_point now) {
    if (chunks_++ == 0) {
      use_at_first_ = measure::current_thread_use();
      watch_.emplace(receiver_);
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

  void book_use(clock::time_point now) {
    const auto use = measure::current_thread_use() - use_at_first_;
    sample_.hook_requests.reset();
    sample_.allocations.reset();
    watch_->add_to(sample_);
    sample_.during = sample_.timed;
    sample_.cpu = use.cpu;
    sample_.user = use.user;
    sample_.system = use.system;
    sample_.voluntary_switches = use.voluntary_switches;
    sample_.involuntary_switches = use.involuntary_switches;
    const auto wall = std::chrono::duration<double, std::nano>(now - first_).count();
    if (wall > 0) sample_.cpu_share = static_cast<double>(use.cpu.count()) / wall;
  }

  static constexpr std::uint64_t most_chunks = 16;
  static constexpr std::chrono::seconds meter_interval{10};

  any_receiver& receiver_;
  measure::ledger& ledger_;
  schedule schedule_;
  round_plan plan_;
  std::optional<unsigned> cpu_;
  net::host_counters host_before_;
  std::atomic<bool> ready_{false};
  std::atomic<bool> told_{false};
  std::atomic<std::uint64_t> sent_{0};
  alignas(64) std::atomic<std::uint64_t> published_{
      0}; ///< Alone: a waiting sender reads it all the time.
  alignas(64) std::uint64_t received_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t next_reading_ = 2;
  clock::time_point first_;
  std::uint64_t at_first_ = 0;
  measure::thread_use use_at_first_;
  std::optional<allocation_watch> watch_;
  sample sample_;
  std::exception_ptr failure_;
  boost::thread thread_;
};

} // namespace udpbench::experiment
