/** @file
    A server under test, whichever it is, and what the tests of all servers share.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "../support/catch.hpp"
#include "../support/loopback.hpp"
#include "../support/receivers.hpp"

#include <udpbench/basic_server.hpp>
#include <udpbench/error.hpp>
#include <udpbench/machine/try_io_uring.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/open.hpp>

#include <boost/type_index.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

namespace servers {

using namespace std::chrono_literals;
using clock = udpbench::measure::monotonic_clock;
using support::v4;

/** A stop that takes longer fails its test. */
inline constexpr auto patience = 5s;

inline clock::time_point soon() { return clock::now() + support::deadline; }
inline clock::time_point past() { return clock::time_point{}; }

/** Counts datagrams, before `then` sees each on the receiving thread. */
struct probe {
  std::atomic<std::uint64_t> seen{0};
  std::function<void(const udpbench::datagram&)> then;

  void operator()(const udpbench::datagram& d) noexcept {
    ++seen;
    if (then) then(d);
  }
};

/** Without what is the same for all. */
template <class Server>
std::string name_of() {
  std::string name = boost::typeindex::type_id<Server>().pretty_name();
  for (const std::string noise : {"udpbench::", "servers::probe, "})
    for (auto at = name.find(noise); at != std::string::npos; at = name.find(noise))
      name.erase(at, noise.size());
  return name;
}

/** A server with its sinks, one for each of its sockets. The members are those of `basic_server`. */
class subject {
 public:
  explicit subject(std::size_t sockets) : sinks(sockets) {}
  virtual ~subject() = default;
  virtual udpbench::net::endpoint open(const udpbench::net::endpoint& local = v4(),
                                       const udpbench::server_options& options = {}) = 0;
  virtual std::vector<udpbench::net::endpoint>
  open_each(std::span<const udpbench::net::endpoint> locals) = 0;
  virtual std::size_t receive(std::size_t n, clock::time_point deadline = soon()) = 0;
  virtual void start() = 0;
  virtual void stop() noexcept = 0;
  virtual std::exception_ptr failure() const = 0;
  virtual int native_handle(std::size_t i = 0) = 0;
  virtual std::uint64_t receive_errors() const = 0;
  virtual udpbench::error_code last_receive_error() const = 0;
  virtual std::optional<std::uint64_t> receive_calls() const = 0;
  virtual std::optional<udpbench::measure::buckets> datagrams_per_call() const = 0;
  virtual std::optional<udpbench::measure::buckets> datagrams_per_wakeup() const = 0;
  virtual std::optional<udpbench::memory::usage> memory_use() const = 0;
  virtual bool never_sleeps() const = 0;

  std::vector<probe> sinks;
  probe& sink = sinks.front();
};

template <class Server>
class subject_of final : public subject {
 public:
  explicit subject_of(std::size_t sockets) : subject(sockets), server_(serving(sinks)) {}

  udpbench::net::endpoint open(const udpbench::net::endpoint& local,
                               const udpbench::server_options& options) override {
    return server_.open(local, options);
  }
  std::vector<udpbench::net::endpoint>
  open_each(std::span<const udpbench::net::endpoint> locals) override {
    return server_.open_each(locals);
  }
  std::size_t receive(std::size_t n, clock::time_point deadline) override {
    return server_.receive(n, deadline);
  }
  void start() override { server_.start(); }
  void stop() noexcept override { server_.stop(); }
  std::exception_ptr failure() const override { return server_.failure(); }
  int native_handle(std::size_t i) override { return server_.native_handle(i); }
  std::uint64_t receive_errors() const override { return server_.receive_errors(); }
  udpbench::error_code last_receive_error() const override { return server_.last_receive_error(); }
  std::optional<std::uint64_t> receive_calls() const override {
    if constexpr (requires { server_.receive_calls(); })
      return server_.receive_calls();
    else
      return {};
  }
  std::optional<udpbench::measure::buckets> datagrams_per_call() const override {
    if constexpr (requires { server_.datagrams_per_call(); })
      return server_.datagrams_per_call().buckets();
    else
      return {};
  }
  std::optional<udpbench::measure::buckets> datagrams_per_wakeup() const override {
    if constexpr (requires { server_.datagrams_per_wakeup(); }) {
      const std::optional<udpbench::measure::batch_sizes> told = server_.datagrams_per_wakeup();
      if (told) return told->buckets();
    }
    return {};
  }
  std::optional<udpbench::memory::usage> memory_use() const override {
    if constexpr (requires { server_.memory_use(); })
      return server_.memory_use();
    else
      return {};
  }

