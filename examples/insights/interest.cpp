#include "insights/interest.hpp"

#include <algorithm>
#include <cstdlib>
#include <list>
#include <map>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/bounds.hpp"
#include "insights/choices.hpp"
#include "insights/hours.hpp"
#include "insights/identifiers.hpp"
#include "insights/meaning.hpp"
#include "insights/naming.hpp"
#include "insights/naming_times.hpp"
#include "insights/periods.hpp"
#include "insights/portion.hpp"
#include "insights/ratios.hpp"
#include "insights/takings.hpp"
#include "insights/times.hpp"
#include "insights/unread.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_columns = 6;
constexpr std::size_t most_named_columns = 8;

/// Whether a category is named, and not one value of it.
bool names_open(const Interest& about) {
  return std::ranges::any_of(about.named,
                             [&](const std::string& name) { return !about.where.contains(name); });
}

/// Whether the words that name the category all say of what there is how much: `most races`.
bool is_only_counted(const std::string& category, const std::vector<std::string>& asked) {
  static const std::set<std::string> articles{"the", "our", "of", "different"};
  static const std::set<std::string> numbers{"most", "fewest", "many", "more", "fewer", "all"};
  bool is_counted = false;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!is_named(words_in(category), {asked[i]})) continue;
    std::size_t before = i;
    while (before > 0 && articles.contains(asked[before - 1])) --before;
    if (before == 0 || !numbers.contains(asked[before - 1])) return false;
    is_counted = true;
  }
  return is_counted;
}

/// The categories that `who` and `where` ask for, and, where none is named, those of `which`. Two
/// values that are set against each other say who is meant.
void find_meant_values(Interest& about, const Json& table, const std::vector<std::string>& asked) {
  if (!about.compared.empty()) return;
  const std::vector<std::string> meant = meant_categories(table, asked, names_open(about));
  std::size_t at = 0;
  for (const std::string& name : meant) {
    if (!about.named.insert(name).second) continue;
    about.categories.insert(about.categories.begin() + static_cast<std::ptrdiff_t>(at++), name);
  }
  // `Who ran most races` asks for no race.
  const auto is_passing = [&](const std::string& name) {
    return std::ranges::find(meant, name) == meant.end() && !about.where.contains(name) &&
           is_only_counted(name, asked);
  };
  if (!meant.empty()) {
    std::erase_if(about.categories, is_passing);
    std::erase_if(about.named, is_passing);
  }
  if (about.categories.size() > most_categories) about.categories.resize(most_categories);
}

void find_asks(Interest& about, const std::string& prompt, const std::vector<std::string>& asked) {
  for (const auto& [kind, list] : words().asks) {
    for (const std::string& word : asked) {
      if (list.contains(word)) about.asks.insert(kind);
    }
  }
  if (std::ranges::find(asked, "day") != asked.end()) about.asks.erase("weeks");  // a day of it
  static const std::regex moved{
      R"(\b(?:go|goes|went|gone|put|puts|come|came) (?:[^ ,;?]+ ){0,3}(?:up|down)\b)",
      std::regex::icase};
  if (std::regex_search(prompt, moved)) about.asks.insert("change");
  if (asks_for_gaps(prompt)) about.asks.insert("gaps");
  // `At six or later` is no question of who is late.
  const bool is_clock = is_said(asked, {"or", "later"}) || is_said(asked, {"and", "later"});
  if (is_clock && hours_in(prompt)) about.asks.erase("late");
  if (is_said(asked, {"on", "time"}) || is_said(asked, {"in", "time"})) about.asks.insert("late");
}

/// Of events of which no column is named it is their number that is asked for, unless an amount is.
void choose_count(Interest& about, const Json& columns, const std::vector<std::string>& asked) {
  if (about.names_columns || about.is_broad || columns.empty()) return;
  if (!columns.front().contains("counts")) return;
  const auto says = [&](const char* word) { return std::ranges::find(asked, word) != asked.end(); };
  const bool of_number = says("many") || says("often") || about.asks.contains("pattern") ||
                         about.asks.contains("months") || counts_rows(columns, asked) ||
                         (!about.where.empty() && !about.asks.contains("statistics") &&
                          !about.asks.contains("change"));
  if (says("much") || !of_number) return;
  about.columns = {name_of(columns.front())};
  about.statistics = about.columns;
}

