// Runs a program and looks at what it leaves behind.
#pragma once

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace udpbench::test {

struct finished {
  int code = -1; ///< Exit code; 128 + signal if one ended it.
  std::string out;
  std::string err;
};

inline std::string slurp(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

/** A name for a file of this test process alone; removed when it ends. */
class temporary_file {
 public:
  temporary_file() {
    char name[] = "/tmp/udpbench-test-XXXXXX";
    const int fd = ::mkstemp(name);
    if (fd >= 0) ::close(fd);
    path_ = name;
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() { ::unlink(path_.c_str()); }

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/** Runs a shell command, with standard input closed off, and waits. `meanwhile` gets the pid of the shell, which `exec` in the command
    makes that of the program. */
inline finished run(const std::string& command, const std::function<void(pid_t)>& meanwhile = {}) {
  const temporary_file out;
  const temporary_file err;
  const std::string redirected =
      "{ " + command + "; } </dev/null >" + out.path() + " 2>" + err.path();
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::execl("/bin/sh", "sh", "-c", redirected.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  if (meanwhile) meanwhile(pid);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), slurp(out.path()),
          slurp(err.path())};
}

/** Whether a process catches SIGINT, and has several sockets: what it can do is tried with one at a time. */
inline bool is_measuring(pid_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  const std::string status = slurp(process + "/status");
  const auto caught = status.find("SigCgt:");
  if (caught == std::string::npos) return false;
  const char last = status[status.find('\n', caught) - 1];
  if (std::string("2367abef").find(last) == std::string::npos) return false;
  int sockets = 0;
  std::error_code ignored;
  for (const auto& each : std::filesystem::directory_iterator(process + "/fd", ignored))
    if (std::filesystem::read_symlink(each, ignored).string().starts_with("socket")) ++sockets;
  return sockets > 1;
}

/** Sends SIGINT to a process of the project as soon as it measures. */
inline void interrupt(pid_t pid) {
  for (int i = 0; i < 10'000'000 && !is_measuring(pid); ++i) std::this_thread::yield();
  ::kill(pid, SIGINT);
}

} // namespace udpbench::test
