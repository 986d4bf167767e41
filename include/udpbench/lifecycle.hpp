/** @file
    Who is inside a server, and how it is left: the part of `start` and `stop` that all servers share.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>

#include <boost/thread/condition_variable.hpp>
#include <boost/thread/lock_types.hpp>
#include <boost/thread/mutex.hpp>
#include <boost/thread/thread.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

namespace udpbench {

/** The state of one server: closed, open, with somebody inside `receive` or not, asked to stop or not. Threads: any. */
class lifecycle {
 public:
  /** One stay inside `receive`. It is false, and stands for nothing, where the server is closed or asked to stop. */
  class stay {
   public:
    /** Errors: throws `error::busy` if another stay is under way, or the server's own threads have been started; those (`own`)
        may be inside all at once. */
    explicit stay(lifecycle& of, bool own = false)
        : of_(of.enter(own) ? &of : nullptr), outer_(innermost()) {
      if (of_ != nullptr) innermost() = this;
    }
    stay(const stay&) = delete;
    stay& operator=(const stay&) = delete;
    ~stay() {
      if (of_ == nullptr) return;
      innermost() = outer_;
      of_->leave();
    }
    /** False where it stands for nothing. */
    explicit operator bool() const noexcept { return of_ != nullptr; }

    /** True if the calling thread is inside `of`, perhaps several calls deep. */
    static bool within(const lifecycle& of) noexcept {
      for (const stay* s = innermost(); s != nullptr; s = s->outer_)
        if (s->of_ == &of) return true;
      return false;
    }

   private:
    static const stay*& innermost() noexcept {
      static thread_local const stay* top = nullptr;
      return top;
    }

    lifecycle* of_;
    const stay* outer_;
  };

  /** True once the server was asked to stop; receive loops look at it. */
  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }

  /** Runs `open_all`, which may throw, and is open if it didn't.
      Errors: `error::already_open` unless closed. */
  template <class Open>
  void open(Open open_all) {
    boost::unique_lock<boost::mutex> lock(mutex_);
    if (state_ != state::closed) throw system_error(make_error_code(error::already_open));
    open_all();
    stopping_ = false;
    failure_ = nullptr;
    state_ = state::open;
  }

  /** Starts `count` threads of the server's own, of which the i-th runs `body(i)` until it returns. What one of them throws ends
      that one, and the first such exception is kept as `failure`.
      Errors: `error::not_open`; `error::busy` if somebody is inside `receive`; boost::thread_resource_error where the system gives no
      thread: then none is left, and the server is open as before. */
  template <class Body>
  void start(std::size_t count, Body body) {
    // They wait for this lock before they enter.
    boost::unique_lock<boost::mutex> lock(mutex_);
    if (state_ != state::open || stopping()) throw system_error(make_error_code(error::not_open));
    if (inside_ != 0 || !threads_.empty()) throw system_error(make_error_code(error::busy));
    threads_.reserve(count);
    try {
      for (std::size_t i = 0; i < count; ++i)
        threads_.emplace_back([this, body, i] { run(body, i); });
    } catch (...) {
      // Nobody enters while this is so, and who stops waits.
      state_ = state::closing;
      lock.unlock();
      join();
      lock.lock();
      state_ = state::open;
      changed_.notify_all();
      throw;
    }
  }

  /** Asks to stop and, unless called from inside, waits until nobody is left inside, then runs `close_all`, once. */
  template <class Close>
  void stop(Close close_all) noexcept {
    // An interrupted waiter would throw out of here.
    const boost::this_thread::disable_interruption uninterrupted;
    boost::unique_lock<boost::mutex> lock(mutex_);
    if (state_ == state::closed) return;
    stopping_ = true;
    if (stay::within(*this)) return;
    // What another caller has closed may be open again before this one wakes up, and is then none of its business.
    const auto session = session_;
    while (inside_ != 0 || state_ == state::closing) {
      changed_.wait(lock);
      if (session_ != session) return;
    }
    state_ = state::closing;
    lock.unlock();
    join();
    close_all();
    lock.lock();
    state_ = state::closed;
    ++session_;
    changed_.notify_all();
  }

  /** What first ended a thread of the server's own; null if nothing did. */
  std::exception_ptr failure() const {
    boost::unique_lock<boost::mutex> lock(mutex_);
    return failure_;
  }

 private:
  enum class state { closed, open, closing };

  bool enter(bool own) {
    boost::unique_lock<boost::mutex> lock(mutex_);
    if (state_ != state::open || stopping()) return false;
    if (own ? threads_.empty() : inside_ != 0 || !threads_.empty())
      throw system_error(make_error_code(error::busy), "receive");
    ++inside_;
    return true;
  }

  void leave() noexcept {
    boost::unique_lock<boost::mutex> lock(mutex_);
    --inside_;
    changed_.notify_all();
  }

  template <class Body>
  void run(Body& body, std::size_t i) noexcept {
    try {
      body(i);
    } catch (...) {
      boost::unique_lock<boost::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void join() noexcept {
    const boost::this_thread::disable_interruption uninterrupted;
    for (boost::thread& t : threads_) t.join();
    threads_.clear();
  }

  mutable boost::mutex mutex_;
  boost::condition_variable changed_;
  state state_ = state::closed;
  std::uint64_t session_ = 0; ///< Times that it was closed.
  int inside_ = 0;
  std::atomic<bool> stopping_{false};
  std::vector<boost::thread> threads_;
  std::exception_ptr failure_;
};

} // namespace udpbench
