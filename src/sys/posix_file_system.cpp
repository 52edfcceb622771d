// Thin wrappers of system calls. Nothing is decided here: the caller decides what an error means.
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "sys/disk_use.hpp"
#include "sys/file_system.hpp"
#include "sys/fork_hook.hpp"
#include "sys/mounts.hpp"

namespace resumable::sys {
namespace {

constexpr int common_flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

std::error_code last_error() { return {errno, std::system_category()}; }
std::error_code checked(int result) { return result < 0 ? last_error() : std::error_code{}; }

Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return Kind::file;
  if (S_ISDIR(mode)) return Kind::folder;
  return S_ISLNK(mode) ? Kind::link : Kind::other;
}

Kind kind_of_entry(unsigned char type) {
  switch (type) {
    case DT_REG: return Kind::file;
    case DT_DIR: return Kind::folder;
    case DT_LNK: return Kind::link;
    case DT_UNKNOWN: return Kind::unknown;
    default: return Kind::other;
  }
}

std::chrono::nanoseconds nanoseconds(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void fill(const struct stat& from, Stat& to) {
  to = {.kind = kind_of(from.st_mode),
        .size = static_cast<std::uint64_t>(from.st_size),
        .device = from.st_dev,
        .inode = from.st_ino,
        .links = from.st_nlink,
        .mode = from.st_mode & 07777U,
        .user = from.st_uid,
        .modified = nanoseconds(from.st_mtim),
        .changed = nanoseconds(from.st_ctim)};
}

int flags_of(Open how) {
  switch (how) {
    case Open::read: return O_RDONLY;
    case Open::read_write: return O_RDWR;
    case Open::folder: return O_RDONLY | O_DIRECTORY;
    case Open::new_private:
    case Open::new_public: break;
  }
  return O_RDWR | O_CREAT | O_EXCL;
}

std::error_code only_regular(int descriptor) {
  struct stat found {};
  if (::fstat(descriptor, &found) < 0) return last_error();
  if (S_ISREG(found.st_mode)) return {};
  return std::make_error_code(S_ISDIR(found.st_mode) ? std::errc::is_a_directory
                                                     : std::errc::not_supported);
}

// File systems that other hosts may write to. FUSE does not tell, so it counts as one; virtiofs
// reports itself as FUSE.
struct SharedType {
  std::uint64_t magic;
  const char* name;
};
constexpr std::array shared_types{
    SharedType{NFS_SUPER_MAGIC, "nfs"}, SharedType{SMB_SUPER_MAGIC, "smb"},
    SharedType{0xFF534D42, "cifs"},     SharedType{0xFE534D42, "smb2"},
    SharedType{0x65735546, "fuse"},     SharedType{0x00C36400, "ceph"},
    SharedType{V9FS_MAGIC, "9p"},       SharedType{0x5346414F, "afs"},
    SharedType{AFS_SUPER_MAGIC, "afs"}, SharedType{CODA_SUPER_MAGIC, "coda"},
    SharedType{0x7461636F, "ocfs2"},    SharedType{0x01161970, "gfs2"},
    SharedType{0x0BD00BD0, "lustre"},   SharedType{0x19830326, "beegfs"},
    SharedType{NCP_SUPER_MAGIC, "ncp"}, SharedType{0x47504653, "gpfs"},
    SharedType{0xAAD7AAEA, "panfs"},    SharedType{0x18031977, "wekafs"},
    SharedType{0xBEEFDEAD, "snfs"},     SharedType{0x61636673, "acfs"},
    SharedType{0x013111A8, "ibrix"},    SharedType{0x786F4256, "vboxsf"},
    SharedType{0xBACBACBC, "vmhgfs"},   SharedType{0x7C7C6673, "prl_fs"},
};

struct flock whole_file() {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

class PosixFileSystem final : public FileSystem {
 public:
  std::error_code open_root(const std::string& path, File& out) override {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
      out = File(*this, descriptor);
      return {};
    }
    const auto error = last_error();
    struct stat found {};
    const bool dangling = error == std::errc::no_such_file_or_directory &&
                          ::lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode);
    return dangling ? std::make_error_code(std::errc::not_a_directory) : error;
  }

  std::error_code open(const File& folder, const std::string& name, Open how, File& out) override {
    const mode_t mode = how == Open::new_private ? 0600 : 0666;
    const int descriptor =
        ::openat(folder.descriptor(), name.c_str(), flags_of(how) | common_flags, mode);
    if (descriptor < 0) return socket_or(folder, name, last_error());
    File file(*this, descriptor);
    std::error_code error;
    if (how == Open::new_private) {
      error = checked(::fchmod(descriptor, 0600));
    } else if (how == Open::read || how == Open::read_write) {
      error = only_regular(descriptor);
    }
    if (!error) out = std::move(file);
    return error;
  }

  std::error_code close(int descriptor) noexcept override {
    fork_hook::forget(descriptor);
    return ::close(descriptor) < 0 && errno != EINTR ? last_error() : std::error_code{};
  }

  std::error_code make_folder(const File& parent, const std::string& name, Access access) override {
    const bool owner_only = access == Access::owner_only;
    if (::mkdirat(parent.descriptor(), name.c_str(), owner_only ? 0700 : 0777) < 0) {
      return last_error();
    }
    // A umask may have taken away what the owner needs.
    return owner_only ? checked(::fchmodat(parent.descriptor(), name.c_str(), 0700, 0))
                      : std::error_code{};
  }

  std::error_code stat(const File& folder, const std::string& name, Stat& out) override {
    struct stat found {};
    if (::fstatat(folder.descriptor(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) < 0) {
      return last_error();
    }
    fill(found, out);
    return {};
  }

  std::error_code may_write(const File& folder) override {
    if (::faccessat(folder.descriptor(), ".", W_OK | X_OK, AT_EACCESS) < 0) return last_error();
    return {};
  }

  std::error_code stat(const File& file, Stat& out) override {
    struct stat found {};
    if (::fstat(file.descriptor(), &found) < 0) return last_error();
    fill(found, out);
    return {};
  }

  std::error_code list(const File& folder, std::vector<Entry>& out) override {
    // Another descriptor: several threads may list one folder at a time.
    const int descriptor = ::openat(folder.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return last_error();
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(descriptor), ::closedir);
    if (!stream) {
      const auto error = last_error();
      ::close(descriptor);
      return error;
    }
    for (errno = 0;; errno = 0) {
      const dirent* const entry = ::readdir(stream.get());
      if (entry == nullptr) return errno == 0 ? std::error_code{} : last_error();
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      out.push_back({std::string{name}, kind_of_entry(entry->d_type)});
    }
  }

  std::error_code volume(const File& folder, Volume& out) override {
    struct statfs found {};
    if (::fstatfs(folder.descriptor(), &found) < 0) return last_error();
    const auto magic = static_cast<std::uint64_t>(found.f_type) & 0xFFFFFFFFU;
    const auto* const type = std::ranges::find(shared_types, magic, &SharedType::magic);
    out.shared = type != shared_types.end();
    out.type = out.shared ? type->name : std::to_string(magic);
    out.free_bytes =
        static_cast<std::uint64_t>(found.f_bfree) * static_cast<std::uint64_t>(found.f_frsize);
    return out.shared ? find_local_locks(folder, out.local_locks) : std::error_code{};
  }

  std::error_code read(const File& file, std::uint64_t at, std::span<char> to,
                       std::size_t& count) override {
    return counted(::pread(file.descriptor(), to.data(), to.size(), static_cast<off_t>(at)), count);
  }

  std::error_code write(const File& file, std::uint64_t at, std::string_view bytes,
                        std::size_t& count) override {
    return counted(::pwrite(file.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(at)),
                   count);
  }

  std::error_code truncate(const File& file, std::uint64_t size) override {
    return checked(::ftruncate(file.descriptor(), static_cast<off_t>(size)));
  }
  std::error_code reserve(const File& file, std::uint64_t size) override {
    return checked(::fallocate(file.descriptor(), 0, 0, static_cast<off_t>(size)));
  }

  std::error_code sync(const File& file) override { return checked(::fsync(file.descriptor())); }
  std::error_code sync_data(const File& file) override {
    return checked(::fdatasync(file.descriptor()));
  }
  void begin_sync(const File& file, std::uint64_t at, std::uint64_t size) noexcept override {
    static_cast<void>(::sync_file_range(file.descriptor(), static_cast<off64_t>(at),
                                        static_cast<off64_t>(size), SYNC_FILE_RANGE_WRITE));
  }
  std::error_code sync_folder(const File& folder) override {
    return checked(::fsync(folder.descriptor()));
  }

  std::error_code rename(const File& from_folder, const std::string& from, const File& to_folder,
                         const std::string& to, Rename how) override {
    const unsigned flags = how == Rename::replace   ? 0U
                           : how == Rename::if_free ? unsigned{RENAME_NOREPLACE}
                                                    : unsigned{RENAME_EXCHANGE};
    return checked(::renameat2(from_folder.descriptor(), from.c_str(), to_folder.descriptor(),
                               to.c_str(), flags));
  }

  std::error_code link(const File& from_folder, const std::string& from, const File& to_folder,
                       const std::string& to) override {
    return checked(
        ::linkat(from_folder.descriptor(), from.c_str(), to_folder.descriptor(), to.c_str(), 0));
  }

  std::error_code unlink(const File& folder, const std::string& name) override {
    return checked(::unlinkat(folder.descriptor(), name.c_str(), 0));
  }

  std::error_code remove_folder(const File& parent, const std::string& name) override {
    return checked(::unlinkat(parent.descriptor(), name.c_str(), AT_REMOVEDIR));
  }

  std::error_code lock(const File& file) override {
    auto range = whole_file();
    // Before the lock is there: a fork in between must not leave a copy in the child.
    fork_hook::remember(file.descriptor());
    if (::fcntl(file.descriptor(), F_OFD_SETLK, &range) == 0) return {};
    const auto error = last_error();
    fork_hook::forget(file.descriptor());
    return error == std::errc::permission_denied
               ? std::make_error_code(std::errc::resource_unavailable_try_again)
               : error;
  }

  std::error_code unlock(const File& file) override {
    auto range = whole_file();
    range.l_type = F_UNLCK;
    return checked(::fcntl(file.descriptor(), F_OFD_SETLK, &range));
  }

  std::error_code is_locked(const File& file, bool& out) override {
    auto range = whole_file();
    if (::fcntl(file.descriptor(), F_OFD_GETLK, &range) < 0) return last_error();
    out = range.l_type != F_UNLCK;
    return {};
  }

 private:
  /// Where /proc is missing, nothing is known.
  static std::error_code find_local_locks(const File& folder, std::string& out) {
    struct stat found {};
    if (::fstat(folder.descriptor(), &found) < 0) return last_error();
    std::ifstream file{"/proc/self/mountinfo"};
    const std::string mounts{std::istreambuf_iterator<char>{file}, {}};
    out = locks_of_one_host(mounts, major(found.st_dev), minor(found.st_dev));
    return {};
  }

  static std::error_code counted(ssize_t result, std::size_t& count) {
    count = result < 0 ? 0 : static_cast<std::size_t>(result);
    return result < 0 ? last_error() : std::error_code{};
  }

  // A socket cannot be opened, a FIFO not for writing alone: ENXIO says less than ENOTSUP.
  static std::error_code socket_or(const File& folder, const std::string& name,
                                   std::error_code error) {
    if (error != std::errc::no_such_device_or_address) return error;
    struct stat found {};
    const bool odd = ::fstatat(folder.descriptor(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0;
    return odd ? std::make_error_code(std::errc::not_supported) : error;
  }
};

}  // namespace

std::uint64_t disk_use(const std::string& folder) {
  constexpr std::uint64_t unit = 512;  // of st_blocks, whatever the blocks of the disk are
  std::uint64_t bytes = 0;
  std::error_code error;
  std::filesystem::recursive_directory_iterator files{folder, error};
  while (!error && files != std::filesystem::recursive_directory_iterator{}) {
    struct stat one {};
    if (::lstat(files->path().c_str(), &one) == 0) {
      bytes += static_cast<std::uint64_t>(one.st_blocks) * unit;
    }
    files.increment(error);
  }
  return bytes;
}

std::error_code stat_path(const std::string& path, Stat& out) {
  struct stat found {};
  if (::stat(path.c_str(), &found) < 0) return last_error();
  fill(found, out);
  return {};
}

std::unique_ptr<FileSystem> posix_file_system() { return std::make_unique<PosixFileSystem>(); }

}  // namespace resumable::sys
