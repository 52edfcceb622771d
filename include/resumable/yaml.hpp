/// @file
/// Artifacts as YAML that is easy to edit: block style, with literal blocks for text of several
/// lines. Component `resumable::yaml`, which needs yaml-cpp.
///
///     rs::yaml_artifact(pipeline, outline, "outline_review.yaml");
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/codec.hpp"
#include "resumable/export.hpp"
#include "resumable/pipeline.hpp"

namespace resumable {
inline namespace v0 {

/// Why a text could not be read as YAML, with its place: `line 3, column 5: …`.
class RESUMABLE_EXPORT YamlError : public std::runtime_error {
 public:
  YamlError(std::size_t line, std::size_t column, const std::string& problem);
  YamlError(const YamlError&) noexcept;
  YamlError& operator=(const YamlError&) noexcept;
  ~YamlError() override;

  [[nodiscard]] std::size_t line() const noexcept { return line_; }      ///< from 1; 0: no place
  [[nodiscard]] std::size_t column() const noexcept { return column_; }  ///< from 1, in characters

 private:
  std::size_t line_;
  std::size_t column_;
};

/// `value` as YAML, which from_yaml() reads back as exactly the same value. `comment` comes first,
/// each of its lines after a `#`. Text that YAML could mistake for something else is quoted. Linear
/// in the size. Thread-safe.
/// @throws YamlError  the value holds NaN, an infinity, bytes or text that is not UTF-8, or is
///                    nested deeper than 256 levels
[[nodiscard]] RESUMABLE_EXPORT std::string to_yaml(const Json& value,
                                                   std::string_view comment = {});

/// The value of a YAML text with one document. Plain scalars are read as in YAML 1.2: null, true,
/// false and JSON's numbers, everything else is text; a number in a form that only YAML has
/// (`0x1f`, `.5`, `007`, `.inf`) must be quoted or written as JSON writes it. Comments are ignored.
/// Anchors, aliases, tags, duplicate keys, keys that are not text, and nesting deeper than 256
/// levels are errors. Thread-safe.
/// @throws YamlError
[[nodiscard]] RESUMABLE_EXPORT Json from_yaml(std::string_view text);

namespace detail {

[[nodiscard]] RESUMABLE_EXPORT std::string yaml_of(const ValueType& type, const void* value,
                                                   std::string_view comment);
[[nodiscard]] RESUMABLE_EXPORT AnyValue value_of_yaml(const ValueType& type, std::string_view text);
/// @throws Error{Errc::bad_option}  values of this type are not saved as JSON
RESUMABLE_EXPORT void require_json(const ValueType& type, std::string_view pattern);

template <class T>
struct YamlText {
  std::string comment;
  std::string operator()(const T& value) const { return yaml_of(value_type<T>(), &value, comment); }
};

template <class T>
struct YamlValue {
  T operator()(const std::string& text) const {
    return take<T>(value_of_yaml(value_type<T>(), text));
  }
};

}  // namespace detail

/// The value of a type that is saved as JSON, from YAML. It is checked as strictly as a checkpoint:
/// a field that the type does not have is an error.
/// @throws YamlError  with the place of the field
template <class T>
[[nodiscard]] T value_from_yaml(std::string_view text) {
  return detail::take<T>(detail::value_of_yaml(detail::value_type<T>(), text));
}

/// Exports the value of a stage (for a fan-out, of each item) as YAML for users to edit; see
/// Pipeline::artifact. `comment` is put at the top of each file: say there what can be changed.
/// @throws Error as Pipeline::artifact; Error{Errc::bad_option}  its values are not saved as JSON
template <detail::StageHandle S>
void yaml_artifact(Pipeline& pipeline, const S& stage, std::string_view pattern,
                   std::string comment = {}) {
  using T = typename detail::Holds<S>::type;
  detail::require_json(detail::value_type<T>(), pattern);
  pipeline.artifact(stage, pattern, detail::YamlText<T>{std::move(comment)},
                    detail::YamlValue<T>{});
}

}  // namespace v0
}  // namespace resumable
