#include "insights/parts.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/unread.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using ValueSet = std::set<std::string>;

bool is_plural_of(const std::string& word, const std::string& part) {
  return word == part || word == part + "s" || word == part + "es" || word + "s" == part;
}

/// Whether a value reads like a remark, of which no single word is a name: `many beetles, let go`.
bool is_like_remark(const std::string& value) {
  constexpr std::size_t most = 4;  // words
  return value.find_first_of(",;") != value.npos || words_in(value).size() > most;
}

/// The values that have the word, or its plural; where none has, a word of the same stem.
ValueSet values_having(const std::string& word, const Json& column) {
  ValueSet same;
  ValueSet like;
  for (const Json& value : column.at("values")) {
    const auto text = value.get<std::string>();
    if (is_like_remark(text)) continue;
    const std::vector<std::string> parts = words_in(text);
    if (std::ranges::any_of(parts, [&](const auto& part) { return is_plural_of(word, part); })) {
      same.insert(text);
    } else if (std::ranges::any_of(parts,
                                   [&](const auto& part) { return is_same_word(word, part); })) {
      like.insert(text);
    }
  }
  return same.empty() ? like : same;
}

class PartsOfValues {
 public:
  PartsOfValues(Interest& about, const Json& table, const std::vector<std::string>& asked)
      : about_(about), table_(table), asked_(asked) {
    const auto add = [&](const std::string& text) {
      for (std::string& word : words_in(text)) known_.push_back(std::move(word));
    };
    add(table.value("table", ""));
    add(table.value("time", ""));
    for (const Json& column : table.at("columns")) {
      add(name_of(column));
      add(column.value("unit", ""));
    }
    for (const auto& [name, value] : about.where) add(value);
    for (const auto& [name, two] : about.compared) add(two.first + " " + two.second);
    for (const Json& column : table.at("columns")) {
      if (!about.named.contains(name_of(column)) || about.where.contains(name_of(column))) continue;
      for (const Json& value : column.value("values", Json::array())) {
        const std::vector<std::string> theirs = words_in(value.get<std::string>());
        if (theirs.size() == 1) add(theirs[0]);
      }
    }
  }

  void find() {
    std::map<std::string, ValueSet> found;
    for (const std::string& word : asked_) {
      if (!may_be_part(word)) continue;
      const Json* column = column_with(word);
      if (column == nullptr) continue;
      ValueSet values = values_having(word, *column);
      ValueSet& all = found[name_of(*column)];
      ValueSet both;
      std::ranges::set_intersection(all, values, std::inserter(both, both.end()));
      if (both.empty()) {
        all.merge(values);
      } else {
        all = both;
      }
    }
    for (const auto& [name, values] : found) take(name, values);
  }

 private:
  /// Whether the word means nothing else that is known.
  [[nodiscard]] bool may_be_part(const std::string& word) const {
    constexpr std::size_t shortest = 4;
    const auto means = [&](const Meaning& one) { return one.said.contains(word); };
    return word.size() >= shortest && !is_plain_word(word) && !words().has("occasions", word) &&
           !words().has("titles", word) && !words().has("others", word) &&
           !words().has("takings", word) && !words().has("failures", word) &&
           !words().has("successes", word) && !is_superlative({word}) && !is_comparative({word}) &&
           std::ranges::none_of(words().meanings, means) &&
           std::ranges::none_of(known_,
                                [&](const std::string& name) { return speaks_of(word, name); });
  }

  /// The category that has values with the word, but not in all of them.
  [[nodiscard]] const Json* column_with(const std::string& word) const {
    const Json* best = nullptr;
    std::size_t least_count = 0;
    bool is_named = false;
    for (const Json& column : table_.at("columns")) {
      const std::string name = name_of(column);
      if (is_number(column) || column.contains("free") || about_.where.contains(name) ||
          about_.compared.contains(name))
        continue;
      const std::size_t count = values_having(word, column).size();
      if (count == 0 || count == column.at("values").size()) continue;
      const bool is_better = best == nullptr || (about_.named.contains(name) && !is_named) ||
                             (count < least_count && about_.named.contains(name) == is_named);
      if (!is_better) continue;
      best = &column;
      least_count = count;
      is_named = about_.named.contains(name);
    }
    return best;
  }

  void take(const std::string& name, const ValueSet& values) {
    std::string wanted = *values.begin();
    if (values.size() > 1) {
      wanted = one_of;
      for (const std::string& value : values)
        wanted += (value == *values.begin() ? "" : std::string{and_also}) + value;
    }
    about_.where[name] = wanted;
    about_.named.insert(name);
  }

  Interest& about_;
  const Json& table_;
  const std::vector<std::string>& asked_;
  std::vector<std::string> known_;  ///< words that mean something else
};

}  // namespace

void find_parts(Interest& about, const Json& table, const std::vector<std::string>& asked) {
  if (!about.is_broad) PartsOfValues{about, table, asked}.find();
}

}  // namespace insights
