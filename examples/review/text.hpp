/// @file
/// Markdown in, the sentences that say most out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace review {

/// The text of the first heading, or "".
[[nodiscard]] std::string title_of(std::string_view markdown);

/// The sentences of paragraphs and of items of lists, without markup; code and front matter are
/// left out.
[[nodiscard]] std::vector<std::string> sentences_of(std::string_view markdown);

/// Markdown in which a line that follows a sentence on a line of its own is a paragraph, not its
/// continuation. Lists, tables and code stay as they are.
[[nodiscard]] std::string as_paragraphs(std::string_view text);

/// Which `count` sentences to state, in their order: those whose words are the most frequent, and
/// that have figures, dates, names or decisions.
/// @see Nenkova, Vanderwende: The Impact of Frequency on Summarization (2005), for the words;
///      Edmundson: New Methods in Automatic Extracting (1969), for weights of cues that are added;
///      Lin: Training a Selection Function for Extraction (1999), for figures, dates and names
[[nodiscard]] std::vector<std::size_t> summary_of(const std::vector<std::string>& sentences,
                                                  std::size_t count);

}  // namespace review
