/// @file
/// How a question names columns and values: by their words.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/interest.hpp"

namespace insights {

inline constexpr std::size_t most_categories = 3;

/// Of the words of a header those that name something.
[[nodiscard]] std::vector<std::string> naming(std::vector<std::string> theirs);

/// The words of the prompt that speak of one of these.
[[nodiscard]] std::set<std::string> naming_words(const std::vector<std::string>& theirs,
                                                 const std::vector<std::string>& asked);

/// Whether the prompt speaks of a header of these words.
[[nodiscard]] bool is_named(const std::vector<std::string>& theirs,
                            const std::vector<std::string>& asked);

/// Whether these words, in this order, are a part of the prompt's.
[[nodiscard]] bool is_said(const std::vector<std::string>& asked,
                           const std::vector<std::string>& phrase);

/// Leaves out a column of which a part of the name is said, where another, of any table, has just
/// these words for its name: milk is not `milk used`.
void leave_out_parts_of_names(std::set<std::string>& columns,
                              const std::vector<std::string>& asked);

/// A prompt without what it leaves out: `except the cancelled ones`, `without Sundays`.
[[nodiscard]] std::string without_exceptions(const std::string& prompt);

/// The values of categories that the prompt names. Of several of one category none is chosen: they
/// are to be compared.
void find_values(Interest& about, const nlohmann::json& table, const std::string& question);

}  // namespace insights