bool is_whole(const std::vector<std::string>& name, const std::vector<std::string>& asked) {
  return std::ranges::all_of(name, [&](const std::string& part) {
    return std::ranges::any_of(asked, [&](const auto& word) { return speaks_of(word, part); });
  });
}

/// Whether the prompt asks, of rows that are named, for the one that `took longest`.
bool asks_for_longest(const std::vector<std::string>& asked) {
  static const std::set<std::string> lasted{"took", "takes", "lasted", "lasts"};
  for (std::size_t i = 1; i < asked.size(); ++i) {
    if (asked[i] != "longest" && asked[i] != "shortest") continue;
    if (lasted.contains(asked[i - 1] == "the" && i > 1 ? asked[i - 2] : asked[i - 1])) return true;
  }
  return false;
}

/// Of `how many hours were we out`, where nothing else is named, the time from the first date to
/// the last; nullptr: it is not asked for, or there is none with a clock.
const Json* time_out(const std::string& prompt, const Json& columns) {
  static const std::regex hours{
      R"((?:^|[^a-z ]|\b(?!in|on|at|of|for)[a-z]+) ?\bhow (?:many|much) (?:hours|minutes) )"
      R"((?:were|was|are|is|did|do|does|have|has|had|in (?:all|total)|altogether)\b)",
      std::regex::icase};
  if (!std::regex_search(prompt, hours)) return nullptr;
  std::vector<Naming> times;
  for (const Json& column : columns) {
    const std::string unit = column.value("unit", "");
    if (column.contains("between") && (unit == "h" || unit == "min"))
      times.push_back({&column, {}, false});
  }
  times = by_most_words(std::move(times));
  return times.empty() ? nullptr : times.front().column;
}

/// Whether a column is named by words for people alone, who do something: `how long do people stay`
/// does not ask how many they are.
bool is_of_doers(const Naming& one, const std::vector<std::string>& asked) {
  const auto how = std::ranges::find(asked, "how");
  const bool asks_degree = asked.end() - how > 1 && !words().has("how many", *(how + 1)) &&
                           !words().asks.at("counts").contains(*(how + 1));
  if (!asks_degree) return false;
  return std::ranges::all_of(one.by, [&](const std::string& word) {
    const auto is_it = [&](const std::string& person) { return is_same_word(word, person); };
    const auto at = std::ranges::find(asked, word);
    return std::ranges::any_of(words().of.at("people"), is_it) && at != asked.begin() &&
           at != asked.end() && words().has("verbs", *(at - 1));
  });
}

/// Whether the prompt counts what the column is measured in: `how many litres`.
bool counts_unit(const Json& column, const std::vector<std::string>& asked) {
  const std::string unit = said_unit_of(column);
  for (std::size_t i = 1; i < asked.size() && !unit.empty(); ++i) {
    const bool is_asked = asked[i - 1] == "many" || asked[i - 1] == "much";
    if (!is_asked) continue;
    // Hours are those of a column of minutes, too, and tonnes those of one of kilograms.
    if (names_unit(asked[i], unit)) return true;
    if (!column.contains("between") && is_of_kind(asked[i], unit)) return true;
  }
  return false;
}

/// Those in the unit that is said, if there are some, and not in another of its kind.
void keep_in_said_unit(std::vector<const Json*>& columns, const std::vector<std::string>& asked) {
  const auto is_in_it = [&](const Json* column) {
    return std::ranges::any_of(
        asked, [&](const auto& word) { return names_unit(word, said_unit_of(*column)); });
  };
  if (std::ranges::any_of(columns, is_in_it))
    std::erase_if(columns, [&](const Json* column) { return !is_in_it(column); });
}

