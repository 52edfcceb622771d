/// @file
/// The results of tools in words, for the offline provider.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// Something that a person would want to know.
struct Finding {
  std::string kind;        ///< as in words.json: what a question may ask for
  double weight = 0;       ///< what is told first; below 0: only when it was asked for
  std::string text;        ///< a sentence, with the rows that prove it
  std::string variable{};  ///< the column, where a result speaks of several
  std::string event{};     ///< of a change or an unusual reading: what it is of, and when
  std::string brief{};     ///< the same in fewer words, to be told with others of its kind
};

/// What a result says, if it says anything; an error says nothing.
[[nodiscard]] std::vector<Finding> findings_of(const std::string& tool,
                                               const nlohmann::json& result);

/// `12,345.6 kWh`; two decimals, three below 10, three digits below 1; of money `4.50 EUR`.
[[nodiscard]] std::string amount_text(double value, const std::string& unit);

}  // namespace insights
