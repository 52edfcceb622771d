/// @file
/// Values as people read them, whatever program made them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/json.hpp"
#include "inspector/request.hpp"
#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

using Document = core::OrderedJson;

/// A value: JSON where it is JSON, else text, else neither.
struct Value {
  std::shared_ptr<const Document> json{};
  std::optional<std::string> text{};
};

/// The value, or the part of it that `pointer` names.
/// @throws Error{Errc::damaged}  the record is not as it was written
/// @throws Error{Errc::no_value}  the value has no such part, or is not JSON
[[nodiscard]] Value value_of(const Request& request, std::string_view run,
                             const survey::Content& content, std::string_view pointer = "");

/// The content of a record. @throws Error{Errc::unknown_stage}  it is gone
[[nodiscard]] survey::Content content_of(const Request& request, std::string_view run,
                                         const survey::RecordView& record);

/// The record that a selector names: this generation, or the current one.
/// @throws Error{Errc::unknown_stage}  none, with what there is; Error{Errc::damaged}
[[nodiscard]] survey::RecordView record_of(const Request& request, std::string_view run,
                                           std::string_view selector,
                                           std::optional<std::uint64_t> generation);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
