/// @file
/// The sections of a memo and the questions that each of them answers: outline.json, or what a
/// person gives with --outline.
#pragma once

#include <string>
#include <vector>

#include "memo/types.hpp"

namespace memo {

struct Question {
  std::string id;       ///< stable: `market.size`
  std::string heading;  ///< `Market size`
  std::string asked;    ///< `How large is the market?`
  std::string search;   ///< at most twelve words that answers often hold; may be empty
};

struct SectionPlan {
  std::string key;  ///< stable: `team`
  std::string title;
  std::vector<Question> questions;
};

struct Outline {
  std::vector<SectionPlan> sections;
  std::vector<std::string> deck;  ///< ids of the questions that are put to the pitch deck

  [[nodiscard]] std::vector<std::string> ids() const;
};

/// The outline of `request` or, when that is empty, outline.json; `{company}` is replaced.
/// @throws std::invalid_argument  an unknown type or mode, or an outline that cannot be used; the
///         message names section or question, and key
Outline outline_of(const Request& request);

/// The text of a person's outline. @throws std::invalid_argument  it cannot be read or used
std::string read_outline_file(const std::string& path);

}  // namespace memo
