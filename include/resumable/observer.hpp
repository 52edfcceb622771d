/// @file
/// Events: what happens in a run, for logs, progress bars and tests.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/cost.hpp"
#include "resumable/export.hpp"
#include "resumable/plan.hpp"

namespace resumable {
inline namespace v0 {

/// Kinds may be added.
enum class EventKind : std::uint8_t {
  run_started,
  planned,
  plan_revised,
  stage_started,
  item_started,
  step_started,
  committed,
  progress_saved,
  enqueued,
  uncertain,
  cache_missed,
  stage_finished,
  skipped,
  retried,
  failed,
  overdue,
  exported,
  restored,
  quarantined,
  fell_back,
  migrated,
  waiting,
  interrupted,
  suspended,
  cancelled,
  run_finished,
};

[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(EventKind kind) noexcept;

/// One thing that happened. Empty and absent fields do not apply.
struct Event {
  EventKind kind = EventKind::run_started;
  std::uint64_t seq = 0;  ///< 1, 2, … in this call of resume()
  std::string at{};       ///< UTC, 2026-11-21T20:44:01.123Z
  std::string run{};
  std::string pipeline{};
  std::string stage{};
  std::string item{};
  std::string step{};  ///< started, committed, skipped, retried: of a step; progress_saved: of what
  unsigned attempt = 0;
  unsigned attempts_allowed = 0;
  std::vector<Reason> reasons{};
  std::optional<double> seconds{};       ///< how long the function took; the wait, when retried
  std::optional<double> save_seconds{};  ///< how long the commit took
  std::optional<std::uint64_t> bytes{};  ///< of the payload
  std::optional<bool> changed{};  ///< committed: whether the value differs from the one before
  Cost cost{};
  std::string file{};     ///< exported, quarantined: which
  std::string message{};  ///< an error's or a waiting stage's words
  std::string code{};     ///< an error's code by name; the outcome, when finished

  /// One JSON object in one line, as in docs/format.md.
  [[nodiscard]] RESUMABLE_EXPORT std::string json() const;
};

/// Gets every event of a run once, in the order of Event::seq, one at a time (from any thread).
/// `committed` comes after the commit is durable. An observer that throws is detached and the
/// report says so.
class RESUMABLE_EXPORT Observer {
 public:
  virtual ~Observer();
  virtual void on_event(const Event& event) = 0;
};

/// Appends events to a file, one JSON object a line. A line that a killed process left unfinished
/// is ended first. At most once after a kill; not synced.
class RESUMABLE_EXPORT EventFile final : public Observer {
 public:
  /// @throws Error{Errc::store_failed}  the file cannot be opened for appending
  explicit EventFile(const std::filesystem::path& file);
  ~EventFile() override;
  void on_event(const Event& event) override;

 private:
  struct Closer {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace v0
}  // namespace resumable
