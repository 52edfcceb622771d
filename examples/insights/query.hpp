/// @file
/// A question as what is to be computed from the rows: a figure of a measure, for each group.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"

namespace insights {

/// All names are those of columns of one table; "" where there is none.
struct Query {
  std::vector<std::string> measures;  ///< columns alike, which are added up; none: rows are counted
  std::string less{};                 ///< what is taken off the measure in each row
  std::vector<std::string> times{};   ///< what it is multiplied by in each row
  std::string unit{};                 ///< in which it is told: hours of a column of minutes
  std::string
      sign{};  ///< `out` or `in`: of an amount that may be negative, what goes out or comes in
  /// sum, mean, most, least, spread, range, share, change, different, none, each or ends
  std::string figure = "sum";
  /// of `different`, `none` and `each`: the category whose values are counted, or a time
  std::string of{};
  std::string per{};                          ///< the column by whose sum it is divided, or `rows`
  double each = 1;                            ///< of it: 100 of `per 100 kg`
  std::vector<std::string> tell{};            ///< of `most` and `least`: what else that row says
  std::map<std::string, std::string> part{};  ///< of `share`: the values that it is the share of
  std::optional<Bound> limit{};               ///< of `share`: or what is beyond it
  std::string by{};                           ///< a category, `measure`, or a time: see is_span()
  std::string order{};  ///< which group is asked for: most, least, or "", or by move_asked()
  std::pair<std::string, std::string> compared{};  ///< the only two values of `by`
  std::map<std::string, std::string> where{};      ///< what columns of numbers are restricted to
  std::vector<std::string> leaves{};  ///< of what the question restricts, what is none of its own
  std::string having{};               ///< what a group's figure must be: `above 1`
  std::size_t rows = 0;               ///< how many rows a group must have
  std::optional<Periods> periods{};   ///< which are the groups, or those of each
  std::pair<int, int> hours{0, 24};   ///< see hours_in()
};

/// The arguments of the tool `compute`.
void to_json(nlohmann::json& json, const Query& query);

/// What a clause asks to compute, a query for each measure that it names.
/// @param table  what catalogue() gives
[[nodiscard]] std::vector<Query> queries_of(const Clause& clause, const nlohmann::json& table);

}  // namespace insights
