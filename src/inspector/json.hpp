/// @file
/// JSON as the inspector prints it: one document per command, with the version of its schema.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "core/json.hpp"
#include "resumable/cost.hpp"
#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

using Document = core::OrderedJson;

/// One line on Console::out; what is not UTF-8 is replaced.
void print(const cli::Console& console, const Document& document);
[[nodiscard]] std::string_view damage_name(Damage damage);
[[nodiscard]] Document record_json(const survey::RecordView& record);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
