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
#include "store/file/backend.hpp"
#include "store/file/frame.hpp"

namespace resumable::store {

/// The frames of a file. Bodies are not read, but their lengths are compared with the file's.
struct Front {
  struct Record {
    Damage damage = Damage::none;
    Frame frame;  ///< without a path when its own line is damaged
  };
  Damage damage = Damage::none;  ///< of the file as a whole; then there are no records
  std::error_code cause;         ///< why it is unreadable, or no file
  std::vector<Record> records;
  sys::Stat stat;    ///< of a record's own file the size alone
  std::string head;  ///< the file's first bytes, as far as they were read for a single frame
};

enum class FileOf : std::uint8_t { record, batch };

/// Opens and reads. ENOENT alone is returned, all else is in `out`.
std::error_code read_front(sys::FileSystem& files, const sys::File& folder, const std::string& name,
                           FileOf what, sys::File& file, Front& out);

/// The only record of a file, which must be this one.
[[nodiscard]] Front::Record only_record(const Front& front, RecordId id);

/// The header of a record of a file that is open, from `front.head` where it is in there.
/// EBADMSG when it does not end where its frame says.
std::error_code read_header(sys::FileSystem& files, const sys::File& file, const Front& front,
                            const Frame& frame, std::string& out);

/// Header and payload of a record, whose payload keeps `file` when it is large.
/// `where` is for messages.
/// @throws Error{Errc::damaged}, Error{Errc::unreadable}
[[nodiscard]] StoredRecord read_stored(const std::shared_ptr<Backend>& backend, const RunSite& site,
                                       const std::string& where, sys::File file, const Frame& frame,
                                       std::string_view head = {});

/// `size` bytes of an open file, from `at` on. `where` and `id` are for messages.
[[nodiscard]] std::shared_ptr<const Payload> payload_in_file(
    const std::shared_ptr<Backend>& backend, const RunSite& site, const std::string& where,
    sys::File file, std::uint64_t at, std::uint64_t size, RecordId id);

/// Writes all records into an empty file. Rethrows what a payload throws. A payload that is not in
/// memory is read once: if a put has a seal, its frame and header are written after it.
std::error_code write_records(sys::FileSystem& files, const sys::File& file,
                              std::span<const Put> puts, std::uint64_t fence);

}  // namespace resumable::store
