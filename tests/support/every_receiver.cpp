#include "every_receiver.hpp"

#include <udpbench/app/builtin.hpp>

#ifdef UDPBENCH_TEST_URING
#include <udpbench/app/with_uring.hpp>
#endif

udpbench::experiment::catalogue support::every_receiver() {
  auto all = udpbench::app::builtin();
#ifdef UDPBENCH_TEST_URING
  udpbench::app::add_uring(all);
#endif
  return all;
}
