#include "insights/routing.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "insights/clauses.hpp"
#include "insights/meaning.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// How much of a clause a table has names for. `Trees lost` is less than half named by `trees`.
std::size_t named_in(const Interest& about) {
  return (about.names_columns ? (about.is_whole ? 3 : 1) : 0) + about.where.size() +
         about.compared.size() + about.named.size();
}

}  // namespace

bool names_own(const Interest& about, const Json& table) {
  bool is_child = false;
  for (const Json& column : table.at("columns")) {
    const std::string name = name_of(column);
    const bool is_led = column.contains("ofParent") || column.contains("leadsToParent");
    is_child = is_child || is_led;
    const bool is_named = about.said.contains(name) || about.named.contains(name) ||
                          about.where.contains(name) || about.compared.contains(name);
    if (!is_led && is_named) return true;
  }
  return !is_child;
}

void leave_to_named(Interest& about, std::vector<Interest>& others) {
  const auto names = [](const Interest& one) { return one.names_columns && !one.is_meant; };
  const bool any = names(about) || std::ranges::any_of(others, names);
  const auto leave = [&](Interest& one) {
    if (!any || !one.names_columns || names(one)) return;
    one.names_columns = false;
    one.said.clear();
  };
  leave(about);
  for (Interest& other : others) leave(other);
}

std::string money_named(const Interest& about, const Json& table) {
  for (const Json& one : table.at("columns")) {
    if (is_number(one) && about.said.contains(name_of(one)) && one.at("amount") == true &&
        words().has("money", one.value("unit", "")))
      return name_of(one);
  }
  return "";
}

std::vector<std::string> late_columns(const Clause& clause, const Json& table) {
  std::vector<std::string> names;
  if (!clause.about.asks.contains("late")) return names;
  for (const Json& one : table.at("columns")) {
    if (!one.contains("between") || !one.contains("range")) continue;
    const auto range = one.at("range").get<std::vector<double>>();
    if (range[0] < 0 && range[1] > 0) names.push_back(name_of(one));
  }
  const auto is_said = [&](const auto& name) { return clause.about.said.contains(name); };
  if (std::ranges::any_of(names, is_said)) {
    std::erase_if(names, [&](const auto& name) { return !is_said(name); });
  }
  return names;
}

std::vector<std::size_t> tables_of(const std::vector<std::vector<Clause>>& clauses,
                                   const std::vector<Json>& all) {
  std::vector<std::size_t> tables;
  const auto named = [&](std::size_t at, std::size_t i) {
    const Interest& about = clauses[at][i].about;
    return names_own(about, all[at]) ? named_in(about) : 0;
  };
  for (std::size_t i = 0; i < clauses[0].size(); ++i) {
    std::size_t best = i == 0 ? 0 : tables.back();
    for (std::size_t at = 0; at < clauses.size(); ++at) {
      if (named(at, i) > named(best, i)) best = at;
    }
    tables.push_back(best);
  }
  return tables;
}

std::vector<std::string> pair_of_one_unit(const Interest& about,
                                          const std::vector<Interest>& others, const Json& table) {
  const auto asks = [&](const char* kind) { return about.asks.contains(kind); };
  if (!asks("shares") && !asks("statistics")) return {};
  const auto unit_of = [](const Json& of, const std::string& name) {
    const Json& columns = of.at("columns");
    const auto is_it = [&](const Json& one) { return name_of(one) == name; };
    return std::ranges::find_if(columns, is_it)->value("unit", "");
  };
  std::vector<std::vector<std::string>> pairs;
  for (const std::string& one : about.said) {
    const std::string unit = unit_of(table, one);
    for (std::size_t i = 0; i < others.size() && !unit.empty(); ++i) {
      for (const std::string& other : others[i].said) {
        if (unit_of(table.at("beside").at(i), other) == unit) pairs.push_back({one, other});
      }
    }
  }
  return pairs.size() == 1 ? pairs.front() : std::vector<std::string>{};
}

bool names_more(const Interest& other, const Interest& first) {
  return !other.where.empty() && first.where.empty() && first.named.empty() && !first.names_columns;
}

std::vector<Json> remarks_about(const std::string& prompt, const Json& table) {
  Json words = Json::array();
  for (const std::string& word : words_in(prompt)) {
    const auto is_in = [&](const char* list) { return insights::words().has(list, word); };
    if (!is_in("stop") && !is_in("general") && !is_in("broad") && !is_in("counted"))
      words.push_back(word);
  }
  std::vector<Json> calls;
  const auto add = [&](const Json& one, bool is_beside) {
    if (!one.contains("remarks")) return;
    Json arguments{{"words", words}};
    const Interest about = interest_in(prompt, one);
    if (!about.from.empty()) arguments.update({{"from", about.from}, {"to", about.to}});
    if (is_beside) arguments["table"] = one.at("table");
    calls.push_back({{"tool", "remarks"}, {"arguments", arguments}});
  };
  add(table, false);
  for (const Json& other : table.value("beside", Json::array())) add(other, true);
  return calls;
}

}  // namespace insights
