/// @file
/// The default store: a folder that people can read, compare and copy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable::inline v0 {

namespace sys {
class Clock;
class FileSystem;
class Process;
class Random;
}  // namespace sys

/// Whether a lease may make the store's folder.
enum class MakeStore : std::uint8_t {
  if_absent,  ///< with its parents, permissions by the umask
  never,      ///< it must be there: Errc::store_failed
};

/// Whether runs may be written on a file system that other hosts can write to (NFS, SMB, FUSE, …).
enum class SharedFileSystem : std::uint8_t {
  refuse,
  allow,  ///< the host vouches that locks and syncs work there, across hosts too
};

struct FileStoreOptions {
  MakeStore make = MakeStore::if_absent;
  SharedFileSystem shared = SharedFileSystem::refuse;
  sys::FileSystem* files = nullptr;  ///< these four for tests; they outlive the store, its leases
  sys::Clock* clock = nullptr;       ///< and payloads
  sys::Process* process = nullptr;
  sys::Random* random = nullptr;
};

/// Keeps each run in a folder of its own, `<folder>/<run>/`, with artifacts for people in it and
/// the library's files below `<folder>/<run>/.resumable/` (0700, files 0600). Each commit is one
/// new file, written aside, synced, renamed and synced into its folder: two fsync(2) calls, also
/// for many records. docs/format.md specifies the bytes.
///
/// Holds one descriptor, plus four a lease and one for each Stored payload over 256 KiB. Nothing is
/// mapped, and nothing is followed through links below the folder.
class RESUMABLE_EXPORT FileStore final : public CheckpointStore, public ArtifactFolder {
 public:
  /// Touches nothing: the folder is opened at first use, and made by the first lease.
  /// @throws Error{Errc::bad_option}  `folder` is empty
  explicit FileStore(const std::filesystem::path& folder, const FileStoreOptions& options = {});
  ~FileStore() override;

  [[nodiscard]] std::string artifact_folder(std::string_view run) const override;

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const Scan& what,
               FunctionRef<bool(const Found&)> visit) const override;
  std::optional<Stored> do_get(std::string_view run, RecordId id) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit) const override;
  std::optional<Owner> do_owner(std::string_view run) const override;
  std::optional<std::string> do_manifest(std::string_view run) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace resumable::inline v0
