/// @file
/// What the arguments of calls name, of which the words of a question may be.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/evidence.hpp"

namespace insights {

class Used {
 public:
  /// Both must outlive it.
  Used(const Evidence& evidence, const std::vector<nlohmann::json>& tables);

  [[nodiscard]] bool has_column(const std::string& name) const { return columns_.contains(name); }
  [[nodiscard]] bool has_time() const { return has_time_; }
  [[nodiscard]] bool has_limit() const { return has_limit_; }
  [[nodiscard]] bool counts_rows() const { return counts_rows_; }
  [[nodiscard]] bool leaves_out() const { return leaves_out_; }
  /// Whether nothing is asked for but rows, perhaps of a time.
  [[nodiscard]] bool is_of_rows_only() const;
  /// Whether a finding that lists the groups of a column has the word among them.
  /// @param beside  also one that the clause does not ask for
  [[nodiscard]] bool lists(const std::string& word, const std::string& column, bool beside) const;
  /// Whether the arguments name the word, by itself, its unit, its meaning, or a saying.
  [[nodiscard]] bool names(const std::string& word) const;
  /// Whether a figure that is asked for in a unit is one of a column in it.
  [[nodiscard]] bool names_a_unit(const std::string& word) const;
  /// Whether a number is one of the arguments, perhaps in another unit or as an hour after noon.
  [[nodiscard]] bool has_number(double number) const;
  /// Whether findings are of one of the kinds.
  [[nodiscard]] bool tells(const std::set<std::string>& kinds) const;

 private:
  void add_words(const std::string& text);
  void add_text(const std::string& text);
  void take(const nlohmann::json& arguments);
  /// Whether a column is meant by the word: `warm`, of a temperature.
  [[nodiscard]] bool means_a_column(const std::string& word) const;
  [[nodiscard]] bool is_in_saying(const std::string& word) const;

  const Evidence& evidence_;
  const std::vector<nlohmann::json>& tables_;
  std::set<std::string> columns_;
  std::set<std::string> counted_;  ///< columns that count the rows
  std::set<std::string> words_;
  std::set<std::string> units_;
  std::set<double> numbers_;
  bool has_time_ = false;
  bool has_limit_ = false;
  bool counts_rows_ = false;
  bool leaves_out_ = false;
};

/// Whether calls use a word: they name it, its unit, a column that it means, or what is called so.
[[nodiscard]] bool is_used(const std::string& word, const Evidence& evidence,
                           const std::vector<nlohmann::json>& tables);

}  // namespace insights
