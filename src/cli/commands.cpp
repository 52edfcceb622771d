#include <algorithm>
#include <csignal>
#include <iostream>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/cli.hpp"
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

/// Passes events on with the options that a message names as flags.
class WithFlags : public Observer {
 public:
  explicit WithFlags(Observer& next) : next_(next) {}
  void on_event(const Event& event) override {
    if (event.message.empty()) return next_.on_event(event);
    Event typed = event;
    typed.message = with_flags(event.message);
    next_.on_event(typed);
  }

 private:
  Observer& next_;
};

}  // namespace

int resume(Console& console, const Pipeline& pipeline, CheckpointStore& store,
           ResumeOptions options, const OutputOptions& output) {
  std::optional<EventFile> events;
  if (!output.events.empty()) options.observers.push_back(&events.emplace(output.events));
  std::optional<StopOnSignal> signals;
  if (!options.stop.token().stop_possible()) {
    options.stop = signals.emplace({SIGHUP, SIGINT, SIGTERM}).stop();
  }
  ProgressDisplay display{display_options(console, signals ? options.stop : Stop{})};
  WithFlags shown{display};
  options.observers.push_back(&shown);
  const Report report = resumable::resume(pipeline, store, options);
  console.err << console.wrap(core::escaped(with_flags(report.text())));
  if (output.json) {
    console.out << report.json() << "\n";
  } else if (const std::string summary = report.summary(); !summary.empty()) {
    console.out << console.wrap(summary + "\n");
  }
  console.out.flush();
  return report.exit_code();
}

namespace {

/// Only a call that also verifies finds what a verifying plan has found.
std::string advice_on_damage(const Plan& plan, const ResumeOptions& options) {
  const auto is_damage = [](const Cause& cause) {
    return cause.reason == Reason::damaged || cause.reason == Reason::fell_back;
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

int plan(Console& console, const Pipeline& pipeline, const CheckpointStore& store,
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