  bool never_sleeps() const override { return udpbench::spins<Server>; }

 private:
  static Server serving(std::span<probe> sinks) {
    if (sinks.size() == 1) return Server(sinks.front());
    return Server(sinks);
  }

  Server server_;
};

/** One server of the lists in tests/support/receivers.hpp. */
struct kind {
  std::string name;
  std::function<std::unique_ptr<subject>(std::size_t sockets)> make_several;

  std::unique_ptr<subject> make() const { return make_several(1); }
};

template <class Server>
kind kind_of() {
  return {name_of<Server>(),
          [](std::size_t sockets) { return std::make_unique<subject_of<Server>>(sockets); }};
}

template <class... Server>
std::vector<kind> kinds_of(support::types<Server...>) {
  return {kind_of<Server>()...};
}

/** Whether this process may use io_uring. */
inline bool io_uring_allowed() {
  static const int reason = udpbench::machine::try_io_uring();
  return reason == 0;
}

/** What this kernel lacks that the server needs, in words; empty: nothing. */
std::string lacking(const kind& k);

/** Whether nothing is lacking; what is, is told once. */
bool runs_here(const kind& k);

/** All servers, with a `probe` for a sink. */
const std::vector<kind>& all();

/** Ends the process, and says why, if it lives for longer than any test needs: a call that should have returned hasn't. */
class watchdog {
 public:
  watchdog() {
    std::signal(SIGALRM, [](int) {
      constexpr char text[] = "a call that must return did not\n";
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof text - 1);
      std::abort();
    });
    ::alarm(40);
  }
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog() { ::alarm(0); }
};

/** Runs `test(kind)` in a section of its own for each of `kinds` that can run here; the others are named as skipped. */
template <class Test>
void for_each(const std::vector<kind>& kinds, Test test) {
  for (const kind& k : kinds) {
    if (!runs_here(k)) continue;
    DYNAMIC_SECTION(k.name) {
      const watchdog guard;
      test(k);
    }
  }
}

template <class Test>
void for_all(Test test) {
  for_each(all(), test);
}

