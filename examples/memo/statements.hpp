/// @file
/// Reads a memo back: which statements it makes, and which citation each of them carries. Checks
/// work on this, so they see what a reader sees, a person's edits included.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memo/review.hpp"

namespace memo {

inline constexpr std::string_view citations_heading = "## Citations";
inline constexpr std::string_view caption_mark = "**Table: ";
inline constexpr std::string_view silence_mark = "**Not answered:** ";
inline constexpr std::string_view nearest_mark = "**Nearest to ";

// Marks of two figures that may be of one quantity: `Later (2025-03)` and `Earlier (2024-02)`, or
// `As of 2025-03` and `Of unclear date` if nobody can say which of them is the later.
inline constexpr std::string_view later_mark = "Later";
inline constexpr std::string_view earlier_mark = "Earlier";
inline constexpr std::string_view dated_mark = "As of";
inline constexpr std::string_view undated_mark = "Of unclear date";

/// Whether what carries this mark stands behind the figure that it is set against.
bool is_set_behind(std::string_view mark) noexcept;

/// Whether others are set behind what carries this mark.
bool leads(std::string_view mark) noexcept;

/// A sentence, or a table row, of the memo.
struct Statement {
  std::string text;                ///< plain; a row's cells are joined by " | "
  std::vector<int> citations;      ///< numbers; a row has its own or those of the caption above
  std::vector<std::string> cells;  ///< only for rows
  std::string mark{};              ///< `Earlier (2023-06)`, which is not in `text`
};

/// Takes a mark such as `Earlier (2023-06): ` off the head of `text`, and returns it without the
/// colon; empty if there is none.
std::string_view take_mark(std::string_view& text) noexcept;

/// The statements above the citations. Headings, captions and silences are none.
std::vector<Statement> statements(std::string_view memo);

/// The `[^n]: Title, path` lines.
std::vector<Citation> citations(std::string_view memo);

/// One such line.
std::string citation_line(const Citation& citation);

/// A statement without the quotation marks around it; also one half of a longer quotation.
std::string_view unquoted(std::string_view statement) noexcept;

/// Whether a line says what is not answered, or which passage comes nearest to an answer.
bool is_silence(std::string_view line);

/// Adds the line at the end that says what is not answered.
std::string with_silence(std::string markdown, std::string_view what);

/// Puts `block` at the end, but before the line that says what is not answered.
std::string with_block(const std::string& markdown, const std::string& block);

}  // namespace memo
