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

/// What a record says of its run, when the record is whole and in its place; else nothing.
[[nodiscard]] Origin origin_of(RecordId id, const Tag& tag,
                               const std::optional<StoredRecord>& record);

/// What the records say of their run; nothing when none of them can be believed. `read` gets a
/// record, or nullopt when it is damaged or gone.
/// @throws Error{Errc::foreign}  the run is encrypted, and this is not its EncryptedStore
[[nodiscard]] Origin find_origin(const Tags& tags,
                                 FunctionRef<std::optional<StoredRecord>(RecordId)> read);

}  // namespace resumable::record
