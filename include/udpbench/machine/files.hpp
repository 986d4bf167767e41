/** @file
    The files by which a kernel shows itself, read and never written.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/parse.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace udpbench::machine {

/** Reads below a root, which is the machine's own or a folder that a test has made. What isn't there, or may not be read, is
    absent. Errors: none. Threads: any. */
class files {
 public:
  /** @param root  stands before every path, which begin with `/`; empty for the machine itself. */
  explicit files(std::string root = {}) : root_(std::move(root)) {}

  /** The first line; absent also where the file is empty. */
  std::optional<std::string> line(const std::string& path) const {
    std::ifstream in(root_ + path);
    std::string text;
    if (!std::getline(in, text)) return {};
    return text;
  }

  /** All of a file. */
  std::optional<std::string> text(const std::string& path) const {
    std::ifstream in(root_ + path);
    if (!in) return {};
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  /** The first line, if it is a whole number. */
  std::optional<std::uint64_t> number(const std::string& path) const {
    const auto first = line(path);
    return first ? parse_number(*first) : std::nullopt;
  }

  /** The first line, if it is a list of cpus. */
  std::optional<std::vector<unsigned>> cpus(const std::string& path) const {
    const auto all = text(path);
    return all ? parse_cpu_list(*all) : std::nullopt;
  }

  /** Whether there is a file or folder, as far as this process may see. */
  bool exists(const std::string& path) const noexcept {
    std::error_code ignored;
    return std::filesystem::exists(root_ + path, ignored);
  }

  /** What a folder holds, in no order. */
  std::vector<std::string> names(const std::string& folder) const {
    std::vector<std::string> all;
    std::error_code problem;
    std::filesystem::directory_iterator each(root_ + folder, problem);
    for (; !problem && each != std::filesystem::directory_iterator(); each.increment(problem))
      all.push_back(each->path().filename().string());
    return all;
  }

 private:
  std::string root_;
};

} // namespace udpbench::machine
