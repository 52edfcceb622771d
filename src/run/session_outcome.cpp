// How a call ended: errors, suspension, and what needed no work at all.
#include <limits>

#include <fmt/format.h>

#include "core/fault.hpp"
#include "resumable/error.hpp"
#include "run/session.hpp"

namespace resumable::run {

void Session::fail(const Error& error) {
  ErrorInfo info = error.info();
  if (info.run.empty()) info.run = options_.run;
  report_->error.emplace(error.errc(), std::move(info));
  const Errc code = error.errc();
  const core::Fault fault = core::fault_of(code);
  const bool failed = fault == core::Fault::store || code == Errc::too_large;
  report_->outcome = fault == core::Fault::owner ? Outcome::busy
                     : failed                    ? Outcome::failed
                                                 : Outcome::refused;
  if (code == Errc::cancelled) {  // the store had not answered when the call was asked to stop
    const bool stopped = options_.stop.token().stop_requested();
    report_->outcome = stopped ? Outcome::interrupted : Outcome::suspended;
    report_->signal = options_.stop.signal();
    if (!stopped) {
      report_->suspension = {true, world_->clock().boot() - begun_, options_.budget, std::nullopt};
    }
  }
  if (!report_->stages.empty()) return;
  for (const Decision& decision : report_->plan) {
    report_->stages.push_back({.stage = decision.stage, .causes = decision.causes});
  }
}

void Session::tell_beginning(record::Events& events, const detail::PlanData& planned) {
  if (has_told_) {
    events.emit({.kind = EventKind::plan_revised,
                 .counts = count_stages(graph(), planned.nodes),
                 .message = "it was unknown whether a commit had happened; replanned"});
  } else {
    events.emit({.kind = EventKind::run_started, .message = report_->resumed ? "resumed" : "new"});
  }
  has_told_ = true;
  events.emit({.kind = EventKind::planned,
               .counts = count_stages(graph(), planned.nodes),
               .stages = outlook(planned),
               .message = report_->plan.summary()});
  for (const std::string& warning : report_->warnings) {
    events.emit({.kind = EventKind::warning, .message = warning});
  }
}

/// A finished run needs no lease to be reported: it may be on read-only media.
void Session::report_kept(const detail::PlanData& planned) {
  report_->plan = Plan{std::make_shared<const detail::PlanData>(planned)};
  report_->facts = facts_;
  report_->fence = std::numeric_limits<std::uint64_t>::max();  // all records are of earlier calls
  report_->resumed = true;
  Reports reports{graph(), planned.nodes};
  record::Events events{world_->clock(), options_.run, graph().pipeline, options_.observers};
  warn_of_notes();
  tell_beginning(events, planned);
  for (std::uint32_t node = 0; node < planned.nodes.size(); ++node) {
    const plan::NodeState& state = planned.nodes[node];
    StageReport& report = reports.of(node);
    report.outcome = state.taken ? StageOutcome::skipped : StageOutcome::not_taken;
    report.items = state.items.size();
    report.items_skipped = state.decision.skipped;
    if (!is_stage(graph().nodes[node])) continue;
    events.emit({.kind = EventKind::skipped,
                 .stage = report.stage,
                 .reasons = plan::reasons_of(report.causes)});
  }
  report_->stages = reports.stages();
  report_->fan_outs = reports.fan_outs(planned.nodes);
  events.emit({.kind = EventKind::run_finished, .code = "done"});
  report_->warnings = events.warnings();
  report_->overhead = timed_->overhead();
}

void Session::tell_suspended(record::Events& events, record::Recorder& recorder) {
  const bool whole_run = limits_.run_is_over();
  const auto limit = whole_run ? options_.run_budget : options_.budget;
  report_->suspension = {!whole_run, world_->clock().boot() - begun_, limit, recorder.saved_at()};
  events.emit({.kind = EventKind::suspended,
               .message = whole_run
                              ? "the budget of this run is used up; it continues with a larger one"
                              : "the budget of this call is used up; the next one continues"});
}

/// The first error of a run; other failures are mentioned in it, and in the stages' reports.
void Session::adopt(const Executor::Failure& first) {
  std::string others;
  for (const StageReport& stage : report_->stages) {
    if (stage.outcome != StageOutcome::failed || stage.stage == first.stage) continue;
    others += fmt::format("; stage '{}' also failed: {}", stage.stage, stage.message);
  }
  try {
    std::rethrow_exception(first.error);
  } catch (const Error& ours) {
    ErrorInfo info = ours.info();
    if (info.run.empty()) info.run = options_.run;
    if (info.stage.empty()) info.stage = first.stage;
    info.what = graph().message(std::move(info.what)) + others;
    report_->error.emplace(ours.errc(), std::move(info));
  } catch (...) {
    const std::string item = first.item.empty() ? "" : fmt::format(", item '{}'", first.item);
    report_->error.emplace(
        Errc::stage_failed,
        ErrorInfo{.what = fmt::format("stage '{}'{} failed: {}{}", first.stage, item,
                                      graph().message(stage::words_of(first.error)), others),
                  .run = options_.run,
                  .stage = first.stage,
                  .item = first.item,
                  .kept = "all values that were committed",
                  .next = "fix the cause and resume; it continues from here"});
  }
}

}  // namespace resumable::run
