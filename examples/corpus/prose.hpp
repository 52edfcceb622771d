/// @file
/// A small grammar that fills pages about an invented city, and says so at their top. It knows
/// nothing of its subjects: they are headings of its catalogues, never statements about the world.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/types.hpp"

namespace corpus {

/// A city of this name, or of one made from syllables.
[[nodiscard]] City invent_city(const std::string& name);

/// Markdown about `subject` in about `words` words, or as many as it takes to speak of every term.
/// Depends on its parameters alone; `seed` tells texts of equal parameters apart.
[[nodiscard]] std::string write_prose(const City& city, const std::string& subject,
                                      std::vector<std::string> terms, std::size_t words,
                                      std::string_view seed);

}  // namespace corpus
