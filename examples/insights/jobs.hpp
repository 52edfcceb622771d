/// @file
/// The jobs of a store: what was recorded of each, and the removal of those whose time is over.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <resumable/run_list.hpp>
#include <resumable/store.hpp>
#include <resumable/time.hpp>

#include "insights/types.hpp"

namespace insights {

using Time = std::chrono::system_clock::time_point;

/// A part of a job that was recorded and gives no value.
struct Unreadable {
  std::string part;    ///< `request`, `readings`, `turns` or `answer`
  std::string reason;  ///< the library's code: `damaged`, `newer`, …
  std::string message;
};

/// What was recorded of a job. Read without a lease, beside its owner if need be.
struct Job {
  std::string id;
  resumable::RunInfo run{};          ///< its owner, its calls and what they took
  std::optional<Request> request{};  ///< nullopt: not recorded, or damaged
  bool finished = false;             ///< it has its answer
  std::int64_t turns = 0;            ///< saved
  std::int64_t tool_calls = 0;
  std::int64_t elapsed_ms = 0;  ///< until the last save, over all calls
  std::optional<resumable::Timestamp> saved_at{};
  std::string outcome{};         ///< of the answer
  resumable::Savings saved{};    ///< what its calls did not have to repeat
  std::uint64_t bytes_kept = 0;  ///< of its records, after compaction
  std::vector<Unreadable> unreadable{};

  /// Whether no call can continue it: what was asked, or what it is about, is lost.
  [[nodiscard]] bool is_lost() const;
  /// Whether a newer program has saved a part of it.
  [[nodiscard]] bool is_newer() const;
  /// When it may be removed: its time to live after the last save; nullopt: it declares none.
  [[nodiscard]] std::optional<resumable::Timestamp> expires() const;
};

/// "" when it is not known.
[[nodiscard]] std::string to_text(std::optional<resumable::Timestamp> at);

/// What clean() did, or would do, about one job.
struct Cleaned {
  std::string id;
  bool removed = false;
  std::string why;
};

class Jobs {
 public:
  using Now = std::function<Time()>;
  Jobs(resumable::CheckpointStore& store, Now now) : store_(store), now_(std::move(now)) {}

  [[nodiscard]] const Now& now() const noexcept { return now_; }
  /// `insights_<milliseconds since 1970>_<random>`
  [[nodiscard]] std::string new_id() const;
  /// nullopt: there is no such job. A run of another program is none.
  [[nodiscard]] std::optional<Job> find(const std::string& id) const;
  /// The newest first.
  [[nodiscard]] std::vector<Job> list() const;
  [[nodiscard]] bool is_expired(const Job& job) const;
  /// When a job expired that clean() has removed; nullopt: nothing is known of it. The file
  /// `.expired` beside the jobs has a line for each; it may be deleted.
  [[nodiscard]] std::optional<std::string> expired_at(const std::string& id) const;

  /// Removes the jobs that have expired and that no process owns, with the files that are as they
  /// were exported. That a job has expired stays noted. Runs of others stay, and jobs
  /// whose time to live cannot be read.
  std::vector<Cleaned> clean(bool dry_run);

 private:
  Cleaned remove(const std::string& id);

  resumable::CheckpointStore& store_;
  Now now_;
};

}  // namespace insights
