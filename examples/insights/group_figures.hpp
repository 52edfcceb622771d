/// @file
/// The figure of a group of rows, as the tool compute gives it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/limit.hpp"
#include "insights/measure.hpp"

namespace insights::tool {

/// A group of rows.
struct Asked {
  std::string name;
  std::vector<Item> items;
  std::size_t days = 0;  ///< that it has, of groups of time
};

/// Which rows are asked about as a part of all.
struct Wanted {
  std::map<std::string, std::string> values;
  std::optional<Limit> limit;
  std::vector<std::string> tell{};  ///< of the row with the most or the least, what else it says

  [[nodiscard]] bool has(const Table& table, const Item& item) const;
  [[nodiscard]] bool is_known(const Table& table, std::size_t row) const;
};

[[nodiscard]] double sum_of(const std::vector<Item>& items);
[[nodiscard]] std::set<Moment> days_of(const std::vector<Item>& items);

/// The sums of the values of a category, or of the times, that `of` names: their mean, and how many
/// they are. null: none.
[[nodiscard]] nlohmann::json each_in(const Table& table, const std::string& of, const Asked& group);

/// When the first and the last row are, and how many days the table goes on after it.
[[nodiscard]] nlohmann::json ends_in(const Table& table, const Asked& group);

/// What goes `out` is told as positive amounts, and what comes `in` left out, and the other way
/// round; what is called spent may be of one sign only.
void take_sign(std::vector<Item>& items, const std::string& sign);

/// Leaves the groups of a result that have enough rows, or whose figure is as `having` says, and
/// tells of how many.
void keep_having(nlohmann::json& result, const std::string& having, std::size_t least_rows);

/// How many values of a category, or times, the rows have, and which; null: none.
[[nodiscard]] nlohmann::json different_in(const Table& table, const std::string& of,
                                          const Asked& group);

/// The values of a category that none of the groups has a row of, and when each had its last one.
/// @param first  of the rows in the window
[[nodiscard]] nlohmann::json without_rows(const Table& table, const std::string& of,
                                          const std::vector<Asked>& groups, std::size_t first);

/// The second figure less the first; sums over times of different lengths are compared per day.
[[nodiscard]] double moved_by(const nlohmann::json& first, const nlohmann::json& second);

/// The figure of a group; null: it has none.
[[nodiscard]] nlohmann::json figure_of(const Table& table, const std::string& figure,
                                       const Measure& measure, const Wanted& part,
                                       const Asked& group);

}  // namespace insights::tool
