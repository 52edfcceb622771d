#include "insights/unused.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/said_times.hpp"
#include "insights/seasons.hpp"
#include "insights/unread.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// Whether a column of figures is named; rows are none.
bool names_figures(const Interest& about, const Json& table) {
  const Json& first = table.at("columns").at(0);
  return std::ranges::any_of(about.said, [&](const std::string& name) {
    return !first.contains("counts") || name != insights::name_of(first);
  });
}

/// The season or `last year` that a question names. `Than last year` is compared with what was a
/// year earlier.
std::smatch time_named(const std::string& prompt) {
  static const std::regex named{
      R"(\b(?:(?:than|with|to|against|from|since|as|on|January|February|March|April|May|June|July|)"
      R"(August|September|October|November|December) last year|)"
      R"((?:in |during |over |of )?(?:the )?((?:this |last )?(spring|summer|autumn|winter)|)"
      R"(last (year)))\b)",
      std::regex::icase};
  std::smatch found;
  std::regex_search(prompt, found, named);
  return found;
}

/// Whether a table has not more of a year than a season.
bool is_of_one_season(const Json& context) {
  constexpr Moment season = 123 * day_length;
  const auto end = [&](const char* name) {
    return parse_time(context.at(name).get<std::string>())->moment;
  };
  return end("to") - end("from") < season;
}

}  // namespace

bool is_setting_at(const std::vector<std::string>& asked, std::size_t at) {
  static const std::set<std::string> before{"in", "into", "at", "on"};
  return at > 1 && asked[at - 1] == "the" && before.contains(asked[at - 2]);
}

bool is_counted_at(const std::vector<std::string>& asked, std::size_t at) {
  static const std::set<std::string> before{"many", "most", "fewest", "more", "fewer"};
  return at > 0 && before.contains(asked[at - 1]);
}

std::string time_not_read(const std::string& prompt, const Json& context,
                          const std::vector<Json>& tables) {
  const std::string plain = with_plain_times(prompt, tables.front());
  const std::smatch found = time_named(plain);
  if (!season_in(prompt, tables.front()).empty()) return "";
  if (!tables.front().contains("from") || found.empty() || !found[1].matched ||
      is_of_one_season(context))
    return "";
  // A column `Year` does not make `last year` a value, as `Summer fair` does a summer.
  const bool is_name =
      found[2].matched && std::ranges::any_of(tables, [&](const Json& table) {
        const std::vector<std::string> names = words_in(table.dump());
        return std::ranges::find(names, words_in(found[2].str()).front()) != names.end();
      });
  return is_name ? "" : found[1].str();
}

std::vector<std::string> words_for_figures(const Clause& clause, const Json& table) {
  std::size_t columns = 0;
  for (const Json& column : table.at("columns")) {
    if (!is_number(column) || column.contains("describes") || column.contains("between")) continue;
    const std::vector<std::string> name = words_in(name_of(column));
    const bool says_nothing = std::ranges::all_of(
        name, [](const std::string& word) { return words().has("nameless", word); });
    if (column.contains("counts") || !says_nothing || ++columns > 1) return {};
  }
  std::vector<std::string> found;
  for (std::size_t i = 0; i < clause.words.size() && columns == 1; ++i) {
    if (is_counted_at(clause.words, i)) found.push_back(clause.words[i]);
  }
  return found;
}

std::vector<std::string> words_for_rows(const Clause& clause, const Json& table,
                                        const std::vector<Json>& tables) {
  std::vector<std::string> found;
  const Interest& about = clause.about;
  if (about.is_broad || names_figures(about, table) || !table.value("events", false)) return found;
  for (std::size_t i = 0; i < clause.words.size(); ++i) {
    // Of `free tickets` it is the tickets that are counted.
    const bool is_more = i + 1 < clause.words.size() && !is_plain_word(clause.words[i + 1]);
    if (is_counted_at(clause.words, i) && !is_more && is_unknown(tables, clause.words[i]))
      found.push_back(clause.words[i]);
  }
  return found;
}

}  // namespace insights
