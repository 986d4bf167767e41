// A receiver written from scratch against the concept `receiver`, compared with others by every command:
//   own_receiver compare raw poll sync --load backlog
#include <udpbench/app/main.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <poll.h>
#include <sys/socket.h>

using namespace udpbench;

namespace {

// Asks poll(2) before each recvfrom(2), as programs do that watch more than one descriptor. It derives from nothing; `basic_server`
// says what each member promises.
class poll_receiver {
 public:
  explicit poll_receiver(measure::ledger& sink) : sink_(sink) {}
  ~poll_receiver() { stop(); }

  net::endpoint open(const net::endpoint& local, const server_options& options) {
    if (stopping_) stop();
    const std::scoped_lock alone(inside_);
    if (socket_) throw system_error(error::already_open);
    buffer_.resize(options.largest_datagram);
    socket_ = net::open_receiver(local, options.socket);
    stopping_ = false;
    return net::local_endpoint(socket_.get());
  }

  // While nobody is inside, nothing may be taken out of the socket: so a benchmark holds a receiver.
  std::size_t receive(std::size_t n, measure::monotonic_clock::time_point deadline) {
    const std::scoped_lock alone(inside_);
    receiving_ = std::this_thread::get_id();
    std::size_t got = 0;
    while (got < n && socket_ && !stopping_) {
      pollfd ready{.fd = socket_.get(), .events = POLLIN, .revents = 0};
      if (::poll(&ready, 1, static_cast<int>(server_tick.count())) > 0 && take())
        ++got;
      else if (measure::monotonic_clock::now() >= deadline)
        break;
    }
    receiving_ = std::thread::id();
    return got;
  }

  // Any thread asks, then waits for the one inside, which is asked once a tick. The sink, which is inside, only asks.
  void stop() noexcept {
    stopping_ = true;
    if (receiving_ == std::this_thread::get_id()) return;
    const std::scoped_lock alone(inside_);
    socket_.reset();
  }

  int native_handle() { return socket_.get(); }

 private:
  bool take() noexcept {
    // MSG_TRUNC returns the true length of a datagram that doesn't fit (recv(2)).
    const auto length = ::recvfrom(socket_.get(), buffer_.data(), buffer_.size(),
                                   MSG_DONTWAIT | MSG_TRUNC, nullptr, nullptr);
    if (length < 0) return false;
    const auto whole = static_cast<std::size_t>(length);
    sink_({{buffer_.data(), std::min(whole, buffer_.size())}, whole});
    return true;
  }

  measure::ledger& sink_;
  std::vector<std::byte> buffer_;
  std::mutex inside_;
  std::atomic<std::thread::id> receiving_;
  std::atomic<bool> stopping_{false};
  net::descriptor socket_;
};
static_assert(receiver<poll_receiver>);

} // namespace

int main(int argc, char** argv) {
  // `app::builtin()` would be all of udpbench's; the two to compare with are enough here.
  experiment::catalogue receivers;
  receivers.add<raw_server<measure::ledger>>("raw", "recv");
  receivers.add<sync_server<measure::ledger>>("sync", "synchronous");
  receivers.add<poll_receiver>("poll", "no Asio, poll before each recvfrom");
  return app::main(argc, argv, receivers);
}
