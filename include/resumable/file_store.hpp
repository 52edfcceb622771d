/// @file
/// The default store: a folder that people can read, compare and copy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable::sys {
class Clock;
class FileSystem;
class Process;
class Random;
}  // namespace resumable::sys

namespace resumable {
inline namespace v0 {

/// Whether a lease may create the store's folder.
enum class CreateStore : std::uint8_t {
  if_absent,  ///< with its parents; the umask sets the permissions
  never,      ///< it must exist, else Errc::store_failed
};

/// Whether runs may be written on a file system that other hosts can write to (NFS, SMB, FUSE, …).
enum class SharedFileSystem : std::uint8_t {
  refuse,
  /// The program guarantees that locks and syncs work there, across hosts too. Where a mount says
  /// that locks hold on one host only (Lustre without `flock`, NFS with `local_lock`), no lease is
  /// given: Errc::store_failed.
  allow,
};

/// What happens if other users of the machine can write to the store's folder or replace it, or if
/// it belongs to another user.
enum class ExposedFolder : std::uint8_t {
  warn,    ///< a sentence in CheckpointStore::warnings() and in the report
  refuse,  ///< no lease: Errc::store_failed
};

struct FileStoreOptions {
  CreateStore create = CreateStore::if_absent;
  SharedFileSystem shared = SharedFileSystem::refuse;
  ExposedFolder exposed = ExposedFolder::warn;
  sys::FileSystem* files = nullptr;  ///< these four are for tests, and must outlive the store,
  sys::Clock* clock = nullptr;       ///< its leases and payloads
  sys::Process* process = nullptr;
  sys::Random* random = nullptr;
};

/// Keeps each run in a folder of its own, `<folder>/<run>/`, with artifacts for people in it and
/// the library's files below `<folder>/<run>/.resumable/` (0700, files 0600). Each commit is one
/// new file: it is written under a temporary name, synced and linked to its name, and its folder is
/// synced. That is two fsync(2) calls, even for many records, and also for simultaneous commits of
/// several threads: those that wait while one is written share the next file. docs/format.md
/// specifies the bytes.
///
/// Holds at most nine descriptors, plus four per lease and one for each StoredRecord payload over
/// 256 KiB. Maps no files into memory, and follows no links below the folder.
class RESUMABLE_EXPORT FileStore final : public CheckpointStore,
                                         public ArtifactFolder,
                                         public ContentCache {
 public:
  /// Does not touch the disk: the folder is opened on first use, and created by the first lease.
  /// @throws Error{Errc::bad_option}  `folder` is empty
  explicit FileStore(const std::filesystem::path& folder, const FileStoreOptions& options = {});
  ~FileStore() override;

  [[nodiscard]] std::string artifact_folder(std::string_view run) const override;

  /// Entries are files in the run `@cache`: a miss that is stored costs two fsync(2) calls.
 private:
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
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  std::vector<std::string> do_warnings(const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace v0
}  // namespace resumable
