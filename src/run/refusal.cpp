#include "run/refusal.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/advice.hpp"
#include "core/remedy.hpp"

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
    case Reason::path_conflict: return Errc::path_conflict;
    case Reason::missing_input: return Errc::missing_input;
    case Reason::damaged:
    case Reason::lost:
    case Reason::file_changed: return Errc::damaged;
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
  return std::ranges::any_of(decision.causes, [](const Cause& cause) {
    return cause.reason == Reason::first_run || cause.reason == Reason::lost;
  });
}

struct Way {
  std::string next;
  std::vector<Advice> advice{};
};

/// That failed with `system`; "" if nothing has.
std::string operation(const Cause& cause, std::error_code system) {
  if (!system) return {};
  return cause.reason == Reason::unwritable ? "write" : "read";
}

/// Of a record of the library's own, which belongs to no stage.
Way way_out(const Cause& cause) {
  switch (cause.reason) {
    case Reason::newer: return {"use a newer program"};
    case Reason::foreign: return {"move the file away: it belongs to something else"};
    case Reason::missing_input: return {"give the input a value"};
    case Reason::path_conflict:
      return {
          "put {position} into the artifact's pattern, or give one of the two a different path"};
    case Reason::file_changed:
      return {"bring the file back, or resume: it is made again",
              {{.option = Option::on_damage, .leave_out = true}}};
    case Reason::damaged:
      return {"resume: it is set aside and made again",
              {{.option = Option::on_damage, .leave_out = true}}};
    case Reason::lost:
      return {"bring its file back, or resume: the value is made again",
              {{.option = Option::on_damage, .leave_out = true}}};
    default: return {"fix the cause and resume"};
  }
}

/// What the operating system has said comes first.
Way way_out(std::error_code system, Way otherwise) {
  const std::string remedy = core::remedy(system, "");
  return remedy.empty() ? std::move(otherwise) : Way{remedy + " and resume"};
}

Way or_redo(const char* other, const std::string& stage) {
  return {fmt::format("{}, or make the value again", other),
          {{.option = Option::redo, .selector = stage}}};
}

/// If the layout of a record is newer, not even its schema is known: a redo does not replace it.
Way way_out(const Plan& plan, const Decision& decision) {
  const Cause& cause = decision.causes.front();
  const std::string& stage = decision.stage;
  switch (cause.reason) {
    case Reason::newer:
      return cause.after.empty() ? way_out(cause) : or_redo("use a newer program", stage);
    case Reason::shape_changed:
    case Reason::no_migration: return or_redo("add a migration to the type's Schema", stage);
    case Reason::codec_changed: return or_redo("use the former codec", stage);
    case Reason::invalid_edit:
      return {
          "correct the file and resume; or discard the edit: the previous content comes back, "
          "and a copy of the file is kept",
          {{.option = Option::reject, .selector = selector(plan, decision)}}};
    case Reason::occupied:
      if (!has_no_checkpoint(decision)) {
        return {"move the file away and resume: the checkpoint's version comes back"};
      }
      return {
          "move the file away and resume: the stage runs and writes it; or adopt it: its value "
          "is read from the file",
          {{.option = Option::adopt}}};
    default: return way_out(cause);
  }
}

}  // namespace

Error refusal(const Plan& plan, FunctionRef<std::error_code(const std::string& file)> cause_of) {
  for (const Decision& decision : plan) {
    if (decision.action != Action::refuse) continue;
    const Cause& cause = decision.causes.front();
    const std::error_code system = cause_of(cause.file);
    Way way = way_out(system, way_out(plan, decision));
    return Error(
        code_of_reason(cause.reason),
        {.what = fmt::format("stage '{}': {}", decision.stage, cause.text(core::no_advice)),
         .run = plan.run_id(),
         .stage = decision.stage,
         .operation = operation(cause, system),
         .file = cause.file,
         .kept = "untouched; nothing ran and nothing was changed",
         .next = std::move(way.next),
         .advice = std::move(way.advice),
         .cause = system});
  }
  const Cause& cause = plan.notes().front();  // those that refuse come first
  const std::error_code system = cause_of(cause.file);
  Way way = way_out(system, way_out(cause));
  return Error(code_of_reason(cause.reason), {.what = cause.text(core::no_advice),
                                              .run = plan.run_id(),
                                              .operation = operation(cause, system),
                                              .file = cause.file,
                                              .kept = "untouched; nothing was changed",
                                              .next = std::move(way.next),
                                              .advice = std::move(way.advice),
                                              .cause = system});
}

}  // namespace resumable::run
