#include "insights/call.hpp"

#include <algorithm>
#include <memory>
#include <ostream>

#include <fmt/format.h>
#include <resumable/error.hpp>
#include <resumable/resume.hpp>
#include <resumable/run_list.hpp>
#include <resumable/status.hpp>

#include "insights/clerk.hpp"
#include "insights/pipeline.hpp"
#include "insights/readings.hpp"
#include "model/model.hpp"
#include "program/store.hpp"

namespace insights {
namespace {

namespace rs = resumable;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

void end(CallResult& result, const char* error, std::string message, int exit_code) {
  result.error = error;
  result.message = std::move(message);
  result.exit_code = exit_code;
}

/// What the library worked around.
class Damages final : public rs::Observer {
 public:
  void on_event(const rs::Event& event) override {
    if (event.kind != rs::EventKind::quarantined && event.kind != rs::EventKind::fell_back) return;
    all.push_back(event.file.empty()
                      ? event.message
                      : fmt::format("a damaged record was set aside: {}", event.file));
  }
  std::vector<std::string> all;
};

const char* what_is_kept(const CallResult& result) {
  if (!result.can_resume()) return "Nothing was saved - send the request again.";
  return result.job->turns > 0 ? "A checkpoint was saved - retry with resumeJobId to continue."
                               : "No turn was finished; the job is kept - retry with resumeJobId.";
}

void timed_out(CallResult& result) {
  const bool got_on = result.job && result.job->turns > 0;
  end(result, "insights_timeout",
      fmt::format("Insights generation timed out after {}ms. {}{}", result.budget.count(),
                  what_is_kept(result), got_on ? "" : " Give it more time."),
      got_on ? 75 : 1);  // 1 ends a loop of calls that are too short for one turn
}

void interrupted(CallResult& result, int exit_code) {
  end(result, "insights_interrupted", fmt::format("Stopped by a signal. {}", what_is_kept(result)),
      exit_code);
}

std::string owner_text(const std::optional<rs::Owner>& owner) {
  if (!owner) return "another process";
  return fmt::format("pid {} on {} since {}", owner->pid, owner->host,
                     to_text(std::chrono::floor<milliseconds>(owner->since)));
}

/// Puts what became of the run into `result`; the insights are taken elsewhere.
void tell_outcome(const rs::Report& report, CallResult& result) {
  const rs::Error* error = report.error();
  if (error != nullptr) result.reason = to_string(error->errc());
  const std::string what = error != nullptr ? error->what() : "";
  switch (report.outcome()) {
    case rs::Outcome::done: break;
    case rs::Outcome::suspended: return timed_out(result);
    case rs::Outcome::busy:
      result.was_resumed = false;
      return end(result, "insights_busy",
                 fmt::format("The job is being worked on by {}. Retry later, or wait for it with "
                             "--wait.",
                             owner_text(result.job ? result.job->run.owner : std::nullopt)),
                 4);
    case rs::Outcome::interrupted: return interrupted(result, report.exit_code());
    case rs::Outcome::refused:
      if (error->errc() != rs::Errc::missing_input) {
        return end(result, "insights_refused", what, report.exit_code());
      }
      result.job.reset();  // there is nothing to go on from
      return end(result, "damaged_job",
                 "What was asked, or the readings, cannot be read any more: " + what +
                     ". Send a new request.",
                 2);
    case rs::Outcome::waiting:
    case rs::Outcome::failed: {
      const std::string said = report.stage("insights").message;
      // Another program has to read what was saved; this one would fail again.
      const bool is_refused = error != nullptr && error->exit_code() == 3;
      return end(result, is_refused ? "insights_refused" : "insights_failed",
                 said.empty() ? what : said, is_refused ? 3 : 1);
    }
  }
}

/// What an error is to the caller, as its exit code says.
const char* name_of(const rs::Error& error) {
  switch (error.exit_code()) {
    case 1: return "insights_failed";
    case 2: return error.errc() == rs::Errc::unknown_run ? "unknown_job" : "bad_request";
    case 4: return "insights_busy";
    default: return "insights_refused";
  }
}

}  // namespace

bool Caller::may_resume(CallResult& result) const {
  const std::string& id = result.job_id;
  const auto job = jobs_.find(id);
  const auto expired = [&](const std::string& when) {
    end(result, "expired_job",
        fmt::format("The job {} has expired: its time to live was over at {}. Send a new request.",
                    id, when),
        2);
  };
  if (job) {
    if (jobs_.is_expired(*job) && !job->run.owner) expired(to_text(job->expires()));
  } else if (const auto when = jobs_.expired_at(id)) {
    expired(*when);
  } else {
    end(result, "unknown_job", fmt::format("There is no job {}; see 'insights list'.", id), 2);
  }
  return result.error.empty();
}

CallResult Caller::call(const Incoming& incoming, const CallOptions& options) {
  const auto begin = Clock::now();
  CallResult result;
  result.budget = options.budget;
  try {
    run(incoming, options, result);
  } catch (const rs::Error& error) {
    result.reason = to_string(error.errc());
    end(result, name_of(error), error.what(), error.exit_code());
  } catch (const std::runtime_error& error) {  // of the request, the readings or the provider
    end(result, "bad_request", error.what(), 2);
  }
  result.duration = since(begin);
  return result;
}

Given Caller::begin(const Request& request, const CallOptions& options, CallResult& result) {
  // A URL that cannot be read is told before there is a job.
  static_cast<void>(model::Model{request.provider, std::make_unique<Clerk>(), {}});
  Given given{request, load_readings(options.data, request.system_id, request.context_window_days)};
  const std::string id = options.job_id.empty() ? jobs_.new_id() : options.job_id;
  if (jobs_.find(id)) {
    throw BadRequest(fmt::format("the job {} exists: continue it with resumeJobId", id));
  }
  if (rs::run_state(store_, id).value_or(rs::RunState::not_begun) != rs::RunState::not_begun) {
    throw BadRequest(
        fmt::format("{} is a run, but not a job of insights: give the job another name", id));
  }
  result.job_id = id;
  talk_ << fmt::format("job {}\n", id) << std::flush;
  return given;
}

void Caller::run(const Incoming& incoming, const CallOptions& options, CallResult& result) {
  std::optional<Given> given;
  if (incoming.fresh) {
    given = begin(*incoming.fresh, options, result);
  } else {
    result.job_id = incoming.resume_job_id;
    if (!may_resume(result)) return;
    result.was_resumed = true;
  }
  std::optional<std::int64_t> began_after;
  const auto began = [&](std::int64_t turns) {
    if (began_after) return;  // a retry within this call
    began_after = turns;
    if (turns == 0) return;
    talk_ << fmt::format("job {} continues after turn {}\n", result.job_id, turns) << std::flush;
  };
  const InsightsPipeline job{std::move(given),
                             {.pace = options.pace, .terms = options.terms},
                             {.began = began, .cache_hit = [&] { ++result.cache_hits; }},
                             jobs_.now()};
  Damages damages;
  std::vector<rs::Observer*> observers{&damages};
  std::optional<rs::EventFile> events;
  if (!options.events.empty()) observers.push_back(&events.emplace(options.events));
  std::optional<rs::ProgressDisplay> display;
  if (options.display) observers.push_back(&display.emplace(*options.display));
  const rs::Report report =
      rs::resume(job.pipeline(), store_,
                 {.run = result.job_id,
                  .verify_payloads = true,  // damage is found before it matters
                  .create = result.was_resumed ? rs::Create::never : rs::Create::if_absent,
                  .stop = options.stop,
                  .budget = options.budget,
                  .reserve = options.reserve,
                  .lock_wait = options.wait,
                  .artifact_folder = program::recorded_folder(store_, result.job_id),
                  .observers = observers});
  result.job = jobs_.find(result.job_id);
  result.cost = report.cost();
  result.warnings = damages.all;
  result.warnings.insert(result.warnings.end(), report.warnings().begin(), report.warnings().end());
  result.restarted = result.was_resumed && began_after == 0 && !damages.all.empty();
  result.saved = report.savings().cost;
  result.cached = report.outcome() == rs::Outcome::done && !began_after;
  if (const Insights* insights = report.find(job.insights())) result.insights = *insights;
  if (const auto* drawn = report.find(job.drawings())) {
    const std::filesystem::path folder = program::folder_of(store_, result.job_id);
    for (const Picture& one : *drawn) {
      result.pictures.push_back(folder / "pictures" / (one.name + ".svg"));
    }
  }
  tell_outcome(report, result);
}

CallResult Caller::call_until_done(Incoming incoming, const CallOptions& options) {
  constexpr milliseconds first{250};
  constexpr milliseconds longest{30'000};
  milliseconds wait = first;
  std::int64_t turns = 0;
  for (int barren = 0;;) {
    CallResult result = call(incoming, options);
    const std::int64_t now = result.job ? result.job->turns : 0;
    barren = now > turns ? 0 : barren + 1;
    if (result.error != "insights_timeout" || barren == enough_barren_calls) return result;
    wait = barren < 2 ? first : std::min(2 * wait, longest);
    turns = now;
    tell_progress(result, wait);
    model::pause(wait, options.stop.token());
    if (options.stop.token().stop_requested()) {  // there is no report to say so
      const int signal = options.stop.signal();
      interrupted(result, signal == 0 ? 75 : 128 + signal);
      return result;
    }
    incoming = {std::nullopt, result.job_id};
  }
}

void Caller::tell_progress(const CallResult& result, milliseconds pause) const {
  const auto seconds = [](std::int64_t ms) { return fmt::format("{:.1f} s", double(ms) / 1000); };
  talk_ << fmt::format("the call ended after {}", seconds(result.duration.count()));
  if (const auto& job = result.job; job && job->request && job->turns > 0) {
    const std::int64_t most = job->request->max_iterations;
    talk_ << fmt::format(": {} of at most {} turns, {} tool calls; at most {} of work left",
                         job->turns, most, job->tool_calls,
                         seconds(job->elapsed_ms * (most - job->turns) / job->turns));
  } else {
    talk_ << " before a turn was saved";
  }
  talk_ << fmt::format("; the next begins in {}\n", seconds(pause.count())) << std::flush;
}

}  // namespace insights
