#include "insights/used.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

#include "insights/meaning.hpp"
#include "insights/words.hpp"

namespace insights {

using Json = nlohmann::json;

Used::Used(const Evidence& evidence, const std::vector<Json>& tables)
    : evidence_(evidence), tables_(tables) {
  std::size_t at = 0;
  for (const Json& call : evidence.calls) {
    const Json& arguments = call.at("arguments");
    take(arguments);
    static const std::set<std::string> counting{"how_often", "still_open", "outcomes"};
    const std::string tool = call.at("tool");
    const bool counts = (tool == "compute" && !arguments.contains("measures")) ||
                        (tool == "shares" && !arguments.contains("variable")) ||
                        arguments.value("figure", "") == "each" || counting.contains(tool);
    const bool is_own = evidence.own == 0 || at++ < evidence.own;
    counts_rows_ = counts_rows_ || (is_own && counts);
  }
  for (const Json& table : tables_) {
    for (const Json& column : table.at("columns")) {
      if (column.contains("counts")) counted_.insert(name_of(column));
      if (!columns_.contains(name_of(column))) continue;
      units_.insert(column.value("unit", ""));
      for (const std::string& word : words_in(name_of(column))) {
        const auto unit = words().unit_names.find(word);
        if (unit != words().unit_names.end()) units_.insert(unit->second);
      }
      counts_rows_ = counts_rows_ || column.contains("counts");
      for (const Json& date : column.value("between", Json::array())) add_words(date);
    }
  }
}

bool Used::is_of_rows_only() const {
  static const std::set<std::string> whole{"unusual", "quality", "gap", "quiet", "runs", "open"};
  if (tells(whole)) return false;
  std::size_t at = 0;
  return std::ranges::all_of(evidence_.calls, [&](const Json& call) {
    const Json& arguments = call.at("arguments");
    const std::string of = arguments.value("variable", "");
    const bool is_own = evidence_.own > 0 ? at++ < evidence_.own : call.at("tool") != "shares";
    const bool is_of_rows = (of.empty() || counted_.contains(of)) && !arguments.contains("where") &&
                            !arguments.contains("measures") && !arguments.contains("by") &&
                            !arguments.contains("of") && !arguments.contains("part");
    return !is_own || is_of_rows;
  });
}

bool Used::lists(const std::string& word, const std::string& column, bool beside) const {
  const auto has = [&](const auto& listed) {
    const auto found = listed.find(column);
    return found != listed.end() && std::ranges::any_of(found->second, [&](const auto& one) {
             return is_same_word(word, one);
           });
  };
  return has(evidence_.listed) || (beside && has(evidence_.listed_beside));
}

bool Used::names(const std::string& word) const {
  return std::ranges::any_of(words_,
                             [&](const std::string& one) { return speaks_of(word, one); }) ||
         names_a_unit(word) || means_a_column(word) || is_in_saying(word);
}

bool Used::names_a_unit(const std::string& word) const {
  const auto said = words().unit_names.find(word);
  return std::ranges::any_of(units_, [&](const std::string& unit) {
    return names_unit(word, unit) ||
           (said != words().unit_names.end() && in_unit(said->second, unit).has_value());
  });
}

bool Used::has_number(double number) const {
  return std::ranges::any_of(numbers_, [&](double one) {
    static const std::vector<double> ratios{1, 60, 1440, 3600, 86400, 24, 1000, 100, 1e6};
    const bool is_it = std::ranges::any_of(ratios, [&](double ratio) {
      return std::abs(one - number * ratio) < 1e-6 * one ||
             std::abs(one * ratio - number) < 1e-6 * number;
    });
    return is_it || one == number || one == number + 12 || one == number + 2000;
  });
}

bool Used::tells(const std::set<std::string>& kinds) const {
  return std::ranges::any_of(kinds,
                             [&](const std::string& one) { return evidence_.kinds.contains(one); });
}

void Used::add_words(const std::string& text) {
  for (std::string& word : words_in(text)) words_.insert(std::move(word));
}

void Used::add_text(const std::string& text) {
  const bool is_column = std::ranges::any_of(tables_, [&](const Json& table) {
    return std::ranges::any_of(table.at("columns"),
                               [&](const Json& one) { return name_of(one) == text; });
  });
  if (is_column) columns_.insert(text);
  leaves_out_ = leaves_out_ || text.starts_with(all_but);
  add_words(text);
  static const std::regex number{R"(\d+(?:\.\d+)?)"};
  for (std::sregex_iterator at{text.begin(), text.end(), number}, end; at != end; ++at)
    numbers_.insert(std::stod(at->str()));
}

void Used::take(const Json& arguments) {
  static const std::set<std::string> times{"from", "to", "first", "second", "period", "hour_from"};
  static const std::set<std::string> limits{"above", "below",  "at_least", "at_most",
                                            "than",  "beyond", "with"};
  static const std::set<std::string> spans{"day",   "week",    "month", "quarter", "year",
                                           "night", "weekday", "hour",  "season"};
  for (const auto& [name, value] : arguments.items()) {
    has_time_ = has_time_ || times.contains(name) || name == weekday_key ||
                (name == "by" && spans.contains(value));
    has_limit_ = has_limit_ || limits.contains(name);
    if (value.is_object()) {
      for (const auto& [key, part] : value.items()) add_text(key);
      const bool had_time = has_time_;
      take(value);
      if (name == "compared") has_time_ = had_time;
    } else if (value.is_array()) {
      for (const Json& one : value) {
        if (one.is_string()) add_text(one);
      }
    } else if (value.is_number()) {
      numbers_.insert(std::abs(value.get<double>()));
    } else if (value.is_string() && name != "figure" && name != "table") {
      add_text(value);
    }
  }
}

bool Used::means_a_column(const std::string& word) const {
  return std::ranges::any_of(tables_, [&](const Json& table) {
    const auto is_used = [&](const Json* one) { return has_column(name_of(*one)); };
    const auto is_named = [&](const std::string& one) { return has_column(one); };
    return std::ranges::any_of(meant_columns(table.at("columns"), {word}), is_used) ||
           std::ranges::any_of(meant_categories(table, {word}, true), is_named);
  });
}

bool Used::is_in_saying(const std::string& word) const {
  return std::ranges::any_of(words().sayings, [&](const std::set<std::string>& group) {
    const auto has = [&](const std::string& one) {
      return std::ranges::any_of(group, [&](const std::string& phrase) {
        const std::vector<std::string> parts = words_in(phrase);
        return std::ranges::any_of(parts,
                                   [&](const auto& part) { return is_same_word(one, part); });
      });
    };
    return has(word) && std::ranges::any_of(words_, has);
  });
}

bool is_used(const std::string& word, const Evidence& evidence, const std::vector<Json>& tables) {
  return Used{evidence, tables}.names(word);
}

}  // namespace insights
