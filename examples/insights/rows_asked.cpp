#include "insights/rows_asked.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// Whether a clause names the column, and not one value of it.
bool asks_for_cells(const Clause& clause, const Json& column) {
  const std::string name = name_of(column);
  const Interest& about = clause.about;
  return about.said.contains(name) || (about.named.contains(name) && !about.where.contains(name));
}

/// Whether a word is one for a single row: `visit`, or what the table's rows are called.
bool is_one_row(const std::string& word, const Json& table) {
  const bool is_plural = word.ends_with('s') && !word.ends_with("ss");
  const std::vector<std::string> rows = words_in(table.value("table", ""));
  return !is_plural && (words().has("occasions", word) ||
                        std::ranges::any_of(
                            rows, [&](const std::string& row) { return is_same_word(row, word); }));
}

/// Whether a value that the clause is about has the word.
bool is_of_value(const std::string& word, const Clause& clause) {
  return std::ranges::any_of(clause.about.where, [&](const auto& one) {
    const std::vector<std::string> value = words_in(one.second);
    return std::ranges::any_of(value,
                               [&](const std::string& part) { return is_same_word(part, word); });
  });
}

/// Whether a column is named of which some rows have nothing: when it was last above 0 is asked.
bool names_column_with_zeros(const Clause& clause, const Json& table) {
  return std::ranges::any_of(table.at("columns"), [&](const Json& column) {
    return clause.about.said.contains(name_of(column)) && !column.contains("counts") &&
           !column.contains("between") && column.contains("range") && column.at("range").at(0) == 0;
  });
}

/// The part of a text that says what is lacking; "": none.
std::string lacking_in(const std::string& text) {
  static const std::regex lacking{
      R"((?:\b(?:forgot|forget|forgotten|failed|omitted|neglected) to (?:\w+ ){1,2}?(?:in |down )?|)"
      R"(\b(?:has|have|had|with|is|are|was|were) no |\bwithout (?:a|an|any) |)"
      R"(\bnot (?:yet )?(?:\w+ )?(?:in|into|to|under|with) (?:a|an|any) |)"
      R"(\b(?:nobody|no one|no-one) \w+ (?:a |an |any )?)((?:[a-z]+[ -]?){1,4}))",
      std::regex::icase};
  std::smatch found;
  return std::regex_search(text, found, lacking) ? found[1].str() : "";
}

/// Whether nothing was paid or given: `for nothing`.
bool is_for_nothing(const std::string& text) {
  static const std::regex nothing{
      R"(\bfor (?:nothing|free)\b|\bfree of charge\b|)"
      R"(\b(?:g[ai]ve|gives|given|giving|paid|pays?|paying|charged?) (?:\w+ )?nothing\b)",
      std::regex::icase};
  return std::regex_search(text, nothing);
}

/// Whether it is days, or how long, that are asked for, as `days without any rain` are gaps, or
/// those without are compared with the others.
bool asks_for_no_rows(const std::string& text) {
  static const std::regex other{
      R"(\b(?:days?|nights?|weeks?|months?|hours?|long(?:est)?|stretch|spell|gaps?|more|less|fewer|)"
      R"(often|than|compared?)\b)",
      std::regex::icase};
  return std::regex_search(text, other);
}

}  // namespace

std::vector<std::string> ends_in_time(const Clause& clause, const Json& table) {
  const std::vector<std::string>& said = clause.words;
  const auto has = [&](const char* word) { return std::ranges::find(said, word) != said.end(); };
  if (!table.contains("time") || has("each") || has("every") || has("per")) return {};
  static const std::set<std::string> not_ends{"since", "until", "before", "after", "than", "from"};
  std::vector<std::string> ends;
  for (std::size_t i = 0; i < said.size(); ++i) {
    const std::string end = said[i] == "latest"     ? "last"
                            : said[i] == "earliest" ? "first"
                                                    : said[i];
    if (end != "first" && end != "last") continue;
    if (i > 0 && not_ends.contains(said[i - 1] == "the" && i > 1 ? said[i - 2] : said[i - 1]))
      continue;
    const std::string next = i + 1 < said.size() ? said[i + 1] : "";
    const bool is_time = words().has("times", next) || words().has("time units", next) ||
                         next.find_first_of("0123456789") != next.npos;
    std::size_t noun = i + 1;
    if (noun < said.size() && is_of_value(said[noun], clause)) ++noun;
    const bool is_row = noun < said.size() && is_one_row(said[noun], table);
    const bool is_alone = next.empty() && !ends.empty();
    const bool is_when = has("when") && !is_time;
    if (is_row || is_alone || is_when) ends.push_back(end);
  }
  if (names_column_with_zeros(clause, table)) return {};
  return ends;
}

bool points_to_row(const Clause& clause) {
  const auto has = [&](const char* word) {
    return std::ranges::find(clause.words, word) != clause.words.end();
  };
  return clause.goes_on &&
         (clause.says("persons") || clause.is_short() || (has("then") && !has("since")));
}

std::string column_lacking(const Clause& clause, const Json& table) {
  if (asks_for_no_rows(clause.text) || clause.restricts_to_none()) return "";
  const Json& columns = table.at("columns");
  const auto is_measured = [](const Json& column) {
    return !is_number(column) || (!column.contains("counts") && !column.contains("between"));
  };
  if (is_for_nothing(clause.text)) {
    for (const Json& column : columns) {
      if (is_number(column) && is_measured(column) && column.contains("range") &&
          column.at("range").at(0) == 0 && words().has("money", column.value("unit", "")))
        return name_of(column);
    }
    return "";
  }
  const std::vector<std::string> what = words_in(lacking_in(clause.text));
  if (what.empty()) return "";
  for (const Json& column : columns) {
    const bool may_lack =
        column.contains("missing") || (column.contains("range") && column.at("range").at(0) == 0);
    if (may_lack && is_measured(column) && is_named(words_in(name_of(column)), what))
      return name_of(column);
  }
  return "";
}

std::vector<Json> lookups_of(const Clause& clause, const std::vector<Clause>& all,
                             const Json& table) {
  Json tell = Json::array();
  for (const Json& column : table.at("columns")) {
    const bool is_asked = std::ranges::any_of(all, [&](const Clause& one) {
      return one.about.looked_up == clause.about.looked_up && asks_for_cells(one, column);
    });
    if (is_asked && !column.contains("counts") && !column.contains("between"))
      tell.push_back(name_of(column));
  }
  std::vector<Json> calls;
  for (const auto& [column, values] : clause.about.looked_up)
    calls.push_back({{"column", column}, {"values", values}});
  if (calls.empty()) {
    for (const std::string& end : ends_in_time(clause, table)) calls.push_back({{"end", end}});
  }
  if (calls.empty()) {
    const std::string lacking = column_lacking(clause, table);
    if (!lacking.empty()) calls.push_back({{"empty", lacking}});
  }
  for (Json& one : calls) {
    if (!tell.empty()) one["tell"] = tell;
  }
  return calls;
}

bool asks_for_rows_alone(const Interest& about, const std::vector<Interest>& others) {
  const auto is_alone = [](const Interest& one) {
    return std::ranges::any_of(one.looked_up,
                               [&](const auto& of) { return !one.where.contains(of.first); });
  };
  return is_alone(about) || std::ranges::any_of(others, is_alone);
}

}  // namespace insights
