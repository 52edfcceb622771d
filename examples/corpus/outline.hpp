/// @file
/// The outline that a corpus follows: a thesaurus of domains, their parts and terms, as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/types.hpp"

namespace corpus {

/// Reads `{"domains":[{"label":…,"microthesauri":[{"label":…,"concepts":[…]}]}]}`; labels are put
/// into title case. `file` is for messages.
/// @throws resumable::Error{Errc::source_failed}  it is no such document, is empty, or two sections
///         would be kept under one name
[[nodiscard]] std::vector<Domain> read_outline(std::string_view json, const std::string& file);

/// The first item of the queue: the concept of a corpus that ends where `target_words` are planned
/// (0: at the end of the outline), `section_words` a section.
[[nodiscard]] Piece first_piece(std::vector<Domain> outline, const std::string& city,
                                std::size_t target_words, std::size_t section_words);

/// The item that plans the sections of `domain`, which is where `concept_piece` has it.
[[nodiscard]] Piece expansion_piece(const Domain& domain, const City& city, std::size_t words);

/// The name of a section: `Politics: Political Framework`.
[[nodiscard]] std::string section_name(const std::string& domain, const std::string& title);

/// A name as the name of a file, and as an item's key: `Politics__Political_Framework`.
[[nodiscard]] std::string file_name(std::string_view name);

/// The key of a domain's expansion: its label as the name of a file, without two `_` in a row.
[[nodiscard]] std::string expansion_key(std::string_view label);

/// Whether an item of this key is a section: `__` parts its title from its domain's label.
[[nodiscard]] bool is_section(std::string_view key);

inline constexpr std::string_view concept_key = "_CONCEPT";

}  // namespace corpus
