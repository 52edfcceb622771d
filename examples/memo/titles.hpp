/// @file
/// Headings that are not marked as such: lines of a plain text that name what stands below them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace memo {

/// The heading in `all[at]`, without the number before it (`2. Outage`); empty if the line is none.
/// It begins a paragraph, is short, has no mark at its end or colon in it, and ends before the line
/// is full: the next one is empty or begins with a capital. A question of one line is one, too,
/// without the `Q.` before it.
[[nodiscard]] std::string_view title_in(const std::vector<std::string_view>& all, std::size_t at);

/// A heading without the number before it: `2. Outage`, `3.1 Staff`, `4 · Rivals`.
[[nodiscard]] std::string_view without_number(std::string_view line);

/// The line without the `A.` that answers a `Q.`.
[[nodiscard]] std::string_view without_answer_mark(std::string_view line);

}  // namespace memo
