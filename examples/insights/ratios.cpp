#include "insights/ratios.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/periods.hpp"
#include "insights/takings.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {

using Json = nlohmann::json;

namespace {

/// Where `per` or another word for it stands: `from 100 kg of apples`, `for each visitor`, but not
/// `per day`.
std::vector<std::string>::const_iterator per_in(const std::vector<std::string>& asked) {
  const auto is_number = [](const std::string& word) {
    return word.find_first_not_of("0123456789") == word.npos;
  };
  const auto is_time = [](const std::string& word) { return is_span(word) && word != "hour"; };
  for (auto at = asked.begin(); at != asked.end(); ++at) {
    const auto next = at + 1;
    if (next == asked.end()) break;
    if (*at == "per" && !is_time(*next)) return at;
    if (*at != "for" && *at != "from" && *at != "in") continue;
    const bool is_each = *at == "for" && (*next == "each" || *next == "every");
    if (is_each && next + 1 != asked.end() && !is_time(next[1])) return next;
    if (is_number(*next) && next + 1 != asked.end() && words().unit_names.contains(next[1]))
      return at;
  }
  return asked.end();
}

/// The columns of a distance and of the time that it took, if the question is about speed.
void find_speed(Interest& about, const Json& columns, const std::vector<std::string>& asked) {
  const auto [distance, time] = speed_in(columns, asked);
  if (distance.empty()) return;
  about.per = {distance, time};
  const bool in_minutes = std::ranges::any_of(columns, [&](const Json& column) {
    return name_of(column) == time && column.value("unit", "") == "min";
  });
  if (in_minutes) about.per_each = 60;
}

/// What comes out of what goes in, where the only two amounts of a table in units of weight, volume
/// or energy are these: `the yield`.
void find_yield(Interest& about, const Json& columns, const std::vector<std::string>& asked) {
  const auto is_it = [](const std::string& word) { return words().has("yields", word); };
  if (about.names_columns || std::ranges::none_of(asked, is_it)) return;
  std::vector<std::string> amounts;
  std::set<std::string> units;
  for (const Json& column : columns) {
    const std::string unit = column.value("unit", "");
    if (!is_number(column) || !words().has("goods", unit)) continue;
    amounts.push_back(name_of(column));
    units.insert(unit);
  }
  if (amounts.size() != 2 || units.size() != 2) return;
  about.per = {amounts[1], amounts[0]};
}

/// The columns of `most left over, compared with what we bake`: how much of one, in a hundred, the
/// other is, where both have one unit.
bool find_part(Interest& about, const Json& columns, const std::string& prompt) {
  static const std::regex against{
      R"(\b(?:compared (?:with|to)|in relation to|relative to|in proportion to|as a \w+ of|out of) )",
      std::regex::icase};
  std::smatch found;
  if (!std::regex_search(prompt, found, against)) return false;
  const std::vector<std::string> before = words_in(found.prefix().str());
  const std::vector<std::string> behind = words_in(found.suffix().str());
  const Json* part = nullptr;
  const Json* whole = nullptr;
  for (const Json& column : columns) {
    if (!about.said.contains(name_of(column)) || column.contains("counts")) continue;
    const std::vector<std::string> name = words_in(name_of(column));
    if (is_named(name, behind) && !is_named(name, before)) whole = &column;
    if (is_named(name, before) && !is_named(name, behind) && part == nullptr) part = &column;
  }
  if (part == nullptr || whole == nullptr || part->value("unit", "") != whole->value("unit", ""))
    return false;
  about.per = {name_of(*part), name_of(*whole)};
  about.per_each = 100;
  return true;
}

/// The column of numbers that words name, or mean, besides one; "": none.
std::string column_named(const Json& columns, const std::vector<std::string>& in,
                         const std::string& besides) {
  for (const Json& column : columns) {
    if (is_number(column) && !column.contains("counts") && name_of(column) != besides &&
        is_named(words_in(name_of(column)), in))
      return name_of(column);
  }
  return column_in(columns, in, besides);
}

/// The column that says how long something took, in another unit of time than the word is one of:
/// of `hour`, minutes; "": none.
std::string column_of_time(const Json& columns, const std::string& word) {
  const auto unit = words().unit_names.find(word);
  if (unit == words().unit_names.end() || !words().has("time units", unit->second)) return "";
  for (const bool is_between : {false, true}) {
    for (const Json& column : columns) {
      const std::string own = column.value("unit", "");
      if (is_number(column) && column.contains("between") == is_between &&
          words().has("time units", own) && in_unit(unit->second, own))
        return name_of(column);
    }
  }
  return "";
}

/// The columns of `what does a visit cost`: what one of what is counted costs, or brings.
void find_cost_of_one(Interest& about, const Json& columns, const std::vector<std::string>& all) {
  static const std::set<std::string> verbs{"cost", "costs", "bring",  "brings", "make", "makes",
                                           "earn", "earns", "take",   "takes",  "need", "needs",
                                           "use",  "uses",  "bought", "brought"};
  static const std::set<std::string> spends{"spend", "spends", "spent", "pay", "pays", "paid"};
  static const std::set<std::string> one{"a", "an", "one", "each", "every"};
  static const std::set<std::string> wheres{"in", "at", "on", "of", "for", "with"};
  // `an hour in the hall cost`: where it is does not matter.
  std::vector<std::string> asked = all;
  for (std::size_t i = 1; i + 2 < asked.size(); ++i) {
    if (!one.contains(asked[i - 1]) || !wheres.contains(asked[i + 1])) continue;
    const auto is_verb = [](const auto& word) {
      return verbs.contains(word) || spends.contains(word);
    };
    const auto from = asked.begin() + static_cast<std::ptrdiff_t>(i + 1);
    const auto verb = std::find_if(from, asked.end(), is_verb);
    if (verb != asked.end() && verb - from < 7) asked.erase(from, verb);
  }
  for (std::size_t i = 1; i + 1 < asked.size(); ++i) {
    const bool is_spent = spends.contains(asked[i + 1]);
    if (!one.contains(asked[i - 1]) || (!is_spent && !verbs.contains(asked[i + 1]))) continue;
    const auto is_it = [&](const Json& column) {
      const bool is_in_unit = column.contains("unit") && asked[i].size() > 3 &&
                              names_unit(asked[i], column.value("unit", ""));
      return is_number(column) && !column.contains("counts") && !column.contains("between") &&
             (!column.contains("unit") || is_in_unit) && column.at("amount").get<bool>() &&
             (is_in_unit || is_named(words_in(name_of(column)), {asked[i]}));
    };
    const auto whole = std::ranges::find_if(columns, is_it);
    if (whole == columns.end()) continue;
    std::vector<std::string> rest = asked;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    // What a customer spends is what is taken.
    if (is_spent) rest.emplace_back("takings");
    std::string part = column_named(columns, rest, name_of(*whole));
    if (part.empty()) part = only_money(columns);
    if (part == name_of(*whole)) continue;
    if (!part.empty()) about.per = {part, name_of(*whole)};
  }
}

}  // namespace

