/// @file
/// What the corpus is made of. Plain structs, saved as JSON: every field is written, a missing one
/// is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace corpus {

/// A section that the outline asks for: a microthesaurus of EuroVoc.
struct Heading {
  std::string title;               ///< `Political Framework`
  std::vector<std::string> terms;  ///< what the section has to speak of

  bool operator==(const Heading&) const = default;
};

/// A chapter of the outline.
struct Domain {
  std::string label;  ///< `Politics`
  std::vector<Heading> headings;
  std::size_t wanted = 0;  ///< how many of them, from the first on, this corpus has room for

  bool operator==(const Domain&) const = default;
};

/// What every section knows of the city.
struct City {
  std::string name;
  std::int64_t founded = 0;
  std::string river;
  std::vector<std::string> districts;

  bool operator==(const City&) const = default;
};

enum class Kind : std::uint8_t { concept_of_city, expansion, section };

/// An item of the queue: what is still to be done, with all that it needs. The concept comes first
/// and enqueues the expansions, and each of these its sections.
struct Piece {
  Kind kind = Kind::concept_of_city;
  std::string key;                 ///< `_CONCEPT`, `Politics`, `Politics__Political_Framework`
  std::string name;                ///< `Politics: Political Framework`
  City city;                       ///< of a concept: the name alone, if one was asked for
  std::string prompt;              ///< of a section: what its expansion says it should cover
  std::vector<std::string> terms;  ///< of a section
  std::size_t words = 0;           ///< how long a section should be
  std::vector<Domain> domains;     ///< of a concept: all; of an expansion: its own

  bool operator==(const Piece&) const = default;
};

/// What a section should cover, as an expansion says.
struct Planned {
  std::string name;  ///< `Politics: Political Framework`
  std::string prompt;

  bool operator==(const Planned&) const = default;
};

/// What an item gave.
struct Page {
  Kind kind = Kind::concept_of_city;
  std::string title;  ///< of a concept: the city's name; of an expansion: the domain's
  std::string text;   ///< Markdown; empty for an expansion
  std::size_t words = 0;
  std::vector<Planned> plan;  ///< of an expansion: all sections of its domain

  bool operator==(const Page&) const = default;
};

/// The corpus as a whole.
struct Totals {
  std::string city_name;
  std::size_t target_words = 0;
  std::size_t word_count = 0;
  std::string start_time;
  std::size_t completed = 0;  ///< the concept and the sections

  bool operator==(const Totals&) const = default;
};

/// `sections/KEY.md`; nothing for an expansion.
[[nodiscard]] std::optional<std::string> markdown(const Page& page);
/// The page with what a user made of its Markdown, below the same title.
/// @throws std::invalid_argument  without that title
[[nodiscard]] Page with_markdown(const std::string& text, const Page& former);
/// `expansion_cache/KEY.json`: what an expansion gave, for people; nothing for the others.
[[nodiscard]] std::optional<std::string> readable_plan(const Page& page);

NLOHMANN_JSON_SERIALIZE_ENUM(Kind, {{Kind::concept_of_city, "concept"},
                                    {Kind::expansion, "expansion"},
                                    {Kind::section, "section"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Heading, title, terms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Domain, label, headings, wanted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(City, name, founded, river, districts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Piece, kind, key, name, city, prompt, terms, words, domains)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Planned, name, prompt)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Page, kind, title, text, words, plan)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Totals, city_name, target_words, word_count, start_time,
                                   completed)

}  // namespace corpus
