/// @file
/// A question as its parts: each asks or tells one thing, and may point to the part before it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/interest.hpp"

namespace insights {

/// `which lift there` of `Which site has the most calls, and which lift there?`
struct Clause {
  std::string text;
  bool asks = true;      ///< false: it tells what happened
  bool goes_on = false;  ///< it is not the first of its sentence
  Interest about{};      ///< with what it takes over from the clause before
  std::vector<std::string> words{};

  /// Whether it has a word of a list of words.json.
  [[nodiscard]] bool says(const char* list) const;
  /// Whether it points to what the clause before is about: `there`, `that lift`, `since then`.
  [[nodiscard]] bool points() const { return says("pointing") || says("persons") || is_short(); }
  /// Whether it only continues the clause before: `and which the least`.
  [[nodiscard]] bool is_short() const;
  /// Whether a value that it is about says that there was none of something: `No driver`.
  [[nodiscard]] bool restricts_to_none() const;
};

/// A text without what it says of a time: `since the new van came`, `now that it is new`.
[[nodiscard]] std::string without_events(const std::string& text);

/// The clauses of a prompt, as far as one table tells what they are about. A clause that names no
/// column, value or time is about those of the clause before, if it points to them. A time that is
/// only told is what the questions after it compare before and after.
/// @param table  what catalogue() gives
[[nodiscard]] std::vector<Clause> clauses_of(const std::string& prompt,
                                             const nlohmann::json& table);

/// What the whole prompt is about: with the values that all of its questions are about.
/// @param table  what catalogue() gives
[[nodiscard]] Interest interest_in(const std::string& prompt, const nlohmann::json& table);

}  // namespace insights
