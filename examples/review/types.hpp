/// @file
/// What the stages pass on, and what users may change in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <resumable/schema.hpp>

namespace review {

/// A section to write. The source is the name of a file among the sources.
struct Heading {
  std::string heading;
  std::string source;
  int sentences = 3;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Heading, heading, source, sentences)

struct Outline {
  std::string title;
  std::vector<Heading> sections;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outline, title, sections)

struct Section {
  std::string heading;
  std::string text;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Section, heading, text)

struct Draft {
  std::string title;
  std::vector<Section> sections;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Draft, title, sections)

/// Why a value is not good enough to continue with, whoever made it.
/// `files` are the names that a section's source may be; empty: any.
[[nodiscard]] std::optional<std::string> problem_of(const Outline& outline,
                                                    const std::vector<std::string>& files = {});
[[nodiscard]] std::optional<std::string> problem_of(const Draft& draft);

}  // namespace review

/// Version 1 had no number of sentences.
template <>
struct resumable::Schema<review::Outline> {
  static constexpr std::string_view name = "review.outline";
  static void add_sentences(Json& outline) {
    for (Json& section : outline.at("sections")) section["sentences"] = 3;
  }
  static constexpr Migrations migrations{add_sentences};
};
