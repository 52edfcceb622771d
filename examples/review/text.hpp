/// @file
/// A source's sentences, and which of them have to do with a section.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/passages.hpp"

namespace review {

struct Source {
  std::string title;  ///< its first heading, or its name
  /// Of paragraphs and of items of lists, in their order; the line of each is its place among all,
  /// so that a gap tells where one was left out.
  std::vector<text::Passage> sentences;
};

/// @throws text::Unreadable
[[nodiscard]] Source source_of(const std::string& name, const std::string& markdown);

/// So many sentences for a section of this heading, best first: those that have most to do with its
/// words (text/index.hpp), then the first ones.
[[nodiscard]] std::vector<text::Passage> ranked(const Source& source, std::string_view heading,
                                                std::size_t count);

/// Markdown in which a sentence on a line of its own is a paragraph. Lists, tables and code stay as
/// they are.
[[nodiscard]] std::string as_paragraphs(std::string_view text);

}  // namespace review
