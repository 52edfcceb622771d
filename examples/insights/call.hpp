/// @file
/// One call: begins a job or continues one, in the time it has, and says how that ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <resumable/progress_display.hpp>
#include <resumable/stop.hpp>

#include "insights/api.hpp"
#include "insights/jobs.hpp"
#include "insights/pipeline.hpp"
#include "insights/types.hpp"

namespace insights {

/// What a call may use. Times of 0: no limit, no waiting.
struct CallOptions {
  std::filesystem::path data{};  ///< of a new job
  std::string job_id{};          ///< of a new job; empty: chosen
  std::chrono::milliseconds budget{60'000};
  std::chrono::milliseconds reserve{5'000};
  std::chrono::milliseconds wait{0};  ///< for another owner of the job
  std::chrono::milliseconds pace{0};
  model::Terms terms{};
  std::filesystem::path events{};
  ForNewJobs defaults{};
  resumable::Stop stop{};
  std::optional<resumable::ProgressDisplayOptions> display{};  ///< none: only what callers need
};

/// How a call ended. `error` is empty when there are insights.
struct CallResult {
  std::string job_id{};
  bool was_resumed = false;
  int exit_code = 0;
  std::string error{};    ///< `insights_timeout`, `insights_busy`, `unknown_job`, …
  std::string message{};  ///< for people
  std::string reason{};   ///< the library's code behind `insights_refused` and the like
  std::optional<Insights> insights{};
  std::vector<std::filesystem::path> pictures{};  ///< of it, the files
  bool cached = false;                            ///< nothing ran: the job had its answer
  bool restarted = false;       ///< what was recorded could not be used: it began with turn 1
  std::int64_t cache_hits = 0;  ///< results of tools that the store's cache had
  std::vector<std::string> warnings{};
  std::optional<Job> job{};  ///< as it is recorded now
  resumable::Cost cost{};    ///< of this call
  resumable::Cost saved{};   ///< of the job's calls before it, whose answers it has not asked for
  std::chrono::milliseconds duration{0};
  std::chrono::milliseconds budget{0};

  /// Whether the job can be continued by its id: it has saved turns, or all that it began with.
  [[nodiscard]] bool can_resume() const {
    return job && (job->finished || job->turns > 0 ||
                   (job->request && !job->is_lost() && !job->is_newer()));
  }
};

class Caller {
 public:
  static constexpr int enough_barren_calls = 4;

  /// @param talk  for people: which job, where it goes on
  Caller(resumable::CheckpointStore& store, Jobs& jobs, std::ostream& talk)
      : store_(store), jobs_(jobs), talk_(talk) {}

  [[nodiscard]] CallResult call(const Incoming& incoming, const CallOptions& options);

  /// Calls until the job has its answer, or something else than time is missing; waits longer and
  /// longer while calls save nothing new, and gives up after enough_barren_calls of those in a row.
  [[nodiscard]] CallResult call_until_done(Incoming incoming, const CallOptions& options);

 private:
  /// Checks a new request and gives its job a name.
  [[nodiscard]] Given begin(const Request& request, const CallOptions& options, CallResult& result);
  void run(const Incoming& incoming, const CallOptions& options, CallResult& result);
  /// Whether the job may be continued; says why not in `result`.
  bool may_resume(CallResult& result) const;
  void tell_progress(const CallResult& result, std::chrono::milliseconds pause) const;

  resumable::CheckpointStore& store_;
  Jobs& jobs_;
  std::ostream& talk_;
};

}  // namespace insights
