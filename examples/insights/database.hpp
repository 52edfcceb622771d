/// @file
/// The tables of a job as an SQLite database in memory, for queries of a model: they read, they
/// end, and they give the same for the same tables.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/types.hpp"

namespace insights {

/// As text, also where a cell is not UTF-8.
[[nodiscard]] std::string dump(const nlohmann::json& json);

/// `"Name of a column"`, with its quotation marks doubled.
[[nodiscard]] std::string in_quotes(const std::string& name, char mark = '"');

/// A wide table has a long view: three or more number columns of one unit whose names are months or
/// years, or differ in one word.
struct LongView {
  std::string name;  ///< the table's, with `_long`
  std::string table;
  std::vector<std::string> keys;     ///< its other columns
  std::vector<std::string> columns;  ///< those that became rows: `name` and `value`
};

/// How much of a query's rows is given.
struct Limits {
  std::size_t rows = 100;
  std::size_t bytes = 4'000;
};

class Database {
 public:
  explicit Database(const Readings& readings);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] const std::vector<LongView>& views() const;

  /// What one SELECT gives: `{"columns": […], "rows": [[…], …]}`, with `"more": true` if the
  /// limits leave some out; or `{"error": why}`.
  ///
  /// Bounds: nothing but reading tables and a list of built-in functions is authorised; one
  /// statement; 50 million steps of SQLite's machine, a count and no time, so that the answer is
  /// the same everywhere; values of 1 MB; no `now`.
  [[nodiscard]] nlohmann::json query(const std::string& sql, const std::stop_token& stop,
                                     const Limits& limits = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace insights
