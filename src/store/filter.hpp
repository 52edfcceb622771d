/// @file
/// What the stores have in common that change records on their way to and from another store:
/// EncryptedStore, CompressedStore, Sha256Store.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/open_store.hpp"
#include "resumable/store.hpp"

namespace resumable::store {

/// Puts a store before the one that it is given.
using Filter =
    std::function<std::unique_ptr<CheckpointStore>(std::unique_ptr<CheckpointStore> next)>;

/// `factories`, and one whose scheme begins with `prefix` for each of them, for `file` and for
/// `journal`. It opens the rest of the URL with `factories` and puts `filter` before that store.
[[nodiscard]] RESUMABLE_EXPORT StoreFactories with_prefix(std::string_view prefix,
                                                          const StoreFactories& factories,
                                                          const Filter& filter);

/// Removes a run from `next`, which cannot read the headers that name its artifacts: `filter`, the
/// store before it, can. Artifacts are looked for only if `has_folder`.
RESUMABLE_EXPORT RemoveResult remove_from(CheckpointStore& next, const CheckpointStore& filter,
                                          bool has_folder, std::string_view run,
                                          const RemoveOptions& options);

}  // namespace resumable::store
