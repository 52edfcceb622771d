#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/advice.hpp"
#include "core/text.hpp"
#include "plan/state.hpp"
#include "resumable/plan.hpp"

namespace resumable {
inline namespace v0 {
namespace {

std::string quoted_subject(std::string_view kind, const Cause& cause) {
  return cause.subject.empty() ? std::string{} : fmt::format("{} '{}'", kind, cause.subject);
}

std::string change(const Cause& cause) {
  if (cause.before.empty() && cause.after.empty()) return {};
  if (cause.before.empty()) return fmt::format(": {}", cause.after);
  if (cause.after.empty()) return fmt::format(": it was {}", cause.before);
  return fmt::format(": {} -> {}", cause.before, cause.after);
}

// A stage's line has its name already; a note has to say what it is about.
std::string named(const Cause& cause, const char* plain, const char* after_subject) {
  return cause.subject.empty() ? plain : fmt::format("'{}' {}", cause.subject, after_subject);
}

// before: how many are set aside, after: how many are kept.
std::string steps(const Cause& cause) {
  if (cause.before == "0") {
    return cause.after == "1" ? "1 of its steps is kept"
                              : fmt::format("{} of its steps are kept", cause.after);
  }
  return fmt::format("{} of its steps {} kept, {} set aside", cause.after,
                     cause.after == "1" ? "is" : "are", cause.before);
}

// subject: the place in the value, or nothing for the whole file.
std::string edit(const Cause& cause) {
  if (cause.before.empty() && cause.after.empty()) return "you edited it";
  const std::string& subject = cause.subject;
  const std::string place = subject.empty() ? subject : subject + " ";
  if (cause.before.empty()) return fmt::format("your edit: {}added: {}", place, cause.after);
  if (cause.after.empty()) return fmt::format("your edit: {}deleted: {}", place, cause.before);
  return fmt::format("your edit: {}{}{} -> {}", subject, subject.empty() ? "" : ": ", cause.before,
                     cause.after);
}

// before, after: of a fan-out, how many items have a file, and how many there are.
std::string adopted(const Cause& cause) {
  if (cause.after.empty()) return fmt::format("its value is in '{}'", cause.subject);
  return fmt::format("the values of {} of {} items are in '{}'", cause.before, cause.after,
                     cause.subject);
}

std::string collision(const Cause& cause) {
  if (cause.before.empty() && cause.after.empty()) return "your edit and its new value collide";
  const auto side = [](std::string_view who, std::string_view text) {
    if (text.empty()) return fmt::format("{} deleted this", who);
    const std::string_view first = text.substr(0, text.find('\n'));
    return fmt::format("{} {} {}{}", who, who == "you" ? "have" : "has", first,
                       first.size() + 1 < text.size() ? " …" : "");
  };
  return fmt::format("{}{}{}; {}", cause.subject, cause.subject.empty() ? "" : ": ",
                     side("you", cause.before), side("the new value", cause.after));
}

// subject: an input, `code` or `age`; a choice that had nothing to let pass has no values.
std::string let_pass(const Cause& cause) {
  const bool idle = cause.before.empty() && cause.after.empty() && cause.detail.empty();
  if (cause.subject == "code") {
    return idle ? "changes of its code" : fmt::format("code {} -> {}", cause.before, cause.after);
  }
  if (cause.subject == "age") {
    return idle ? "its age" : fmt::format("too old: saved {}", cause.before);
  }
  if (cause.subject.empty()) return cause.detail.empty() ? "an input changed" : "";
  return idle ? fmt::format("changes of input '{}'", cause.subject)
              : fmt::format("input '{}' changed{}", cause.subject, change(cause));
}

std::string limited(const Cause& cause) {
  return fmt::format("stage '{}' allows {} items at a time, and the call {}", cause.subject,
                     cause.before, cause.after);
}

std::string sentence(const Cause& cause) {
  switch (cause.reason) {
    case Reason::done: return "done: inputs, revision and schema as before";
    case Reason::not_taken: return quoted_subject("not taken: it depends on", cause);
    case Reason::migrated:
      return cause.subject.empty()
                 ? fmt::format("schema {} -> {}", cause.before, cause.after)
                 : fmt::format("schema {} -> {} of '{}'", cause.before, cause.after, cause.subject);
    case Reason::fell_back: return fmt::format("damaged; generation {} is used", cause.after);
    case Reason::restored: return fmt::format("'{}' is exported again", cause.subject);
    case Reason::adopted: return adopted(cause);
    case Reason::not_adopted: return fmt::format("'{}' cannot be adopted", cause.subject);
    case Reason::first_run: return "no checkpoint";
    case Reason::partial: return fmt::format("{} of {} items kept", cause.before, cause.after);
    case Reason::failed:
      return fmt::format("failed after {} attempt{}", cause.before, cause.before == "1" ? "" : "s");
    case Reason::code_changed: return fmt::format("code {} -> {}", cause.before, cause.after);
    case Reason::input_changed:
      if (!cause.subject.empty() && cause.before.empty() && !cause.after.empty()) {
        return fmt::format("new input '{}': {}", cause.subject, cause.after);
      }
      return cause.subject.empty() ? "an input changed"
                                   : quoted_subject("input", cause) + " changed" + change(cause);
    case Reason::expired: return fmt::format("too old: saved {}", cause.before);
    case Reason::requested: return "requested";
    case Reason::damaged: return named(cause, "its checkpoint is damaged", "is damaged");
    case Reason::lost: return "its checkpoint is missing";
    case Reason::file_changed: return "a file that it left in place";
    case Reason::dropped: return "its value was dropped after use";
    case Reason::upstream:
      return quoted_subject("waits for", cause) +
             (cause.detail.empty() ? "; kept if that value does not change" : "");
    case Reason::waiting: return "a user has to approve it first";
    case Reason::newer:
      return named(cause, "a newer program wrote it", "was written by a newer program");
    case Reason::foreign: return named(cause, "not ours", "is not ours");
    case Reason::unreadable: return named(cause, "cannot be read", "cannot be read");
    case Reason::shape_changed: return "the type changed without a new schema version";
    case Reason::no_migration: return "no migration reaches the current schema";
    case Reason::codec_changed: return "saved by another codec";
    case Reason::edited: return edit(cause);
    case Reason::accepted: return "accepted: " + let_pass(cause);
    case Reason::pinned:
      return cause.subject.empty() ? "pinned" : fmt::format("item '{}' is pinned", cause.subject);
    case Reason::ignored: return "ignored: " + let_pass(cause);
    case Reason::rejected: return fmt::format("your change of '{}' is discarded", cause.subject);
    case Reason::conflict: return collision(cause);
    case Reason::invalid_edit:
      return fmt::format("your change of '{}' cannot be used", cause.subject);
    case Reason::occupied: return fmt::format("artifact '{}'", cause.subject);
    case Reason::path_conflict: return {};
    case Reason::unwritable: return "the folder of its artifacts cannot be written";
    case Reason::missing_input: return quoted_subject("no value for input", cause);
    case Reason::secret:
      return quoted_subject("not recorded, never a reason to rerun: secret", cause);
    case Reason::closed: return fmt::format("closed by item '{}'", cause.subject);
    case Reason::renamed: return fmt::format("'{}' was '{}'", cause.subject, cause.before);
    case Reason::uncertain:
      return fmt::format("side effect '{}' was begun and has no outcome", cause.subject);
    case Reason::clock_skew: return "saved in the future";
    case Reason::stray: return fmt::format("'{}' belongs to no item", cause.subject);
    case Reason::orphan: return fmt::format("'{}' is no longer in this pipeline", cause.subject);
    case Reason::steps: return steps(cause);
    case Reason::concurrency_limited: return limited(cause);
    case Reason::left_out: return fmt::format("input '{}' is read without this", cause.subject);
    case Reason::program_changed:
      return fmt::format(
          "{} {} changed since these checkpoints were made; stages are kept unless "
          "their revision changes",
          cause.subject, cause.subject.find(", ") == cause.subject.npos ? "has" : "have");
  }
  return {};
}

struct Look {
  const char* symbol;
  const char* word;
};

Look look_of(const Decision& decision) {
  const Reason reason = decision.causes.empty() ? Reason::done : decision.causes.front().reason;
  switch (decision.action) {
    case Action::skip:
      if (reason == Reason::edited) return {"*", "adopt"};
      return reason == Reason::not_taken ? Look{"-", "not taken"} : Look{"=", "keep"};
    case Action::decide: return {"?", "decide"};
    case Action::wait: return {"!", "wait"};
    case Action::refuse: return {"x", "refuse"};
    case Action::run: break;
  }
  switch (reason) {
    case Reason::adopted: return {"*", "adopt"};
    case Reason::partial: return {">", "continue"};
    case Reason::not_adopted:
    case Reason::first_run:
    case Reason::failed: return decision.kept.loops() ? Look{">", "continue"} : Look{"+", "run"};
    default: return {"~", "rerun"};
  }
}

void append_causes(std::string& text, const std::vector<Cause>& causes, std::size_t from,
                   std::string_view indent, AdviceWriter write) {
  for (std::size_t i = from; i < causes.size(); ++i) {
    text += fmt::format("{}{}\n", indent, causes[i].text(write));
    if (!causes[i].file.empty()) text += fmt::format("{}  file  {}\n", indent, causes[i].file);
  }
}

// Why several items have one reason, without the facts in which they may differ.
std::string shared_reason(const Cause& one, AdviceWriter write) {
  switch (one.reason) {
    case Reason::failed: return "failed";
    case Reason::code_changed: return "their code changed";
    case Reason::input_changed: return "their inputs changed";
    case Reason::expired: return "too old";
    case Reason::requested: return "requested";
    case Reason::damaged: return "their checkpoints are damaged";
    case Reason::lost: return "their checkpoints are missing";
    case Reason::file_changed: return "files that they left in place have changed";
    default: return one.text(write);
  }
}

std::string_view verb_of(Action action, bool several) {
  switch (action) {
    case Action::decide: return several ? "are decided later" : "is decided later";
    case Action::wait: return several ? "wait" : "waits";
    case Action::refuse: return several ? "are refused" : "is refused";
    default: return several ? "run" : "runs";
  }
}

// The items that do not stay as they are; those with one action and reason share a line.
void append_items(std::string& text, const Plan& plan, const std::string& stage,
                  AdviceWriter write) {
  struct Group {
    Action action;
    Reason reason;
    std::vector<std::string> keys{};  ///< the first three
    std::size_t count = 0;
  };
  std::vector<Group> groups;
  plan.items(stage, [&](std::string_view key, Action action, Reason reason) {
    if (action == Action::skip) return true;
    const auto same = [&](const Group& group) {
      return group.action == action && group.reason == reason;
    };
    auto group = std::ranges::find_if(groups, same);
    if (group == groups.end()) group = groups.insert(group, {.action = action, .reason = reason});
    if (++group->count <= 3) group->keys.emplace_back(key);
    return true;
  });
  for (const Group& group : groups) {
    if (group.reason == Reason::adopted) continue;  // the stage's line has said it
    const Cause first = plan.item(stage, group.keys.front())->causes.front();
    if (group.count > group.keys.size()) {
      text += fmt::format("{:14}{} items {}: {}\n", "", group.count, verb_of(group.action, true),
                          shared_reason(first, write));
      continue;
    }
    for (const std::string& key : group.keys) {
      text += fmt::format("{:14}item {} {}: {}\n", "", core::printable(key),
                          verb_of(group.action, false),
                          plan.item(stage, key)->causes.front().text(write));
    }
  }
}

// `item 'team': `, unless the reason says it; of several items, how many.
std::string edited_items(const Plan& plan, const std::string& stage, std::string_view why) {
  std::size_t count = 0;
  std::string first;
  plan.items(stage, [&](std::string_view key, Action, Reason reason) {
    if (reason == Reason::edited && ++count == 1) first = core::printable(key);
    return true;
  });
  const std::string name = fmt::format("item '{}'", first);
  if (count == 0 || why.find(name) != why.npos) return {};
  return count == 1 ? name + ": " : fmt::format("{} items, first {}: ", count, name);
}

std::string pace_of(unsigned concurrency) {
  if (concurrency == 0) return "one per core at a time";
  return concurrency == 1 ? "one at a time" : fmt::format("{} at a time", concurrency);
}

}  // namespace

std::string_view to_string(Action action) noexcept {
  static constexpr std::string_view names[] = {"skip", "run", "decide", "wait", "refuse"};
  return core::name_in<Action::refuse>(names, action);
}

std::string_view to_string(Reason reason) noexcept {
  static constexpr std::string_view names[] = {
      "done",          "not_taken",     "migrated",   "fell_back",       "restored",
      "edited",        "rejected",      "accepted",   "pinned",          "ignored",
      "adopted",       "first_run",     "partial",    "failed",          "code_changed",
      "input_changed", "expired",       "requested",  "damaged",         "lost",
      "file_changed",  "dropped",       "upstream",   "waiting",         "conflict",
      "newer",         "foreign",       "unreadable", "shape_changed",   "no_migration",
      "codec_changed", "invalid_edit",  "occupied",   "path_conflict",   "unwritable",
      "not_adopted",   "missing_input", "secret",     "clock_skew",      "stray",
      "orphan",        "steps",         "uncertain",  "program_changed", "concurrency_limited",
      "left_out",      "closed",        "renamed"};
  return core::name_in<Reason::renamed>(names, reason);
}

std::string Cause::text(AdviceWriter write) const {
  std::string line = sentence(*this);
  if (!detail.empty()) line += (line.empty() ? "" : ": ") + detail;
  return core::with_advice(line, advice, write);
}

std::string Plan::summary() const {
  constexpr std::array words{"keep",   "adopt", "continue", "rerun",    "run",
                             "decide", "wait",  "refuse",   "not taken"};
  std::array<std::size_t, words.size()> counts{};
  for (const Decision& decision : stages()) {
    const std::string_view word = look_of(decision).word;
    for (std::size_t i = 0; i < words.size(); ++i) counts[i] += word == words[i] ? 1U : 0U;
  }
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], words[i]);
  }
  return text.empty() ? std::string{"nothing to do"} : text;
}

