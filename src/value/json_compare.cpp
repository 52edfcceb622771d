#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/detail/json_codec.hpp"
#include "value/json_pointer.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
namespace {

constexpr std::size_t places_named = 4;

/// What a message says about a value.
std::string brief(const Json& value) {
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return fmt::format("an object of {}", value.size());
  return core::printable(json_text(value));
}

template <class Integer>
bool same_number(Integer integer, double real) {
  constexpr double limit = 18446744073709551616.0;  // 2^64
  if (std::signbit(real) != (integer < 0) || std::trunc(real) != real) return false;
  if (real < 0)
    return real >= -limit / 2 && static_cast<std::int64_t>(real) == std::int64_t(integer);
  return real < limit && static_cast<std::uint64_t>(real) == std::uint64_t(integer);
}

bool same_number(const Json& a, const Json& b) {
  if (a.is_number_float() && b.is_number_float()) {
    const auto x = a.get_ref<const double&>();
    const auto y = b.get_ref<const double&>();
    return x == y && std::signbit(x) == std::signbit(y);
  }
  if (a.is_number_float()) return same_number(b, a);
  if (b.is_number_float()) {
    const auto real = b.get_ref<const double&>();
    if (a.is_number_unsigned()) return same_number(a.get_ref<const std::uint64_t&>(), real);
    return same_number(a.get_ref<const std::int64_t&>(), real);
  }
  return a.is_number_unsigned() == b.is_number_unsigned() && a == b;
}

/// Finds where two documents differ. Both were read from text, so none is deeper than
/// max_json_depth, which bounds the recursion.
class Comparison {
 public:
  void compare(const Json& before, const Json& after) {
    if (before.is_object() && after.is_object()) return objects(before, after);
    if (before.is_array() && after.is_array() && before.size() == after.size()) {
      return arrays(before, after);
    }
    const bool numbers = before.is_number() && after.is_number();
    const bool scalars = !before.is_structured() && before.type() == after.type();
    if (numbers ? same_number(before, after) : scalars && before == after) return;
    found([&] { return fmt::format("{} became {}", brief(before), brief(after)); });
  }

  void throw_if_any() const {
    if (count_ == 0) return;
    std::string what = places_.front().second;
    for (std::size_t i = 1; i < places_.size(); ++i) {
      what += fmt::format("; {}: {}", places_[i].first, places_[i].second);
    }
    if (count_ > places_.size()) what += fmt::format("; and {} more", count_ - places_.size());
    throw Error(
        Errc::not_decodable,
        {.what = std::move(what),
         .path = places_.front().first,
         .next = "change the type so that it can hold this, or give its schema a migration"});
  }

 private:
  template <class Text>
  void found(const Text& text) {
    if (count_++ < places_named) places_.emplace_back(pointer_, text());
  }

  template <class F>
  void below(std::string_view name, const F& visit) {
    const std::size_t length = pointer_.size();
    value::append_pointer(pointer_, name);
    visit();
    pointer_.resize(length);
  }

  void arrays(const Json& before, const Json& after) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      below(std::to_string(i), [&] { compare(before[i], after[i]); });
    }
  }

  /// Merges two lists of members that have one order.
  void objects(const Json& before, const Json& after) {
    const auto& old = before.get_ref<const Json::object_t&>();
    const auto& now = after.get_ref<const Json::object_t&>();
    auto a = old.begin();
    auto b = now.begin();
    while (a != old.end() || b != now.end()) {
      if (b == now.end() || (a != old.end() && a->first < b->first)) {
        below(a->first,
              [&] { found([&] { return "the type has no place for " + brief(a->second); }); });
        ++a;
      } else if (a == old.end() || b->first < a->first) {
        below(b->first,
              [&] { found([&] { return "missing; the type fills in " + brief(b->second); }); });
        ++b;
      } else {
        below(a->first, [&] { compare(a->second, b->second); });
        ++a;
        ++b;
      }
    }
  }

  std::string pointer_;
  std::size_t count_ = 0;
  std::vector<std::pair<std::string, std::string>> places_;
};

}  // namespace

void require_same_json(std::string_view before, std::string_view after) {
  Comparison comparison;
  comparison.compare(parse_json(before), parse_json(after));
  comparison.throw_if_any();
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
