/// @file
/// Lines of a plain text that are set in columns with blanks: tables, and texts side by side.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memo {

/// Neighbouring lines with the same gaps of two or more blanks.
struct Columns {
  std::size_t lines = 0;  ///< that they take, with blank ones between them; 0 for no columns
  /// One for each line with words, a cell for each column, empty where the line has none there.
  std::vector<std::vector<std::string>> rows;
};

/// The columns that begin with `all[at]`: at least two, over at least two lines.
[[nodiscard]] Columns columns_at(const std::vector<std::string_view>& all, std::size_t at);

/// Whether the rows are those of a table; if not, each column is to be read for itself. Cells of a
/// table are short, and no items; no line goes on in all of them.
[[nodiscard]] bool is_table(const Columns& columns);

/// A table as rows of Markdown. One without a header is a list of its rows, `- Churn: 6%, 4%`; so
/// is one of two columns, and one of two lines that pairs names and figures: `- Churn: 4%`.
[[nodiscard]] std::string markdown_of(const Columns& table);

/// Length in bytes of the mark of a list's item at the head of `line` with the blanks behind it: a
/// bullet, a dash, a star; 0 if there is none.
[[nodiscard]] std::size_t bullet_length(std::string_view line) noexcept;

/// Characters, not bytes, of UTF-8.
[[nodiscard]] std::size_t width_of(std::string_view text) noexcept;

/// Whether a line continues the one before: it begins with a small letter.
[[nodiscard]] bool begins_small(std::string_view text) noexcept;

}  // namespace memo
