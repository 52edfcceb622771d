#include "memo/adopting.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "memo/linking.hpp"
#include "memo/markdown.hpp"
#include "memo/stages.hpp"
#include "memo/statements.hpp"

namespace memo {
namespace {

/// The text of the first heading of this level.
std::string title_of(std::string_view text, std::string_view level) {
  for (const auto line : lines(text)) {
    if (line.starts_with(level)) return plain(line.substr(level.size()));
  }
  throw std::invalid_argument("there is no line that begins with '" + std::string{level} + "'");
}

std::string_view above(std::string_view text, std::string_view heading) {
  return text.substr(0, text.find(heading));
}

}  // namespace

Section adopted_section(const resumable::FoundFile& file) {
  return {std::string{file.item}, title_of(file.text, "## "), std::string{file.text}, {}, {}};
}

Header adopted_header(const resumable::FoundFile& file) {
  return {title_of(file.text, "# "), std::string{file.text}, {}};
}

FinalDraft adopted_draft(const resumable::FoundFile& file) {
  return edited_draft({}, std::string{file.text});
}

bool shows_profiles(const resumable::FoundFile& section) {
  return section.text.find(profiles_heading) != npos;
}

bool shows_links(const resumable::FoundFile& section) {
  return above(section.text, profiles_heading).find("](http") != npos;
}

bool shows_tables(const resumable::FoundFile& section) {
  return section.text.find("<!-- viz:") != npos;
}

bool shows_citations(const resumable::FoundFile& draft) {
  return draft.text.find("[^1]") != npos || draft.text.find(citations_heading) != npos;
}

bool shows_part(const resumable::FoundFile& validation, const char* part) {
  const auto json = nlohmann::json::parse(validation.text, nullptr, false);
  return json.is_object() && json.contains(part);
}

}  // namespace memo