std::string Plan::text(bool explain, AdviceWriter write) const {
  std::size_t width = 12;
  for (const Decision& decision : stages()) width = std::max(width, decision.stage.size());
  std::string text;
  for (const Decision& decision : stages()) {
    const Look look = look_of(decision);
    std::string line =
        fmt::format("{} {:<9} {:<{}}  ", look.symbol, look.word, decision.stage, width);
    const Reason first = decision.causes.empty() ? Reason::done : decision.causes.front().reason;
    const bool all_edited = first == Reason::edited && decision.action == Action::skip;
    const bool counted = first == Reason::partial || first == Reason::adopted || all_edited;
    if (decision.fan_out && decision.listed && !counted) {
      line += fmt::format("{} of {} items kept; ", decision.skipped, decision.items);
    }
    const std::string why = decision.causes.empty() ? "" : decision.causes.front().text(write);
    if (decision.fan_out && all_edited) line += edited_items(*this, decision.stage, why);
    const bool goes_on = look.word == std::string_view{"continue"} && decision.kept.loops();
    line += goes_on && first == Reason::first_run ? decision.kept.text() : why;
    if (goes_on && first != Reason::first_run) line += "; " + decision.kept.text();
    text += line + "\n";
    const bool refused = decision.action == Action::refuse;
    if (!decision.causes.empty() && (refused || explain) && !decision.causes.front().file.empty()) {
      text += fmt::format("{:14}file  {}\n", "", decision.causes.front().file);
    }
    if (explain) append_causes(text, decision.causes, 1, std::string(14, ' '), write);
    if (explain) append_items(text, *this, decision.stage, write);
  }
  for (std::size_t i = 0; i < notes().size(); ++i) {
    const bool refused = i < data_->refusals;
    text += fmt::format("{} {:<9} {}\n", refused ? 'x' : '-', refused ? "refuse" : "note",
                        notes()[i].text(write));
    if (!notes()[i].file.empty()) text += fmt::format("{:14}file  {}\n", "", notes()[i].file);
  }
  text += "\nPlan: " + summary();
  const auto may_run = [](const Decision& decision) {
    return decision.action == Action::run || decision.action == Action::decide;
  };
  if (std::ranges::any_of(stages(), may_run)) text += "; " + pace_of(data_->concurrency);
  return text + ".\n";
}

}  // namespace v0
}  // namespace resumable
