/** @file
    A ring of io_uring: operations in, completions out.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include <liburing.h>

/** Receives that the kernel completes by itself. Needs liburing. */
namespace udpbench::uring {

/** What became of an operation. */
struct completion {
  std::uint64_t tag = 0; ///< That of the operation.
  int result = 0;        ///< What the system call would have returned, or a negative errno.
  unsigned flags = 0;    ///< IORING_CQE_F_….

  /** Nothing more comes of its operation. */
  bool last() const noexcept { return (flags & IORING_CQE_F_MORE) == 0; }
  /** A buffer was used up. */
  bool has_buffer() const noexcept { return (flags & IORING_CQE_F_BUFFER) != 0; }
  /** Which, if one was. */
  unsigned buffer() const noexcept { return flags >> IORING_CQE_BUFFER_SHIFT; }
};

/** Which threads use a ring. */
enum class users {
  any, ///< Any, one at a time.
  one, ///< Always the same one, which makes completions cheaper (IORING_SETUP_DEFER_TASKRUN).
};

/** Owns a ring and knows how many of its operations have not ended. Threads: one at a time.
    Source: io_uring(7), io_uring_setup(2). */
class ring {
 public:
  /** Of cancellations; no receive may have it. */
  static constexpr std::uint64_t cancel_tag = 0;

  /** Closed. */
  ring() = default;
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  ~ring() { close(); }

  /** Sets it up.
      @param submissions  how many operations are handed over by one system call at the most.
      @param completions  room for them, at least as many; what finds none is kept by the kernel, at its cost. Both are rounded up to
      powers of two, and down to what the kernel allows.
      @param who  `users::one`: the calling thread.
      Errors: throws `system_error`: ENOSYS or EPERM where io_uring is missing or forbidden; `operation_not_supported` from a kernel older
      than 5.11. */
  void open(std::size_t submissions, std::size_t completions, users who) {
    // The first that the kernel knows: 6.1, 5.19, any. Without COOP_TASKRUN it would interrupt a thread that is about to ask anyway.
    constexpr unsigned single = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
    int result = -EINVAL;
    if (who == users::one) result = set_up(submissions, completions, single);
    owner_ = result < 0 ? 0 : this_thread();
    if (result == -EINVAL) result = set_up(submissions, completions, IORING_SETUP_COOP_TASKRUN);
    if (result == -EINVAL) result = set_up(submissions, completions, 0);
    check(result);
    open_ = true;
    // EXT_ARG: else a time-out is an operation of its own. NODROP: else completions get lost.
    constexpr unsigned needed = IORING_FEAT_EXT_ARG | IORING_FEAT_NODROP;
    if ((ring_.features & needed) == needed) return;
    close();
    check(-EOPNOTSUPP);
  }

  /** Does nothing where it is closed. Operations that have not ended are ended by the kernel, later. */
  void close() noexcept {
    if (!open_) return;
    // The kernel takes its time to end a ring, and the sockets' ports are to be free now.
    if (has_files_) io_uring_unregister_files(&ring_);
    io_uring_queue_exit(&ring_);
    open_ = false;
    has_files_ = false;
    outstanding_ = 0;
  }

  /** Whether it is set up, and for the calling thread. */
  bool usable_here() const noexcept { return open_ && (owner_ == 0 || owner_ == this_thread()); }

  /** Makes descriptors known, so that operations can name them by their number here (IOSQE_FIXED_FILE) and the kernel need not look
      them up each time. Only where any thread may use the ring: to take them back another must be able to.
      Errors: throws `system_error`. Source: io_uring_register_files(3). */
  void fix_files(std::span<const int> all) {
    check(io_uring_register_files(&ring_, all.data(), static_cast<unsigned>(all.size())));
    has_files_ = true;
  }

  /** Makes known buffers for receives to choose from.
      @param entries  on a page boundary; they outlive the ring.
      @param count  a power of two.
      @param group  the number by which receives name them.
      Errors: throws `system_error`. Source: io_uring_register_buf_ring(3). */
  void offer_buffers(io_uring_buf* entries, std::size_t count, std::uint16_t group) {
    io_uring_buf_reg how{};
    how.ring_addr = reinterpret_cast<std::uintptr_t>(entries);
    how.ring_entries = static_cast<std::uint32_t>(count);
    how.bgid = group;
    check(io_uring_register_buf_ring(&ring_, &how, 0));
  }

  /** Room for an operation, for the caller to fill in; it is handed over by the next `wait`. Each ends with one completion that is
      its last. */
  io_uring_sqe& add() noexcept {
    io_uring_sqe* next = io_uring_get_sqe(&ring_);
    while (next == nullptr) {
      // All of them are prepared: hand them over now.
      io_uring_submit(&ring_);
      next = io_uring_get_sqe(&ring_);
    }
    ++outstanding_;
    return *next;
  }

  /** Asks for the end of the receives of that tag. */
  void cancel(std::uint64_t tag) noexcept {
    io_uring_sqe& entry = add();
    io_uring_prep_cancel64(&entry, tag, 0);
    entry.user_data = cancel_tag;
  }

  /** Hands over what was added and waits for `count` completions, or as many as there is room for.
      @return would_block if they didn't come within `longest`; else the error of the system call. */
  error_code wait(std::chrono::nanoseconds longest, std::size_t count = 1) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
    __kernel_timespec time{};
    time.tv_sec = seconds.count();
    time.tv_nsec = (longest - seconds).count();
    io_uring_cqe* first = nullptr;
    const int result = io_uring_submit_and_wait_timeout(
        &ring_, &first, static_cast<unsigned>(count), &time, nullptr);
    if (result >= 0) return {};
    // EBUSY: completions that found no room have to be taken first (io_uring_enter(2)).
    const int reason = result == -ETIME || result == -EBUSY ? EAGAIN : -result;
    return {reason, boost::system::system_category()};
  }

  /** Calls `each(completion)` for those that are there, in their order. What `each` adds is handed over by the next `wait`. */
  template <class Each>
  void take(Each each) noexcept {
    unsigned head = 0;
    unsigned count = 0;
    io_uring_cqe* entry = nullptr;
    io_uring_for_each_cqe(&ring_, head, entry) {
      const completion c{entry->user_data, entry->res, entry->flags};
      ++count;
      if (c.last()) --outstanding_;
      each(c);
    }
    io_uring_cq_advance(&ring_, count);
  }

  /** Operations that have not ended, cancellations among them. */
  std::size_t outstanding() const noexcept { return outstanding_; }

 private:
  static constexpr std::size_t most = 32'768; // IORING_MAX_ENTRIES

  int set_up(std::size_t submissions, std::size_t completions, unsigned flags) noexcept {
    io_uring_params how{};
    how.flags = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | flags;
    how.cq_entries = static_cast<unsigned>(std::min(completions, most));
    return io_uring_queue_init_params(static_cast<unsigned>(std::min(submissions, most)), &ring_,
                                      &how);
  }

  /** A number that no other thread has or had; a thread's own handle may come again. */
  static std::uint64_t this_thread() noexcept {
    static std::atomic<std::uint64_t> last{0};
    static thread_local const std::uint64_t own = ++last;
    return own;
  }

  static void check(int result) {
    if (result < 0) throw system_error(error_code(-result, boost::system::system_category()));
  }

  io_uring ring_{};
  bool open_ = false;
  bool has_files_ = false;
  std::uint64_t owner_ = 0; ///< The only thread that may use it; 0: any.
  std::size_t outstanding_ = 0;
};

} // namespace udpbench::uring
