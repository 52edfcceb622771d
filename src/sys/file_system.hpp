/// @file
/// Everything that the library needs from a file system, as one narrow interface.
///
/// Calls are in the style of openat(2): names are single components below an open folder, so that a
/// link swapped into a path meanwhile is not followed. In production these are thin calls on
/// descriptors; tests use a double that counts, fails, crashes or loses power. Variations derive
/// from ForwardingFileSystem.
///
/// Every method may be called from several threads at once. It returns the operating system's
/// error, or an empty one. Only ENOENT means that something does not exist.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "resumable/export.hpp"

namespace resumable::sys {

class FileSystem;

/// An open file or folder; closed when it is destroyed. Must not outlive its FileSystem.
class RESUMABLE_EXPORT File {
 public:
  File() = default;
  File(FileSystem& system, int descriptor) noexcept : system_(&system), descriptor_(descriptor) {}
  File(File&& other) noexcept : system_(other.system_), descriptor_(other.release()) {}
  File& operator=(File&& other) noexcept;
  ~File() { static_cast<void>(close()); }

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] explicit operator bool() const noexcept { return descriptor_ >= 0; }
  /// Gives the descriptor away, still open.
  int release() noexcept { return std::exchange(descriptor_, -1); }
  /// Closes it, once: after an error it is closed as well (close(2)).
  std::error_code close() noexcept;

 private:
  FileSystem* system_ = nullptr;
  int descriptor_ = -1;
};

/// What a name stands for. Links are never followed.
enum class Kind : std::uint8_t { file, folder, link, other, unknown };

/// How to open a name.
enum class Open : std::uint8_t {
  read,         ///< a regular file
  read_write,   ///< a regular file
  folder,       ///< a folder
  new_private,  ///< a new file, 0600 whatever the umask; EEXIST when anything has this name
  new_public,   ///< a new file, permissions by the umask; EEXIST likewise
};

enum class Access : std::uint8_t { owner_only, by_umask };

enum class Rename : std::uint8_t {
  replace,   ///< whatever file had the new name is gone
  if_free,   ///< EEXIST when anything has the new name
  exchange,  ///< both exist and change places
};

struct Stat {
  Kind kind = Kind::other;
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t links = 0;
  std::uint32_t mode = 0;  ///< permission bits
  std::uint32_t user = 0;  ///< its owner
  std::chrono::nanoseconds modified{};
  std::chrono::nanoseconds changed{};

  [[nodiscard]] bool same_file(const Stat& other) const noexcept {
    return device == other.device && inode == other.inode;
  }
};

struct Entry {
  std::string name;
  Kind kind = Kind::unknown;
};

/// The file system below a folder. Other hosts may write to a shared one.
struct Volume {
  bool shared = false;
  std::string type;  ///< "nfs", or the magic number of statfs(2)
  /// Why locks hold only among the processes of this host: `nfs4 mounted with local_lock=all`.
  std::string local_locks{};
  std::uint64_t free_bytes = UINT64_MAX;  ///< that are not used, as far as it is known
};

class FileSystem {
 public:
  FileSystem() = default;
  virtual ~FileSystem();
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;

  /// Opens the folder at `path`, following links: only for paths that a user gave. ENOTDIR also for
  /// a dangling link.
  virtual std::error_code open_root(const std::string& path, File& out) = 0;

  /// Opens a name below `folder`; never a link (ELOOP), never hangs. EISDIR for a folder opened as
  /// a file, ENOTSUP for a FIFO, socket or device. Descriptors are closed by exec.
  virtual std::error_code open(const File& folder, const std::string& name, Open how,
                               File& out) = 0;
  /// EINTR counts as closed.
  virtual std::error_code close(int descriptor) noexcept = 0;

  virtual std::error_code make_folder(const File& parent, const std::string& name,
                                      Access access) = 0;
  virtual std::error_code stat(const File& folder, const std::string& name, Stat& out) = 0;
  virtual std::error_code stat(const File& file, Stat& out) = 0;
  /// Appends the entries of `folder`, without "." and "..", in no order.
  virtual std::error_code list(const File& folder, std::vector<Entry>& out) = 0;
  virtual std::error_code volume(const File& folder, Volume& out) = 0;
  /// Whether names in `folder` may be made and removed, without trying it (faccessat(2)). The
  /// default says that they may.
  virtual std::error_code may_write(const File& folder);

  /// One pread(2): may be short, may be interrupted; 0 bytes at the end. See read_fully().
  virtual std::error_code read(const File& file, std::uint64_t at, std::span<char> to,
                               std::size_t& count) = 0;
  /// One pwrite(2): may be short, may be interrupted. See write_fully().
  virtual std::error_code write(const File& file, std::uint64_t at, std::string_view bytes,
                                std::size_t& count) = 0;
  virtual std::error_code truncate(const File& file, std::uint64_t size) = 0;
  /// Makes a file this large, with zeros after its bytes and space reserved for them on the disk
  /// (fallocate(2)). ENOTSUP where the file system cannot. The default is truncate().
  virtual std::error_code reserve(const File& file, std::uint64_t size);

