/// @file
/// What a query is made from: a clause, and what the catalogue says of the columns it names.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"
#include "insights/query.hpp"

namespace insights {

class QueryBasis {
 public:
  /// Both must outlive it.
  QueryBasis(const Clause& clause, const nlohmann::json& table) : clause_(clause), table_(table) {}

  [[nodiscard]] const Clause& clause() const { return clause_; }
  [[nodiscard]] const nlohmann::json& table() const { return table_; }
  /// nullptr: there is none of the name.
  [[nodiscard]] const nlohmann::json* column(const std::string& name) const;
  [[nodiscard]] bool is_amount(const std::string& name) const;
  /// Whether figures of a column may be counts: they have no unit, or one of amounts, and are never
  /// negative.
  [[nodiscard]] bool may_add_up(const std::string& name) const;
  [[nodiscard]] bool has_events() const;
  /// Whether the least of a column is asked for: the slowest is the one that takes longest.
  [[nodiscard]] bool asks_for_least(const std::string& name) const;
  /// Whether the clause has the word.
  [[nodiscard]] bool has(const char* word) const;
  [[nodiscard]] bool matches(const char* pattern) const;
  /// The time between two dates that is meant by `how many nights`; "": none.
  [[nodiscard]] std::string nights() const;

 protected:
  const Clause& clause_;
  const nlohmann::json& table_;
};

/// Sets the figure of a query that has its measure and groups, and of a spread its order.
void find_figure(const QueryBasis& asked, Query& query);

/// What is asked of the end of a value, a person or a key: `what happened to Ann`, `is she still
/// there`: when its first and last rows are; nullopt: nothing is.
[[nodiscard]] std::optional<Query> end_asked(const QueryBasis& asked);

/// `delivered less rejected`, `at the grower's price`, `what is left once the rent is paid`: one
/// measure of several columns; nullopt: there is no such measure.
/// @param names  the columns that the question names
[[nodiscard]] std::optional<Query> arithmetic_of(const QueryBasis& asked,
                                                 const std::vector<std::string>& names);

/// `who owes us how much`: what is due less what is paid, of a table that has both; nullopt: it is
/// not asked for.
[[nodiscard]] std::optional<Query> owed_in(const QueryBasis& asked);

/// Of columns in one unit, that of what was planned, and before it that of what it came to: `Hours`
/// and `Estimated hours`; "": there are none.
[[nodiscard]] std::pair<std::string, std::string> plan_in(const nlohmann::json& table);

/// `Over its estimate`, `empty seats`, `how full`, `past 70 % of the house`: a measure of two
/// columns that are not named; nullopt: none is asked for.
[[nodiscard]] std::optional<Query> pair_asked(const QueryBasis& asked);

/// What was spent, or came in, of a column of amounts with a sign; nullopt: it is not asked for.
/// @param names  the columns that the question names
[[nodiscard]] std::optional<Query> signed_asked(const QueryBasis& asked,
                                                const std::vector<std::string>& names);

/// `How many customers ordered more than once`: the groups with so many rows; nullopt: no such
/// number is asked for.
[[nodiscard]] std::optional<Query> groups_with(const QueryBasis& asked);

/// `Which runners did not start in 2024`: the values of a category that have no row of those asked
/// about; nullopt: it is not asked for.
[[nodiscard]] std::optional<Query> groups_without(const QueryBasis& asked);

/// Whether rows are counted: `how often`, `the busiest day`, `how many readings`, of what the rows
/// are called.
[[nodiscard]] bool asks_for_rows(const QueryBasis& asked);

/// Of events: what `how much did I invoice` or `what do I charge` asks for, the only amount of
/// money, and of `how much did we land` the only amount of goods.
[[nodiscard]] std::vector<std::string> amount_meant(const QueryBasis& asked);

/// `On how many different days`; nullopt: it is not asked for.
[[nodiscard]] std::optional<Query> different_times(const QueryBasis& asked);

/// `leaving out those with fewer than 30`: how many rows each group of a query must have.
void find_least_rows(const QueryBasis& asked, Query& query);

/// Whether it asks by how much an amount or a number of events has grown, which is told by its sums
/// of two times.
[[nodiscard]] bool asks_for_growth(const QueryBasis& asked, const Query& query);

/// Makes of groups by a category that `the longest trip` is asked of a look at that row: `who made
/// the longest trip`.
void find_row(const QueryBasis& asked, Query& query);

/// `The longest trip, and who made it?`: what the next clause asks is told of the same row; whether
/// it is.
bool tell_more(Query& query, const Clause& next, const nlohmann::json& table);

/// Makes of a sum that is asked for `on average of a pupil`, or `a month`, the mean of these sums.
void find_each(const QueryBasis& asked, Query& query);

/// `how many hours`, of a column of minutes: the unit that is asked for; "": its own.
[[nodiscard]] std::string unit_asked(const QueryBasis& asked, const Query& query);

}  // namespace insights
