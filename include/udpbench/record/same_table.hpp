/** @file
    What all results of one table have in common.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

namespace udpbench::record {

/** Whether two stand in one table: results, comparisons, suspicions and whatever else has a load, a size, a number of sockets and a
    work. */
template <class A, class B>
bool same_table(const A& a, const B& b) {
  return a.load == b.load && a.size == b.size && a.sockets == b.sockets && a.work == b.work;
}

} // namespace udpbench::record
