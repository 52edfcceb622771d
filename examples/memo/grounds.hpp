/// @file
/// What a memo rests on: whether its sources are about the company, and answer what matters most.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memo/source.hpp"
#include "memo/types.hpp"

namespace memo {

/// Something that a memo has to say, and whether it does.
struct CoreMatter {
  std::string headings;  ///< of the questions about it: `Market size, Need`
  bool answered = false;

  bool operator==(const CoreMatter&) const = default;
};

/// An answer by a passage that hardly fits its question.
struct LooseAnswer {
  std::string heading;  ///< of the question
  std::string passage;

  bool operator==(const LooseAnswer&) const = default;
};

struct Grounds {
  int sources = 0;  ///< that are cited
  int naming = 0;   ///< of these, that name the company
  int answers = 0;  ///< answered questions
  int firm = 0;     ///< of these, by a passage that fits the question clearly (fit.hpp)
  std::vector<CoreMatter> core;        ///< of the outline, the first is what the company does
  std::vector<LooseAnswer> loose{};    ///< the answers that are not firm
  std::vector<std::string> unnamed{};  ///< cited sources that do not name the company

  bool operator==(const Grounds&) const = default;
};

/// Whether `text` names the company: by all words of its name but its legal form, in this order.
/// Blanks and dots inside the name do not matter; the capital of a name of one word does.
bool names_company(std::string_view text, std::string_view company);

Grounds grounds(const Request& request, const SectionResearch& research, const Sources& sources);

}  // namespace memo
