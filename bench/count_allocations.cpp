// Lets the program count the allocations of each thread.
#include <udpbench/measure/count_allocations.hpp>
