/// @file
/// A run as one file: a tar archive that any tar program can list, with a manifest and digests.
/// Component `resumable::bundle`, which needs libarchive.
#pragma once

#include <filesystem>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/manage.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

/// Writes a run to a file: `manifest.json`, then each record's header and payload. The run may
/// continue meanwhile. Every payload is verified as it is read. The file gets its name only when it
/// is complete and durable, so a kill never leaves half a file; an existing file is not replaced.
///
/// The bytes are read twice and written once, a megabyte at a time. Payloads and headers are in the
/// file as they are in the store: a bundle is as confidential as the run.
/// @throws Error{Errc::unknown_run}, Error{Errc::damaged} and so on: as copy_run()
/// @throws Error{Errc::duplicate_name}  the file exists
/// @throws Error{Errc::store_failed}    it cannot be written
RESUMABLE_EXPORT CopyResult export_bundle(const CheckpointStore& store, std::string_view run,
                                          const std::filesystem::path& file,
                                          const CopyOptions& options = {});

/// Adds the run in a bundle to a store, as copy_run() does. The whole file is verified before
/// anything is written, and the run appears in one commit. The file's names and sizes are not
/// trusted: a bundle is refused if it has a name that no record can have, a link, a size larger
/// than the file, or anything else that export_bundle() does not write.
/// @throws what copy_run() throws for `to`
/// @throws Error{Errc::unreadable}  the file cannot be opened or read
/// @throws Error{Errc::damaged}     it is not a whole bundle; nothing changed
/// @throws Error{Errc::newer}       a newer library wrote it; nothing changed
RESUMABLE_EXPORT CopyResult import_bundle(const std::filesystem::path& file, CheckpointStore& to,
                                          std::string_view new_id, const CopyOptions& options = {});

/// Reads a bundle and compares all digests, as verify_run() does.
/// @throws Error{Errc::unreadable}, Error{Errc::damaged}, Error{Errc::newer}
[[nodiscard]] RESUMABLE_EXPORT Verification verify_bundle(const std::filesystem::path& file);

}  // namespace v0
}  // namespace resumable
