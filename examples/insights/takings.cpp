#include "insights/takings.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

const Json* column_called(const Json& table, const std::string& name) {
  for (const Json& one : table.at("columns")) {
    if (name_of(one) == name) return &one;
  }
  return nullptr;
}

/// Whether a column may be how many there are: it is rarely below zero, and no price.
bool is_quantity(const Json& column) {
  return is_number(column) && !column.contains("counts") && !is_price(column) &&
         column.contains("median") && column.at("median") > 0;
}

/// The column that says how many of what a price is for: `bed` is counted by Beds, `night` by the
/// days from one date to another, `kg` by what is in kilograms; "": none.
std::string quantity_of(const std::string& each, const Json& table) {
  const bool is_night = words().has("nights", each);
  for (const Json& one : table.at("columns")) {
    if (!is_quantity(one)) continue;
    const bool is_between = one.contains("between");
    const std::vector<std::string> name = words_in(name_of(one));
    const bool is_named = std::ranges::any_of(
        name, [&](const std::string& word) { return is_same_word(each, word); });
    const std::string unit = one.value("unit", "");
    if (is_between ? is_night && unit == "days" && is_stay(one) : unit == each || is_named)
      return name_of(one);
  }
  return "";
}

/// What a price is for: bed and night, of `€/bed+night`; empty: it does not say.
std::vector<std::string> each_of(const std::string& unit) {
  std::vector<std::string> all;
  std::size_t from = unit.find('/');
  while (from < unit.size()) {
    const std::size_t to = std::min(unit.find_first_of("/+*& ", from + 1), unit.size());
    const std::string one = unit.substr(from + 1, to - from - 1);
    if (!one.empty() && one != "and" && one != "per") all.push_back(one);
    from = to;
  }
  return all;
}

/// The first column of a quantity, where a price does not say what it is for; "": none.
std::string first_quantity(const Json& table) {
  for (const Json& one : table.at("columns")) {
    const std::vector<std::string> name = words_in(name_of(one));
    const bool is_it = is_quantity(one) && !one.contains("between") &&
                       std::ranges::any_of(name, [](const std::string& word) {
                         return speaks_of("quantity", word);
                       });
    if (is_it) return name_of(one);
  }
  return "";
}

}  // namespace

bool asks_for_takings(const std::vector<std::string>& asked) {
  bool is_asked = false;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (words().has("prices", asked[i])) return false;
    // Who takes over takes nothing in.
    const bool is_other =
        i + 1 < asked.size() && asked[i + 1] != "in" && words().has("particles", asked[i + 1]);
    is_asked = is_asked || (words().has("takings", asked[i]) && !is_other);
  }
  return is_asked;
}

bool is_price(const Json& column) {
  const std::string unit = unit_of_price(column.value("unit", ""));
  return is_number(column) && column.at("amount") == false &&
         (words().has("money", unit) || (!unit.empty() && words().hundredths.contains(unit)));
}

std::string only_money(const Json& columns) {
  for (const bool has_unit : {true, false}) {
    std::vector<std::string> found;
    for (const Json& one : columns) {
      const bool is_made = one.contains("counts") || one.contains("between");
      if (!is_number(one) || is_made || one.at("amount") == false) continue;
      const std::vector<std::string> name = words_in(name_of(one));
      const bool is_called_so = std::ranges::any_of(
          name, [](const std::string& word) { return words().has("sums of money", word); });
      const std::string unit = one.value("unit", "");
      if (has_unit ? words().has("money", unit) : unit.empty() && is_called_so)
        found.push_back(name_of(one));
    }
    if (!found.empty()) return found.size() == 1 ? found[0] : "";
  }
  return "";
}

std::optional<Query> takings(const std::vector<std::string>& asked,
                             const std::vector<std::string>& named, const Json& table) {
  const bool are_prices = std::ranges::all_of(named, [&](const std::string& name) {
    const Json* column = column_called(table, name);
    return column != nullptr && is_price(*column);
  });
  if (named.empty() || !are_prices || !asks_for_takings(asked)) return std::nullopt;
  std::vector<std::string> quantities;
  const std::vector<std::string> each = each_of(column_called(table, named[0])->value("unit", ""));
  for (const std::string& one : each) quantities.push_back(quantity_of(one, table));
  if (each.empty()) quantities.push_back(first_quantity(table));
  if (std::ranges::find(quantities, "") != quantities.end()) return std::nullopt;
  Query query{.measures = {quantities[0]}};
  query.times.assign(quantities.begin() + 1, quantities.end());
  query.times.push_back(named[0]);
  return query;
}

}  // namespace insights
