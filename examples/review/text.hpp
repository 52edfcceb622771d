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

/// The sentences of the paragraphs, without markup; code and front matter are left out.
[[nodiscard]] std::vector<std::string> sentences_of(std::string_view markdown);

/// The `count` sentences whose words are the most frequent, in their order.
/// @see Nenkova, Vanderwende: The Impact of Frequency on Summarization (2005)
[[nodiscard]] std::vector<std::string> summary_of(std::vector<std::string> sentences,
                                                  std::size_t count);

}  // namespace review
