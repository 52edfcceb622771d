#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "core/advice.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/cli.hpp"
#include "resumable/error.hpp"
#include "resumable/job.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/progress_display.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {

ProgressDisplayOptions display_options(const Console& console, const Stop& stop) {
  // Only std::cerr is a terminal whose last rows can be drawn on.
  const bool terminal = console.interactive && &console.err == &std::cerr;
  return {.style = terminal              ? ProgressStyle::automatic
                   : console.interactive ? ProgressStyle::lines
                                         : ProgressStyle::log,
          .stream = &console.err,
          .color = console.color,
          .ascii = console.ascii,
          .columns = terminal ? 0 : console.columns,
          .stop = stop};
}

namespace {

/// A job that has less time left than the reserve stops at once, to be queued again.
void end_with_job(ResumeOptions& options) {
  constexpr std::chrono::seconds reserve{10};  // spot nodes give 15 s
  const auto left = job_time_left();
  if (!left) {
    throw Error(Errc::bad_option,
                {.what = "--budget job: nothing says when this batch job ends",
                 .kept = "nothing was changed",
                 .next = "set RESUMABLE_JOB_END in the job's script to its end, a UNIX time in "
                         "seconds, or give a time"});
  }
  if (options.reserve.count() == 0) options.reserve = reserve;
  options.budget = std::max(*left, options.reserve + std::chrono::milliseconds{1});
}

/// Whether the same call again would go on.
bool was_stopped(const Report& report) {
  const bool spent = report.suspension() && !report.suspension()->can_resume;
  return report.outcome() == Outcome::interrupted ||
         (report.outcome() == Outcome::suspended && !spent);
}

}  // namespace

int resume(Console& console, const Pipeline& pipeline, CheckpointStore& store,
           ResumeOptions options, const OutputOptions& output) {
  if (output.budget_of_job) end_with_job(options);
  std::optional<EventFile> events;
  if (!output.events.empty()) options.observers.push_back(&events.emplace(output.events));
  std::optional<StopOnSignal> signals;
  if (!options.stop.token().stop_possible()) {
    options.stop = signals.emplace({SIGHUP, SIGINT, SIGTERM}).stop();
  }
  ProgressDisplay display{display_options(console, signals ? options.stop : Stop{})};
  options.observers.push_back(&display);
  const Report report = resumable::resume(pipeline, store, options);
  console.err << console.wrap(core::escaped(report.text(flags_of(console))));
  if (output.json) {
    console.out << report.json() << "\n";
  } else if (const std::string summary = report.summary(); !summary.empty()) {
    console.out << console.wrap(summary + "\n");
  }
  console.out.flush();
  return was_stopped(report) ? output.exit_when_stopped.value_or(report.exit_code())
                             : report.exit_code();
}

namespace {

/// Only a call that also verifies finds what a verifying plan has found.
std::string advice_on_damage(const Console& console, const Plan& plan,
                             const ResumeOptions& options) {
  const auto is_damage = [](const Cause& cause) {
    return cause.reason == Reason::damaged || cause.reason == Reason::fell_back;
  };
  bool damaged = std::any_of(plan.notes().begin(), plan.notes().end(), is_damage);
  for (const Decision& decision : plan) {
    damaged = damaged || std::any_of(decision.causes.begin(), decision.causes.end(), is_damage);
  }
  if (!damaged || !options.verify_payloads) return {};
  std::vector<Advice> advice{{.option = Option::verify_payloads}};
  if (options.on_damage == OnDamage::refuse) {
    advice.push_back({.option = Option::on_damage, .leave_out = true});
  }
  return fmt::format("  next  {}\n",
                     core::with_advice("resume: what is damaged is set aside and made again",
                                       advice, flags_of(console)));
}

}  // namespace

int plan(Console& console, const Pipeline& pipeline, const CheckpointStore& store,
         const ResumeOptions& options, const OutputOptions& output) {
  const Plan plan = ResumePlanner{store}.plan(pipeline, options);
  if (const auto owner = store.owner(options.run)) {
    console.err << console.wrap(fmt::format("note: run {} is in use by pid {} on {} since {}\n",
                                            options.run, owner->pid, owner->host,
                                            core::format_utc_seconds(owner->since)));
  }
  console.out << (output.json
                      ? plan.json() + "\n"
                      : console.wrap(core::escaped(plan.text(output.explain, flags_of(console)))));
  console.err << console.wrap(advice_on_damage(console, plan, options));
  if (plan.refused()) return 3;
  return output.exit_code && !plan.complete() ? 5 : 0;
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
