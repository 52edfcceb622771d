/// @file
/// Where a corpus is, in the words of people: what its records and its plan say.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/plan.hpp>
#include <resumable/store.hpp>

#include "corpus/types.hpp"

namespace corpus {

/// `init`, `concept`, `generating`, `finalize` or `done`.
struct Standing {
  std::string phase = "init";
  std::string city_name;                     ///< empty before there is a concept
  std::map<std::string, std::size_t> words;  ///< of the concept and each written section, by key
  std::vector<std::string> queue;            ///< keys of sections that are known and not written
  std::string start_time;                    ///< as the metadata has it; empty before it began
  std::size_t target_words = 0;              ///< 0: none was set

  [[nodiscard]] std::size_t word_count() const;
  /// The section that is written now, or next; empty when none is left.
  [[nodiscard]] std::string current() const { return queue.empty() ? "" : queue.front(); }
};

/// Reads all that was written; writes nothing. `plan` is the run's.
[[nodiscard]] Standing standing_of(const resumable::CheckpointStore& store, std::string_view run,
                                   const resumable::Plan& plan);

}  // namespace corpus
