#include "plan/judge_changes.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/time.hpp"

namespace resumable::plan {

Judge::Changes::Changes(const Choices& choices, const Subject& subject, const core::Head& head,
                        Verdict& verdict)
    : choices_(choices),
      subject_(subject),
      verdict_(verdict),
      pinned_(choices.pins(subject.node, subject.item)),
      accepts_now_(choices.accepts_now(subject.node, subject.item)),
      accepted_(choices.accepted(subject.node, subject.item, head)) {}

void Judge::Changes::weigh(Action action, Cause cause) {
  if (pinned_ && action == Action::decide) {
    awaited_.push_back(fmt::format("'{}'", cause.subject));
  } else if (pinned_) {
    held_.push_back(cause.text());
  } else if (action == Action::decide) {
    verdict_.decide(std::move(cause));
  } else {
    verdict_.run(std::move(cause));
  }
}

void Judge::Changes::change(std::string_view trigger, bool accepted, Cause cause) {
  const bool ignored = choices_.ignores(subject_.node, trigger);
  if (!ignored && !accepted) return weigh(Action::run, std::move(cause));
  cause.reason = ignored ? Reason::ignored : Reason::accepted;
  if (cause.subject.empty()) cause.subject = trigger;  // else an input
  verdict_.note(std::move(cause));
}

void Judge::Changes::requested() { weigh(Action::run, {.reason = Reason::requested}); }

void Judge::Changes::code(std::uint32_t before, std::uint32_t now) {
  change("code", accepts_now_ || (accepted_ != nullptr && accepted_->code == now),
         {.reason = Reason::code_changed,
          .before = std::to_string(before),
          .after = std::to_string(now)});
}

void Judge::Changes::input(const KnownInput& input, Cause cause) {
  const auto same = [&](const core::InputIdentity& one) {
    return one.name == input.name && one.identity == *input.identity;
  };
  const bool accepted =
      accepts_now_ || (accepted_ != nullptr && std::ranges::any_of(accepted_->inputs, same));
  change(input.name, accepted, std::move(cause));
}

void Judge::Changes::inputs(Cause cause) {
  const bool accepted =
      subject_.fingerprint &&
      (accepts_now_ || (accepted_ != nullptr && accepted_->fingerprint == *subject_.fingerprint));
  change("", accepted, std::move(cause));
}

void Judge::Changes::unknown(const KnownInput& input) {
  if (choices_.ignores(subject_.node, input.name)) return;
  weigh(Action::decide, {.reason = Reason::upstream, .subject = input.shown});
}

void Judge::Changes::expired(const std::string& saved,
                             std::chrono::system_clock::time_point oldest) {
  const auto at = accepted_ != nullptr ? core::parse_utc(accepted_->at) : std::nullopt;
  change("age", accepts_now_ || (at && *at >= oldest),
         {.reason = Reason::expired, .before = saved});
}

void Judge::Changes::tell_pin(bool of_item) {
  // A stage that is pinned as a whole says so itself: an item only says what it would have run for.
  const bool told = !of_item || choices_.pins_item(subject_.node, subject_.item);
  if (!pinned_ || (held_.empty() && awaited_.empty() && !told)) return;
  Cause cause{.reason = Reason::pinned};
  if (!held_.empty()) {
    cause.detail = fmt::format("it would run: {}", fmt::join(held_, "; "));
  } else if (!awaited_.empty()) {
    cause.detail = fmt::format("it would wait for {}", fmt::join(awaited_, ", "));
  }
  verdict_.note(std::move(cause));
}

}  // namespace resumable::plan
