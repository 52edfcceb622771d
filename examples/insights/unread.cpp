#include "insights/unread.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "insights/clauses.hpp"
#include "insights/meaning.hpp"
#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t shortest_stem = 4;

/// `cost`, `takings`, where no column can hold money: amounts without a unit may.
bool asks_for_money(const std::string& word, const Json& columns) {
  if (word == "dear") return false;  // letters begin so
  const bool is_it = std::ranges::any_of(words().meanings, [&](const Meaning& one) {
    return !one.is_weak && one.units.contains("money") && one.said.contains(word);
  });
  return is_it && std::ranges::none_of(columns, [](const Json& column) {
           return is_number(column) && !column.contains("counts") && column.at("amount") == true &&
                  column.value("unit", "").empty();
         });
}

/// Whether a word is one of questions in general, and names no thing that a table may have.
bool is_of_questions(const std::string& word) {
  return words().has("stop", word) || words().has("broad", word) || words().has("general", word) ||
         std::ranges::any_of(words().asks,
                             [&](const auto& kind) { return kind.second.contains(word); });
}

/// The words of a table's name, its columns and units, and its values.
std::vector<std::string> words_of(const Json& table, bool with_values = true) {
  std::vector<std::string> names = words_in(table.value("table", ""));
  const auto add = [&](const std::string& text) {
    for (std::string& one : words_in(text)) names.push_back(std::move(one));
  };
  if (table.contains("time")) add(table.at("time"));
  for (const Json& name : table.value("unused", Json::array())) add(name);
  for (const Json& column : table.at("columns")) {
    add(name_of(column));
    add(column.value("unit", ""));
    if (!with_values) continue;
    for (const Json& value : column.value("values", Json::array())) add(value);
  }
  return names;
}

/// Whether the table has something that is called so, or that is meant by the word.
bool is_in_table(const Json& table, const std::string& word) {
  if (!names_of_rows(words_in(table.value("table", "")), {word}).empty()) return true;
  if (!meant_columns(table.at("columns"), {word}).empty()) return true;
  const bool is_unit = std::ranges::any_of(table.at("columns"), [&](const Json& column) {
    const std::string unit = column.value("unit", "");
    return names_unit(word, unit) || is_of_kind(word, unit);
  });
  if (is_unit) return true;
  const std::vector<std::string> names = words_of(table);
  return std::ranges::any_of(names, [&](const auto& name) { return speaks_of(word, name); });
}

/// Whether a word may be one for what the table has: a part of it, as `trapped` is of Entrapment,
/// or one of a saying whose other words it has.
bool is_like_table(const Json& table, const std::string& word) {
  const std::vector<std::string> names = words_of(table);
  const std::string stem = text::stem_of(word);
  const bool is_part =
      stem.size() >= shortest_stem && std::ranges::any_of(names, [&](const std::string& name) {
        return name.find(stem) != name.npos || text::stem_of(name) == stem || name + "s" == word;
      });
  return is_part || std::ranges::any_of(words().sayings, [&](const std::set<std::string>& group) {
           const auto has = [&](const std::string& one) {
             return std::ranges::any_of(
                 group, [&](const std::string& phrase) { return speaks_of(one, phrase); });
           };
           return has(word) && std::ranges::any_of(names, has);
         });
}

/// Whether one of the tables has something that is called so, or is like it.
bool is_known(const std::vector<Json>& tables, const std::string& word) {
  return std::ranges::any_of(tables, [&](const Json& table) {
    return is_in_table(table, word) || is_like_table(table, word);
  });
}

/// Whether a word may name a thing.
bool is_thing(const std::string& word) {
  constexpr std::size_t shortest = 3;
  const bool is_meaning = std::ranges::any_of(
      words().meanings, [&](const Meaning& one) { return one.said.contains(word); });
  return word.size() >= shortest && !is_meaning && !words().has("takings", word) &&
         !is_plain_word(word) && word.find_first_of("0123456789%") == word.npos;
}

