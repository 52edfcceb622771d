#include <algorithm>
#include <csignal>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/cli.hpp"
#include "resumable/pipeline.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

using Document = nlohmann::ordered_json;

Document cost_json(const Cost& cost) { return {{"usd", cost.usd}, {"tokens", cost.tokens}}; }

Document report_json(const Report& report) {
  Document json{
      {"schema", 1},
      {"run", report.run_id()},
      {"outcome", to_string(report.outcome())},
      {"exit", report.exit_code()},
      {"resumed", report.resumed()},
      {"stages_skipped", report.stages_skipped()},
      {"stages_total", report.stages_total()},
      {"seconds", report.seconds()},
      {"cost", cost_json(report.cost())},
      {"saved",
       {{"seconds", report.savings().seconds}, {"cost", cost_json(report.savings().cost)}}}};
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
    Document entry{{"stage", stage.stage}, {"outcome", to_string(stage.outcome)}};
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

/// Why a call ended early, in a sentence; "" when it did not.
std::string ending(const Report& report) {
  const char* const saved = "everything that was committed is saved";
  if (report.outcome() == Outcome::interrupted) return fmt::format("interrupted; {}", saved);
  if (report.outcome() != Outcome::suspended) return {};
  if (report.suspension()->can_resume) {
    return fmt::format("suspended: the time budget of this call is used; {}", saved);
  }
  return fmt::format(
      "suspended: the time budget of the run is used, over all its calls; {}\n"
      "  next  resume with a longer --run-budget, or without one",
      saved);
}

void print_outcome(Console& console, const Report& report) {
  std::string text;
  for (const std::string& warning : report.warnings())
    text += with_flags("warning: " + warning) + "\n";
  if (report.error() != nullptr) text += with_flags(report.error()->explain()) + "\n";
  for (const StageReport& stage : report.stages()) {
    if (stage.outcome == StageOutcome::failed && report.error() == nullptr) {
      text += fmt::format(
          "error: stage '{}' failed: {}\n"
          "  kept  everything that was committed\n"
          "  next  fix the cause and resume; it continues from here\n",
          stage.stage, stage.message);
    }
    if (stage.outcome == StageOutcome::waiting) {
      text += fmt::format("{} waits: {}\n", stage.stage, stage.message);
    }
  }
  if (const std::string end = ending(report); !end.empty()) text += end + "\n";
  console.err << console.wrap(core::escaped(text));
}

void print_summary(Console& console, const Report& report) {
  const bool nothing = report.outcome() == Outcome::refused || report.outcome() == Outcome::busy;
  if (nothing || !report.resumed()) return;
  std::string line = fmt::format("resumed: {} of {} stages skipped", report.stages_skipped(),
                                 report.stages_total());
  const Savings& saved = report.savings();
  if (saved.seconds >= 0.05 || saved.cost.usd > 0) {
    line += fmt::format(", saving {}{}", core::format_duration(saved.seconds),
                        saved.cost.usd > 0 ? " and " + money(saved.cost) : "");
  }
  console.out << console.wrap(line + "\n");
}

}  // namespace

int resume(Console& console, const Pipeline& pipeline, CheckpointStore& store,
           ResumeOptions options, const OutputOptions& output) {
  Progress progress{console};
  options.observers.push_back(&progress);
  std::optional<EventFile> events;
  if (!output.events.empty()) options.observers.push_back(&events.emplace(output.events));
  std::optional<StopOnSignal> signals;
  if (!options.stop.token().stop_possible()) {
    options.stop = signals.emplace({SIGINT, SIGTERM}).stop();
  }
  const Report report = resumable::resume(pipeline, store, options);
  print_outcome(console, report);
  if (output.json) {
    console.out << report_json(report).dump() << "\n";
  } else {
    print_summary(console, report);
  }
  console.out.flush();
  return report.exit_code();
}

namespace {

/// Only a call that verifies sees what a plan that verified has seen.
std::string advice_on_damage(const Plan& plan, const ResumeOptions& options) {
  const auto is_damage = [](const Cause& cause) {
    return cause.reason == Reason::corrupt || cause.reason == Reason::fell_back;
  };
  bool damaged = std::any_of(plan.notes().begin(), plan.notes().end(), is_damage);
  for (const Decision& decision : plan) {
    damaged = damaged || std::any_of(decision.causes.begin(), decision.causes.end(), is_damage);
  }
  if (!damaged || !options.verify_payloads) return {};
  const bool strict = options.on_damage == OnDamage::refuse;
  return fmt::format(
      "  next  resume with --verify{}: what is damaged is set aside and made again\n",
      strict ? " and without --strict" : "");
}

}  // namespace

int plan(Console& console, const Pipeline& pipeline, CheckpointStore& store,
         const ResumeOptions& options, const OutputOptions& output) {
  const Plan plan = ResumePlanner{store}.plan(pipeline, options);
  if (const auto owner = store.owner(options.run)) {
    console.err << console.wrap(fmt::format("note: run {} is in use by pid {} on {} since {}\n",
                                            options.run, owner->pid, owner->host,
                                            core::format_utc_seconds(owner->since)));
  }
  console.out << (output.json ? plan.json() + "\n"
                              : console.wrap(core::escaped(with_flags(plan.text(output.explain)))));
  console.err << console.wrap(advice_on_damage(plan, options));
  if (plan.refused()) return 3;
  return output.exit_code && !plan.complete() ? 5 : 0;
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
