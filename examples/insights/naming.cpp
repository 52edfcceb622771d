#include "insights/naming.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// Whether a name has a digit or a letter by itself, and whether the prompt says it behind the same
/// word: `Pump 2`.
std::pair<bool, bool> labelled(const std::vector<std::string>& name,
                               const std::vector<std::string>& asked) {
  std::pair<bool, bool> found;
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (name[i].size() != 1 && name[i].find_first_not_of("0123456789") != name[i].npos) continue;
    found.first = true;
    for (std::size_t j = 1; j < asked.size() && !found.second; ++j)
      found.second = asked[j] == name[i] && speaks_of(asked[j - 1], name[i - 1]);
  }
  return found;
}

/// Whether the prompt asks for figures in a unit that the column's can be told in: `in miles`.
bool is_in_said_unit(const Json& column, const std::vector<std::string>& asked) {
  const std::string unit = column.value("unit", "");
  for (std::size_t i = 1; i < asked.size(); ++i) {
    const auto said = words().unit_names.find(asked[i]);
    if (asked[i - 1] != "in" || said == words().unit_names.end()) continue;
    if (names_unit(asked[i], unit) || in_unit(said->second, unit)) return true;
  }
  return false;
}

}  // namespace

std::vector<const Json*> best_named(const std::vector<Naming>& names) {
  const auto says = [](const Naming& one, const std::string& word) {
    return std::ranges::any_of(words_in(name_of(*one.column)),
                               [&](const std::string& part) { return is_same_word(part, word); });
  };
  // `Persons` is called so, and `Crew` is only a word for persons.
  const auto is_called_so = [&](const Naming& other, const Naming& one) {
    return std::ranges::all_of(one.by, [&](const std::string& word) {
      return other.by.contains(word) && says(other, word) && !says(one, word);
    });
  };
  // `What does cleaning cost` is about Cleaning, not about Price, which is only a word for a cost.
  const auto is_cost = [](const std::string& word) { return words().has("charged", word); };
  const auto is_of_money = [](const Naming& one) {
    return words().has("money", one.column->value("unit", ""));
  };
  const auto is_only_cost = [&](const Naming& other, const Naming& one) {
    const auto is_word = [&](const std::string& word) { return is_cost(word) && !says(one, word); };
    return is_of_money(one) && is_of_money(other) && std::ranges::all_of(one.by, is_word) &&
           !std::ranges::all_of(other.by, is_cost);
  };
  std::vector<const Json*> best;
  for (const Naming& one : names) {
    const bool is_less = std::ranges::any_of(names, [&](const Naming& other) {
      const bool is_more = other.is_whole && other.by.size() > one.by.size() &&
                           std::ranges::includes(other.by, one.by);
      return is_more || is_called_so(other, one) || is_only_cost(other, one);
    });
    if (!is_less) best.push_back(one.column);
  }
  return best;
}

void keep_labelled(std::vector<const Json*>& named, const std::vector<std::string>& asked) {
  const auto label = [&](const Json* one) { return labelled(words_in(name_of(*one)), asked); };
  if (std::ranges::none_of(named, [&](const Json* one) { return label(one).second; })) return;
  std::erase_if(named, [&](const Json* one) { return label(one) == std::pair{true, false}; });
}

void keep_in_unit(std::vector<const Json*>& named, const std::vector<const Json*>& all,
                  const std::vector<std::string>& asked) {
  const auto fits = [&](const Json* one) { return is_in_said_unit(*one, asked); };
  const auto is_only_meant = [](const Json* one) { return one->contains("between"); };
  if (!std::ranges::all_of(named, is_only_meant) || std::ranges::any_of(named, fits)) return;
  std::vector<const Json*> in_unit;
  std::ranges::copy_if(all, std::back_inserter(in_unit), fits);
  if (!in_unit.empty()) named = std::move(in_unit);
}

void leave_out_belongings(std::vector<Naming>& names, const std::vector<std::string>& asked) {
  static const std::set<std::string> whose{"their", "his", "her"};
  std::set<std::string> owned;
  std::string counted;
  for (std::size_t i = 1; i < asked.size(); ++i) {
    if (whose.contains(asked[i - 1])) owned.insert(asked[i]);
    if (counted.empty() && asked[i - 1] == "many") counted = asked[i];
  }
  const auto is_counted = [&](const Naming& one) { return one.by.contains(counted); };
  if (std::ranges::none_of(names, is_counted)) return;
  std::erase_if(names, [&](const Naming& one) {
    return !is_counted(one) && std::ranges::includes(owned, one.by);
  });
}

void leave_out_things(std::vector<Naming>& names, const std::vector<std::string>& asked) {
  static const std::set<std::string> of_sums{"worth", "value",   "total", "sum",
                                             "money", "average", "mean",  "much",
                                             "paid",  "amount",  "cost"};
  const auto is_of_sum = [](const std::string& word) { return of_sums.contains(word); };
  if (std::ranges::any_of(asked, is_of_sum)) return;
  const auto is_counted = [&](const std::string& word) {
    const auto at = std::ranges::find(asked, word);
    static const std::set<std::string> before{"of",   "my",   "our",   "the",    "many", "their",
                                              "most", "more", "fewer", "fewest", "all"};
    return at != asked.begin() && before.contains(*(at - 1));
  };
  const bool counts = std::ranges::any_of(
      asked, [](const std::string& word) { return words().has("counted", word); });
  std::erase_if(names, [&](const Naming& one) {
    const Json& column = *one.column;
    const std::vector<std::string> header = words_in(name_of(column));
    const bool is_sum = words().has("money", column.value("unit", "")) ||
                        (!column.contains("unit") && column.value("median", 0.0) > 12 &&
                         std::ranges::any_of(header, [](const std::string& word) {
                           return words().has("sums of money", word);
                         }));
    return counts && is_sum && std::ranges::all_of(one.by, [&](const std::string& word) {
             const bool is_plural = word.size() > 3 && word.ends_with("s") &&
                                    !word.ends_with("ss") &&
                                    std::ranges::find(header, word) == header.end();
             return is_plural && is_counted(word);
           });
  });
}

}  // namespace insights
