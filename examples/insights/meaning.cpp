#include "insights/meaning.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/thesaurus.hpp"
#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

bool has_any(const std::set<std::string>& list, const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [&](const auto& word) { return list.contains(word); });
}

bool is_in(const char* list, const std::vector<std::string>& header) {
  return has_any(words().of.at(list), header);
}

bool is_of_money(const Json& column) {
  return words().has("money", unit_of_price(column.value("unit", "")));
}

/// A column's unit, as the meanings have it: any money is `money`, a price in pence `hundredths`.
std::string unit_of_meaning(const Json& column) {
  const std::string unit = column.value("unit", "");
  if (is_of_money(column)) return "money";
  const bool is_rate = unit.find_first_of("/ ") != unit.npos;
  return is_rate && words().hundredths.contains(unit_of_price(unit)) ? "hundredths" : unit;
}

/// The columns with one of the names, or else with one of the units.
std::vector<const Json*> columns_of(const Meaning& meaning, const Json& columns) {
  std::vector<const Json*> by_name;
  std::vector<const Json*> by_unit;
  // Of rides with one or two passengers each, a busy day is one of many rides.
  constexpr double few = 2;
  const bool is_of_events = columns.front().contains("counts") && meaning.said.contains("busiest");
  for (const Json& column : columns) {
    if (!is_number(column) || column.contains("counts") || column.contains("between")) continue;
    if (is_of_events && column.value("median", 0.0) <= few) continue;
    if (has_any(meaning.names, words_in(name_of(column)))) by_name.push_back(&column);
    if (meaning.units.contains(unit_of_meaning(column))) by_unit.push_back(&column);
  }
  if (!by_unit.empty())
    std::erase_if(by_name, [&](const Json* one) {
      const std::string unit = unit_of_meaning(*one);
      return !unit.empty() && !meaning.units.contains(unit);
    });
  // Of columns of money, takings are amounts, and prices are not, whatever they are called.
  const bool is_amount = !meaning.said.contains("price");
  const auto is_it = [&](const Json* one) { return one->at("amount") == is_amount; };
  const auto is_other = [&](const Json* one) { return is_of_money(*one) && !is_it(one); };
  const auto is_taken = [&](const Json* one) {
    return is_of_money(*one) && is_it(one) && !is_in("not taken", words_in(name_of(*one)));
  };
  const bool are_prices = is_amount && std::ranges::all_of(by_name, is_other);
  if (!by_name.empty() && are_prices && std::ranges::count_if(by_unit, is_taken) == 1)
    return {*std::ranges::find_if(by_unit, is_taken)};
  if (!by_name.empty()) return by_name;
  if (std::ranges::any_of(by_unit, is_it)) std::erase_if(by_unit, is_other);
  return by_unit;
}

/// Whether the prompt says `the longest time`, or `took longest`.
bool of_time(const Meaning& meaning, const std::vector<std::string>& asked) {
  static const std::set<std::string> lasted{"take", "takes", "took", "last", "lasts", "lasted"};
  for (std::size_t i = 1; i < asked.size(); ++i) {
    if (asked[i] == "time" && meaning.said.contains(asked[i - 1])) return true;
    if (!meaning.said.contains("longest") || !meaning.said.contains(asked[i])) continue;
    const std::size_t at = i > 1 && asked[i - 1] == "the" ? i - 2 : i - 1;
    if (lasted.contains(asked[at])) return true;
  }
  return false;
}

/// Whether a column in another unit than one of time is not meant by `the longest`, since the rows
/// say when they began and ended: it is not called a distance.
bool is_beside_times(const Meaning& meaning, const Json& column, const Json& columns) {
  return meaning.said.contains("longest") && !has_any(meaning.names, words_in(name_of(column))) &&
         std::ranges::any_of(columns, [](const Json& one) { return one.contains("between"); });
}

/// Whether the header is that of people: one of their words, or what somebody does it `by`.
bool is_of_people(const std::vector<std::string>& header) {
  return is_in("people", header) || header.back() == "by" || is_person(header.back());
}

