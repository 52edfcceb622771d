/// @file
/// Reads what was laid out for the eye: slides, reports and plain texts in columns.
#pragma once

#include <string>
#include <string_view>

namespace memo {

/// The Markdown of a plain text with its layout, as `pdftotext -layout` gives it; pages end with a
/// form feed. A short first line of a page is its heading, and so is one before a list or a table.
/// Bullets, dashes and lines of their own are items; a line that goes on joins the one before it.
/// Columns become tables, or are read one after the other. What stands at the head or foot of most
/// pages, figures aside, is left out but on the first.
[[nodiscard]] std::string markdown_of_pages(std::string_view text);

}  // namespace memo