/// Where the words stand that restrict a question: `from vaccinations`, `with our dogs`.
/// @param numbers  a list of words behind which also those stand of which it is asked how many
/// there
///                 are: `the most hooks`
std::vector<std::size_t> restrictions_in(const std::vector<std::string>& asked,
                                         const char* numbers) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i + 1 < asked.size(); ++i) {
    const bool is_before = words().has("before names", asked[i]);
    const bool is_number = words().has(numbers, asked[i]);
    if (!is_before && !is_number && !words().has("right before names", asked[i])) continue;
    // `which kind of animal`, `from the first round to the last`: rows are called so.
    static const std::set<std::string> kinds{"kind", "kinds", "type", "types", "sort", "sorts"};
    if (asked[i] == "of" && i > 0 && kinds.contains(asked[i - 1])) continue;
    std::size_t at = i + 1;
    while (is_before && at < asked.size() && words().has("adjectives", asked[at])) ++at;
    static const std::set<std::string> ordinals{"first", "last", "next"};
    if (ordinals.contains(asked[at - 1])) continue;
    if (at < asked.size() && is_thing(asked[at])) found.push_back(at);
  }
  return found;
}

}  // namespace

bool is_plain_word(const std::string& word) {
  return is_of_questions(word) || is_general(word) || words().has("plain", word) ||
         words().has("verbs", word) || words().has("rows", word) || words().has("times", word) ||
         words().has("persons", word) || words().has("particles", word) ||
         words().has("people", word) || words().has("places", word) ||
         words().unit_names.contains(word);
}

std::set<std::string> names_of_rows(const std::vector<std::string>& rows,
                                    const std::vector<std::string>& asked) {
  std::set<std::string> found;
  for (const std::string& word : asked) {
    const std::string stem = text::stem_of(word);
    const bool is_it =
        stem.size() >= shortest_stem && !is_general(word) &&
        std::ranges::any_of(rows, [&](const std::string& one) { return one.starts_with(stem); });
    if (is_it) found.insert(word);
  }
  return found;
}

std::vector<std::string> unread_in(const Json& table, const std::vector<std::string>& asked) {
  const Json& columns = table.at("columns");
  std::vector<std::string> unread;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool is_money = asks_for_money(asked[i], columns);
    const bool is_slot = i > 0 && words().has("before things", asked[i - 1]);
    const bool has_digit = asked[i].find_first_of("0123456789") != asked[i].npos;
    if ((!is_slot && !is_money) || has_digit || (is_of_questions(asked[i]) && !is_money)) continue;
    // `average water temperature`: the second word is what is asked for.
    const bool is_figure = i > 0 && (asked[i - 1] == "average" || asked[i - 1] == "total");
    if (is_figure && i + 1 < asked.size() && is_thing(asked[i + 1]) &&
        is_in_table(table, asked[i + 1]))
      continue;
    if (!is_in_table(table, asked[i])) unread.push_back(asked[i]);
  }
  return unread;
}

bool is_unknown(const std::vector<Json>& tables, const std::string& word) {
  return is_thing(word) && !is_known(tables, word);
}

std::vector<std::string> unknown_things(const std::vector<Json>& tables,
                                        const std::vector<std::string>& asked) {
  std::vector<std::string> things;
  for (const std::size_t at : restrictions_in(asked, "most things")) {
    if (is_known(tables, asked[at])) continue;
    // `parcel locker`: of two words for one thing one is known.
    const bool has_particle = at + 2 < asked.size() && words().has("particles", asked[at + 1]);
    const std::size_t next = at + (has_particle ? 2 : 1);
    if (next < asked.size() && is_thing(asked[next]) && is_known(tables, asked[next])) continue;
    if (std::ranges::find(things, asked[at]) == things.end()) things.push_back(asked[at]);
  }
  return things;
}

}  // namespace insights
