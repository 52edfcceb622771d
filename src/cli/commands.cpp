#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "core/time.hpp"
#include "resumable/cli.hpp"
#include "resumable/pipeline.hpp"

namespace resumable::inline v0::cli {
namespace {

using Document = nlohmann::ordered_json;

Document cost_json(const Cost& cost) { return {{"usd", cost.usd}, {"tokens", cost.tokens}}; }

Document report_json(const Report& report) {
  Document json{
      {"schema", 1},
      {"run", report.run()},
      {"outcome", to_string(report.outcome())},
      {"exit", report.exit_code()},
      {"resumed", report.resumed()},
      {"stages_skipped", report.stages_skipped()},
      {"stages_total", report.stages_total()},
      {"seconds", report.seconds()},
      {"cost", cost_json(report.cost())},
      {"saved", {{"seconds", report.saved().seconds}, {"cost", cost_json(report.saved().cost)}}}};
  if (report.error() != nullptr) {
    const ErrorInfo& info = report.error()->info();
    json["error"] = {{"code", report.error()->code().value()},
                     {"what", info.what},
                     {"file", info.file},
                     {"kept", info.kept},
                     {"next", info.next}};
  }
  Document& stages = json["stages"] = Document::array();
  for (const StageReport& stage : report.stages()) {
    Document entry{{"stage", stage.stage}, {"happened", to_string(stage.happened)}};
    for (const Cause& cause : stage.causes) entry["reasons"].push_back(to_string(cause.reason));
    if (stage.items > 0) {
      entry["items"] = {
          {"total", stage.items}, {"run", stage.items_run}, {"kept", stage.items_skipped}};
    }
    if (stage.attempts > 0) entry["attempts"] = stage.attempts;
    entry["seconds"] = stage.seconds;
    entry["cost"] = cost_json(stage.cost);
    if (!stage.message.empty()) entry["message"] = stage.message;
    stages.push_back(std::move(entry));
  }
  return json;
}

void tell_outcome(Console& console, const Report& report) {
  for (const std::string& warning : report.warnings())
    console.err << "warning: " << warning << "\n";
  if (report.error() != nullptr) console.err << report.error()->report() << "\n";
  for (const StageReport& stage : report.stages()) {
    if (stage.happened == Happened::failed && report.error() == nullptr) {
      console.err << "error: stage '" << stage.stage << "' failed: " << stage.message << "\n"
                  << "  kept  everything that was committed\n"
                  << "  next  mend the cause and resume: it goes on there\n";
    }
    if (stage.happened == Happened::waiting)
      console.err << stage.stage << " waits: " << stage.message << "\n";
  }
  if (report.outcome() == Outcome::suspended) {
    const bool goes_on = report.suspension()->can_resume;
    console.err << "suspended: the budget of this " << (goes_on ? "call" : "run")
                << " is used; everything that was committed is saved\n";
  }
  if (report.outcome() == Outcome::interrupted) {
    console.err << "interrupted; everything that was committed is saved\n";
  }
}

void tell_summary(Console& console, const Report& report) {
  const bool nothing = report.outcome() == Outcome::refused || report.outcome() == Outcome::busy;
  if (nothing || !report.resumed()) return;
  console.out << fmt::format("resumed: {} of {} stages skipped", report.stages_skipped(),
                             report.stages_total());
  const Saved& saved = report.saved();
  if (saved.seconds >= 0.05 || saved.cost.usd > 0) {
    console.out << fmt::format(", saving {}{}", core::format_duration(saved.seconds),
                               saved.cost.usd > 0 ? " and " + money(saved.cost) : "");
  }
  console.out << "\n";
}

}  // namespace

int resume(Console& console, const Pipeline& pipeline, CheckpointStore& store,
           ResumeOptions options, const RunFlags& flags) {
  options.redo.insert(options.redo.end(), flags.redo.begin(), flags.redo.end());
  options.from.insert(options.from.end(), flags.from.begin(), flags.from.end());
  options.fresh = options.fresh || flags.fresh;
  options.strict = options.strict || flags.strict;
  options.keep_going = options.keep_going || flags.keep_going;
  options.concurrency = flags.concurrency;
  const auto time = [](double seconds) {
    return std::chrono::milliseconds{static_cast<std::int64_t>(seconds * 1000)};
  };
  options.wait = time(flags.wait_seconds);
  if (flags.budget_seconds > 0) options.budget = time(flags.budget_seconds);
  if (flags.run_budget_seconds > 0) options.run_budget = time(flags.run_budget_seconds);
  if (flags.reserve_seconds > 0) options.reserve = time(flags.reserve_seconds);
  Progress progress{console};
  options.observers.push_back(&progress);
  std::optional<EventFile> events;
  if (!flags.events.empty()) options.observers.push_back(&events.emplace(flags.events));
  std::optional<StopOnSignal> signals;
  if (!options.stop.token().stop_possible())
    options.stop = signals.emplace({SIGINT, SIGTERM}).stop();
  const Report report = resumable::resume(pipeline, store, options);
  tell_outcome(console, report);
  if (flags.json) {
    console.out << report_json(report).dump() << "\n";
  } else {
    tell_summary(console, report);
  }
  console.out.flush();
  return report.exit_code();
}

int plan(Console& console, const Pipeline& pipeline, CheckpointStore& store, ResumeOptions options,
         const LookFlags& flags) {
  options.redo = flags.redo;
  options.from = flags.from;
  options.fresh = flags.fresh;
  options.deep = flags.deep;
  const Plan plan = ResumePlanner{store}.plan(pipeline, options);
  if (const auto owner = store.owner(options.run)) {
    console.err << fmt::format("note: run {} is in use by pid {} on {} since {}\n", options.run,
                               owner->pid, owner->host, owner->since);
  }
  console.out << (flags.json ? plan.json() + "\n" : plan.text(flags.explain));
  if (plan.refused()) return 3;
  return flags.exit_code && !plan.complete() ? 5 : 0;
}

}  // namespace resumable::inline v0::cli
