/** @file
    What has no keys of its own where it goes to a place or comes from it: it stands as something else, or as a word.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/experiment/send_mode.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/record/format_error.hpp>
#include <udpbench/record/key.hpp>
#include <udpbench/record/stands_as.hpp>
#include <udpbench/record/words.hpp>
#include <udpbench/send/trains.hpp>

#include <boost/asio/ip/address.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace udpbench::control {

/** An endpoint in words. */
struct endpoint_words {
  std::string address;    ///< IPv4 or IPv6, with its scope.
  std::uint16_t port = 0; ///< Of UDP.
};

/** Its keys. */
template <class Visitor, record::maybe_const<endpoint_words> Words>
void fields(Visitor&& v, Words& w) {
  v("address", w.address);
  v("port", w.port);
}

} // namespace udpbench::control

namespace udpbench::record {

/** An address stands as its text. Errors: throws `format_error` where it is none. */
template <>
struct stands_as<boost::asio::ip::address> {
  /** Of the text. */
  using type = std::string;
  /** The text. */
  static type to(const boost::asio::ip::address& a) { return a.to_string(); }
  /** The address. */
  static boost::asio::ip::address from(const type& text) {
    error_code problem;
    const auto address = boost::asio::ip::make_address(text, problem);
    if (problem) throw format_error("address", text, "an IPv4 or IPv6 address");
    return address;
  }
};

/** An endpoint stands as address and port. Errors: as an address. */
template <>
struct stands_as<net::endpoint> {
  /** Of both. */
  using type = udpbench::control::endpoint_words;
  /** Both. */
  static type to(const net::endpoint& e) { return {e.address().to_string(), e.port()}; }
  /** The endpoint. */
  static net::endpoint from(const type& words) {
    return {stands_as<boost::asio::ip::address>::from(words.address), words.port};
  }
};

/** An error stands as its number: all of them are the system's. */
template <>
struct stands_as<error_code> {
  /** Of the number. */
  using type = std::int64_t;
  /** The number; 0: none. */
  static type to(const error_code& e) noexcept { return e.value(); }
  /** The error. */
  static error_code from(type number) noexcept {
    return {static_cast<int>(number), boost::system::system_category()};
  }
};

/** Trains stand as their runs. */
template <>
struct stands_as<send::trains> {
  /** Of the runs. */
  using type = std::vector<send::trains::run>;
  /** The runs. */
  static type to(const send::trains& t) { return t.runs(); }
  /** The trains. */
  static send::trains from(const type& runs) {
    send::trains all;
    for (const auto& r : runs) all.add(r.length, r.count);
    return all;
  }
};

/** The kinds of work. */
template <>
inline constexpr std::array<named<measure::work_plan::kind>, 5> words<measure::work_plan::kind>{{
    {measure::work_plan::kind::none, "none"},
    {measure::work_plan::kind::spin, "spin"},
    {measure::work_plan::kind::touch, "touch"},
    {measure::work_plan::kind::copy, "copy"},
    {measure::work_plan::kind::random, "random"},
}};

/** The ways of sending. */
template <>
inline constexpr std::array<named<experiment::send_mode>, 4> words<experiment::send_mode>{{
    {experiment::send_mode::automatic, "auto"},
    {experiment::send_mode::single, "single"},
    {experiment::send_mode::batch, "batch"},
    {experiment::send_mode::segmented, "segmented"},
}};

} // namespace udpbench::record
