#include "core/redaction.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/secrets.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

constexpr std::size_t most_texts = 1000;
constexpr std::size_t shortest = 4;  // a shorter secret would match everywhere

/// The steps of a JSON pointer (RFC 6901).
std::vector<std::string> steps_of(std::string_view pointer) {
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      steps.emplace_back();
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      steps.back() += pointer[++i] == '1' ? '/' : '~';
    } else {
      steps.back() += pointer[i];
    }
  }
  return steps;
}

bool fits(const std::vector<std::string>& steps, std::span<const detail::JsonFrame> place) {
  if (steps.size() != place.size()) return false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == "*") continue;
    const detail::JsonFrame& frame = place[i];
    if (steps[i] != (frame.object ? frame.key : std::to_string(frame.count - 1))) return false;
  }
  return true;
}

}  // namespace

void Redaction::add_field(std::string_view field) {
  if (field.empty() || (field.front() == '/' && field.back() == '/')) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("'{}' names no field to redact", printable(field)),
                 .next = "give a key, or a JSON pointer such as /user/password"});
  }
  if (field.front() == '/') {
    pointers_.push_back(steps_of(field));
  } else {
    keys_.emplace(field);
  }
}

bool Redaction::names(std::span<const detail::JsonFrame> place) const {
  if (place.empty()) return false;
  if (place.back().object && keys_.contains(place.back().key)) return true;
  return std::ranges::any_of(pointers_, [&](const auto& steps) { return fits(steps, place); });
}

void Redaction::note(std::string_view text) {
  if (text.size() < shortest || text == redacted_text) return;
  const std::scoped_lock lock{guard_};
  if (texts_.size() < most_texts) texts_.emplace(text);
}

std::string Redaction::mask(std::string text) const {
  const std::scoped_lock lock{guard_};
  for (const std::string& one : texts_) core::mask(text, one, redacted_text);
  return text;
}

}  // namespace resumable::core