/// Whether a limit is one of money: `worth more than 500`, `over £20`.
bool is_of_money(const std::string& prompt) {
  static const std::regex money{R"(\bworth (?:more|less|over|under|at least|at most)\b|[£€$] ?\d)",
                                std::regex::icase};
  return std::regex_search(prompt, money);
}

/// Every column, but of a highest, a lowest and their mean the mean alone.
void choose_columns(Interest& about, const Json& columns, const std::string& prompt,
                    const std::vector<std::string>& asked) {
  std::set<std::string> parts;
  std::vector<Naming> names;
  std::vector<Naming> times;         // from one date to another
  std::vector<const Json*> by_unit;  // energy is the word for what is in kWh
  std::vector<const Json*> all;
  for (const Json& column : columns) {
    if (!is_number(column)) continue;
    all.push_back(&column);
    if (column.contains("between")) {
      const std::set<std::string> by = naming_words_of_time(column, asked);
      const bool has_date =
          std::ranges::any_of(by, [](const auto& word) { return !words().has("lasting", word); });
      if (!by.empty()) times.push_back({&column, by, has_date});
      continue;
    }
    std::vector<std::string> name = words_in(name_of(column));
    // A column of miles is called so, and one of hours is none of the hours of a day.
    const bool is_only_unit = name.size() == 1 && !words().has("times", name[0]) &&
                              !words().has("time units", column.value("unit", ""));
    if (column.contains("unit") && words().units.contains(name.back()) && !is_only_unit)
      name.pop_back();
    const std::vector<std::string> naming_name = naming(name);
    std::set<std::string> by = naming_words(naming_name, asked);
    if (column.contains("counts")) by.merge(names_of_rows(naming_name, asked));
    if (!by.empty() && !is_in_other_unit(column, columns, by))
      names.push_back({&column, by, is_whole(naming_name, asked)});
    const std::string unit = column.value("unit", "");
    const bool is_in_unit =
        is_named(words_in(unit), asked) || counts_unit(column, asked) ||
        (about.bound && about.bound->unit != "d" && in_unit(about.bound->unit, unit)) ||
        (about.bound && about.bound->unit == "d" && unit == "d");
    if (is_in_unit) by_unit.push_back(&column);
  }
  if (!about.bound) keep_in_said_unit(by_unit, asked);
  leave_out_things(names, asked);
  // Rows are only what took so long: `a rush job leaves sooner`.
  const bool are_rows =
      std::ranges::all_of(names, [](const Naming& one) { return one.column->contains("counts"); });
  const bool counts = std::ranges::any_of(
      asked, [](const std::string& word) { return words().has("counted", word); });
  const bool is_longest = asks_for_longest(asked);
  if (!times.empty() && are_rows && (!counts || is_longest)) names.clear();
  // `How many litres of milk`, of rows called milk, asks for no number of rows.
  const auto is_counted = [&](const Json* column) { return counts_unit(*column, asked); };
  const bool counts_units = std::ranges::any_of(by_unit, is_counted);
  if (are_rows && counts_units) names.clear();
  // `How many hours did we spend` asks for no money.
  const auto is_beside = [&](const Naming& one) { return !is_counted(one.column); };
  if (counts_units && std::ranges::all_of(names, is_beside)) names.clear();
  std::erase_if(names, [&](const Naming& one) { return is_of_doers(one, asked); });
  if (names.empty() && !counts_rows(columns, asked)) names = by_most_words(times);
  // `How many took longer than two hours` is about how long they took.
  const bool of_hours = about.bound && words().has("time units", about.bound->unit);
  if (of_hours && are_rows && !times.empty()) names = by_most_words(times);
  if (const Json* own = own_duration(names, columns)) names = {{own, {}, false}};
  leave_out_belongings(names, asked);
  std::vector<const Json*> named = best_named(names);
  keep_labelled(named, asked);
  keep_in_unit(named, all, asked);
  if (named.empty()) named = by_unit;
  const bool are_only_rows =
      std::ranges::all_of(named, [](const Json* one) { return one->contains("counts"); });
  if (are_only_rows && about.bound && is_of_money(prompt)) {
    const std::string money = only_money(columns);
    for (const Json* one : all) {
      if (name_of(*one) == money) named = {one};
    }
  }
  if (named.empty() && !about.bound) {
    if (const Json* out = time_out(prompt, columns)) named = {out};
  }
  // The largest orders are not those that are most, and the dearest thing sold is not the most.
  const std::vector<const Json*> meant = meant_columns(columns, asked);
  const auto is_only_like = [&](const Json* column) {
    return std::ranges::find(meant, column) == meant.end() &&
           std::ranges::none_of(words_in(name_of(*column)), [&](const std::string& word) {
             return std::ranges::any_of(asked,
                                        [&](const auto& one) { return is_same_word(one, word); });
           });
  };
  const bool is_open = std::ranges::all_of(named, [&](const Json* one) {
    return one->contains("counts") || (is_superlative(asked) && is_only_like(one));
  });
  about.is_meant = is_open && !meant.empty();
  if (about.is_meant) named = meant;
  about.names_columns = !named.empty();
  about.is_whole =
      !about.is_meant && (!by_unit.empty() || std::ranges::any_of(names, &Naming::is_whole));
  for (const Json* column : named) about.said.insert(name_of(*column));
  // How large a place is changes with nothing: it is told if it is asked for.
  const auto is_fixed = [](const Json* one) { return one->contains("describes"); };
  if (!std::ranges::all_of(all, is_fixed)) std::erase_if(all, is_fixed);
  if (about.is_broad) {
    std::ranges::copy_if(all, std::back_inserter(named),
                         [&](const Json* one) { return !about.said.contains(name_of(*one)); });
  }
  if (named.empty()) named = all;
  for (const Json* column : named) {
    if (!column->contains("of")) continue;
    for (const Json& part : column->at("of")) parts.insert(part.get<std::string>());
  }
  const std::size_t most = named.size() == all.size() ? most_columns : most_named_columns;
  for (const Json* column : named) {
    const std::string name = name_of(*column);
    if (!parts.contains(name) && about.columns.size() < most) about.columns.push_back(name);
    if (!column->contains("of") && about.statistics.size() < most_named_columns) {
      about.statistics.push_back(name);
    }
  }
}

