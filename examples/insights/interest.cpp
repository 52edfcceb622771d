#include "insights/interest.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "insights/bounds.hpp"
#include "insights/moments.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_columns = 6;
constexpr std::size_t most_named_columns = 8;
constexpr std::size_t most_categories = 3;

std::string name_of(const Json& column) { return column.at("name").get<std::string>(); }
bool is_number(const Json& column) { return column.at("kind") == "number"; }

/// Of the words of a header those that name something.
std::vector<std::string> naming(std::vector<std::string> theirs) {
  std::erase_if(theirs, [](const std::string& word) {
    return word.size() < 2 || word == "mean" || words().has("stop", word) ||
           words().has("highest", word) || words().has("lowest", word);
  });
  return theirs;
}

/// The words of the prompt that speak of one of these.
std::set<std::string> naming_words(const std::vector<std::string>& theirs,
                                   const std::vector<std::string>& asked) {
  std::set<std::string> found;
  for (const std::string& word : asked) {
    if (words().has("stop", word)) continue;
    if (std::ranges::any_of(theirs, [&](const auto& other) { return speaks_of(word, other); })) {
      found.insert(word);
    }
  }
  return found;
}

bool is_named(const std::vector<std::string>& theirs, const std::vector<std::string>& asked) {
  return !naming_words(naming(theirs), asked).empty();
}

/// Whether these words, in this order, are a part of the prompt's.
bool is_said(const std::vector<std::string>& asked, const std::vector<std::string>& phrase) {
  return !phrase.empty() &&
         std::search(asked.begin(), asked.end(), phrase.begin(), phrase.end()) != asked.end();
}

/// Whether the prompt names the value, by its words or by others for much the same thing.
bool is_meant(const std::vector<std::string>& asked, const std::vector<std::string>& value) {
  if (is_said(asked, value)) return true;
  return std::ranges::any_of(words().sayings, [&](const std::set<std::string>& group) {
    const auto says = [&](const std::vector<std::string>& text) {
      return std::ranges::any_of(
          group, [&](const std::string& phrase) { return is_said(text, words_in(phrase)); });
    };
    return says(value) && says(asked);
  });
}

/// The values of categories that the prompt names. Of several of one category none is chosen: they
/// are to be compared.
void find_values(Interest& about, const Json& columns, const std::vector<std::string>& asked) {
  for (const Json& column : columns) {
    if (is_number(column)) continue;
    std::vector<std::string> said;
    for (const Json& value : column.at("values")) {
      const auto text = value.get<std::string>();
      const bool is_plain = text == "yes" || text == "no" || text.size() < 3;
      if (!is_plain && is_meant(asked, words_in(text))) said.push_back(text);
    }
    if (said.size() == 1) about.where[name_of(column)] = said.front();
    const bool wanted = !said.empty() || is_named(words_in(name_of(column)), asked);
    if (wanted) about.named.insert(name_of(column));
    if (wanted && about.categories.size() < most_categories) {
      about.categories.push_back(name_of(column));
    }
  }
}

void find_asks(Interest& about, const std::vector<std::string>& asked) {
  for (const auto& [kind, list] : words().asks) {
    for (const std::string& word : asked) {
      if (list.contains(word)) about.asks.insert(kind);
    }
  }
  if (std::ranges::find(asked, "day") != asked.end()) about.asks.erase("weeks");  // a day of it
}

/// Of events of which no column is named it is their number that is asked for, unless an amount is.
void choose_count(Interest& about, const Json& columns, const std::vector<std::string>& asked) {
  if (about.names_columns || about.is_broad || columns.empty()) return;
  if (!columns.front().contains("counts")) return;
  const auto says = [&](const char* word) { return std::ranges::find(asked, word) != asked.end(); };
  const bool of_number = says("many") || says("often") || about.asks.contains("pattern") ||
                         (!about.where.empty() && !about.asks.contains("statistics"));
  if (says("much") || !of_number) return;
  about.columns = {name_of(columns.front())};
  about.statistics = about.columns;
}

