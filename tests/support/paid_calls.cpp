#include "support/paid_calls.hpp"

#include <atomic>
#include <csignal>
#include <mutex>
#include <new>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include "support/child_process.hpp"

namespace resumable::test {
namespace {

constexpr int most_calls = 500;

/// What the server's process and the program's know of each other.
struct Shared {
  std::atomic<pid_t> program = 0;
  std::atomic<int> answers = 0;
};

class SharedMemory {
 public:
  SharedMemory()
      : page_(::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {
    if (page_ == MAP_FAILED) throw std::runtime_error{"no memory to share"};
    shared_ = new (page_) Shared;
  }
  ~SharedMemory() { ::munmap(page_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared* operator->() const noexcept { return shared_; }

 private:
  void* page_;
  Shared* shared_;
};

/// Kills its process at the first commit, of a value or of a history, after an answer.
class AfterAnswer final : public Observer {
 public:
  AfterAnswer(const SharedMemory& shared, bool strikes)
      : shared_(shared), before_(shared->answers), strikes_(strikes) {}

  void on_event(const Event& event) override {
    const bool is_commit =
        event.kind == EventKind::committed || event.kind == EventKind::progress_saved;
    if (!is_commit || !strikes_) return;
    if (shared_->answers > before_) static_cast<void>(::raise(SIGKILL));
  }

 private:
  const SharedMemory& shared_;
  int before_;
  bool strikes_;
};

/// The server, and the program that is called until it is done.
class Asked {
 public:
  Asked(const Responder& respond, std::deque<Act> script = {})
      : respond_(respond),
        server_([this](const std::string& message) { return reply(message); }, std::move(script)) {}

  void call(const Asking& program, bool kill_after) {
    ChildProcess child{[&] {
      shared_->program = ::getpid();
      AfterAnswer watcher{shared_, kill_after};
      return program(server_.base_url(), watcher);
    }};
    const Ended ended = child.wait();
    paid_.exit_code = ended.exit_code;
    paid_.kills += ended.signal == SIGKILL ? 1 : 0;
    if (ended.signal != 0 && ended.signal != SIGKILL) throw std::runtime_error{"it crashed"};
  }

  /// Of the next call, so many questions are answered; at the one after them it is killed.
  void answer_only(int count) {
    const std::lock_guard lock{mutex_};
    left_ = count;
  }
  [[nodiscard]] bool is_killed() const noexcept { return paid_.exit_code == -1; }
  [[nodiscard]] Paid paid() const {
    const std::lock_guard lock{mutex_};
    Paid all = paid_;
    all.requests = server_.requests();
    return all;
  }

 private:
  std::string reply(const std::string& message) {
    const std::lock_guard lock{mutex_};
    if (left_ == 0) {
      ::kill(shared_->program, SIGKILL);
      return "nobody reads this";
    }
    if (left_ > 0) --left_;
    ++paid_.answers[message];
    std::string answer = respond_(message);
    ++shared_->answers;
    return answer;
  }

  const Responder& respond_;
  SharedMemory shared_;
  mutable std::mutex mutex_;
  int left_ = -1;  // no limit
  Paid paid_;
  FakeOpenAi server_;  // last: its threads use the others
};

}  // namespace

Paid ask_undisturbed(const Responder& respond, const Asking& program) {
  Asked asked{respond};
  asked.call(program, false);
  return asked.paid();
}

Paid ask_killed_before_answers(const Responder& respond, const Asking& program) {
  Asked asked{respond};
  asked.answer_only(0);
  for (int i = 0; i < most_calls; ++i) {
    asked.call(program, false);
    if (!asked.is_killed()) break;
    asked.answer_only(1);
  }
  return asked.paid();
}

Paid ask_killed_after_answers(const Responder& respond, const Asking& program) {
  Asked asked{respond};
  for (int i = 0; i < most_calls; ++i) {
    asked.call(program, true);
    if (!asked.is_killed()) break;
  }
  return asked.paid();
}

Paid ask_disturbed(const Responder& respond, const Act& fault, const Asking& program) {
  std::deque<Act> script;
  for (int i = 0; i < most_calls; ++i) {
    script.push_back(fault);
    script.push_back(answer());
  }
  Asked asked{respond, std::move(script)};
  asked.call(program, false);
  return asked.paid();
}

}  // namespace resumable::test
