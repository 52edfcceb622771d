#include "review/types.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace review {
namespace {

constexpr int most_sentences = 20;

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\n") == text.npos; }

template <class Sections>
std::optional<std::string> problem_of_headings(const std::string& title, const Sections& sections) {
  if (is_blank(title)) return "the title is empty";
  if (sections.empty()) return "there is no section";
  std::set<std::string> headings;
  for (const auto& section : sections) {
    if (is_blank(section.heading)) return "a section has no heading";
    if (!headings.insert(section.heading).second) {
      return fmt::format("two sections have the heading '{}'", section.heading);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> problem_of(const Outline& outline,
                                      const std::vector<std::string>& files) {
  if (auto problem = problem_of_headings(outline.title, outline.sections)) return problem;
  for (const Heading& section : outline.sections) {
    if (section.sentences < 1 || section.sentences > most_sentences) {
      return fmt::format("section '{}' asks for {} sentences; 1 to {} are possible",
                         section.heading, section.sentences, most_sentences);
    }
    if (!files.empty() && std::ranges::count(files, section.source) == 0) {
      return fmt::format("section '{}' names the source '{}'; the sources are {}", section.heading,
                         section.source, fmt::join(files, ", "));
    }
  }
  return std::nullopt;
}

std::optional<std::string> problem_of(const Draft& draft) {
  if (auto problem = problem_of_headings(draft.title, draft.sections)) return problem;
  for (const Section& section : draft.sections) {
    if (is_blank(section.text)) {
      return fmt::format("section '{}' has no text; delete the section to leave it out",
                         section.heading);
    }
  }
  return std::nullopt;
}

}  // namespace review
