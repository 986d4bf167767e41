/** @file
    Receivers that can't be had here: in the list, and where one of them is asked for.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "every_receiver.hpp"
#include "program.hpp"
#include "skip.hpp"
#include "the_program.hpp"

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/listing.hpp>
#include <udpbench/machine/try_io_uring.hpp>
#include <udpbench/record/json_write.hpp>

#ifdef UDPBENCH_TEST_URING
#include <udpbench/app/with_uring.hpp>
#endif

#include <boost/json.hpp>

#include <array>
#include <cerrno>
#include <functional>
#include <string>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using udpbench::app::machine_error;
using udpbench::app::make_plan;
using udpbench::app::usage_error;
using udpbench::experiment::catalogue;

namespace {

/** What `call` throws of that kind says; empty if it throws nothing. */
template <class Error, class Call>
std::string said(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

/** What is said to who asks for it. */
template <class Error>
std::string refused(const catalogue& known, const std::string& receiver) {
  udpbench::app::compare_words words;
  words.receivers = {receiver};
  return said<Error>([&] { make_plan(words, known); });
}
std::string refusal(const catalogue& known, const std::string& receiver) {
  return refused<machine_error>(known, receiver);
}

} // namespace

TEST_CASE("what is left out is named with its reason, in the list and where it is asked for",
          "[app]") {
  catalogue known = support::every_receiver();
  known.leave_out("ether", "no library of it");
  known.leave_out("sync+magic", "no magic");
  CHECK_THAT(udpbench::app::listing(known),
             Catch::Contains("ether") && Catch::Contains("no library of it") &&
                 Catch::Contains("no magic") && Catch::Contains("Lacking here"));
  CHECK_THAT(refusal(known, "ether"), Catch::Contains("'ether': no library of it"));
  CHECK_THAT(refusal(known, "ether.fast"), Catch::Contains("'ether.fast': no library of it"));
  CHECK_THAT(refusal(known, "sync+magic"), Catch::Contains("no magic"));
  // Its driver is there.
  CHECK(refusal(known, "sync").empty());
  CHECK_THAT(refused<usage_error>(known, "sync+other"), Catch::Contains("sync+batch"));
}

TEST_CASE("a file of the list has each receiver, and what is left out with its reason", "[app]") {
  catalogue known = support::every_receiver();
  known.leave_out("ether", "no library of it");
  const auto file = udpbench::record::value_of(udpbench::app::take_inventory(known, "1.2.3"));
  CHECK(file.at("schema") == "udpbench-list/1");
  CHECK(file.at("version") == "1.2.3");
  CHECK(file.at("receivers").as_array().size() == known.entries().size());
  const auto& first = file.at("receivers").at(0);
  CHECK(std::string(first.at("name").as_string()) == known.entries().front().name);
  CHECK(std::string(first.at("description").as_string()) == known.entries().front().description);
  const auto& left_out = file.at("lacking").at(known.left_out().size() - 1);
  CHECK(left_out.at("name") == "ether");
  CHECK(left_out.at("reason") == "no library of it");
  // Either it can be had, or it is told why not.
  const bool had = !file.at("other_backends").as_array().empty();
  bool told = false;
  for (const auto& each : file.at("lacking").as_array())
    told = told || each.at("name") == "@io_uring";
  CHECK(had != told);
}

TEST_CASE("the program writes its list to a file, or to standard output alone", "[app]") {
  using udpbench::test::program;
  using udpbench::test::run;
  const udpbench::test::temporary_file file;
  const auto both = run(program + "list --json " + file.path());
  CHECK(both.code == 0);
  CHECK_THAT(both.out, Catch::StartsWith("Receivers: "));
  const auto alone = run(program + "list --json -");
  CHECK(alone.code == 0);
  CHECK(alone.out == udpbench::test::slurp(file.path()));
  const auto json = boost::json::parse(alone.out);
  for (const char* kind : {"receivers", "takes", "memories", "loads"})
    for (const auto& each : json.at(kind).as_array())
      CHECK_THAT(both.out, Catch::Contains(std::string(each.at("name").as_string())));
  CHECK(json.at("loads").as_array().size() == 5);
  CHECK(run(program + "list --json /no/such/folder/file").code == 1);
}

#ifdef UDPBENCH_TEST_URING

namespace {

/** Makes io_uring_setup(2) fail with `error` in this process and all that come of it. */
bool forbid_io_uring(unsigned error) {
  std::array<sock_filter, 4> code{
      {{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0}, // The first field of struct seccomp_data: the number.
       {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_io_uring_setup},
       {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error},
       {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/** The exit status of a process that runs `body`. */
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_CASE("where io_uring is forbidden its receivers are left out, and the reason is told",
          "[app]") {
  constexpr int no_filter = 77;
  const auto reason_for = [](unsigned error, const std::string& expected) {
    return in_child([&] {
      if (!forbid_io_uring(error)) return no_filter;
      catalogue known;
      udpbench::app::add_uring(known);
      if (!known.entries().empty()) return 1;
      return refusal(known, "uring.multishot").find(expected) != std::string::npos ? 0 : 2;
    });
  };
  const int forbidden = reason_for(EPERM, "forbidden");
  if (forbidden == no_filter) SKIP("this kernel has no filter for system calls");
  CHECK(forbidden == 0);
  CHECK(reason_for(ENOSYS, "ENOSYS") == 0);
}

TEST_CASE("where io_uring is allowed both of its receivers are there, or it is told why not",
          "[app]") {
  if (udpbench::machine::try_io_uring() != 0) SKIP("this kernel doesn't allow io_uring");
  catalogue known;
  udpbench::app::add_uring(known);
  for (const std::string name : {"uring", "uring.multishot"}) {
    INFO(name << ": " << refusal(known, name));
    CHECK((known.find(name) != nullptr) == refusal(known, name).empty());
  }
  CHECK(known.entries().size() + known.left_out().size() == 2);
  // So tests of every receiver have them, too.
  const catalogue all = support::every_receiver();
  for (const auto& e : known.entries()) CHECK(all.find(e.name) != nullptr);
}

#endif
