/// @file
/// What a question is about: the columns, categories, values, times and kinds of findings that
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
  std::string unit{};    ///< as in words.json, if one is named: min, t, d

  /// The value in a column's unit, if that is of the same kind.
  [[nodiscard]] double in(const std::string& column_unit) const;

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
  std::set<std::string> left_out;            ///< of `where`, what is restricted by `except`
  std::map<std::string, std::vector<std::string>>
      looked_up;                  ///< of identifiers those that it names: `job 1144`
  std::set<std::string> asks;     ///< kinds of findings: words.json
  std::string from;               ///< the time that is asked about: 2015-12, a day;
  std::string to;                 ///< "": all of the window
  bool names_columns = false;     ///< whether the question names one of these columns
  bool is_meant = false;          ///< and only means them: `the heaviest`
  bool is_whole = false;          ///< and says all words of the name of one
  bool is_broad = false;          ///< whether it asks what there is to know
  std::set<std::string> said;     ///< the columns that it names
  std::vector<std::string> pair;  ///< the two columns, of any table, that are named
  std::vector<std::string> per;   ///< two columns: how much of one there is per the other
  double per_each = 1;            ///< of the other: 100 of `per 100 litres`
  std::map<std::string, std::pair<std::string, std::string>>
      compared;                     ///< two values of a category
  std::string part;                 ///< of a share within others, the category that it is of
  bool counts = false;              ///< whether it asks how many there are
  std::vector<std::string> unread;  ///< what it asks for, and nothing here is called
  std::optional<Bound> bound;
  std::optional<Periods> periods;
  bool turns = false;  ///< whether the periods are before and after a day that is named
};

/// @param table  what catalogue() gives
[[nodiscard]] Interest interest_of(const std::string& prompt, const nlohmann::json& table);

}  // namespace insights