/// Of months that are named, the one; with several, months are to be compared. `May` is a month
/// only with its capital.
void find_months(Interest& about, const std::string& prompt, const Json& table) {
  if (!table.contains("to")) return;
  const auto to = table.at("to").get<std::string>();
  std::vector<std::string> said;
  for (int month = 0; month < 12; ++month) {
    const std::string name = place_name(Cycle::month, month);
    if (prompt.find(name) == prompt.npos) continue;
    const std::string digits = (month < 9 ? "0" : "") + std::to_string(month + 1);
    const int year = std::stoi(to.substr(0, 4)) - (digits > to.substr(5, 2) ? 1 : 0);
    said.push_back(std::to_string(year) + "-" + digits);
  }
  std::ranges::sort(said);
  if (said.size() > 1) about.asks.insert("months");
  if (said.size() == 2) about.periods = Periods{said[0], said[1]};
  const bool inside =
      said.size() == 1 && said[0] >= table.at("from").get<std::string>().substr(0, 7);
  if (inside) about.month = said[0];
}

/// A column and the words that name it.
struct Naming {
  const Json* column = nullptr;
  std::set<std::string> by;
  bool is_whole = false;  ///< all words of its name are said
};

bool is_whole(const std::vector<std::string>& name, const std::vector<std::string>& asked) {
  return std::ranges::all_of(name, [&](const std::string& part) {
    return std::ranges::any_of(asked, [&](const auto& word) { return speaks_of(word, part); });
  });
}

/// Without those of which a part of the name is said, where another's whole name has these words
/// and more: gross takings do not name the net ones.
std::vector<const Json*> best_named(const std::vector<Naming>& names) {
  std::vector<const Json*> best;
  for (const Naming& one : names) {
    const bool is_less = std::ranges::any_of(names, [&](const Naming& other) {
      return other.is_whole && other.by.size() > one.by.size() &&
             std::ranges::includes(other.by, one.by);
    });
    if (!is_less) best.push_back(one.column);
  }
  return best;
}

/// Every column, but of a highest, a lowest and their mean the mean alone.
void choose_columns(Interest& about, const Json& columns, const std::vector<std::string>& asked) {
  std::set<std::string> parts;
  std::vector<Naming> names;
  std::vector<const Json*> by_unit;  // energy is the word for what is in kWh
  std::vector<const Json*> all;
  for (const Json& column : columns) {
    if (!is_number(column)) continue;
    all.push_back(&column);
    std::vector<std::string> name = words_in(name_of(column));
    if (column.contains("unit") && words().units.contains(name.back())) name.pop_back();
    const std::vector<std::string> naming_name = naming(name);
    const std::set<std::string> by = naming_words(naming_name, asked);
    if (!by.empty()) names.push_back({&column, by, is_whole(naming_name, asked)});
    if (is_named(words_in(column.value("unit", "")), asked)) by_unit.push_back(&column);
  }
  std::vector<const Json*> named = best_named(names);
  if (named.empty()) named = by_unit;
  about.names_columns = !named.empty();
  for (const Json* column : named) about.said.insert(name_of(*column));
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

}  // namespace

Interest interest_of(const std::string& prompt, const Json& table) {
  Interest about;
  const std::vector<std::string> asked = words_in(prompt);
  const Json& columns = table.at("columns");
  about.is_broad = std::ranges::any_of(
      asked, [](const std::string& word) { return words().has("broad", word); });
  about.bound = bound_in(prompt);
  choose_columns(about, columns, asked);
  find_values(about, columns, asked);
  for (const Json& column : columns) {
    const std::string name = name_of(column);
    if (is_number(column) || about.categories.size() == most_categories) continue;
    if (std::ranges::find(about.categories, name) == about.categories.end()) {
      about.categories.push_back(name);
    }
  }
  find_asks(about, asked);
  choose_count(about, columns, asked);
  if (!find_turn(about, prompt, table)) find_months(about, prompt, table);
  return about;
}

}  // namespace insights