/// `How is business?`: what is named nowhere in the table is a word for all of it.
bool asks_how_it_is(const Interest& about, const std::vector<std::string>& asked) {
  static const std::set<std::string> verbs{"is", "are", "was", "were", "has", "have", "did", "do"};
  return asked.size() > 1 && asked[0] == "how" && verbs.contains(asked[1]) &&
         !about.names_columns && about.named.empty() && !about.bound;
}

/// `Any strange day?`: whatever is odd is asked for where nothing is named.
bool asks_what_is_odd(const Interest& about, const std::vector<std::string>& asked) {
  return !about.names_columns && about.named.empty() && !about.bound &&
         std::ranges::any_of(asked, [](const auto& word) { return words().has("odd", word); });
}

/// Whether a word is that of a date: `report`, where a column is called `Reported`.
bool names_a_date(const Json& columns, const std::string& word) {
  return std::ranges::any_of(columns, [&](const Json& column) {
    const auto dates = column.value("between", std::vector<std::string>{});
    return std::ranges::any_of(
        dates, [&](const std::string& date) { return is_named(words_in(date), {word}); });
  });
}

/// The words of a prompt that may ask what there is to know: `without the wrong ones` and `went up`
/// do not.
std::vector<std::string> words_at_large(const std::string& prompt) {
  static const std::regex aside{
      R"(\b(?:without|not counting|except|excluding|leaving out|ignoring|apart from) [^,;.?]*|)"
      R"(\b(?:of|from) everything\b|\beverything (?:that|which) (?:was|were|is|are|has been) \w+|)"
      R"(\bdoing (?:more|fewer|less|as (?:many|much))\b|)"
      R"(\bhow (?:many|much) (?:\w+ ){0,4}(?:went|going|go|goes)\b|)"
      R"(\b(?:went|going|goes) (?:up|down|out|over|off|through|into|to|from|missing|past|)"
      R"(above|below|beyond|by|home|back)\b)",
      std::regex::icase};
  return words_in(std::regex_replace(prompt, aside, " "));
}

