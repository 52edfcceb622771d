#include "value/shape.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "resumable/detail/json_codec.hpp"
#include "resumable/digest.hpp"
#include "value/json_pointer.hpp"

namespace resumable::value {
namespace {

/// Discarded where `text` is not JSON.
Json parse(std::string_view text) {
  try {
    return detail::parse_json(text);
  } catch (const Error&) {
    // NOLINTNEXTLINE(modernize-return-braced-init-list): braces would make an array
    return Json(Json::value_t::discarded);
  }
}

/// What a shape calls a value: "string", "object", …
std::string kind_of_shape(const Json& shape) {
  return shape.is_string() ? shape.get<std::string>() : shape.type_name();
}

std::string kind_of_value(const Json& value) {
  if (!value.is_number()) return value.type_name();
  return value.is_number_float() ? "number" : "integer";
}

std::string below(const std::string& pointer, std::string_view name) {
  std::string longer = pointer;
  append_pointer(longer, name);
  return longer;
}

/// Shapes come from parsed text, which bounds the recursion.
class ShapeDiff {
 public:
  void compare(const Json& before, const Json& after, const std::string& pointer) {
    if (before.is_object() && after.is_object()) return objects(before, after, pointer);
    if (before.is_array() && after.is_array()) return arrays(before, after, pointer);
    const std::string was = kind_of_shape(before);
    const std::string is = kind_of_shape(after);
    if (was == is) return;
    lines_.push_back(pointer.empty() ? fmt::format("the value was {}, is {}", was, is)
                                     : fmt::format("field '{}' was {}, is {}", pointer, was, is));
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(lines_); }

 private:
  void objects(const Json& before, const Json& after, const std::string& pointer) {
    for (const auto& [name, shape] : before.items()) {
      const std::string place = below(pointer, name);
      if (after.contains(name))
        compare(shape, after[name], place);
      else
        lines_.push_back(fmt::format("field '{}' removed", place));
    }
    for (const auto& [name, shape] : after.items()) {
      if (before.contains(name)) continue;
      lines_.push_back(fmt::format("field '{}' added", below(pointer, name)));
    }
  }

  void arrays(const Json& before, const Json& after, const std::string& pointer) {
    const bool elements = before.size() == 1 && after.size() == 1;
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
      compare(before[i], after[i], below(pointer, elements ? "*" : std::to_string(i)));
    }
    if (before.size() == after.size()) return;
    lines_.push_back(fmt::format("'{}' was an array of {} kinds, is one of {}", pointer,
                                 before.size(), after.size()));
  }

  std::vector<std::string> lines_;
};

bool fits(const std::string& expected, const Json& value) {
  if (expected == "any" || expected == "null" || expected == kind_of_value(value)) return true;
  return expected == "number" && value.is_number();
}

std::optional<Misfit> misfit(const Json& value, const Json& shape, const std::string& pointer);

std::optional<Misfit> misfit_in_object(const Json& value, const Json& shape,
                                       const std::string& pointer) {
  if (shape.size() == 1 && shape.contains("*") && !value.contains("*")) {
    for (const auto& [name, member] : value.items()) {
      if (auto found = misfit(member, shape["*"], below(pointer, name))) return found;
    }
    return std::nullopt;
  }
  for (const auto& [name, expected] : shape.items()) {
    const std::string place = below(pointer, name);
    if (!value.contains(name)) return Misfit{place, "missing"};
    if (auto found = misfit(value[name], expected, place)) return found;
  }
  return std::nullopt;
}

std::optional<Misfit> misfit_in_array(const Json& value, const Json& shape,
                                      const std::string& pointer) {
  if (shape.size() > 1 && value.size() < shape.size()) {
    return Misfit{pointer, fmt::format("has {} elements, not {}", value.size(), shape.size())};
  }
  for (std::size_t i = 0; i < value.size() && !shape.empty(); ++i) {
    const std::size_t which = shape.size() == 1 ? 0 : i;
    if (which >= shape.size()) break;
    if (auto found = misfit(value[i], shape[which], below(pointer, std::to_string(i))))
      return found;
  }
  return std::nullopt;
}

std::optional<Misfit> misfit(const Json& value, const Json& shape, const std::string& pointer) {
  if (shape.is_object() && value.is_object()) return misfit_in_object(value, shape, pointer);
  if (shape.is_array() && value.is_array()) return misfit_in_array(value, shape, pointer);
  const std::string expected = kind_of_shape(shape);
  if (!shape.is_structured() && fits(expected, value)) return std::nullopt;
  return Misfit{pointer, fmt::format("is {}, not {}", kind_of_value(value), expected)};
}

}  // namespace

std::vector<std::string> diff_shapes(std::string_view before, std::string_view after) {
  const auto old = parse(before);
  const auto now = parse(after);
  if (old.is_discarded() || now.is_discarded()) return {};
  ShapeDiff diff;
  diff.compare(old, now, "");
  return diff.take();
}

std::uint32_t shape_hash(std::string_view shape) {
  if (shape.empty()) return 0;
  const Digest hash = digest(shape);
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < 4; ++i) result = (result << 8U) | hash.bytes[i];
  return result == 0 ? 1 : result;
}

Misfit first_misfit(std::string_view document, std::string_view shape) {
  const auto value = parse(document);
  const auto expected = parse(shape);
  if (value.is_discarded() || expected.is_discarded()) return {};
  return misfit(value, expected, "").value_or(Misfit{});
}

}  // namespace resumable::value
