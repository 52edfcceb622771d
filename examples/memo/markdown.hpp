/// @file
/// Reads the markup that the source packs are written in: markdown with some HTML in it.
/// Refuses to be a renderer: it only finds the prose, the links and the table cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memo {

struct Link {
  std::string text;
  std::string url;

  bool operator==(const Link&) const = default;
};

/// One paragraph, list item, heading or table row, as plain text.
struct Block {
  enum class Kind { heading, paragraph, item, row };

  Kind kind = Kind::paragraph;
  /// Plain text of the nearest heading above, and of the block's label in bold; its own for
  /// headings.
  std::string heading;
  std::string text;                ///< plain text; the cells of a row are joined by " | "
  std::vector<std::string> cells;  ///< only for rows
  /// What stood in front of the text, and is in the heading, with the mark that joins them:
  /// `Turnover:`, `How many are you? —`.
  std::string label{};
};

/// The words a reader sees: links become their text, images, tags, comments, footnote marks and
/// emphasis vanish, entities are decoded, white space is collapsed to single blanks.
std::string plain(std::string_view markup);

/// The blocks of a markdown document in reading order; blocks without words are left out.
std::vector<Block> blocks(std::string_view markdown);

/// An item of a list that is no whole sentence, with a full stop; empty for any other block.
std::string fragment_of(const Block& item);

/// Every `[text](http…)` of the document, with plain text, in reading order, then the bare
/// addresses in its running text, without scheme and `www.` as their text.
std::vector<Link> links(std::string_view markdown);

inline constexpr auto npos = std::string_view::npos;

/// Trims blanks, tabs and line ends from both sides.
std::string_view trim(std::string_view text) noexcept;

/// Replaces every `from` by `to`; `from` must not be empty.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// The lines of `text` without their line ends.
std::vector<std::string_view> lines(std::string_view text);

std::string to_lower(std::string_view ascii);

}  // namespace memo
