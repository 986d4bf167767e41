// What UDP_GRO gives where the receiving end coalesces: a receiver in one network namespace, a sender in another.
//   veth_gro RECEIVER_NAMESPACE SENDER_NAMESPACE ADDRESS COUNT      (bench/veth-gro makes the namespaces)
#include "veth_gro.hpp"

#include <udpbench/async_server.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/gro.hpp>

#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

using namespace veth_gro;
using udpbench::measure::ledger;
namespace take = udpbench::take;

namespace {

void print(const std::string& receiver, const traffic& t, const passage& p) {
  // Nothing that came of nothing.
  const auto figure = [](double value, double of, int digits) -> std::string {
    if (!(of > 0)) return "-";
    std::ostringstream out;
    out << std::fixed << std::setprecision(digits) << value / of;
    return out.str();
  };
  const auto share = [&](std::uint64_t n) {
    return figure(100.0 * static_cast<double>(n), static_cast<double>(p.sent), 2);
  };
  const auto unique = static_cast<double>(p.arrivals.unique);
  std::cout << std::left << std::setw(12) << receiver << std::right << std::setw(5) << t.flows
            << "  " << std::left << std::setw(6) << (t.mixed ? "mixed" : "equal") << std::right
            << std::setw(14) << figure(unique, static_cast<double>(p.calls.value_or(0)), 1)
            << std::setw(12) << figure(unique / 1000, p.seconds, 0) << std::setw(9)
            << figure(p.cpu_ns, unique, 0) << std::setw(8) << share(p.sent - p.arrivals.unique)
            << std::setw(12) << share(p.arrivals.reordered) << '\n'
            << std::flush;
}

template <class Server>
void run(const std::string& name, const setting& s, const traffic& t) {
  print(name, t, pass<Server>(s, t));
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: veth_gro RECEIVER_NAMESPACE SENDER_NAMESPACE ADDRESS COUNT\n";
    return 2;
  }
  try {
    const setting s{argv[1], argv[2], boost::asio::ip::make_address(argv[3]),
                    std::strtoull(argv[4], nullptr, 10)};
    std::cout << "receiver    flows  sizes   per receive  received/s  CPU ns  lost %  reordered %\n"
                 "                                                  (k)\n";
    for (const traffic t : {traffic{1, false}, traffic{16, false}, traffic{1, true}}) {
      run<udpbench::raw_server<ledger, take::gro<>>>("raw+gro", s, t);
      run<udpbench::async_server<ledger, take::gro<>>>("async+gro", s, t);
      run<udpbench::sync_server<ledger>>("sync", s, t);
      run<udpbench::async_server<ledger>>("async", s, t);
    }
  } catch (const std::exception& e) {
    std::cerr << "veth_gro: " << e.what() << '\n';
    return 1;
  }
}