/// One of the words for places, or `found in`.
bool is_of_places(const std::vector<std::string>& header) {
  return is_in("places", header) || header.back() == "in" || header.back() == "at";
}

/// Whether half of the values have the word, and it is not all that they say.
bool is_in_values(const std::string& word, const Json& column) {
  const Json& values = column.at("values");
  const auto count = std::count_if(values.begin(), values.end(), [&](const Json& value) {
    const std::vector<std::string> parts = words_in(value.get<std::string>());
    return parts.size() > 1 && std::ranges::find(parts, word) != parts.end();
  });
  return values.size() > 1 && 2 * static_cast<std::size_t>(count) >= values.size();
}

bool is_in_meanings(const std::string& word) {
  return std::ranges::any_of(words().meanings, [&](const Meaning& one) {
    return !one.is_weak && one.said.contains(word);
  });
}

/// Whether a word names no thing.
bool is_no_thing(const std::string& word) {
  return is_general(word) || std::ranges::any_of(words().meanings, [&](const Meaning& one) {
           return one.said.contains(word);
         });
}

/// Whether it names a thing that the table has no word for: `which stall`, of a column of pitches.
bool is_other_word(const std::string& word, const Json& table) {
  if (is_no_thing(word) || words().has("times", word) || words().has("rows", word)) return false;
  return std::ranges::none_of(table.at("columns"), [&](const Json& column) {
    const std::vector<std::string> name = words_in(name_of(column));
    return std::ranges::any_of(name, [&](const auto& part) { return speaks_of(word, part); });
  });
}

/// The first category of things, not of people, with few values: `Which barrier`, of a log of
/// barriers that calls them lanes; "": none.
std::string first_kind(const Json& table) {
  constexpr std::size_t most = 12;
  for (const Json& column : table.at("columns")) {
    const std::vector<std::string> header = words_in(name_of(column));
    if (is_number(column) || header.empty() || is_of_people(header) || column.contains("free"))
      continue;
    const std::size_t values = column.at("values").size();
    if (values > 1 && values <= most) return name_of(column);
  }
  return "";
}

/// The columns of people: if there are some, those who do what the prompt says.
std::vector<std::string> people_of(const Json& table, const std::vector<std::string>& asked) {
  std::vector<std::string> all;
  std::vector<std::string> doers;
  for (const Json& column : table.at("columns")) {
    const std::vector<std::string> header = words_in(name_of(column));
    if (is_number(column) || header.empty()) continue;
    const bool is_doer = is_of_doer(header.back(), asked) || does_it(header, asked);
    if (is_doer || is_of_people(header)) all.push_back(name_of(column));
    if (is_doer) doers.push_back(name_of(column));
  }
  return doers.empty() ? all : doers;
}

}  // namespace

bool is_of_doer(const std::string& header, const std::vector<std::string>& asked) {
  constexpr std::size_t shortest = 5;
  const bool is_doer =
      header.size() >= shortest && (header.ends_with("er") || header.ends_with("or"));
  if (!is_doer) return false;
  const std::string verb = text::stem_of(header.substr(0, header.size() - 2));
  const std::string longer = text::stem_of(header.substr(0, header.size() - 1));  // bake, of baker
  return std::ranges::any_of(asked, [&](const std::string& word) {
    const std::string stem = text::stem_of(word);
    return word != header && (stem == verb || stem == longer);
  });
}

std::string name_of(const Json& column) { return column.at("name").get<std::string>(); }
bool is_number(const Json& column) { return column.at("kind") == "number"; }

bool is_stay(const Json& column) {
  const auto dates = column.value("between", std::vector<std::string>{});
  return !dates.empty() && std::ranges::all_of(dates, [](const std::string& date) {
    return std::ranges::any_of(words_in(date), [](const std::string& word) {
      return std::ranges::any_of(words().of.at("stays"),
                                 [&](const auto& one) { return is_same_word(word, one); });
    });
  });
}

