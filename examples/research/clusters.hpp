/// @file
/// The sides of a topic: evidence that speaks of the same, with a heading in the pages' own words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "research/evidence.hpp"

namespace research {

struct Cluster {
  std::string label;
  std::vector<std::size_t> units;  ///< indices, in the order in which they were given
};

/// Puts every unit into one of at most `limit` clusters, the weightiest first.
std::vector<Cluster> clusters_of(const Scrape& scrape, const Evidence& evidence,
                                 const std::vector<std::size_t>& units, std::size_t limit);

/// Pairs of words, by how many of the texts hold them and how rare they are in the index.
std::vector<std::string> phrases_of(const std::vector<std::string>& texts,
                                    const ::text::Index& index, std::size_t limit);

}  // namespace research
