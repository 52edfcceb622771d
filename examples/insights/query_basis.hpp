/// @file
/// What a query is made from: a clause, and what the catalogue says of the columns it names.
#pragma once

#include <string>

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

/// Makes of a sum that is asked for `on average of a pupil`, or `a month`, the mean of these sums.
void find_each(const QueryBasis& asked, Query& query);

/// `how many hours`, of a column of minutes: the unit that is asked for; "": its own.
[[nodiscard]] std::string unit_of_time(const QueryBasis& asked, const Query& query);

}  // namespace insights
