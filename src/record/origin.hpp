/// @file
/// Which run records belong to.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "resumable/function_ref.hpp"
#include "resumable/store.hpp"

namespace resumable::record {

/// The tag of a record that is whole as far as the store can see.
struct FoundTag {
  RecordId id;  ///< its path is kept elsewhere
  Tag tag;
};
/// By path and generation.
using Tags = std::deque<FoundTag>;
/// A store scans in order; one that does not costs a sort.
void put_in_order(Tags& tags);

struct Origin {
  std::string uid{};
  std::string pipeline{};
};

/// What the records say about their run; nothing if none of them can be trusted. `read` returns a
/// record, or nullopt if it is damaged or gone.
/// @throws Error{Errc::foreign}  the run is encrypted, and this is not its EncryptedStore
[[nodiscard]] Origin find_origin(const Tags& tags,
                                 FunctionRef<std::optional<StoredRecord>(RecordId)> read);

}  // namespace resumable::record
