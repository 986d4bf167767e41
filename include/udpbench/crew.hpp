/** @file
    Threads that do one thing together.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <boost/thread/lock_types.hpp>
#include <boost/thread/mutex.hpp>

#include <cstddef>

namespace udpbench {

/** Threads that come and go while something runs that all of them work at: the first to come prepares it, the last to go ends it. What one
    of them did in either is seen by all that come later. Threads: any. */
class crew {
 public:
  /** Calls `prepare()` if nobody else is at work, then `run()`, then `finish()`, which may not throw, if nobody else is left; also where
      `run` throws. Nobody comes or goes within `prepare` and `finish`.
      Errors: what `prepare` throws, and then nothing has begun; what `run` throws. */
  template <class Prepare, class Run, class Finish>
  void work(Prepare prepare, Run run, Finish finish) {
    {
      const boost::unique_lock<boost::mutex> lock(mutex_);
      if (at_work_ == 0) prepare();
      ++at_work_;
    }
    const leaving<Finish> at_the_end{*this, finish};
    run();
  }

 private:
  template <class Finish>
  struct leaving {
    ~leaving() {
      const boost::unique_lock<boost::mutex> lock(from.mutex_);
      if (--from.at_work_ == 0) finish();
    }
    crew& from;
    Finish& finish;
  };

  boost::mutex mutex_;
  std::size_t at_work_ = 0;
};

} // namespace udpbench
