/// @file
/// All sources of a memo, as several stages need them.
#pragma once

#include <memory>
#include <vector>

#include "memo/corrections.hpp"
#include "memo/gathering.hpp"
#include "memo/ranking.hpp"
#include "memo/source.hpp"
#include "memo/types.hpp"

namespace memo {

/// Sources as passages, which of their figures a later one corrects, and how well the passages
/// answer the questions. Immutable: safe to share between threads.
struct Papers {
  Papers(const Request& request, const Sources& sources);
  Papers(const Papers&) = delete;
  Papers& operator=(const Papers&) = delete;

  const Corpus corpus;
  const std::vector<Topic> topics;  ///< of all sections
  const std::vector<Correction> corrected;
  const Ranking ranking;
};

/// The papers of `sources`. The last that were asked for are kept, so the stages of one memo read
/// their sources once. Thread-safe; a thread waits while another one reads.
std::shared_ptr<const Papers> papers(const Request& request, const Sources& sources);

}  // namespace memo
