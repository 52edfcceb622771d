/// @file
/// Creates the files of segments, and reuses one that is no longer needed.
///
/// A new file has its size, and room on the disk, before it gets its name; where the file system
/// cannot reserve room, it is written full of zeros. Commits are fastest where bytes were written
/// before, so one segment that the log has dropped is kept, as `spare`, a name that no reader looks
/// for. It becomes a segment by a new header, whose epoch is not that of the bytes after it. The
/// name `spare` is durable before its bytes change: after a loss of power, no old name stands for
/// the new header.
#pragma once

#include <cstdint>
#include <optional>

#include "store/file/run_folder.hpp"
#include "store/file/temporary_file.hpp"
#include "store/journal/format.hpp"

namespace resumable::store::journal {

class SegmentMaker {
 public:
  /// `segment_bytes`: how large the segments of a log grow.
  SegmentMaker(const Backend& backend, const RunSite& site, const RunFolders& folders,
               std::uint64_t segment_bytes);

  /// Makes the name of the spare segment durable, if there is one that fits a segment of this size.
  /// @throws Error{Errc::store_failed}  no sync of the folder says anything any more
  void secure_spare(std::uint64_t size);
  /// Makes the file of a segment durable, without its name: the spare one if it was secured. False
  /// if the disk has no room for one that is larger than `at_least`.
  /// @throws Error{Errc::store_failed}
  [[nodiscard]] bool prepare(const SegmentHeader& header, std::uint64_t size,
                             std::uint64_t at_least);
  /// Gives it its name, durably, and opens it.
  /// @throws Error{Errc::store_failed}  it may have its name all the same
  [[nodiscard]] sys::File publish();
  /// Of what was prepared.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Up to where it was really written; room for the rest is reserved.
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }

  /// A segment that is not needed any more: it becomes the spare one, or is removed. The next lease
  /// removes what remains.
  void retire(std::uint64_t number);
  void remove_spare();

 private:
  [[nodiscard]] bool prepare_spare(const SegmentHeader& header);
  void make_room(const sys::File& file, const SegmentHeader& header);
  void fill_with_zeros(const sys::File& file);
  [[nodiscard]] std::string place(std::uint64_t number) const;

  const Backend& backend_;
  const RunSite& site_;
  const RunFolders& folders_;
  std::uint64_t segment_bytes_;
  std::uint64_t number_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t written_ = 0;
  sys::File spare_;                    ///< open when it was secured
  std::optional<TemporaryFile> made_;  ///< otherwise it is the spare one
};

}  // namespace resumable::store::journal
