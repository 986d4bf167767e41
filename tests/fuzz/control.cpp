// Whatever comes over a connection: cut into messages, read as calls, and carried out as far as the limits of a server let it.
#include <udpbench/control/framing.hpp>
#include <udpbench/control/limited_place.hpp>
#include <udpbench/control/messages.hpp>
#include <udpbench/control/serve.hpp>
#include <udpbench/control/session.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace udpbench;

namespace {

/** Fails where something comes through that the limits should have kept out. */
struct checked_place final : experiment::place {
  static void require(bool held) {
    if (!held) __builtin_trap();
  }

  experiment::opened open(const experiment::seat_plan& plan) override {
    require(plan.address.is_loopback() && plan.sockets * plan.threads <= most.sockets &&
            plan.options.largest_datagram <= 65'535 && plan.work.turns <= most.work_turns);
    experiment::opened o;
    o.number = next++;
    o.receive_buffer_bytes = plan.options.socket.receive_buffer_bytes.value_or(1);
    return o;
  }
  void close(experiment::seat) noexcept override {}
  experiment::sample turn(experiment::seat, const experiment::turn_plan& plan) override {
    require(plan.depth <= most.depth && plan.timed <= most.slices && plan.untimed <= most.slices);
    return {};
  }
  schedule begin(experiment::seat, const experiment::round_plan& plan) override {
    require(plan.count <= most.count && plan.limit <= most.round && plan.tail.count() >= 0);
    return {};
  }
  experiment::sample end(experiment::seat, const send_counts&) override { return {}; }
  std::uint64_t capacity(const experiment::seat_plan&, const experiment::turn_plan&,
                         std::uint64_t wanted) override {
    require(wanted <= most.depth);
    return 0;
  }

  control::limits most;
  experiment::seat next = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  checked_place inner;
  control::limited_place place(inner, boost::asio::ip::address_v4::loopback(), {}, inner.most);
  control::unframer in(control::longest_of_session);
  try {
    // In parts, as a stream has them.
    for (std::size_t part = 1; !bytes.empty(); part = part * 3 + 1) {
      in.add(bytes.substr(0, part));
      bytes.remove_prefix(std::min(part, bytes.size()));
      while (const auto message = in.next()) try {
          control::detail::carry_out(control::call(*message), place);
        } catch (const std::runtime_error&) {
          // The client is told, and goes on.
        }
    }
  } catch (const control::protocol_error&) {
  }
  return 0;
}
