/// @file
/// What the sentences about different results have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/sentences.hpp"

namespace insights {

constexpr double only_asked = -20;     ///< the weight of what is told when it was asked for
constexpr std::size_t most_named = 6;  ///< of groups
constexpr double clear_pattern = 0.1;  ///< of the variance, beyond chance

[[nodiscard]] std::string word_at(const nlohmann::json& json, const char* name);
[[nodiscard]] double value_at(const nlohmann::json& json, const char* name);
/// A field in the unit of `result`.
[[nodiscard]] std::string figure(const nlohmann::json& result, const nlohmann::json& of,
                                 const char* name);
/// `Harbour`, but `Line 12` and `Late yes`: a value that says what it is.
[[nodiscard]] std::string value_text(const std::string& column, const std::string& value);
/// `takings`, `takings (Harbour, Wine)`: the column, the values that the result is restricted to,
/// and `more` of them.
[[nodiscard]] std::string subject(const nlohmann::json& result,
                                  const std::vector<std::string>& more = {});
/// `Old Town, Wine: `: what the result is restricted to.
[[nodiscard]] std::string where_of(const nlohmann::json& result);
/// Whether a sum is told of what is averaged: of how long something took, and of events' weights
/// and sizes, which may be wanted in all.
[[nodiscard]] bool may_be_summed(const nlohmann::json& result);
/// How many words a text has; the names of lines, `sales.csv:5–12`, are none.
[[nodiscard]] std::size_t count_words(const std::string& text);
/// ` a day` where the values are sums of days.
[[nodiscard]] std::string a_day(const nlohmann::json& result);
/// `, +12 %` of an amount, `, −4.3 Ah` of a level: that a temperature is 0 means nothing.
[[nodiscard]] std::string difference(const nlohmann::json& result, double from, double to);
/// `; Blue is 30 EUR higher, 1.3 times as much`, of a sum `; Blue has 30 more, twice as much`.
[[nodiscard]] std::string more_text(const nlohmann::json& result, const std::string& name,
                                    double less, double more, bool is_sum);
/// `1 reading`, `3 readings`
[[nodiscard]] std::string counted(std::int64_t count, std::string_view thing);
/// What the values of a result are of: `reading`, `day`, or `date` where days are far apart.
[[nodiscard]] std::string what_of(const nlohmann::json& result);

/// ` without 2 mistakes`, and of an amount what the sum is with them.
[[nodiscard]] std::string left_out_of(const nlohmann::json& result);

/// Sentences about results of pattern, shares and related, and about those of find_change,
/// find_settings, compare_parts, compute, still_open, remarks,
/// find_faults and look_up.
[[nodiscard]] std::vector<Finding> group_findings(const std::string& tool,
                                                  const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> share_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> mix_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> change_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> setting_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> part_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> query_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> open_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> remark_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> fault_findings(const nlohmann::json& result);
[[nodiscard]] std::vector<Finding> row_findings(const nlohmann::json& result);

/// `; without 38 rows that lack one of the two and 58 with Status Cancelled and 0`: the rows that a
/// ratio is not of.
[[nodiscard]] std::string not_in_ratio(const nlohmann::json& result);

/// `; sales.csv:5–12`: the lines of which a figure is; "": it is of none.
[[nodiscard]] std::string lines_of(const nlohmann::json& json);
/// ` (sales.csv:5–12)`
[[nodiscard]] std::string in_lines(const nlohmann::json& json, const char* name = "lines");

/// One of several groups without its lines, if these are between others: `sales.csv:3…411` says
/// little of it.
[[nodiscard]] nlohmann::json without_scattered(nlohmann::json group);

/// `; 'Hofman' (2) counts as Hofmann`
[[nodiscard]] std::string merged_text(const nlohmann::json& result);

}  // namespace insights
