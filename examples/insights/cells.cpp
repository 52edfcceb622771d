#include "insights/cells.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// The first words behind what is found: the thing that is counted, or that is missing.
std::vector<std::string> words_behind(const std::string& text, const std::regex& before) {
  constexpr std::size_t most = 2;
  std::smatch found;
  if (!std::regex_search(text, found, before)) return {};
  std::vector<std::string> behind = words_in(found.suffix().str());
  if (behind.size() > most) behind.resize(most);
  return behind;
}

/// The category that is called by the words; nullptr: there is none.
const Json* category_called(const Json& table, const std::vector<std::string>& said) {
  for (const Json& column : table.at("columns")) {
    if (!is_number(column) && is_named(words_in(insights::name_of(column)), said)) return &column;
  }
  return nullptr;
}

/// That the figure is about every row, where the question restricts them.
std::string of_all_rows(const Interest& about) {
  const bool is_part = !about.where.empty() || !about.compared.empty() || !about.from.empty();
  return is_part ? " This is of all rows, not only of those that are asked about." : "";
}

/// The words for what is to be different: `parts`, of `how many different parts`.
std::vector<std::string> different_things(const std::string& text) {
  static const std::regex asked{
      R"(\b(?:how many|number of) (?:different|distinct|unique|various) (?:(?:kind|type|sort)s? of )?)",
      std::regex::icase};
  return words_behind(text, asked);
}

/// Whether the column is called by the word alone: `pupils`, of Pupil.
bool is_called(const Json& column, const std::string& word) {
  const std::vector<std::string> name = words_in(insights::name_of(column));
  return name.size() == 1 && is_same_word(name.front(), word);
}

/// Whether the values of a category are persons or things of their own, each of which may have many
/// rows, and not kinds of these: persons, or more values than a category of kinds has.
bool has_own_things(const Json& column) {
  constexpr std::size_t most_kinds = 12;
  const std::vector<std::string> name = words_in(insights::name_of(column));
  const bool is_of_people = std::ranges::any_of(
      name, [](const std::string& word) { return words().has("people", word); });
  return is_of_people || column.at("values").size() > most_kinds;
}

/// The category of `how many pupils`, where the rows are something else; nullptr: there is none.
const Json* category_counted(const std::string& text, const Json& table) {
  static const std::regex asked{
      R"(\b(?:how many|number of|most|fewest)(?: of)? (?:(?:the|our|my|their) )?)",
      std::regex::icase};
  static const std::regex are_there{
      R"(\bhow many (\w+) (?:are there|were there|(?:do|did) (?:we|I|they) have|have we)\b)",
      std::regex::icase};
  std::smatch found;
  const bool is_any = std::regex_search(text, found, are_there);
  const std::vector<std::string> said = words_behind(text, asked);
  const std::vector<std::string> rows = words_in(table.value("table", ""));
  const auto is_row = [&](const std::string& word) { return is_same_word(word, said.front()); };
  if (said.empty() || std::ranges::any_of(rows, is_row)) return nullptr;
  const Json* category = nullptr;
  for (const Json& column : table.at("columns")) {
    if (!is_called(column, said.front())) continue;
    if (is_number(column)) return nullptr;
    if (!column.contains("free") && (is_any || has_own_things(column))) category = &column;
  }
  return category;
}

/// `How many have no part`
std::string without_value(const Clause& clause, const Json& table) {
  static const std::regex counts{R"(\b(?:how many|how often|number of|count)\b)",
                                 std::regex::icase};
  static const std::regex lack{
      R"(\b(?:ha(?:ve|s|d) no|with no|without(?: an?| any)?|lack(?:s|ed|ing)?(?: an?| any)?|)"
      R"((?:did|do|does) not have(?: an?| any)?|miss(?:es|ed|ing)(?: an?| any)?|)"
      R"(ha(?:ve|s|d) an empty|with an empty)\b (?:values? (?:in|for|of|under) (?:the )?)?)",
      std::regex::icase};
  if (!std::regex_search(clause.text, counts) || clause.restricts_to_none()) return "";
  const std::vector<std::string> said = words_behind(clause.text, lack);
  const Json* column = said.empty() ? nullptr : category_called(table, said);
  if (column == nullptr || clause.about.where.contains(insights::name_of(*column))) return "";
  const auto missing = column->value("missing", std::size_t{0});
  return fmt::format("{} is empty in {} of {} rows.", insights::name_of(*column), missing,
                     table.at("readings").get<std::size_t>()) +
         of_all_rows(clause.about);
}

}  // namespace

const Json* category_of_different(const std::string& text, const Json& table) {
  const std::vector<std::string> said = different_things(text);
  return said.empty() ? category_counted(text, table) : category_called(table, said);
}

std::string counted_cells(const Clause& clause, const Json& table) {
  const std::vector<std::string> said = different_things(clause.text);
  if (said.empty()) return without_value(clause, table);
  static const std::set<std::string> times{"day",   "days",   "week", "weeks",
                                           "month", "months", "year", "years"};
  if (category_called(table, said) != nullptr || times.contains(said[0])) return "";
  return fmt::format("Not counted: how many different {} there are. No column is called so.",
                     said[0]);
}

}  // namespace insights
