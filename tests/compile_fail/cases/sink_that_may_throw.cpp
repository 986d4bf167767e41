// expected: { sink(d) } noexcept
#include <udpbench/sync_server.hpp>

struct throwing {
  void operator()(const udpbench::datagram&) {}
};

void use(throwing& sink) { udpbench::sync_server<throwing> server(sink); }