/** Calls `holds` until it does; false if that takes too long. */
template <class Predicate>
bool eventually(Predicate holds) {
  const auto end = soon();
  while (!holds()) {
    if (clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/** Whether the thread sleeps in a system call (proc(5)). */
inline bool asleep(pid_t thread) {
  std::ifstream in("/proc/self/task/" + std::to_string(thread) + "/stat");
  const std::string line(std::istreambuf_iterator<char>(in), {});
  const auto name_end = line.rfind(") ");
  return name_end != std::string::npos && line[name_end + 2] == 'S';
}

/** The cpu time that a thread of this process has had. */
inline std::chrono::nanoseconds cpu_time_of(pthread_t thread) {
  clockid_t id{};
  timespec t{};
  if (::pthread_getcpuclockid(thread, &id) != 0 || ::clock_gettime(id, &t) != 0) return 0ns;
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

inline std::size_t entries_in(const char* folder) {
  const std::filesystem::directory_iterator all_of(folder);
  return static_cast<std::size_t>(std::distance(begin(all_of), end(all_of)));
}
inline std::size_t open_descriptors() { return entries_in("/proc/self/fd"); }
// A sanitizer starts a thread of its own with the first thread of the program: before any test counts them.
inline const bool first_thread_was = [] {
  std::thread([] {}).join();
  return true;
}();

inline std::size_t threads() { return entries_in("/proc/self/task"); }

/** The code that `call` throws; none if it returns. */
template <class Call>
udpbench::error_code error_of(Call call) {
  try {
    call();
  } catch (const udpbench::system_error& e) {
    return e.code();
  }
  return {};
}

/** The text of what `call` throws; empty if it returns. */
template <class Call>
std::string text_of(Call call) {
  try {
    call();
  } catch (const udpbench::system_error& e) {
    return e.what();
  }
  return {};
}

inline std::string text(const udpbench::net::endpoint& e) {
  std::ostringstream out;
  out << e;
  return out.str();
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/** Sends to one endpoint. */
class sender {
 public:
  explicit sender(const udpbench::net::endpoint& to) : fd_(udpbench::net::open_sender(to)) {}

  void operator()(std::span<const std::byte> datagram) const {
    support::need(::send(fd_.get(), datagram.data(), datagram.size(), 0) ==
                      static_cast<ssize_t>(datagram.size()),
                  "sending a datagram");
  }
  void operator()(std::size_t count = 1, std::size_t size = 64) const {
    for (std::size_t i = 0; i < count; ++i) (*this)(support::pattern(size));
  }
  int native_handle() const noexcept { return fd_.get(); }

 private:
  udpbench::net::descriptor fd_;
};

/** Sends without a pause until it ends. */
class flood {
 public:
  explicit flood(const udpbench::net::endpoint& to)
      : fd_(udpbench::net::open_sender(to)), thread_([this](const std::stop_token& end) {
          const support::bytes payload(64);
          while (!end.stop_requested()) ::send(fd_.get(), payload.data(), payload.size(), 0);
        }) {}

  /** An address of this process alone, so that what is sent after a stop meets no other test's socket. */
  static udpbench::net::endpoint address() {
    const auto pid = static_cast<std::uint32_t>(::getpid());
    return {boost::asio::ip::address_v4((127u << 24) | (1u << 22) | (pid & 0x3fffffu)), 0};
  }

 private:
  udpbench::net::descriptor fd_;
  std::jthread thread_;
};

/** A thread of the test's own inside `receive(n)`. It ends with the receive. */
class receiving {
 public:
  explicit receiving(subject& s, std::size_t n = SIZE_MAX, clock::time_point deadline = soon())
      : never_sleeps_(s.never_sleeps()), thread_([this, &s, n, deadline] {
          tid_ = ::gettid();
          got_ = s.receive(n, deadline);
          done_ = true;
        }) {}

  /** Waits until the thread sleeps, which is where it waits for datagrams; of a server that never does, until it has been busy for longer
      than it takes to get there. */
  bool is_blocked() {
    if (!never_sleeps_) return eventually([this] { return tid_ != 0 && asleep(tid_); });
    if (!eventually([this] { return tid_ != 0; })) return false;
    const auto before = cpu_time_of(handle());
    return eventually([&] { return cpu_time_of(handle()) > before + 2ms; });
  }
  bool is_done() const noexcept { return done_; }
  pthread_t handle() { return thread_.native_handle(); }

  /** Waits for its end; the datagrams that it got. */
  std::size_t join() {
    thread_.join();
    return got_;
  }

 private:
  const bool never_sleeps_;
  std::atomic<pid_t> tid_{0};
  std::atomic<bool> done_{false};
  std::size_t got_ = 0;
  std::jthread thread_;
};

/** Lets one thread through when another says so. */
class gate {
 public:
  void open() noexcept {
    open_ = true;
    open_.notify_all();
  }
  void pass() noexcept { open_.wait(false); }

 private:
  std::atomic<bool> open_{false};
};

} // namespace servers
