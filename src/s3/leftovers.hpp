/// @file
/// Objects that no record names.
#pragma once

#include <string_view>
#include <vector>

#include "resumable/store.hpp"
#include "s3/home.hpp"

namespace resumable::s3 {

/// @throws Error{Errc::unreadable}, Error{Errc::cancelled}
[[nodiscard]] std::vector<Listed> objects_of_run(Home& home, std::string_view run,
                                                 const Wait& wait);

/// As CheckpointStore::remove_leftovers(). `records`: the store that `home` belongs to.
[[nodiscard]] Leftovers remove_leftovers(CheckpointStore& records, Home& home, bool dry_run);

}  // namespace resumable::s3
