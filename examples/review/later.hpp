/// @file
/// Which sentence of a later file has a newer figure for what a sentence says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace review {

/// A file to write from.
struct Source {
  std::string name;
  std::string date;  ///< empty if nothing tells
  std::vector<std::string> sentences;
};

[[nodiscard]] Source source_of(std::string name, std::string_view markdown);

/// When a file was written: the date in its name, or in one of its first short lines, such as
/// `date: 2025-03-04` and `# Minutes, 4 March 2025`; else empty.
[[nodiscard]] std::string date_of(const std::string& name, std::string_view markdown);

/// For each sentence of a source the lines that say what is newer, such as `Later, in news.md: The
/// price is €19 million.`: sentences of later files that most likely have newer figures for the
/// same thing, as research tells it (research/revisions.hpp). A file without a date is older than
/// all that have one.
[[nodiscard]] std::vector<std::vector<std::string>> later_than(const Source& source,
                                                               const std::vector<Source>& all);

}  // namespace review
