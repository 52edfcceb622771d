/// @file
/// A question in the words of the tables: `boat` is taken for a column `Vessel`, `petrol` for a
/// value `Fuel`. The words are those of thesaurus.json.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// What of a question was taken for what the tables say instead.
struct Taken {
  std::string said;
  std::string meant;

  bool operator==(const Taken&) const = default;
};

struct Worded {
  std::string prompt;
  std::vector<Taken> taken;
};

/// The prompt with each word that no table has replaced by the one for much the same that a table
/// has. A word that a table has stays; so does one that may stand for several things of them. Whole
/// names come before parts of names of columns, and these before parts of values.
/// @param table  what catalogue() gives, with the tables beside it
[[nodiscard]] Worded in_words_of(const nlohmann::json& table, const std::string& prompt);

/// Tells of those that are not evident; "": there are none.
[[nodiscard]] std::string taken_words(const std::vector<Taken>& taken);

}  // namespace insights
