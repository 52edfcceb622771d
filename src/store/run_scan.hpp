/// @file
/// The heads of all records of a run, read from its folders.
#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "store/backend.hpp"
#include "store/frame.hpp"

namespace resumable::inline v0::store {

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
};

/// By path in byte order, then by generation. A record that goes while it is looked for was erased
/// by an owner, after a newer one had come: then the folders are listed again.
/// `own` is the run's own folder.
/// @throws Error{Errc::unreadable}  a folder cannot be listed
[[nodiscard]] std::vector<Head> scan_run(const Backend& backend, const RunSite& site,
                                         const sys::File& own, const Scan& what);

}  // namespace resumable::inline v0::store
