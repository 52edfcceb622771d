/// @file
/// Figures that a later document gives differently.
#pragma once

#include <string>
#include <vector>

#include "memo/measured.hpp"
#include "memo/ranking.hpp"
#include "memo/types.hpp"

namespace memo {

/// A figure that a later source gives differently.
struct Correction {
  std::string measure;
  std::string earlier;  ///< `€22 million`
  std::string earlier_source;
  std::string earlier_text;  ///< the passage that states it
  std::string later;         ///< empty if the later source only takes it back
  std::string later_source;
  std::string later_text;
  /// Whether they are surely of one quantity. If not, a memo states both, the later first.
  bool sure = true;
};

/// Finds, in documents of different dates, figures that may be of one quantity, and tells for which
/// of them it is sure: they are the only figures of one measure, or share most of their words; or
/// the later one speaks of a change and shares some, or names the earlier figure (`9 per cent, not
/// 6`). The others are alike enough in what Likeness compares. Of two figures each must be the one
/// most like the other in its source. A source is as old as the date that date_of() finds; one
/// without a date comes before all that have one, but nothing surely corrects it unless the other
/// speaks of a change. Facts do not correct facts of another year.
std::vector<Correction> corrections(const Corpus& corpus, const std::vector<Measure>& measures,
                                    const std::vector<Topic>& topics = {});

/// Whether `text` of the source at `path` states what a later one surely corrects.
bool is_corrected(const std::vector<Correction>& corrections, const std::string& path,
                  const std::string& text);

/// What may replace the figures of `text`, for each the last.
std::vector<const Correction*> later_than(const std::vector<Correction>& corrections,
                                          const std::string& path, const std::string& text);

/// Puts the later of two figures that may be of one quantity in front of the earlier, and marks
/// both with their dates (statements.hpp). All that are earlier than one figure stand behind it
/// together.
void put_later_first(std::vector<Finding>& findings, const std::vector<Correction>& corrected,
                     const Corpus& corpus);

}  // namespace memo
