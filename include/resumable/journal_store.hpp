/// @file
/// A store for many or frequent checkpoints: one log per run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/file_store.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

struct JournalStoreOptions {
  FileStoreOptions folder{};  ///< as for a FileStore
  /// The size of the files of a log, in bytes. The first file of a lease has 1 MiB or less.
  std::uint64_t segment_bytes = std::uint64_t{16} << 20U;
  /// When a lease ends, it writes an index of the log if the part of the log that the last index
  /// does not cover is at least this large, and at least as large as that index. Opening the run
  /// then reads the index and the rest of the log.
  std::uint64_t index_after_bytes = std::uint64_t{1} << 20U;
};

/// Keeps each run in a folder of its own, as FileStore does: artifacts, owner, manifest and what
/// was set aside have the same places. Its records are in an append-only log below
/// `<folder>/<run>/.resumable/journal/`: a commit is one write and one fdatasync(2), which threads
/// that commit at the same time share. Payloads of 2 MiB and more are files of their own (with
/// segments of less than 16 MiB, payloads of an eighth of a segment and more, but at least 256
/// KiB). docs/format.md specifies the bytes.
///
/// A run that a FileStore has written cannot be opened as a journal, nor the other way round:
/// Errc::foreign. Use copy_run() to convert it.
///
/// Opening a run reads the top of its index and the part of the log after it. Lookups read blocks
/// of the index with 256 records each (112 bytes and the path for each record), a lease all of
/// them; they stay in memory while the store is open. A scan reads the blocks that it needs twice,
/// and keeps them if they are at most four.
///
/// The log is cleaned while it is written: it is at most about twice as large as its records, plus
/// three segments, one of which is kept for reuse until the lease ends. A lease that ends writes a
/// log again of which less than a third is in use. Holds at most five
/// descriptors per run, six more per lease, and one for each StoredRecord payload in a file of its
/// own. While the log is cleaned, up to a segment of its records is in memory. Maps no files into
/// memory, and follows no links below the folder.
class RESUMABLE_EXPORT JournalStore final : public CheckpointStore,
                                            public ArtifactFolder,
                                            public RecordCounter,
                                            public ContentCache {
 public:
  /// Does not touch the disk: the folder is opened on first use, and created by the first lease.
  /// @throws Error{Errc::bad_option}  `folder` is empty
  explicit JournalStore(const std::filesystem::path& folder,
                        const JournalStoreOptions& options = {});
  ~JournalStore() override;

  /// Whether `folder` says that it is a journal store; false if it does not exist.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}
  [[nodiscard]] static bool is_in(const std::filesystem::path& folder);

  [[nodiscard]] std::string artifact_folder(std::string_view run) const override;

  /// The totals of a whole run are part of its index; for a prefix, its part of the index is
  /// searched.
  /// As FileStore: entries are files in the run `@cache`.
 private:
  RecordTotals do_sums(std::string_view run, std::string_view prefix,
                       const Wait& wait) const override;
  std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const override;
  bool do_put_if_absent(const Put& put, const Wait& wait) override;
  void do_replace(const Put& put, const Wait& wait) override;
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  std::vector<std::string> do_warnings(const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace v0
}  // namespace resumable