void find_per(Interest& about, const Json& columns, const std::string& prompt,
              const std::vector<std::string>& asked) {
  const auto per = per_in(asked);
  if (per == asked.end() && find_part(about, columns, prompt)) return;
  if (per == asked.end()) {
    find_speed(about, columns, asked);
    find_yield(about, columns, asked);
    find_cost_of_one(about, columns, asked);
    return;
  }
  const auto last = asked.end() - per > 5 ? per + 5 : asked.end();
  std::string whole = column_named(columns, {per + 1, last}, "");
  if (whole.empty()) whole = column_of_time(columns, per[1]);
  std::string part = column_named(columns, {asked.begin(), per}, whole);
  const bool is_of_money = std::any_of(asked.begin(), per, [](const std::string& word) {
    const auto unit = words().unit_names.find(word);
    return words().has("takings", word) || words().has("charging", word) ||
           words().has("charged", word) ||
           (unit != words().unit_names.end() && words().has("money", unit->second));
  });
  if (part.empty() && is_of_money) part = only_money(columns);
  if (whole.empty() || part.empty() || part == whole) return;
  about.per = {part, whole};
  const bool has_number = per + 1 != last && per[1].find_first_not_of("0123456789") == per[1].npos;
  if (has_number) about.per_each = std::strtod(per[1].c_str(), nullptr);
  static const std::map<std::string, double> sizes{
      {"dozen", 12}, {"hundred", 100}, {"thousand", 1e3}, {"million", 1e6}};
  for (auto word = per + 1; word != last && word != per + 3; ++word) {
    if (const auto size = sizes.find(*word); size != sizes.end()) about.per_each *= size->second;
  }
  // Of a column of minutes it is so much per 60 of them.
  const std::string own = std::ranges::find(columns, whole, insights::name_of)->value("unit", "");
  const auto unit = words().unit_names.find(has_number && per + 2 != last ? per[2] : per[1]);
  if (unit != words().unit_names.end() && words().has("time units", own))
    about.per_each *= in_unit(unit->second, own).value_or(1);
}

}  // namespace insights
