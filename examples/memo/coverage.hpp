/// @file
/// What a memo leaves out of what its sources hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memo/source.hpp"
#include "memo/types.hpp"

namespace memo {

/// What a section says of a question that another one answers, or answers too.
inline constexpr std::string_view see_mark = ": see “";
inline constexpr std::string_view see_also_mark = ": see also “";

/// Whether the section answers the question, or refers to where it is answered.
bool answers(const SectionBrief& brief, const Topic& topic);

/// How many questions the sections answer in this sense.
int answered(const std::vector<SectionBrief>& sections);

/// A question that no section answers, though a source seems to.
struct LeftOut {
  std::string heading;  ///< of the question
  std::string passage;  ///< the best that was found for it
  std::string source;

  bool operator==(const LeftOut&) const = default;
};

/// The questions of the outline that no part of `research` answers, though passages fit them
/// (fit.hpp). If one of the three best is stated elsewhere in the memo, nothing is left out.
std::vector<LeftOut> left_out(const Request& request, const SectionResearch& research,
                              const Sources& sources);

}  // namespace memo
