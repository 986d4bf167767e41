// The program as its users meet it.
#include "catch.hpp"
#include "program.hpp"
#include "skip.hpp"
#include "the_program.hpp"

#include <udpbench/net/features.hpp>

#include <boost/json.hpp>

#include <string>

#include <sys/stat.h>

using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;
using udpbench::test::temporary_file;

namespace {

/** Words that are wrong, and what the message must name. */
struct row {
  const char* words;
  const char* named;
};

/** Few blocks, so that it takes no time. */
const std::string brief = " --rounds 1 --count 2000";

boost::json::object json_of(const std::string& text) {
  return boost::json::parse(text).as_object();
}

} // namespace

TEST_CASE("bad words end with 2 and a message that names them", "[app]") {
  for (const row& r : {row{"compare asink", "'asink'"},
                       row{"asink", "'asink'"},
                       row{"compare sync --load lots", "'lots'"},
                       row{"compare sync --frob", "--frob"},
                       row{"compare sync --size 0", "'0'"},
                       row{"compare sync --size 65508", "'65508'"},
                       row{"compare sync --size -1", "'-1'"},
                       row{"compare sync --size=-1", "'-1'"},
                       row{"compare sync --size 1e99", "'1e99'"},
                       row{"compare sync --size 1KB", "'1KB'"},
                       row{"compare sync --count 0", "'0'"},
                       row{"compare sync --count -5", "'-5'"},
                       row{"compare sync --rounds 0", "'0'"},
                       row{"compare sync --color red", "'red'"},
                       row{"compare sync --pin x", "'x'"},
                       row{"compare sync --margin 2", "'2'"},
                       row{"compare sync --json", "--json"},
                       row{"compare sync/heap", "'sync/heap'"},
                       row{"list sync", "sync"},
                       row{"--load", "--load"}}) {
    INFO(r.words);
    const finished end = run(program + r.words);
    CHECK(end.code == 2);
    CHECK(end.out.empty());
    CHECK_THAT(end.err, Catch::Contains(r.named));
  }
}

TEST_CASE("what only this machine forbids ends with 1 and a message that names it", "[app]") {
  for (const row& r : {row{"compare sync --pin 0,100000", "100000"},
                       row{"compare sync --address 192.0.2.1", "192.0.2.1"},
                       row{"compare sync --load backlog:60000", "backlog:60000"},
                       row{"compare sync --json /nonexistent/x", "/nonexistent/x"}}) {
    INFO(r.words);
    const finished end = run(program + r.words);
    CHECK(end.code == 1);
    CHECK(end.out.empty());
    CHECK_THAT(end.err, Catch::Contains(r.named) && !Catch::Contains("Success"));
  }
}

TEST_CASE("without a command it compares, with options alone as well", "[app]") {
  const finished end = run(program + "--load backlog" + brief);
  CHECK((end.code == 0 || end.code == 5));
  CHECK_THAT(end.out, Catch::Contains("sync") && Catch::Contains("async+batch"));
}

TEST_CASE("on a terminal it says before it starts how long all that it will run takes", "[app]") {
  if (run("script --version").code != 0) SKIP("script(1) makes the terminal, and is not here");
  const auto seconds = [](const std::string& words) {
    const finished end = run("TERM=xterm script -qec '" + program + words + "' /dev/null");
    const std::string head = "udpbench: this takes about ";
    const auto at = end.out.find(head);
    REQUIRE(at != std::string::npos);
    CHECK(at < end.out.find("received per second"));
    return std::stoi(end.out.substr(at + head.size()));
  };
  const int one = seconds("compare sync --load flood --rounds 6 --count 20000");
  CHECK(one >= 1);
  CHECK(seconds("compare sync --load flood --size 64,1024 --rounds 30 --count 20000") > one);
}

TEST_CASE("with --json - standard output is one JSON document and nothing else", "[app]") {
  const finished end = run(program + "compare sync async async/heap --json -" + brief);
  CHECK((end.code == 0 || end.code == 5));
  const auto document = json_of(end.out);
  CHECK(document.at("schema") == "udpbench/1");
  CHECK(document.at("experiment") == "compare");
  CHECK(document.at("complete") == true);
  CHECK(document.at("results").as_array().size() == 8);
  CHECK(document.at("comparisons").as_array().size() == 4);
  CHECK_FALSE(document.at("context").at("build_type").as_string().empty());
}

TEST_CASE("of servers whose receive calls Asio makes the program tells how many came together",
          "[app]") {
  const finished end =
      run(program + "compare async coroutine sync --load window:16 --json -" + brief);
  if (end.code == 5) SKIP("no valid round");
  REQUIRE(end.code == 0);
  const auto document = json_of(end.out);
  for (const auto& result : document.at("results").as_array()) {
    const auto& together = result.at("histograms").at("datagrams_per_wakeup");
    INFO(result.at("receiver"));
    if (!result.at("rounds").at(0).at("valid").as_bool()) continue;
    if (result.at("receiver") == "sync" || udpbench::net::features::sanitizer)
      CHECK(together.is_null());
    else
      CHECK_FALSE(together.as_array().empty());
  }
}

TEST_CASE("with --json - a run that fails is one JSON document as well", "[app]") {
  const finished end = run(program + "compare sync --load backlog:60000 --json -");
  CHECK(end.code == 1);
  CHECK(json_of(end.out).at("complete") == false);
  CHECK(json_of(run(program + "compare sync --pin 0,100000 --json -").out).at("complete") == false);
}

