/// @file
/// The heads of all records of a run, read from its folders.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "store/file/backend.hpp"
#include "store/file/batch_index.hpp"
#include "store/file/frame.hpp"

namespace resumable::store {

/// A record as a scan found it.
struct Head {
  std::string path;
  std::uint64_t generation = 0;
  std::uint64_t fence = 0;
  Tag tag;
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  Damage damage = Damage::none;
  bool quarantined = false;
  std::error_code cause;
  std::optional<std::string> header;
};

/// By path in byte order, then by generation. A record that disappears during the scan was erased
/// by an owner after a newer one was written: then the folders are listed again. `own` is the run's
/// own folder. `batches`, if given, gets the batch files that are read, so that their records can
/// be read without a search. A scan of all records stores their highest fence in `backend`.
/// @throws Error{Errc::unreadable}  a folder cannot be listed
/// @throws Error{Errc::cancelled}   what.wait was over
[[nodiscard]] std::vector<Head> scan_run(Backend& backend, const RunSite& site,
                                         const sys::File& own, const ScanOptions& what,
                                         BatchIndex* batches = nullptr);

}  // namespace resumable::store
