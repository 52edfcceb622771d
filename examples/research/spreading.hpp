/// @file
/// What a passage is about although it does not say so: what stands around it, and what others that
/// are like it are about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "research/units.hpp"
#include "text/bm25.hpp"

namespace research {

/// Spreads scores from units to their neighbours until they settle, after Zhou et al. ("Learning
/// with local and global consistency", 2004): a unit keeps a part of its own score, and the rest is
/// the average of its paragraph, section and page and of units of other pages with like terms.
/// @param terms   of each unit
/// @param index   of the units: how rare a term is
/// @param direct  the score of each unit by itself
std::vector<std::int64_t> spread(const std::vector<Unit>& units,
                                 const std::vector<std::vector<std::string>>& terms,
                                 const ::text::Index& index,
                                 const std::vector<std::int64_t>& direct);

/// How much the page and the section of each unit speak of the same things as what bears on the
/// topic on the other pages, in thousandths of the one that does so most: the cosine of their
/// terms, the rare ones counting more (relevance feedback, Rocchio, 1971, with what is taken for
/// relevant).
/// @param weights  how much each unit bears on the topic
std::vector<std::size_t> likeness(const std::vector<Unit>& units,
                                  const std::vector<std::vector<std::string>>& terms,
                                  const std::vector<std::size_t>& weights);

}  // namespace research
