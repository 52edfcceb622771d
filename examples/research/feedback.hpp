/// @file
/// What else is said on a topic: the terms of passages that are surely about it find others that
/// are about it in other words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "text/bm25.hpp"

namespace research {

/// Relevance feedback after Rocchio ("Relevance feedback in information retrieval", 1971): a term
/// weighs the more, the rarer it is and the more of the passages that hold it are known to be about
/// the topic. The passages themselves are what is known; nobody is asked.
class Feedback {
 public:
  /// @param documents  the terms of every passage
  /// @param known      which of them are surely about the topic
  Feedback(const ::text::Index& index, const std::vector<std::vector<std::string>>& documents,
           const std::vector<bool>& known);

  /// The weight of a passage's terms, each counted once.
  [[nodiscard]] std::int64_t score(const std::vector<std::string>& terms) const;

 private:
  std::map<std::string, std::int64_t> weights_;
};

}  // namespace research
