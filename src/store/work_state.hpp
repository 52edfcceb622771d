/// @file
/// What the tasks of a WorkQueue go through, in every store that has one.
#pragma once

#include <cstdint>

namespace resumable::store {

/// Databases have these numbers.
enum class WorkState : std::int64_t {
  ready = 0,      ///< also again, when its worker was lost, or gave it back
  claimed = 1,    ///< by a worker, with a token
  finished = 2,   ///< and not collected so far
  lost = 3,       ///< with its workers, too often; not collected so far
  withdrawn = 4,  ///< by the owner, who may not know it yet; PostgresStore alone
};

[[nodiscard]] constexpr std::int64_t number_of(WorkState state) {
  return static_cast<std::int64_t>(state);
}

}  // namespace resumable::store
