/// @file
/// The arguments of a tool, which come from a model: each is asked for by name and range, and what
/// is wrong with one is told in words that the model can act on.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/types.hpp"

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
  /// After the last one was asked for: there must be no other.
  void end() const;

 private:
  nlohmann::json take(const char* name);
  nlohmann::json json_;
};

/// The days from argument `from` to argument `to`, both included; without them all of the window.
[[nodiscard]] std::vector<const Reading*> rows_of(Arguments& arguments, const Readings& readings);

/// A variable over some days.
struct Series {
  std::string variable;
  std::vector<const Reading*> rows;  ///< never empty
  std::vector<double> values;
};

/// What the arguments `variable`, `from` and `to` name. @param known  the variables to choose from
[[nodiscard]] Series series_of(Arguments& arguments, const Readings& readings,
                               const std::vector<std::string>& known);

}  // namespace insights
