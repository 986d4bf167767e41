/** @file
    A machine made of files, in a folder of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/files.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace udpbench::test {

/** An empty machine in a temporary folder, which goes with it. */
class fixture {
 public:
  fixture() {
    char name[] = "/tmp/udpbench-machine-XXXXXX";
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = name;
  }
  fixture(const fixture&) = delete;
  fixture& operator=(const fixture&) = delete;
  ~fixture() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  fixture& put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return *this;
  }

  const std::string& root() const noexcept { return root_; }
  machine::files files() const { return machine::files(root_); }

 private:
  std::string root_;
};

} // namespace udpbench::test
