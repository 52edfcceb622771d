/// @file
/// What tests of planning and running share: counting calls, listening, comparing plans.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "record/environment.hpp"
#include "resumable/resumable.hpp"
#include "support/manual_clock.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

using namespace std::string_literals;
using Strings = std::vector<std::string>;

/// How often each function was called. Safe to use from several threads.
class Calls {
 public:
  void operator()(const std::string& name) {
    const std::scoped_lock lock{guard_};
    ++counts_[name];
  }
  [[nodiscard]] int of(const std::string& name) const {
    const std::scoped_lock lock{guard_};
    const auto found = counts_.find(name);
    return found == counts_.end() ? 0 : found->second;
  }
  /// All, and forgets them: `deck 1, page a 2`.
  std::string take() {
    const std::scoped_lock lock{guard_};
    std::string text;
    for (const auto& [name, count] : counts_) {
      text += (text.empty() ? "" : ", ") + name + (count == 1 ? "" : " x" + std::to_string(count));
    }
    counts_.clear();
    return text;
  }

 private:
  mutable std::mutex guard_;
  std::map<std::string, int> counts_;
};

/// The same over several processes: a line in a file per call, written at once.
class Tally {
 public:
  explicit Tally(std::filesystem::path file) : file_(std::move(file)) {}
  void operator()(const std::string& name) const {
    const int file = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    const std::string line = name + "\n";
    if (::write(file, line.data(), line.size()) < 0) std::abort();
    ::close(file);
  }
  [[nodiscard]] std::map<std::string, int> counts() const {
    std::map<std::string, int> counts;
    if (!std::filesystem::exists(file_)) return counts;
    std::istringstream lines(read_file(file_));
    for (std::string line; std::getline(lines, line);) ++counts[line];
    return counts;
  }
  [[nodiscard]] int of(const std::string& name) const {
    const auto all = counts();
    const auto found = all.find(name);
    return found == all.end() ? 0 : found->second;
  }
  void clear() const { std::filesystem::remove(file_); }

 private:
  std::filesystem::path file_;
};

/// Keeps all events.
class Log final : public Observer {
 public:
  void on_event(const Event& event) override {
    events.push_back(event);
    if (on) on(event);
  }
  /// `committed draft/team`, in order.
  [[nodiscard]] Strings lines() const {
    Strings all;
    for (const Event& event : events) all.push_back(line(event));
    return all;
  }
  [[nodiscard]] Strings lines(EventKind kind) const {
    Strings all;
    for (const Event& event : events) {
      if (event.kind == kind) all.push_back(line(event));
    }
    return all;
  }
  [[nodiscard]] const Event* first(EventKind kind) const {
    for (const Event& event : events) {
      if (event.kind == kind) return &event;
    }
    return nullptr;
  }
  static std::string line(const Event& event) {
    std::string text{to_string(event.kind)};
    if (!event.stage.empty()) text += " " + event.stage;
    if (!event.item.empty()) text += "/" + event.item;
    if (!event.step.empty()) text += ":" + event.step;
    return text;
  }

  std::vector<Event> events;
  std::function<void(const Event&)> on;
};

/// `deck skip done, draft run input_changed requested`
[[nodiscard]] inline std::string outline(const Plan& plan) {
  std::string text;
  for (const Decision& decision : plan) {
    text +=
        (text.empty() ? "" : ", ") + decision.stage + " " + std::string{to_string(decision.action)};
    for (const Cause& cause : decision.causes) text += " " + std::string{to_string(cause.reason)};
  }
  return text;
}

/// `deck ran, draft skipped`
[[nodiscard]] inline std::string outline(const Report& report) {
  std::string text;
  for (const StageReport& stage : report.stages()) {
    text += (text.empty() ? "" : ", ") + stage.stage + " " + std::string{to_string(stage.outcome)};
  }
  return text;
}

/// What an Error says: its code, or nothing when none was thrown.
[[nodiscard]] inline std::optional<Errc> code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.errc();
  }
  return std::nullopt;
}
[[nodiscard]] inline std::string what_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}
/// All that it says, with what to do now.
[[nodiscard]] inline std::string explained(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.explain();
  }
  return "nothing was thrown";
}
[[nodiscard]] inline std::optional<Errc> code_of(const Report& report) {
  return report.error() == nullptr ? std::nullopt : std::optional{report.error()->errc()};
}

using Files = std::map<std::string, std::string>;
/// The names of files that differ: `+new -gone ~changed`.
[[nodiscard]] inline std::string changes(const Files& before, const Files& after) {
  std::string text;
  for (const auto& [name, bytes] : after) {
    const auto old = before.find(name);
    if (old == before.end())
      text += " +" + name;
    else if (old->second != bytes)
      text += " ~" + name;
  }
  for (const auto& [name, bytes] : before) {
    if (!after.contains(name)) text += " -" + name;
  }
  return text;
}

/// Commits a record with this tag, as some other program might.
inline void put_record(CheckpointStore& store, std::string_view run, RecordId id, const Tag& tag,
                       std::string header = "{}", std::string bytes = "{}") {
  const StringPayload payload{std::move(bytes)};
  const Put put{id, tag, header, &payload};
  store.lease(run)->commit({.puts = {&put, 1}, .erases = {}});
}

/// A clock that a test moves, as a run sees it.
struct ManualTime {
  ManualClock clock;
  record::TestEnvironment environment{{.clock = &clock}};
};

}  // namespace resumable::test
