/** @file
    Records as JSON, both ways: `to_json`, `write`, `from_json`, `read`. Link Boost.JSON.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/format_error.hpp>
#include <udpbench/record/json_read.hpp>
#include <udpbench/record/json_write.hpp>
