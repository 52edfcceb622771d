/// @file
/// Files of records: what is read of them, and how they are written. See frame.hpp for the bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "resumable/store.hpp"
#include "store/backend.hpp"
#include "store/frame.hpp"

namespace resumable::inline v0::store {

/// The frames of a file. Bodies are not read, but their lengths are compared with the file's.
struct Front {
  struct Record {
    Damage damage = Damage::none;
    Frame frame;  ///< without a path when its own line is damaged
  };
  Damage damage = Damage::none;  ///< of the file as a whole; then there are no records
  std::error_code cause;         ///< why it is unreadable, or no file
  std::vector<Record> records;
  sys::Stat stat;
};

/// Opens and reads. ENOENT alone is returned, all else is in `out`.
std::error_code read_front(sys::FileSystem& files, const sys::File& folder, const std::string& name,
                           sys::File& file, Front& out);

/// The only record of a file, which must be this one.
[[nodiscard]] Front::Record only_record(const Front& front, RecordId id);

/// Header and payload of a record, whose payload keeps `file` when it is large.
/// `where` is for messages.
/// @throws Error{Errc::damaged}, Error{Errc::unreadable}
[[nodiscard]] Stored read_stored(const std::shared_ptr<Backend>& backend, const RunSite& site,
                                 const std::string& where, sys::File file, const Frame& frame);

/// Writes all records into an empty file. What a payload throws comes out.
std::error_code write_records(sys::FileSystem& files, const sys::File& file,
                              std::span<const Put> puts, std::uint64_t fence);

}  // namespace resumable::inline v0::store
