/// @file
/// Symbols, colours and table cells of the command layer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/width.hpp"
#include "display/style.hpp"
#include "resumable/cli.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {

using core::pad;
using core::width;
using display::Mark;

/// A symbol, always beside a word; in ASCII and without colour where asked.
[[nodiscard]] RESUMABLE_EXPORT std::string symbol(const Console& console, Mark mark);
/// Text in bold, when there is colour.
[[nodiscard]] RESUMABLE_EXPORT std::string bold(const Console& console, std::string_view text);
/// `9 stages`, `1 stage`.
[[nodiscard]] RESUMABLE_EXPORT std::string number_of(std::size_t count, std::string_view thing);
/// ` 14 min ago`, with the space; "" when `at` is not known.
[[nodiscard]] RESUMABLE_EXPORT std::string ago(std::optional<Timestamp> at);
/// `2026-11-21T20:44:01.123Z`, or "" when it is not known.
[[nodiscard]] RESUMABLE_EXPORT std::string utc_text(std::optional<Timestamp> at);
/// `--redo draft`, `without --strict`; "" if the program has no such flag.
[[nodiscard]] RESUMABLE_EXPORT std::string flag_of(const Console& console, const Advice& advice);
/// The same for a program whose flags are not known.
[[nodiscard]] RESUMABLE_EXPORT std::string program_flag(const Advice& advice);
/// flag_of() as an AdviceWriter.
[[nodiscard]] inline auto flags_of(const Console& console) {
  return [&console](const Advice& advice) { return flag_of(console, advice); };
}
/// ` · ` or ` - `.
[[nodiscard]] RESUMABLE_EXPORT std::string dot(const Console& console);
/// Says that there is no memory left, without any, and returns the exit code.
RESUMABLE_EXPORT int report_no_memory(Console& console) noexcept;

}  // namespace cli
}  // namespace v0
}  // namespace resumable
