/// @file
/// What a question is about: the columns, categories, values, months and kinds of findings that
/// its words name.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// A number that readings are to be below or above: `below 0.3 mg/l`.
struct Bound {
  std::string name;  ///< an argument of how_often: below, above, at_most, at_least
  double value = 0;
  bool of_days = false;  ///< days are to be counted, not readings

  bool operator==(const Bound&) const = default;
};

/// Two periods that are to be compared, as compare_periods takes them.
struct Periods {
  std::string first;
  std::string second;
};

struct Interest {
  std::vector<std::string> columns;     ///< of numbers; all, six at most, when none is named
  std::vector<std::string> statistics;  ///< the same with highest and lowest instead of their mean
  std::vector<std::string> categories;  ///< three at most
  std::set<std::string> named;          ///< of the categories, those that the question names
  std::map<std::string, std::string> where;  ///< the values that are named, each of one category
  std::set<std::string> asks;                ///< kinds of findings: words.json
  std::string month;                         ///< the one month that is named: 2015-12
  bool names_columns = false;                ///< whether the question names one of these columns
  bool is_broad = false;                     ///< whether it asks what there is to know
  std::set<std::string> said;                ///< the columns that it names
  std::vector<std::string> pair;             ///< the two columns, of any table, that are named
  std::optional<Bound> bound;
  std::optional<Periods> periods;
};

/// @param table  what catalogue() gives
[[nodiscard]] Interest interest_of(const std::string& prompt, const nlohmann::json& table);

}  // namespace insights
