// Whatever comes before two ends know each other. Nobody gets in who has not the key, and no other error comes out.
#include <udpbench/control/framing.hpp>
#include <udpbench/control/handshake.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

using namespace udpbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const bool keyed = (data[0] & 1) != 0;
  const bool client = (data[0] & 2) != 0;
  // The same each time, so that what is found can be found again.
  const auto key = keyed ? std::optional(control::key("0123456789abcdef")) : std::nullopt;
  control::identity me{.version = "0.1.0", .key = key, .nonce = std::string(64, '0')};
  control::unframer in(control::longest_of_handshake);
  try {
    in.add(bytes);
    if (client) {
      control::client_handshake handshake(me);
      handshake.begin();
      while (const auto message = in.next()) handshake.receive(*message);
    } else {
      control::server_handshake handshake(me);
      while (const auto message = in.next()) handshake.receive(*message);
      if (keyed && handshake.done()) __builtin_trap();
    }
  } catch (const control::handshake_error&) {
  } catch (const control::protocol_error&) {
  }
  return 0;
}
