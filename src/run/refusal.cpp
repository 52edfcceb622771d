#include "run/refusal.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"

namespace resumable::run {
namespace {

Errc code_of_reason(Reason reason) {
  switch (reason) {
    case Reason::newer: return Errc::newer;
    case Reason::foreign: return Errc::foreign;
    case Reason::shape_changed: return Errc::shape_changed;
    case Reason::no_migration: return Errc::no_migration;
    case Reason::codec_changed: return Errc::codec_changed;
    case Reason::invalid_edit:
    case Reason::occupied: return Errc::edited;
    case Reason::missing_input: return Errc::missing_input;
    case Reason::damaged: return Errc::damaged;
    default: return Errc::unreadable;
  }
}

/// The refused stage or item: nothing else should be discarded with it.
std::string selector(const Plan& plan, const Decision& decision) {
  std::string found = decision.stage;
  plan.items(decision.stage, [&](std::string_view key, Action action, Reason reason) {
    if (action != Action::refuse || reason != decision.causes.front().reason) return true;
    found = fmt::format("{}/{}", decision.stage, key);
    return false;
  });
  return found;
}

bool has_no_checkpoint(const Decision& decision) {
  return std::ranges::count(decision.causes, Reason::first_run, &Cause::reason) != 0;
}

/// Of a record of the library's own, which belongs to no stage.
std::string advice(const Cause& cause) {
  switch (cause.reason) {
    case Reason::newer: return "use a newer program";
    case Reason::foreign: return "move the file away: it belongs to something else";
    case Reason::missing_input: return "give the input a value";
    case Reason::damaged: return "resume without OnDamage::refuse: it is set aside and made again";
    default: return "fix the cause, for instance its permissions, and resume";
  }
}

/// If the layout of a record is newer, not even its schema is known: a redo does not replace it.
std::string advice(const Plan& plan, const Decision& decision) {
  const Cause& cause = decision.causes.front();
  const std::string& stage = decision.stage;
  switch (cause.reason) {
    case Reason::newer:
      if (cause.after.empty()) return advice(cause);
      return "use a newer program, or redo '" + stage + "' to make it again";
    case Reason::shape_changed:
    case Reason::no_migration:
      return "add a migration to the type's Schema, or redo '" + stage + "' to make it again";
    case Reason::codec_changed:
      return "use the former codec, or redo '" + stage + "' to make it again";
    case Reason::invalid_edit:
      return fmt::format(
          "correct the file and resume, or use {}: its previous content comes back, and a copy of "
          "it is kept",
          core::set_option("reject", selector(plan, decision)));
    case Reason::occupied:
      return has_no_checkpoint(decision)
                 ? "move the file away and resume: the stage runs and writes it; or resume with "
                   "ResumeOptions::adopt: its value is read from the file"
                 : "move the file away and resume: the checkpoint's version comes back";
    default: return advice(cause);
  }
}

}  // namespace

Error refusal(const Plan& plan, FunctionRef<std::error_code(const std::string& file)> cause_of) {
  for (const Decision& decision : plan) {
    if (decision.action != Action::refuse) continue;
    const Cause& cause = decision.causes.front();
    const std::error_code system = cause_of(cause.file);
    return Error(code_of_reason(cause.reason),
                 {.what = fmt::format("stage '{}': {}", decision.stage, cause.text()),
                  .run = plan.run_id(),
                  .stage = decision.stage,
                  .operation = system ? "read" : "",
                  .file = cause.file,
                  .kept = "untouched; nothing ran and nothing was changed",
                  .next = advice(plan, decision),
                  .cause = system});
  }
  const Cause& cause = plan.notes().front();  // those that refuse come first
  const std::error_code system = cause_of(cause.file);
  return Error(code_of_reason(cause.reason), {.what = cause.text(),
                                              .run = plan.run_id(),
                                              .operation = system ? "read" : "",
                                              .file = cause.file,
                                              .kept = "untouched; nothing was changed",
                                              .next = advice(cause),
                                              .cause = system});
}

}  // namespace resumable::run
