// A key in a file.
#include "catch.hpp"

#include <udpbench/control/key.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

using udpbench::control::key;
using udpbench::control::key_error;

namespace {

/** A file with that in it, which only its owner may use. */
struct key_file {
  explicit key_file(const std::string& content, mode_t mode = 0600) {
    std::ofstream(path) << content;
    ::chmod(path.c_str(), mode);
  }
  ~key_file() { std::remove(path.c_str()); }

  std::string path =
      (std::filesystem::temp_directory_path() / ("udpbench-key-" + std::to_string(::getpid())))
          .string();
};

} // namespace

TEST_CASE("a key is what its file holds, without the end of its line", "[control]") {
  CHECK(key::of_file(key_file("0123456789abcdef\n").path).bytes() == "0123456789abcdef");
  CHECK(key::of_file(key_file("0123456789abcdef").path).bytes() == "0123456789abcdef");
  CHECK(key::of_file(key_file(std::string(4095, 'x') + "y").path).bytes().size() == 4096);
}

TEST_CASE("a key that others may read is refused, with what to do about it", "[control]") {
  const key_file open("0123456789abcdef", GENERATE(0640, 0604, 0620, 0666));
  CHECK_THROWS_WITH(key::of_file(open.path), Catch::Contains("chmod 600 " + open.path));
}

TEST_CASE("a key that can be guessed, or is none, is refused", "[control]") {
  CHECK_THROWS_WITH(key::of_file(key_file("").path), Catch::Contains("it has 0 bytes"));
  CHECK_THROWS_WITH(key::of_file(key_file("0123456789abcde\n").path),
                    Catch::Contains("15 bytes") && Catch::Contains("16 to 4096"));
  CHECK_THROWS_WITH(key(std::string(32, '\0')), Catch::Contains("over and over"));
  CHECK_THROWS_WITH(key::of_file(key_file(std::string(5'000, 'x') + "y").path),
                    Catch::Contains("16 to 4096"));
  CHECK_THROWS_AS(key::of_file("/nonexistent/key"), key_error);
  CHECK_THROWS_WITH(key::of_file("/tmp"), "it is no plain file");
  CHECK_THROWS_WITH(key::of_file("/dev/zero"), "it is no plain file");
}
