/** @file
    How the event loop of a server is made and run.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/spins.hpp>

#include <boost/asio/io_context.hpp>

#include <concepts>

namespace udpbench {

/** How the event loop of a server is made and run. A server's context has one thread at a time, whichever of these but `shared` it is: its
    own or that of the caller of `receive`, handed on under the lock of `lifecycle`; and `stop` never touches it, but sets a flag that
    the tick looks at. */
namespace event_loop {

/** With concurrency hint 1: a completion never has to wake another thread. Source: Boost.Asio, "Concurrency Hints". */
struct one_thread {
  /** Of the context. */
  static constexpr int hint = 1;
  /** A server may run it on several threads of its own. */
  static constexpr bool several_threads = false;

  /** Returns once the context was stopped. */
  static void run(boost::asio::io_context& context) { context.run(); }
};

/** Without a hint: what a context is unless told otherwise, ready for several threads. */
struct safe : one_thread {
  /** Of the context. */
  static constexpr int hint = BOOST_ASIO_CONCURRENCY_HINT_SAFE;
};

/** The same, run by as many threads as the server is made with. */
struct shared : safe {
  /** A server may run it on several threads of its own. */
  static constexpr bool several_threads = true;
};

/** Without locks: right for one thread at a time alone. */
struct unsafe : one_thread {
  /** Of the context. */
  static constexpr int hint = BOOST_ASIO_CONCURRENCY_HINT_UNSAFE;
};

/** Polls for events instead of waiting for them. It never sleeps: the thread takes its cpu whole. */
struct spin : one_thread {
  /** What `spins` asks. */
  static constexpr bool never_sleeps = true;

  /** Returns once the context was stopped. */
  static void run(boost::asio::io_context& context) {
    while (!context.stopped()) context.poll();
  }
};

/** Polls for events, and waits for them once `Tries` polls in a row have found none. What comes soon spares the thread a wake-up; what
    doesn't costs it `Tries` times an `epoll_wait`, and so does each tick of an idle server. */
template <unsigned Tries = 200>
struct hybrid : one_thread {
  static_assert(Tries > 0, "without a try it is one_thread");

  /** Returns once the context was stopped. @param context  an `io_context`, or what polls and runs like one. */
  template <class Context>
  static void run(Context& context) {
    unsigned in_vain = 0;
    while (!context.stopped()) {
      if (context.poll() != 0) {
        in_vain = 0;
      } else if (++in_vain == Tries) {
        context.run_one();
        in_vain = 0;
      }
    }
  }
};

} // namespace event_loop

/** Makes and runs a server's context: `hint` is its concurrency hint, `run` runs it until it is stopped, and passes on what a handler
    throws. Threads: one at a time, unless it is for `several_threads`. */
template <class L>
concept event_loop_policy = requires(boost::asio::io_context& context) {
  { L::hint } -> std::convertible_to<int>;
  { L::several_threads } -> std::convertible_to<bool>;
  L::run(context);
};
static_assert(event_loop_policy<event_loop::one_thread> && event_loop_policy<event_loop::safe> &&
              event_loop_policy<event_loop::shared> && event_loop_policy<event_loop::unsafe> &&
              event_loop_policy<event_loop::spin> && event_loop_policy<event_loop::hybrid<>>);
static_assert(!event_loop_policy<int>);
static_assert(spins<event_loop::spin> && !spins<event_loop::one_thread> &&
              !spins<event_loop::hybrid<>>);

} // namespace udpbench
