/** @file
    Catch2, whichever of its majors is installed: 2 has one header, 3 has another. Both give `Approx` without a namespace, and
    `Catch::Contains` and `Catch::StartsWith` for parts of strings, as 2 does by itself.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_all.hpp>

#include <string>

using Catch::Approx;
namespace Catch {
inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }
inline auto StartsWith(const std::string& part) { return Matchers::StartsWith(part); }
} // namespace Catch
#endif
