/// @file
/// Figures of one measure that sources give differently: which of them is the
/// later.
#pragma once

#include <string>
#include <vector>

#include "memo/ranking.hpp"

namespace memo {

/// A quantity of the field, and the phrases that name it.
struct Measure {
  std::string name;
  std::vector<std::string> phrases;  ///< lower case
};

/// A figure that a later source gives differently.
struct Correction {
  std::string measure;
  std::string earlier;  ///< `€22 million`
  std::string earlier_source;
  std::string earlier_text;  ///< the passage that states it
  std::string later;         ///< empty if the later source only takes it back
  std::string later_source;
  std::string later_text;
};

/// What the passages of dated sources correct. A source is as old as the date
/// in its name; one without a date is older than all that have one. Left out
/// are figures of a plan or a target, former figures (`from 4%`), figures of
/// different years, and sources that give several.
std::vector<Correction> corrections(const Corpus& corpus, const std::vector<Measure>& measures);

/// Whether `text` of the source at `path` states what a later one corrects.
bool is_corrected(const std::vector<Correction>& corrections, const std::string& path,
                  const std::string& text);

}  // namespace memo