bool names_unit(const std::string& word, const std::string& unit) {
  const auto& names = words().unit_names;
  const auto said = names.find(word);
  const auto sign = names.find(unit);  // € is EUR
  return said != names.end() && said->second == (sign == names.end() ? unit : sign->second);
}

std::string said_unit_of(const Json& column) {
  const std::vector<std::string> name = words_in(name_of(column));
  const auto said = name.empty() ? words().unit_names.end() : words().unit_names.find(name.front());
  const bool is_called_so = name.size() == 1 && said != words().unit_names.end();
  return column.value("unit", is_called_so ? said->second : "");
}

bool is_of_kind(const std::string& word, const std::string& unit) {
  const auto said = words().unit_names.find(word);
  return said != words().unit_names.end() && in_unit(said->second, unit).has_value();
}

bool counts_rows(const Json& columns, const std::vector<std::string>& asked) {
  static const std::set<std::string> before{"many", "most", "fewest", "more", "fewer"};
  for (std::size_t i = 1; i < asked.size(); ++i) {
    if (!before.contains(asked[i - 1])) continue;
    if (words().has("rows", asked[i])) return true;
    if (is_no_thing(asked[i])) continue;
    const bool is_known = std::ranges::any_of(columns, [&](const Json& column) {
      const std::vector<std::string> name = words_in(name_of(column));
      return is_number(column) && !column.contains("counts") && !column.contains("between") &&
             std::ranges::any_of(name, [&](const auto& part) { return speaks_of(asked[i], part); });
    });
    if (!is_known) return true;
  }
  return false;
}

bool is_superlative(const std::vector<std::string>& asked) {
  return std::ranges::any_of(
      asked, [](const std::string& word) { return word.ends_with("est") && is_in_meanings(word); });
}

bool is_comparative(const std::vector<std::string>& asked) {
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool is_more = i > 0 && (asked[i - 1] == "more" || asked[i - 1] == "less");
    if ((is_more || asked[i].ends_with("er")) && is_in_meanings(asked[i])) return true;
  }
  return false;
}

bool is_in_other_unit(const Json& column, const Json& columns, const std::set<std::string>& by) {
  const std::string unit = unit_of_meaning(column);
  return !unit.empty() && std::ranges::all_of(by, [&](const std::string& word) {
    return std::ranges::any_of(words().meanings, [&](const Meaning& one) {
      const auto is_it = [&](const Json& other) {
        return is_number(other) && one.units.contains(unit_of_meaning(other));
      };
      return one.said.contains(word) && !one.units.contains(unit) &&
             std::ranges::any_of(columns, is_it);
    });
  });
}

std::vector<const Json*> meant_columns(const Json& columns, const std::vector<std::string>& asked) {
  std::vector<const Json*> all;
  for (const bool is_weak : {false, true}) {
    if (is_weak && (!all.empty() || counts_rows(columns, asked))) break;
    for (const Meaning& meaning : words().meanings) {
      if (meaning.is_weak != is_weak || !has_any(meaning.said, asked)) continue;
      for (const Json* column : columns_of(meaning, columns)) {
        // The longest time is none in kilometres.
        const bool is_time = words().has("time units", column->value("unit", ""));
        if (!is_time && (of_time(meaning, asked) || is_beside_times(meaning, *column, columns)))
          continue;
        if (std::ranges::find(all, column) == all.end()) all.push_back(column);
      }
    }
  }
  return all;
}

std::string column_in(const Json& columns, const std::vector<std::string>& asked,
                      const std::string& besides) {
  for (const Json& column : columns) {
    if (!is_number(column) || name_of(column) == besides) continue;
    const bool is_it = std::ranges::any_of(
        asked, [&](const std::string& word) { return names_unit(word, column.value("unit", "")); });
    if (is_it) return name_of(column);
  }
  for (const Json* column : meant_columns(columns, asked)) {
    if (name_of(*column) != besides) return name_of(*column);
  }
  return "";
}

