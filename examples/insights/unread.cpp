#include "insights/unread.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

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

}  // namespace

std::set<std::string> names_of_rows(const std::vector<std::string>& rows,
                                    const std::vector<std::string>& asked) {
  constexpr std::size_t shortest = 4;
  std::set<std::string> found;
  for (const std::string& word : asked) {
    const std::string stem = text::stem_of(word);
    const bool is_it =
        stem.size() >= shortest && !is_general(word) &&
        std::ranges::any_of(rows, [&](const std::string& one) { return one.starts_with(stem); });
    if (is_it) found.insert(word);
  }
  return found;
}

std::vector<std::string> unread_in(const Json& table, const std::vector<std::string>& asked) {
  const auto is_known = [&](const std::string& word) {
    const bool is_of_questions =
        words().has("stop", word) || words().has("broad", word) || words().has("general", word) ||
        std::ranges::any_of(words().asks,
                            [&](const auto& kind) { return kind.second.contains(word); });
    if (is_of_questions && !asks_for_money(word, table.at("columns"))) return true;
    std::vector<std::string> names = words_in(table.at("table").get<std::string>());
    if (!names_of_rows(names, {word}).empty()) return true;
    if (!meant_columns(table.at("columns"), {word}).empty()) return true;
    for (const Json& column : table.at("columns")) {
      const auto add = [&](const std::string& text) {
        for (std::string& one : words_in(text)) names.push_back(std::move(one));
      };
      add(name_of(column));
      if (names_unit(word, column.value("unit", ""))) return true;
      add(column.value("unit", ""));
      for (const Json& value : column.value("values", Json::array())) add(value.get<std::string>());
    }
    return std::ranges::any_of(names, [&](const auto& name) { return speaks_of(word, name); });
  };
  std::vector<std::string> unread;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool is_slot = i > 0 && words().has("before things", asked[i - 1]);
    if ((is_slot || asks_for_money(asked[i], table.at("columns"))) && !is_known(asked[i]) &&
        asked[i].find_first_of("0123456789") == asked[i].npos)
      unread.push_back(asked[i]);
  }
  return unread;
}

}  // namespace insights
