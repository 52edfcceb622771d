/// @file
/// Which run records belong to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "resumable/function_ref.hpp"
#include "resumable/store.hpp"

namespace resumable::record {

/// The tags of records that are whole as far as the store can see, by path and generation.
using Tags = std::map<std::pair<std::string, std::uint64_t>, Tag>;

struct Origin {
  std::string uid{};
  std::string pipeline{};
};

/// What the records say of their run; nothing when none of them can be believed. `read` gets a
/// record, or nullopt when it is damaged or gone.
[[nodiscard]] Origin find_origin(
    const Tags& tags, FunctionRef<std::optional<StoredRecord>(const Tags::key_type&)> read);

}  // namespace resumable::record
