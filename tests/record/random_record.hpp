/** @file
    Records of random content, and their comparison member by member.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/fields.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/record/utf8.hpp>
#include <udpbench/record/words.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

/** Fills every member of a record; what it draws follows from the seed. */
class random_record {
 public:
  explicit random_record(std::uint64_t seed) : bits_{seed} {}

  udpbench::record::run make() {
    udpbench::record::run run;
    fill(run);
    return run;
  }

  /** Any finite double. */
  double real() {
    double x = 0;
    do {
      x = std::bit_cast<double>(bits_());
    } while (!std::isfinite(x));
    return x;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return bits_() % n; }

  void fill(bool& x) { x = below(2) == 0; }
  void fill(double& x) { x = below(2) == 0 ? real() : static_cast<double>(below(100'000)) / 100; }
  void fill(std::integral auto& x) {
    const std::uint64_t any = below(2) == 0 ? bits_() : below(1000);
    x = static_cast<std::remove_reference_t<decltype(x)>>(any);
  }

  void fill(std::string& x) {
    static constexpr std::array<const char*, 9> parts{
        "sync", "\"", "\\", "\n", "\xFF", "µ", "\x1b[31m", "\U0001F4E6", " "};
    x.clear();
    for (std::uint64_t n = below(5); n > 0; --n) x += parts[below(parts.size())];
  }

  template <udpbench::record::worded Enum>
  void fill(Enum& x) {
    constexpr auto& all = udpbench::record::words<Enum>;
    x = all[below(all.size())].value;
  }

  template <class T>
  void fill(std::optional<T>& x) {
    x.reset();
    if (below(3) != 0) fill(x.emplace());
  }

  template <class T>
  void fill(std::vector<T>& x) {
    x.resize(below(4));
    for (T& each : x) fill(each);
  }

  template <class T, std::size_t N>
  void fill(std::array<T, N>& x) {
    for (T& each : x) fill(each);
  }

  template <udpbench::record::structure T>
  void fill(T& x) {
    udpbench::record::fields([this](udpbench::record::key, auto& member) { this->fill(member); },
                             x);
  }

  std::mt19937_64 bits_;
};

/** Every leaf of a record, in order, each with its kind. */
struct leaves {
  std::vector<std::string> found;

  void add(bool x) { found.push_back(x ? "true" : "false"); }
  void add(double x) {
    found.push_back("bits " + std::to_string(std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x)));
  }
  void add(std::integral auto x) { found.push_back(std::to_string(x)); }
  void add(const std::string& x) { found.push_back("text " + udpbench::record::valid_utf8(x)); }

  template <udpbench::record::worded Enum>
  void add(Enum x) {
    found.push_back(std::string{udpbench::record::word(x)});
  }

  template <class T>
  void add(const std::optional<T>& x) {
    if (x)
      add(*x);
    else
      found.push_back("absent");
  }

  template <class T>
  void add(const std::vector<T>& x) {
    found.push_back("size " + std::to_string(x.size()));
    for (const T& each : x) add(each);
  }

  template <class T, std::size_t N>
  void add(const std::array<T, N>& x) {
    for (const T& each : x) add(each);
  }

  template <udpbench::record::structure T>
  void add(const T& x) {
    udpbench::record::fields(
        [this](udpbench::record::key, const auto& member) { this->add(member); }, x);
  }
};

/** The same in every member; text by its valid UTF-8. */
inline bool equal_records(const udpbench::record::run& a, const udpbench::record::run& b) {
  leaves of_a;
  leaves of_b;
  of_a.add(a);
  of_b.add(b);
  return of_a.found == of_b.found;
}
