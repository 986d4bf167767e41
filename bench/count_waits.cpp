// Lets the program tell how many datagrams come between two waits of Asio's reactor.
#include <udpbench/measure/count_waits.hpp>
