/** @file
    No locale changes what is written or read. None needs to be installed for that.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../report/examples.hpp"
#include "../report/printed_table.hpp"
#include "catch.hpp"
#include "program.hpp"
#include "skip.hpp"

#include <udpbench/record/json.hpp>
#include <udpbench/report/csv.hpp>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>
#include <string>

#include <unistd.h>

namespace record = udpbench::record;

namespace {

/** All that is written of a run, and what it says after it was read back. */
struct written {
  explicit written(const record::run& run)
      : file(record::write(run)),
        text(printed::text(run)),
        again(record::write(record::read(file))) {
    std::ostringstream rows;
    udpbench::report::csv(rows, run);
    csv = rows.str();
  }
  bool operator==(const written&) const = default;

  std::string file;
  std::string text;
  std::string again;
  std::string csv;
};

/** A locale of C++ that writes 1.234.567,8. */
struct comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/** The same as a locale of C, in a folder of its own, which is where C looks while this lives. */
class comma_folder {
 public:
  comma_folder() {
    char name[] = "/tmp/udpbench-locale-XXXXXX";
    if (::mkdtemp(name) == nullptr) return;
    folder_ = name;
    std::ofstream(folder_ + "/source")
        << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    // Of the other categories it has nothing, which it warns of.
    udpbench::test::run("localedef -c -i " + folder_ + "/source " + folder_ + "/comma");
    if (const char* before = std::getenv("LOCPATH")) before_ = before;
    ::setenv("LOCPATH", folder_.c_str(), 1);
  }
  comma_folder(const comma_folder&) = delete;
  comma_folder& operator=(const comma_folder&) = delete;
  ~comma_folder() {
    if (before_.empty())
      ::unsetenv("LOCPATH");
    else
      ::setenv("LOCPATH", before_.c_str(), 1);
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::string folder_;
  std::string before_;
};

std::string by_c() {
  char out[16] = {};
  std::snprintf(out, sizeof out, "%.1f", 1.5);
  return out;
}

std::string by_stream() {
  std::ostringstream out;
  out << 1234.5;
  return out.str();
}

} // namespace

TEST_CASE("a locale of C++ with a decimal comma changes neither file nor text", "[record]") {
  const record::run run = examples::default_run();
  const written here(run);
  REQUIRE(here.file.find("1.412") != here.file.npos);
  REQUIRE(here.again == here.file);

  const std::locale before = std::locale::global(std::locale{std::locale::classic(), new comma});
  const std::string number = by_stream();
  const written there(run);
  std::locale::global(before);
  CHECK(number == "1.234,5");
  CHECK(there == here);
}

TEST_CASE("a locale of C with a decimal comma changes neither file nor text", "[record]") {
  const record::run run = examples::default_run();
  const written here(run);

  const std::string before = std::setlocale(LC_ALL, nullptr);
  const comma_folder folder;
  if (std::setlocale(LC_NUMERIC, "comma") == nullptr) SKIP("localedef makes no locale here");
  const std::string number = by_c();
  const written there(run);
  std::setlocale(LC_ALL, before.c_str());
  CHECK(number == "1,5");
  CHECK(there == here);
}