TEST_CASE("a file gets the results, and standard output the table", "[app]") {
  const temporary_file file;
  const finished end =
      run(program + "compare sync async --load backlog --json " + file.path() + brief);
  CHECK(json_of(udpbench::test::slurp(file.path())).at("complete") == true);
  CHECK_THAT(end.out, Catch::Contains("backlog"));
}

TEST_CASE("with --csv - standard output is a header and a row a round", "[app]") {
  const finished end =
      run(program + "compare sync async --load backlog,pause:128/1ms --csv -" + brief);
  CHECK((end.code == 0 || end.code == 5));
  CHECK(end.out.starts_with("receiver,control,load,size"));
  CHECK_THAT(end.out, Catch::Contains("async,false,pause:128/1ms,1024,1,1,,,single,"));
  CHECK(run(program + "compare sync --csv - --json -").code == 2);
}

TEST_CASE("nothing but results and no escape where standard output is no terminal", "[app]") {
  const finished end = run(program + "compare sync async" + brief);
  CHECK(end.out.find('\x1b') == std::string::npos);
  CHECK(end.out.find('\r') == std::string::npos);
  CHECK(end.err.empty());
}

TEST_CASE("a full disk is an error, not a crash", "[app]") {
  if (struct stat s; ::stat("/dev/full", &s) != 0) {
    WARN("skipped: there is no /dev/full");
    return;
  }
  const finished end = run(program + "compare sync --load backlog" + brief + " >/dev/full");
  CHECK(end.code == 1);
  CHECK_THAT(end.err, Catch::Contains("standard output") && Catch::Contains("No space left"));
}

TEST_CASE("closed standard output is an error, and no file is written over", "[app]") {
  const temporary_file file;
  const finished end =
      run(program + "compare sync --load backlog --json " + file.path() + brief + " >&-");
  CHECK(end.code == 1);
  CHECK(json_of(udpbench::test::slurp(file.path())).at("complete") == true);
}

TEST_CASE("a file that can't be written keeps no other result from being shown", "[app]") {
  const finished end = run(program + "compare sync --load backlog --json /dev/full" + brief);
  CHECK(end.code == 1);
  CHECK_THAT(end.out, Catch::Contains("backlog"));
  CHECK(run(program + "compare sync --json x --csv x").code == 2);
}

TEST_CASE("a closed pipe is an error, not a crash", "[app]") {
  // The reader is gone before the first line is written.
  const finished end = run("( '" UDPBENCH_EXECUTABLE "' compare sync --load backlog" + brief +
                           "; echo code $? 1>&2 ) | exec true");
  CHECK_THAT(end.err, Catch::Contains("code 1") && Catch::Contains("standard output"));
}

TEST_CASE("an interrupt prints and writes what there is, marked incomplete, and ends with 130",
          "[app]") {
  const temporary_file file;
  const finished end = run(program + "compare sync async --rounds 10000 --json " + file.path(),
                           udpbench::test::interrupt);
  CHECK(end.code == 130);
  CHECK(json_of(udpbench::test::slurp(file.path())).at("complete") == false);
  CHECK_THAT(end.out, Catch::Contains("incomplete"));
}

TEST_CASE("an interrupt ends a long round, not only the run", "[app]") {
  // Alone, this round would rest for 10 s a thousand times; the deadline of the test fails it if it does.
  const finished end = run(program + "compare sync --load pause:1/10s --count 1000 --rounds 1",
                           udpbench::test::interrupt);
  CHECK(end.code == 130);
  CHECK_THAT(end.out, Catch::Contains("incomplete"));
}

TEST_CASE("datagrams below the header are counted without sequence numbers, and the output says so",
          "[app]") {
  const finished text = run(program + "compare sync async --size 16 --load backlog" + brief);
  CHECK_THAT(text.out, Catch::Contains("sequence number"));
  const finished json = run(program + "compare sync --size 16 --load backlog --json -" + brief);
  const auto round = json_of(json.out).at("results").at(0).at("rounds").at(0);
  CHECK(round.at("duplicate").is_null());
  CHECK(round.at("unexplained") == 0);
}

TEST_CASE("help, version and list end with 0 and fill standard output alone", "[app]") {
  for (const char* words : {"--help", "compare --help", "list --help", "--version", "list"}) {
    INFO(words);
    const finished end = run(program + words);
    CHECK(end.code == 0);
    CHECK(end.err.empty());
    CHECK_FALSE(end.out.empty());
  }
}

TEST_CASE("both ends on one cpu are said to be", "[app]") {
  const finished end = run("exec taskset -c 0 '" UDPBENCH_EXECUTABLE
                           "' compare sync async --load flood --send single" +
                           brief);
  if (end.code == 127) {
    WARN("skipped: no taskset");
    return;
  }
  CHECK_THAT(end.out, Catch::Contains("share one cpu"));
}

TEST_CASE("more sockets than descriptors are refused by name", "[app]") {
  const finished end = run("ulimit -n 200 && " + program + "compare sync --sockets 1000");
  CHECK(end.code == 1);
  CHECK_THAT(end.err, Catch::Contains("1000 sockets") && Catch::Contains("may have 200") &&
                          Catch::Contains("ulimit -n"));
}
