// What `udpbench serve` and `--to` refuse, each by its name.
#include "catch.hpp"
#include "program.hpp"
#include "served_here.hpp"
#include "the_program.hpp"

#include <csignal>
#include <string>

using udpbench::test::compare_briefly;
using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;
using udpbench::test::serving_program;

TEST_CASE("a server takes no other host without a key, unless it is told to", "[app]") {
  const finished open = run(program + "serve --listen 0.0.0.0:0");
  CHECK(open.code == 2);
  CHECK_THAT(open.err, Catch::Contains("--listen '0.0.0.0:0'") && Catch::Contains("--key-file") &&
                           Catch::Contains("--insecure"));
  CHECK(run(program + "serve --listen [::]:0").code == 2);
  serving_program told("--insecure --listen 0.0.0.0:0");
  CHECK(told.end(SIGINT) == 0);
}

TEST_CASE("what serve doesn't understand is named, with what is allowed", "[app]") {
  const auto [words, part] = GENERATE(table<std::string, std::string>({
      {"--listen here", "--listen 'here': allowed is an address"},
      {"--listen 127.0.0.1:70000", "--listen '70000'"},
      {"--listen 127.0.0.1:", "--listen '127.0.0.1:'"},
      {"--listen 192.0.2.1:0 --insecure", "--listen '192.0.2.1:0'"},
      {"--data-ports 9-8", "--data-ports '9-8'"},
      {"--data-ports 0-8", "--data-ports '0'"},
      {"--data-ports x", "--data-ports 'x'"},
      {"--max-session 0s", "--max-session '0s'"},
      {"--max-sockets none", "--max-sockets 'none'"},
      {"--max-size 65508", "--max-size '65508'"},
      {"--max-memory -1", "--max-memory '-1'"},
      {"--max-rate 0", "--max-rate '0'"},
      {"--key-file /nonexistent", "--key-file '/nonexistent': No such file"},
      {"--listen 127.0.0.1:0 --insecure --key-file /dev/null", "--insecure"},
      {"--descriptor 3", "--count-descriptor"},
  }));
  CAPTURE(words);
  const finished end = run(program + "serve " + words);
  CHECK((end.code == 1 || end.code == 2));
  CHECK_THAT(end.err, Catch::Contains(part));
  CHECK(end.out.empty());
}

TEST_CASE("a port that is taken is an error of serve", "[app]") {
  const serving_program first;
  const finished second = run(program + "serve --listen " + first.endpoint());
  CHECK(second.code == 1);
  CHECK_THAT(second.err,
             Catch::Contains("--listen '" + first.endpoint() + "'") && Catch::Contains("in use"));
}

TEST_CASE("what can't be had of a server is refused before anything is measured", "[app]") {
  const serving_program server;
  const auto [words, part] = GENERATE(table<std::string, std::string>({
      {"--load window:8", "there is no window"},
      {"--address ::1", "--address '::1'"},
      {"--explain", "--explain"},
      {"nosuch", "receiver 'nosuch'"},
      {"async@io_uring", "receiver 'async@io_uring'"},
      {"--sockets 5000", "sockets 5000: this server"},
      {"--pin 0,777", "cpu 777"},
  }));
  CAPTURE(words);
  const finished end = run(compare_briefly + words + " --to " + server.endpoint());
  CHECK(end.code != 0);
  CHECK_THAT(end.err + end.out, Catch::Contains(part));
}

TEST_CASE("reverse without a server is an error", "[app]") {
  const finished end = run(compare_briefly + "--reverse");
  CHECK(end.code == 2);
  CHECK_THAT(end.err, Catch::Contains("--reverse") && Catch::Contains("--to"));
}

TEST_CASE("a key file without a server is an error", "[app]") {
  const finished end = run(compare_briefly + "--key-file /etc/hostname");
  CHECK(end.code == 2);
  CHECK_THAT(end.err, Catch::Contains("--key-file '/etc/hostname'") && Catch::Contains("--to"));
}

TEST_CASE("a host that can't be meant is a usage error", "[app]") {
  const std::string to = GENERATE("':7'", "'host:'", "'host:0'", "'host:x'", "'[::1'", "'[::1]x'",
                                  "'[::1]:'", "'a b'", "'http://host'");
  CAPTURE(to);
  const finished end = run(compare_briefly + "--to=" + to);
  CHECK(end.code == 2);
  CHECK_THAT(end.err, Catch::Contains("--to '"));
}

TEST_CASE("where nothing listens the error says so, and what to look at", "[app]") {
  serving_program gone;
  const std::string where = gone.endpoint();
  gone.end(SIGKILL);
  const finished end = run(compare_briefly + "--to " + where);
  CHECK(end.code == 1);
  CHECK_THAT(end.err,
             Catch::Contains("nothing listens at " + where) && Catch::Contains("udpbench serve"));
}
