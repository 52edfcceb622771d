#include "insights/together.hpp"

#include <algorithm>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// `more staff sell more bread`, and what stands behind each of the two words that compare.
const std::regex& two_degrees() {
  static const std::regex pattern{
      R"(^\W*(?:do|does|did|are|is|have|has) (?!.*\b(?:than|since|after|before|now|because)\b).*?)"
      R"((\b(?:more|fewer|less|[a-z]{3,}er)\b.*?)(\b(?:more|fewer|less|[a-z]{3,}er)\b.*)$)",
      std::regex::icase};
  return pattern;
}

/// The column that a few words are about; "": none.
std::string column_of(const std::string& text, const Json& table, const std::string& besides) {
  const Interest about = interest_of(text, table);
  const Json& first = table.at("columns").front();
  for (const std::string& name : about.columns) {
    const bool is_count = first.contains("counts") && name == name_of(first);
    if (about.names_columns && !is_count && name != besides) return name;
  }
  return "";
}

}  // namespace

bool asks_of_rows(const Clause& clause) { return std::regex_search(clause.text, two_degrees()); }

std::vector<std::string> asked_together(const Clause& clause, const Json& table) {
  static const std::regex asked{
      R"(\bthe (more|less|fewer|[a-z]+er)\b|\b(?:depends?|correlat\w+|relat\w+|goes? with) )",
      std::regex::icase};
  std::smatch found;
  if (std::regex_search(clause.text, found, two_degrees())) {
    const std::string first = column_of(found[1], table, "");
    const std::string second = first.empty() ? "" : column_of(found[2], table, first);
    if (second.empty()) return {};
    return {first, second};
  }
  if (!std::regex_search(clause.text, found, asked)) return {};
  std::vector<std::string> two(clause.about.said.begin(), clause.about.said.end());
  const std::vector<std::string> degree = words_in(found[1].str());
  for (const Json* meant : meant_columns(table.at("columns"), degree)) {
    const std::string name = name_of(*meant);
    if (std::ranges::find(two, name) == two.end()) two.push_back(name);
  }
  return two;
}

}  // namespace insights
