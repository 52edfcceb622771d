/// @file
/// Where a corpus is, in the words of people: what its records and its plan say.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <resumable/plan.hpp>
#include <resumable/store.hpp>

#include "corpus/types.hpp"

namespace corpus {

/// `init`, `concept`, `generating`, `finalize` or `done`.
struct Standing {
  std::string phase = "init";
  std::string city_name;                     ///< empty before there is a concept
  std::map<std::string, std::size_t> words;  ///< of the concept and each written section, by key
  std::size_t left = 0;                      ///< sections that are known and not written

  [[nodiscard]] std::size_t word_count() const;
};

/// Reads all that was written; writes nothing. `plan` is the run's.
[[nodiscard]] Standing standing_of(const resumable::CheckpointStore& store, std::string_view run,
                                   const resumable::Plan& plan);

/// What the last stage found, when it is on record.
/// @throws as recorded_input()
[[nodiscard]] std::optional<Totals> recorded_totals(const resumable::CheckpointStore& store,
                                                    std::string_view run);

/// The JSON of an input's value as an earlier call recorded it; nullopt when none did.
/// @throws resumable::Error{Errc::damaged} and what CheckpointStore::get throws
[[nodiscard]] std::optional<std::string> recorded_input(const resumable::CheckpointStore& store,
                                                        std::string_view run,
                                                        std::string_view name);

}  // namespace corpus
