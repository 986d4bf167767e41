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
#include <cstdint>
#include <exception>

namespace udpbench {

/** The state of one server: closed, open, with somebody inside `receive` or not, asked to stop or not. Threads: any. */
class lifecycle {
 public:
  /** One stay inside `receive`. It is false, and stands for nothing, where the server is closed or asked to stop. */
  class stay {
   public:
    /** Errors: throws `error::busy` if another stay is under way, or the server's own thread has been started and this is
        not it (`own`). */
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

  /** Starts the server's own thread, which runs `body` until it returns; what it throws is kept as `failure`.
      Errors: `error::not_open`; `error::busy` if somebody is inside `receive`. */
  template <class Body>
  void start(Body body) {
    boost::unique_lock<boost::mutex> lock(mutex_);
    if (state_ != state::open || stopping()) throw system_error(make_error_code(error::not_open));
    if (inside_ != 0 || thread_.joinable()) throw system_error(make_error_code(error::busy));
    thread_ = boost::thread([this, body] {
      try {
        body();
      } catch (...) {
        boost::unique_lock<boost::mutex> inner(mutex_);
        failure_ = std::current_exception();
      }
    });
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
    if (thread_.joinable()) thread_.join();
    close_all();
    lock.lock();
    state_ = state::closed;
    ++session_;
    changed_.notify_all();
  }

  /** What ended the server's own thread; null if nothing did. */
  std::exception_ptr failure() const {
    boost::unique_lock<boost::mutex> lock(mutex_);
    return failure_;
  }

 private:
  enum class state { closed, open, closing };

  bool enter(bool own) {
    boost::unique_lock<boost::mutex> lock(mutex_);
    if (state_ != state::open || stopping()) return false;
    if (inside_ != 0 || thread_.joinable() != own)
      throw system_error(make_error_code(error::busy), "receive");
    ++inside_;
    return true;
  }

  void leave() noexcept {
    boost::unique_lock<boost::mutex> lock(mutex_);
    --inside_;
    changed_.notify_all();
  }

  mutable boost::mutex mutex_;
  boost::condition_variable changed_;
  state state_ = state::closed;
  std::uint64_t session_ = 0; ///< Times that it was closed.
  int inside_ = 0;
  std::atomic<bool> stopping_{false};
  boost::thread thread_;
  std::exception_ptr failure_;
};

} // namespace udpbench
