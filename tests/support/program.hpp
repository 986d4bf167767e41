// Runs a program and looks at what it leaves behind.
#pragma once

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
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

} // namespace udpbench::test
