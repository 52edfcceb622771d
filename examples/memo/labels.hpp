/// @file
/// A label in front of sentences, and a line in two columns.
#pragma once

#include <string>
#include <string_view>

namespace memo {

struct Labelled {
  std::string_view label;  ///< may be empty
  std::string_view text;
};

/// Parts a label in bold from what follows it: `**Compliance** - Applications …`, `**Cost:** …`, or
/// a question and its answer, `**Who owns it?** The members do.` The label is a heading, and no
/// part of the sentence.
Labelled parted(std::string_view raw);

/// Whether a label names what is said behind it, and says nothing itself.
bool is_short(std::string_view label);

/// What joins a label to the sentence behind it.
std::string label_of(const std::string& words);

/// `Power: 600 kW` of `Power     600 kW`, a line of a plain text in two columns; empty for others.
std::string name_and_value(std::string_view line);

}  // namespace memo
