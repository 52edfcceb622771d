/// @file
/// The arguments of a tool, which come from a model: each is asked for by name and range, and what
/// is wrong with one is told in words that the model can act on.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/table.hpp"

namespace insights {

/// What is told to the model.
class ToolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All functions throw ToolError.
class Arguments {
 public:
  explicit Arguments(nlohmann::json json);

  [[nodiscard]] std::optional<std::string> text(const char* name);
  [[nodiscard]] double number(const char* name, double otherwise, double least, double most);
  /// An object whose values are texts.
  [[nodiscard]] std::map<std::string, std::string> texts(const char* name);
  /// An array of texts.
  [[nodiscard]] std::vector<std::string> list(const char* name);
  /// After the last one was asked for: there must be no other.
  void end() const;

 private:
  nlohmann::json take(const char* name);
  nlohmann::json json_;
};

/// Rows that were asked for.
struct Rows {
  std::vector<std::size_t> rows;             ///< in order; never empty
  std::size_t first = 0;                     ///< of them, the first that is no history
  std::map<std::string, std::string> where;  ///< the values of categories that were asked for
  Moment from = std::numeric_limits<Moment>::min();  ///< the time that was asked for
  Moment to = std::numeric_limits<Moment>::max();
};

/// Whether a row is one of those that `where` restricts to.
[[nodiscard]] bool fits(const Table& table, std::size_t row,
                        const std::map<std::string, std::string>& where);
/// Whether a row has what a column is restricted to.
[[nodiscard]] bool has_wanted(const Column& column, std::size_t row, const std::string& wanted);
/// Whether a day's weekday is not left out.
[[nodiscard]] bool is_open_on(const std::map<std::string, std::string>& where, Moment day);

/// What the arguments `from`, `to` (both included; default: all of the window) and `where` name.
/// @param history  whether rows before `from` count as history, or are left out
[[nodiscard]] Rows rows_of(Arguments& arguments, const Readings& readings, bool history = false);

/// The part of the window that was asked for, `2024-04-01/2024-04-30`; "": all of it.
[[nodiscard]] std::string asked_time(const Table& table, const Rows& rows);

/// The names of the columns of numbers.
[[nodiscard]] std::vector<std::string> number_names(const Table& table);
/// The column that `name` names. @param known  those to choose from
[[nodiscard]] const Column& column_of(Arguments& arguments, const char* name, const Table& table,
                                      const std::vector<std::string>& known);
/// The names of the categories.
[[nodiscard]] std::vector<std::string> category_names(const Table& table);

}  // namespace insights
