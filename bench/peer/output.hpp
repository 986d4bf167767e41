/** @file
    What the tools print, as counts. Each function takes what the two ends wrote to standard output, and throws `run_error` where that
    is not what it should be.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "figures.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace peers {

/** What the two ends wrote to standard output. */
struct texts {
  std::string client; ///< The sending end.
  std::string server; ///< The receiving end.
};

namespace detail {

/** A number at the beginning, after blanks. Takes it off the text. */
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/** Takes off `word`, if it stands at the beginning. */
inline bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/** What follows `label`; empty where there is no such label. */
inline std::optional<std::string_view> after(std::string_view text, std::string_view label) {
  const auto at = text.find(label);
  if (at == text.npos) return {};
  return text.substr(at + label.size());
}

template <class Number>
Number number_after(std::string_view text, std::string_view label) {
  if (auto rest = after(text, label))
    if (const auto value = take_number<Number>(*rest)) return *value;
  throw run_error("didn't print a number after '" + std::string(label) + "'");
}

/** A line of `key = value` with any blanks; the keys don't end in each other. */
inline std::uint64_t count_of(std::string_view text, std::string_view key) {
  auto rest = after(text, key);
  if (rest) {
    rest->remove_prefix(std::min(rest->find_first_not_of(' '), rest->size()));
    if (take_word(*rest, "="))
      if (const auto value = take_number<std::uint64_t>(*rest)) return *value;
  }
  throw run_error("didn't print '" + std::string(key) + " = ' and a number");
}

/** Refuses what no run can have come to. */
inline counts checked(const counts& c) {
  if (c.received == 0) throw run_error("received nothing");
  if (!(c.seconds > 0)) throw run_error("ran for no time");
  if (c.sent && *c.sent < c.received)
    throw run_error("counts " + std::to_string(c.received) + " datagrams as received and " +
                    std::to_string(*c.sent) + " as sent");
  return c;
}

/** Those that arrived of all. */
inline std::uint64_t less(std::uint64_t all, std::uint64_t lost) {
  if (lost > all)
    throw run_error("counts " + std::to_string(lost) + " datagrams of " + std::to_string(all) +
                    " as lost");
  return all - lost;
}

} // namespace detail

/** Of `iperf3 -J`. The server's figures are in the client's output. */
inline counts read_iperf3(const texts& said) {
  boost::system::error_code problem;
  const auto all = boost::json::parse(said.client, problem);
  if (problem) throw run_error("didn't print JSON: " + problem.message());
  if (const auto* error = all.is_object() ? all.get_object().if_contains("error") : nullptr)
    throw run_error("says: " +
                    (error->is_string() ? std::string(error->get_string()) : "an error"));
  try {
    const auto& end = all.at("end").as_object();
    const auto& received = end.at("sum_received").as_object();
    const auto number = [](const boost::json::object& from, const char* key) {
      return boost::json::value_to<std::uint64_t>(from.at(key));
    };
    return detail::checked(
        {.received = detail::less(number(received, "packets"), number(received, "lost_packets")),
         .sent = number(end.at("sum_sent").as_object(), "packets"),
         .seconds = boost::json::value_to<double>(received.at("seconds"))});
  } catch (const run_error&) {
    throw;
  } catch (const std::exception&) {
    throw run_error("printed JSON without the counts of end.sum_received and end.sum_sent");
  }
}

/** Of `iperf -u`, version 2. Its client's last datagram tells the server how many were sent, and that prints
    `[  1] 0.0000-2.0000 sec  82.0 MBytes   344 Mbits/sec   0.003 ms 163571/247563 (66%)`. */
inline counts read_iperf(const texts& said) {
  std::optional<counts> last;
  for (std::string_view rest = said.server; !rest.empty();) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    auto interval = detail::after(line, "]");
    auto shares = detail::after(line, " ms ");
    if (!interval || !shares) continue;
    const auto from = detail::take_number<double>(*interval);
    if (!from || !detail::take_word(*interval, "-")) continue;
    const auto to = detail::take_number<double>(*interval);
    const auto lost = detail::take_number<std::uint64_t>(*shares);
    if (!to || !lost || !detail::take_word(*shares, "/")) continue;
    if (const auto total = detail::take_number<std::uint64_t>(*shares))
      last = {.received = detail::less(*total, *lost), .sent = *total, .seconds = *to - *from};
  }
  if (!last) throw run_error("has a server that printed no line with lost/total");
  return detail::checked(*last);
}

/** Of `sockperf throughput`. Only its client knows the time. */
inline counts read_sockperf(const texts& said) {
  const auto sent = detail::after(said.client, "Total of ");
  return detail::checked({.received = detail::number_after<std::uint64_t>(said.server, "Total "),
                          .sent = detail::number_after<std::uint64_t>(said.client, "Total of "),
                          .seconds = detail::number_after<double>(*sent, " messages sent in ")});
}

/** Of `nuttcp -fparse`. */
inline counts read_nuttcp(const texts& said) {
  const auto number = [&](const char* key) {
    return detail::number_after<std::uint64_t>(said.client, key);
  };
  const auto sent = number(" pkt=");
  return detail::checked({.received = detail::less(sent, number(" drop=")),
                          .sent = sent,
                          .seconds = detail::number_after<double>(said.client, " real_seconds=")});
}

/** Of `qperf -vvs -uu`. */
inline counts read_qperf(const texts& said) {
  return detail::checked(
      {.received = detail::count_of(said.client, "recv_msgs"),
       .sent = detail::count_of(said.client, "send_msgs"),
       .seconds = static_cast<double>(detail::count_of(said.client, "recv_real_time")) / 1e9});
}

} // namespace peers
