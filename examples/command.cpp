// One idea: a stage that runs a command. The command's output is the stage's value; a stop ends the
// command and whatever it has started, and the next call runs it again.
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <resumable/resumable.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rs = resumable;

/// Starts a command in a process group of its own, with its output in a pipe.
pid_t start(std::vector<std::string> words, int output) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // group 0: one of its own
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, argv.front(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), words.front());
  return child;
}

/// What the command writes. Throws if it fails, or is ended because the stage has to stop.
std::string output_of(const std::vector<std::string>& words, const std::stop_token& stop) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  const pid_t child = start(words, ends[1]);
  ::close(ends[1]);
  std::optional<std::stop_callback<std::function<void()>>> end;
  end.emplace(stop, [child] { ::kill(-child, SIGTERM); });  // the whole group
  std::string output;
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = ::read(ends[0], piece.data(), piece.size())) != 0;) {
    if (size > 0) output.append(piece.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) break;
  }
  ::close(ends[0]);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0) {
  }
  end.reset();  // before its number may be given to another process
  ::waitpid(child, nullptr, 0);
  if (info.si_code == CLD_EXITED && info.si_status == 0) return output;
  throw std::runtime_error(words.front() + " failed: " + std::to_string(info.si_status));
}

int main() {
  std::string seconds = "600";
  rs::Pipeline pipeline{"commands"};
  const auto sorted = pipeline.stage("sorted", [&](rs::Context& ctx) {
    return output_of({"sh", "-c", "sleep " + seconds + "; printf '2\\n1\\n' | sort"},
                     ctx.stop_token());
  });

  rs::FileStore store{"store"};
  const rs::Report first =
      rs::resume(pipeline, store, {.run = "r", .budget = std::chrono::milliseconds{200}});
  std::cout << to_string(first.outcome()) << "\n";  // in time, although the command takes longer
  seconds = "0";
  const rs::Report second = rs::resume(pipeline, store, {.run = "r"});
  std::cout << second.text();
  return first.outcome() == rs::Outcome::suspended && second && second[sorted] == "1\n2\n" ? 0 : 1;
}