std::string column_without(const Json& columns, const std::vector<std::string>& asked) {
  if (std::ranges::find(asked, "without") == asked.end()) return "";
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i] != "with" && asked[i] != "without") continue;
    for (std::size_t j = i + 1; j < std::min(asked.size(), i + 3); ++j) {
      for (const Json& column : columns) {
        const bool is_made = column.contains("between") || column.contains("counts");
        if (!is_number(column) || is_made || words().has("stop", asked[j])) continue;
        const std::vector<std::string> name = words_in(name_of(column));
        const auto is_it = [&](const std::string& word) { return speaks_of(asked[j], word); };
        if (std::ranges::any_of(name, is_it)) return name_of(column);
      }
    }
  }
  return "";
}

std::pair<std::string, std::string> speed_in(const Json& columns,
                                             const std::vector<std::string>& asked) {
  static const std::set<std::string> of_speed{"fast", "faster", "fastest", "speed", "pace"};
  static const std::set<std::string> distances{"km", "m"};
  static const std::set<std::string> times{"h", "min", "s"};
  if (!has_any(of_speed, asked)) return {};
  const auto column_in_unit = [&](const std::set<std::string>& units) {
    for (const Json& column : columns) {
      const bool is_it = is_number(column) && !column.contains("between") &&
                         units.contains(column.value("unit", ""));
      if (is_it) return name_of(column);
    }
    return std::string{};
  };
  const std::string distance = column_in_unit(distances);
  const std::string time = column_in_unit(times);
  if (distance.empty() || time.empty()) return {};
  return {distance, time};
}

std::vector<std::string> meant_categories(const Json& table, const std::vector<std::string>& asked,
                                          bool is_named) {
  const auto says = [&](const char* word) { return std::ranges::find(asked, word) != asked.end(); };
  std::vector<std::string> all;
  if (says("who") || says("whose")) all = people_of(table, asked);
  for (const Json& column : table.at("columns")) {
    const std::vector<std::string> header = words_in(name_of(column));
    const bool is_it =
        says("where") && !is_number(column) && !header.empty() && is_of_places(header);
    if (is_it) all.push_back(name_of(column));
  }
  const std::vector<std::string> names = words_in(table.value("table", ""));
  for (std::size_t i = 1; i < asked.size() && !is_named; ++i) {
    if (asked[i - 1] != "which" && asked[i - 1] != "each" && asked[i - 1] != "every") continue;
    const bool is_row = std::ranges::any_of(
        names, [&](const std::string& name) { return speaks_of(asked[i], name); });
    const std::size_t before = all.size();
    for (const Json& column : table.at("columns")) {
      if (is_number(column)) continue;
      const bool names_row = is_row && is_in("names of rows", words_in(name_of(column)));
      if (names_row || (!is_no_thing(asked[i]) && is_in_values(asked[i], column)))
        all.push_back(name_of(column));
    }
    const auto keys = table.value("keys", std::vector<std::string>{});
    if (!is_row && all.size() == before && keys.size() == 1 && is_other_word(asked[i], table))
      all.push_back(keys.front());
    if (is_row && all.size() == before && !words().has("rows", asked[i])) {
      const std::string first = first_kind(table);
      if (!first.empty()) all.push_back(first);
    }
  }
  return all;
}

std::vector<std::string> other_dates(const Json& table) {
  std::vector<std::string> others;
  for (const Json& column : table.at("columns")) {
    const auto dates = column.value("between", std::vector<std::string>{});
    const bool is_it =
        std::ranges::find(dates, table.at("time").get<std::string>()) != dates.end() &&
        column.value("unit", "") == "days";
    if (!is_it) continue;
    for (const std::string& date : dates) {
      const bool is_new = std::ranges::find(others, date) == others.end();
      if (is_new && date != table.at("time").get<std::string>()) others.push_back(date);
    }
  }
  return others;
}

}  // namespace insights
