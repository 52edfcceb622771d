/// @file
/// What file stores and journal stores answer about their runs in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/file/backend.hpp"
#include "store/file/run_folder.hpp"

namespace resumable::store {

/// As CheckpointStore's functions of nearly the same names.
void visit_runs(Backend& backend, std::string_view prefix,
                FunctionRef<bool(std::string_view)> visit);
[[nodiscard]] std::optional<Owner> owner_of(Backend& backend, std::string_view run);
[[nodiscard]] std::optional<std::uint64_t> stamp_of(Backend& backend, std::string_view run);
[[nodiscard]] std::optional<std::string> read_manifest(Backend& backend, std::string_view run);
/// `store` is the one whose run it is.
RemoveResult remove_run(Backend& backend, const CheckpointStore& store, std::string_view run,
                        const RemoveOptions& options);

/// As Lease::manifest(). Not synced, because it decides nothing; the rename keeps readers from
/// seeing half of it.
/// @throws Error{Errc::store_failed}
void write_manifest(const Backend& backend, const RunSite& site, const RunFolders& folders,
                    std::string_view json);

}  // namespace resumable::store
