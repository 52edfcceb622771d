#include "insights/unused.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/moves.hpp"
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

/// Whether something of the clause is understood that its other words may belong to.
bool is_understood(const Interest& about, const Json& table) {
  static const std::set<std::string> whole{"unusual", "quality", "gaps", "quiet", "runs"};
  const bool asks_for_all =
      std::ranges::any_of(about.asks, [](const auto& kind) { return whole.contains(kind); });
  return asks_for_all || names_figures(about, table) || !about.where.empty() ||
         !about.compared.empty() || about.bound || !about.per.empty();
}

/// Whether it is asked which group has the most rows: who has them does something with them.
bool asks_for_most(const Clause& clause) {
  return !clause.about.named.empty() &&
         std::ranges::any_of(clause.words, [](const std::string& word) {
           return words().has("extremes", word) || word == "more" || word == "fewer" ||
                  word == "less" || word == "often" || word == "each" || word == "per";
         });
}

/// Whether a word only says where all of it is: `in the house`.
bool is_setting_at(const std::vector<std::string>& asked, std::size_t at) {
  static const std::set<std::string> before{"in", "into", "at", "on"};
  return at > 1 && asked[at - 1] == "the" && before.contains(asked[at - 2]);
}

/// Where the thing stands of which it is asked how many there are: behind `many` or `most`.
bool is_counted_at(const std::vector<std::string>& asked, std::size_t at) {
  static const std::set<std::string> before{"many", "most", "fewest", "more", "fewer"};
  return at > 0 && before.contains(asked[at - 1]);
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

/// The words with a capital that do not begin a sentence: names.
std::vector<std::string> names_in(const std::string& text) {
  static const std::regex name{R"([^.?!:"(] +([A-Z][A-Za-z]{2,})\b)"};
  std::vector<std::string> found;
  for (std::sregex_iterator at{text.begin(), text.end(), name}, end; at != end; ++at)
    found.push_back(words_in((*at)[1].str()).front());
  return found;
}

/// The second parts of compounds with a hyphen, which say little alone: `outs`, of `call-outs`.
std::set<std::string> second_parts_in(const std::string& text) {
  static const std::regex compound{"[A-Za-z]-([A-Za-z]+)"};
  std::set<std::string> found;
  for (std::sregex_iterator at{text.begin(), text.end(), compound}, end; at != end; ++at)
    found.insert(words_in((*at)[1].str()).front());
  return found;
}

/// Whether a word is a comparative of which no column is: `wetter`, where nothing measures water.
bool is_of_no_column(const std::string& word, const std::vector<Json>& tables) {
  return is_comparative({word}) && !is_plain_word(word) && !words().has("lasting", word) &&
         std::ranges::all_of(tables, [&](const Json& table) {
           return meant_columns(table.at("columns"), {word}).empty() &&
                  meant_categories(table, {word}, true).empty();
         });
}

/// What something is said to be, or not to be, like: `morse`, of `is morse better than talking`.
std::vector<std::string> compared_in(const std::vector<std::string>& asked) {
  std::vector<std::string> found;
  if (std::ranges::find(asked, "than") == asked.end()) return found;
  for (std::size_t i = 1; i < asked.size(); ++i) {
    const bool is_first = i == 1 && words().has("verbs", asked[0]);
    if (is_first || asked[i - 1] == "than") found.push_back(asked[i]);
  }
  return found;
}

}  // namespace

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

Unused unused_words(const Clause& clause, const Json& table, const std::vector<Json>& tables) {
  Unused found;
  if (clause.about.is_broad) return found;
  // What says a time that is understood is used: `before Christmas`.
  const std::vector<std::string> plain = words_in(with_plain_times(clause.text, table));
  const auto is_of_time = [&](const std::string& word) {
    return std::ranges::find(clause.words, word) != clause.words.end() &&
           std::ranges::find(plain, word) == plain.end();
  };
  const auto add = [&](std::vector<std::string>& list, const std::vector<std::string>& all) {
    for (const std::string& word : all) {
      const auto is_in = [&](const auto& words) {
        return std::ranges::find(words, word) != words.end();
      };
      if (!is_in(found.leading) && !is_in(found.others) && !is_of_time(word) &&
          (is_unknown(tables, word) || is_of_no_column(word, tables)))
        list.push_back(word);
    }
  };
  add(found.leading, names_in(clause.text));
  add(found.leading, compared_in(clause.words));
  std::vector<std::string> rest;
  const std::set<std::string> seconds = second_parts_in(clause.text);
  for (std::size_t i = 0; i < clause.words.size(); ++i) {
    const std::string& word = clause.words[i];
    if (!is_counted_at(clause.words, i) && !is_setting_at(clause.words, i) &&
        !words().has("light", word) && !seconds.contains(word) &&
        !(clause.about.periods && is_of_moves(word)))
      rest.push_back(word);
  }
  const bool is_answered = is_understood(clause.about, table) || asks_for_most(clause);
  add(is_answered ? found.others : found.leading, rest);
  return found;
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