  /// fsync(2) of a file. After an error its data counts as lost: do not sync it again, write
  /// another file.
  virtual std::error_code sync(const File& file) = 0;
  /// fdatasync(2): without what is not needed to read the data.
  virtual std::error_code sync_data(const File& file) = 0;
  /// sync_file_range(2): begins to write these bytes to the disk, so that a later sync finds less
  /// to do. A hint, which promises nothing and cannot fail.
  virtual void begin_sync(const File& file, std::uint64_t at, std::uint64_t size) noexcept;
  /// fsync(2) of a folder: names in it survive power loss.
  virtual std::error_code sync_folder(const File& folder) = 0;

  /// renameat2(2). EINVAL where the file system lacks this kind.
  virtual std::error_code rename(const File& from_folder, const std::string& from,
                                 const File& to_folder, const std::string& to, Rename how) = 0;
  /// A second name for a file; EEXIST when anything has it.
  virtual std::error_code link(const File& from_folder, const std::string& from,
                               const File& to_folder, const std::string& to) = 0;
  virtual std::error_code unlink(const File& folder, const std::string& name) = 0;
  /// ENOTEMPTY when something is in it.
  virtual std::error_code remove_folder(const File& parent, const std::string& name) = 0;

  /// Takes the exclusive lock of a whole file open for writing (F_OFD_SETLK), or EAGAIN when
  /// another descriptor has it, in this process or another. The kernel drops it with the
  /// descriptor, thus with the process; a forked child neither has nor drops it.
  virtual std::error_code lock(const File& file) = 0;
  virtual std::error_code unlock(const File& file) = 0;
  /// Whether another descriptor has the lock; takes none, a file open for reading will do.
  virtual std::error_code is_locked(const File& file, bool& out) = 0;
};

/// The operating system's file system.
[[nodiscard]] RESUMABLE_EXPORT std::unique_ptr<FileSystem> posix_file_system();

/// One read, repeated while it is interrupted: what comes at once, which may be less than there is.
std::error_code read_once(FileSystem& system, const File& file, std::uint64_t at,
                          std::span<char> to, std::size_t& count);
/// Reads until `to` is full or the file ends.
RESUMABLE_EXPORT std::error_code read_fully(FileSystem& system, const File& file, std::uint64_t at,
                                            std::span<char> to, std::size_t& count);
std::error_code write_fully(FileSystem& system, const File& file, std::uint64_t at,
                            std::string_view bytes);
/// Reads a whole file, or its first `length` bytes, piece by piece. What `visit` returns ends it,
/// too.
std::error_code read_pieces(FileSystem& system, const File& file,
                            const std::function<std::error_code(std::string_view)>& visit,
                            std::uint64_t length = UINT64_MAX);
/// Renames to a name that must be free. Where the file system lacks Rename::if_free (EINVAL), by
/// link and unlink: as atomic for the new name, but the old one may survive a crash.
std::error_code rename_to_free(FileSystem& system, const File& from_folder, const std::string& from,
                               const File& to_folder, const std::string& to);
/// Moves a file to a free name in another folder so that syncing `to_folder` is all that the new
/// name needs: by link and unlink, because a rename between folders is certain only once both are
/// synced. Where the file system has no links it renames and syncs `from_folder`.
std::error_code move_to_free(FileSystem& system, const File& from_folder, const std::string& from,
                             const File& to_folder, const std::string& to);

/// Opens a folder below `parent`, made where it is missing. What was made is durable once `parent`
/// is synced.
std::error_code open_or_make_folder(FileSystem& system, const File& parent, const std::string& name,
                                    Access access, File& out);

/// Of what the path leads to, links followed: only for files that other libraries open by path.
RESUMABLE_EXPORT std::error_code stat_path(const std::string& path, Stat& out);

/// `path` made absolute, links not resolved. Throws nothing; empty when there is no current folder.
[[nodiscard]] RESUMABLE_EXPORT std::string absolute_path(const std::string& path);
/// `path` made absolute, all links resolved. ENOENT also for a link that leads nowhere.
std::error_code resolve_path(const std::string& path, std::string& out);
/// Whether names in the folder at `path` may be made, or the folder itself where it is missing.
std::error_code may_write(FileSystem& system, const std::string& path);
/// Volume::free_bytes of where the folder is, or will be made.
[[nodiscard]] std::uint64_t free_bytes(FileSystem& system, const std::string& path);
/// Opens the folder at `path`; makes it and its parents where missing, each synced into its parent.
RESUMABLE_EXPORT std::error_code open_or_make_root(FileSystem& system, const std::string& path,
                                                   File& out);

}  // namespace resumable::sys
