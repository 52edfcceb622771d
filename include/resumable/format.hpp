/// @file
/// Formatters for fmt, opt-in: `fmt::print("{}", plan)`. Programs that include this link fmt.
///
/// - A Plan as Plan::text(); `{:#}` as Plan::text(true), with all causes.
/// - A Cause as one line: `input 'company' changed: "Acme" -> "Fernstone"`.
/// - Outcome, Action and Reason as the words that events and JSON use: `done`, `skip`,
///   `input_changed`.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "resumable/plan.hpp"
#include "resumable/resume.hpp"

/// @cond
template <>
struct fmt::formatter<resumable::Plan> {
  bool explain = false;
  constexpr auto parse(format_parse_context& ctx) {
    auto at = ctx.begin();
    if (at != ctx.end() && *at == '#') {
      explain = true;
      ++at;
    }
    return at;
  }
  template <class FormatContext>
  auto format(const resumable::Plan& plan, FormatContext& ctx) const {
    const std::string text = plan.text(explain);
    return std::copy(text.begin(), text.end(), ctx.out());
  }
};

template <>
struct fmt::formatter<resumable::Cause> : fmt::formatter<std::string> {
  template <class FormatContext>
  auto format(const resumable::Cause& cause, FormatContext& ctx) const {
    return fmt::formatter<std::string>::format(cause.text(), ctx);
  }
};

template <>
struct fmt::formatter<resumable::Outcome> : fmt::formatter<std::string_view> {
  template <class FormatContext>
  auto format(resumable::Outcome outcome, FormatContext& ctx) const {
    return fmt::formatter<std::string_view>::format(resumable::to_string(outcome), ctx);
  }
};
template <>
struct fmt::formatter<resumable::Action> : fmt::formatter<std::string_view> {
  template <class FormatContext>
  auto format(resumable::Action action, FormatContext& ctx) const {
    return fmt::formatter<std::string_view>::format(resumable::to_string(action), ctx);
  }
};
template <>
struct fmt::formatter<resumable::Reason> : fmt::formatter<std::string_view> {
  template <class FormatContext>
  auto format(resumable::Reason reason, FormatContext& ctx) const {
    return fmt::formatter<std::string_view>::format(resumable::to_string(reason), ctx);
  }
};
/// @endcond
