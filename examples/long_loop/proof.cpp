#include "long_loop/proof.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "long_loop/cold_store.hpp"

namespace rs = resumable;
using namespace std::chrono_literals;

int failures = 0;

namespace {

rs::Stop terminal;

/// Works in a process of its own: the exit code, or minus the signal that killed it.
int in_process(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) std::_Exit([&]() noexcept { return work(); }());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) std::abort();
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::string shift_json() {
  std::ifstream file{"store/monday/shift.json"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::cerr << "not so: " << what << "\n";
}

int start(const Start& loop, rs::ResumeOptions options) {
  return in_process([&] {
    rs::FileStore store{"store"};
    const rs::StopOnSignal ctrl_c{SIGHUP, SIGINT, SIGTERM};
    options.stop = terminal = ctrl_c.stop();
    const rs::Report report = loop(store, options);
    return report.suspension() && !report.suspension()->can_resume ? 99 : report.exit_code();
  });
}

void tell(const std::string& name, const Start& loop, std::size_t again,
          const std::function<void()>& trouble) {
  static int trials = 0;
  const auto home = std::filesystem::current_path();
  const auto folder = home / fmt::format("{}-{}", ++trials, name);
  std::filesystem::create_directories(folder / "smooth");
  std::filesystem::current_path(folder / "smooth");
  expect(start(loop) == 0, name + " runs");
  const std::string smooth = shift_json();
  std::filesystem::create_directories(folder / "trouble");
  std::filesystem::current_path(folder / "trouble");
  trouble();
  in_call_18 = [] {};
  call_takes = 0ms;
  expect(start(loop) == 0, name + " goes on");
  expect(start(loop) == 0, name + " has nothing to do");
  expect(!smooth.empty() && shift_json() == smooth, name + " comes to the same");
  std::ifstream file{"answered"};
  const std::multiset<std::string> asked{std::istream_iterator<std::string>{file}, {}};
  const std::set<std::string> needed{asked.begin(), asked.end()};
  const std::size_t twice = asked.size() - needed.size();
  expect(twice == again, fmt::format("{} asks for {} answers again", name, again));
  std::cout << fmt::format("  {:<12} {} answers, {} asked for again\n", name, needed.size(), twice);
  std::filesystem::current_path(home);
}

void tell_killed(const std::string& name, const Start& loop, std::size_t again) {
  tell(name, loop, again, [&] {
    in_call_18 = [] { std::raise(SIGKILL); };
    expect(start(loop) == -SIGKILL, name + " is killed");
  });
}

void press_ctrl_c() {
  std::raise(SIGINT);
  while (!terminal.token().stop_requested()) std::this_thread::yield();
}