/// `Which sire's lambs`: not by the name of each lamb, which leads to its sire.
void leave_out_key(Interest& about, const Json& columns) {
  const auto is_named_and = [&](const char* what, const Json& column) {
    return column.contains(what) && about.named.contains(name_of(column));
  };
  const bool has_kind = std::ranges::any_of(
      columns, [&](const Json& column) { return is_named_and("ofParent", column); });
  for (const Json& column : columns) {
    const std::string name = name_of(column);
    if (!has_kind || !is_named_and("leadsToParent", column) || about.where.contains(name)) continue;
    about.named.erase(name);
    std::erase(about.categories, name);
  }
}

Interest read(const std::string& text, const Json& table) {
  Interest about;
  const std::string prompt = find_identifiers(about, table, text);
  const std::vector<std::string> asked = words_in(prompt);
  const Json& columns = table.at("columns");
  about.is_broad = std::ranges::any_of(words_at_large(prompt), [&](const std::string& word) {
    return words().has("broad", word) && !names_a_date(columns, word);
  });
  about.bound = bound_in(prompt);
  const auto places = about.bound ? std::nullopt : place_bound_in(prompt, columns);
  if (places) about.bound = places->second;
  choose_columns(about, columns, prompt, asked);
  if (places) {
    about.said = {name_of(*places->first)};
    about.columns = about.statistics = {name_of(*places->first)};
    about.names_columns = true;
  }
  find_values(about, table, prompt);
  find_setting(about, columns, prompt);
  find_ordinal(about, columns, prompt);
  find_meant_values(about, table, asked);
  leave_out_key(about, columns);
  // Who asks by one category wants no other.
  const bool is_by = !about.is_broad && names_open(about);
  for (const Json& column : columns) {
    const std::string name = name_of(column);
    if (is_by || is_number(column) || column.contains("free") || column.contains("identifies") ||
        about.categories.size() == most_categories)
      continue;
    if (std::ranges::find(about.categories, name) == about.categories.end()) {
      about.categories.push_back(name);
    }
  }
  find_asks(about, prompt, words_in(without_exceptions(prompt)));
  about.is_broad = about.is_broad || asks_how_it_is(about, asked) || asks_what_is_odd(about, asked);
  const std::vector<std::string> all = about.columns;
  choose_count(about, columns, asked);
  find_times(about, prompt, table);
  // `The first half against the second` names nothing: all that is measured is compared.
  const bool is_of_all = about.periods && about.where.empty() && about.named.empty();
  if (is_of_all && std::ranges::find(asked, "many") == asked.end()) about.columns = all;
  find_per(about, columns, prompt, asked);
  if (!about.looked_up.empty()) about.is_broad = false;
  about.unread = unread_in(table, asked);
  about.part = part_of_share(prompt, about);
  about.counts = std::ranges::any_of(
      asked, [](const std::string& word) { return words().has("counted", word); });
  return about;
}

/// The questions about a table that were read lately: each part of an answer reads the same ones.
struct ReadLately {
  Json table;
  std::map<std::string, Interest> interests;
};

}  // namespace

Interest interest_of(const std::string& prompt, const Json& table) {
  constexpr std::size_t most_tables = 8;
  constexpr std::size_t most_prompts = 64;
  thread_local std::list<ReadLately> lately;
  auto at = std::ranges::find(lately, table, &ReadLately::table);
  if (at == lately.end()) {
    if (lately.size() == most_tables) lately.pop_back();
    at = lately.insert(lately.begin(), {table, {}});
  }
  if (at->interests.size() == most_prompts) at->interests.clear();
  const auto known = at->interests.find(prompt);
  if (known != at->interests.end()) return known->second;
  return at->interests.emplace(prompt, read(prompt, table)).first->second;
}

}  // namespace insights
