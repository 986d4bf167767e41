/** @file
    The core of udpbench: servers, client, and what they are composed of. Needs Boost.Asio and Boost.Thread.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/async_server.hpp>
#include <udpbench/coroutine_server.hpp>
#include <udpbench/error.hpp>
#include <udpbench/idle/busy_poll.hpp>
#include <udpbench/idle/hybrid.hpp>
#include <udpbench/idle/spin.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/histogram.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/timed_scope.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/from_allocator.hpp>
#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/pool.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/pace/pause.hpp>
#include <udpbench/pace/rate.hpp>
#include <udpbench/pace/unpaced.hpp>
#include <udpbench/pace/window.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/reuse_port_group.hpp>
#include <udpbench/send/batch.hpp>
#include <udpbench/send/segmented.hpp>
#include <udpbench/send/single.hpp>
#include <udpbench/sync_client.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/drain.hpp>
#include <udpbench/take/gro.hpp>
#include <udpbench/take/one.hpp>
