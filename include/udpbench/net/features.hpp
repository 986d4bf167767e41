/** @file
    What this build was compiled with and for; the only place with conditional compilation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <boost/version.hpp>

#include <string_view>

#include <netinet/udp.h>
#include <sys/socket.h>

/** What this build and its system headers have. */
namespace udpbench::net::features {

/** The socket option of segmented sends. Source: udp(7). */
#ifdef UDP_SEGMENT
inline constexpr int udp_segment = UDP_SEGMENT;
#else
inline constexpr int udp_segment = 103;
#endif
/** How many segments one send may have on every kernel that has them. Source: UDP_MAX_SEGMENTS of Linux, 64 at first. */
inline constexpr unsigned most_segments = 64;

/** The option by which datagrams are received joined. Source: udp(7). */
#ifdef UDP_GRO
inline constexpr int udp_gro = UDP_GRO;
#else
inline constexpr int udp_gro = 104;
#endif

/** Asserts are compiled in: not a build to measure with. */
#ifdef NDEBUG
inline constexpr bool asserts = false;
#else
inline constexpr bool asserts = true;
#endif

/** The compiler optimises. */
#ifdef __OPTIMIZE__
inline constexpr bool optimised = true;
#else
inline constexpr bool optimised = false;
#endif

/** A sanitizer is compiled in, of those that g++ and clang define a macro for (not that of undefined behaviour). */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
inline constexpr bool sanitizer = true;
#else
inline constexpr bool sanitizer = false;
#endif
#else
inline constexpr bool sanitizer = false;
#endif

/** The compiler that this is being compiled by. */
#ifdef __clang__
inline constexpr std::string_view compiler = "clang " __clang_version__;
#else
inline constexpr std::string_view compiler = "g++ " __VERSION__;
#endif

/** The mechanism behind Asio's sockets. */
#if defined(BOOST_ASIO_HAS_IO_URING) && defined(BOOST_ASIO_DISABLE_EPOLL)
inline constexpr std::string_view backend = "io_uring";
#else
inline constexpr std::string_view backend = "epoll";
#endif

/** Asio can call a handler at once where its operation could be carried out at once. Source: Boost 1.82, release notes of Asio. */
#if BOOST_VERSION >= 108200
inline constexpr bool immediate_completion = true;
#else
inline constexpr bool immediate_completion = false;
#endif

} // namespace udpbench::net::features
