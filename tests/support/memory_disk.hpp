/// @file
/// A disk in memory that can lose power: what was not synced survives or not, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sys/file_system.hpp"
#include "sys/process.hpp"

namespace resumable::test {

/// When a rename from one folder to another is certain.
enum class CrossRename : std::uint8_t {
  with_its_folder,    ///< each of its two names once that folder is synced, as on ext4 and XFS
  with_both_folders,  ///< both once both are synced: all that POSIX promises
};

/// As POSIX allows it: a write is durable once its file is synced, a name once its folder is; until
/// then each may be there or not, whatever came before or after it. A rename within one folder is
/// one piece, between two folders it is two.
class MemoryDisk final : public sys::FileSystem {
 public:
  explicit MemoryDisk(CrossRename cross = CrossRename::with_its_folder);

  /// Called before each call that changes something, with its number from 1. The disk may be looked
  /// at, and its power be cut; it may not be changed.
  void on_change(std::function<void(std::uint64_t)> call) { on_change_ = std::move(call); }

  /// How many pieces are not durable.
  [[nodiscard]] std::size_t pending() const;
  /// What the disk holds after a loss of power of which those pieces survive for which `keep` gives
  /// true; of a write that does, at most `torn` bytes are kept when that is not 0. Nothing is open
  /// or locked there.
  [[nodiscard]] std::unique_ptr<MemoryDisk> after_power_loss(
      const std::function<bool(std::size_t)>& keep, std::size_t torn = 0) const;
  /// A hash of all that the disk holds, durable or not.
  [[nodiscard]] std::size_t contents_hash() const;
  /// What is below a folder, without what is in a `.resumable`; as resumable::test::artifacts().
  [[nodiscard]] std::map<std::string, std::string> artifacts(const std::string& folder) const;

  std::error_code open_root(const std::string& path, sys::File& out) override;
  std::error_code open(const sys::File& folder, const std::string& name, sys::Open how,
                       sys::File& out) override;
  std::error_code close(int descriptor) noexcept override;
  std::error_code make_folder(const sys::File& parent, const std::string& name,
                              sys::Access access) override;
  std::error_code stat(const sys::File& folder, const std::string& name, sys::Stat& out) override;
  std::error_code stat(const sys::File& file, sys::Stat& out) override;
  std::error_code list(const sys::File& folder, std::vector<sys::Entry>& out) override;
  std::error_code volume(const sys::File& folder, sys::Volume& out) override;
  std::error_code read(const sys::File& file, std::uint64_t at, std::span<char> to,
                       std::size_t& count) override;
  std::error_code write(const sys::File& file, std::uint64_t at, std::string_view bytes,
                        std::size_t& count) override;
  std::error_code truncate(const sys::File& file, std::uint64_t size) override;
  std::error_code sync(const sys::File& file) override;
  std::error_code sync_data(const sys::File& file) override { return sync(file); }
  std::error_code sync_folder(const sys::File& folder) override;
  std::error_code rename(const sys::File& from_folder, const std::string& from,
                         const sys::File& to_folder, const std::string& to,
                         sys::Rename how) override;
  std::error_code link(const sys::File& from_folder, const std::string& from,
                       const sys::File& to_folder, const std::string& to) override;
  std::error_code unlink(const sys::File& folder, const std::string& name) override;
  std::error_code remove_folder(const sys::File& parent, const std::string& name) override;
  std::error_code lock(const sys::File& file) override;
  std::error_code unlock(const sys::File& file) override;
  std::error_code is_locked(const sys::File& file, bool& out) override;

 private:
  using Id = std::uint64_t;  ///< of a file or folder; 0 is none
  struct Inode {
    bool folder = false;
    std::uint32_t mode = 0;
    std::string bytes;
    std::map<std::string, Id> entries;
    std::uint64_t changed = 0;  ///< by `time_`
  };
  using Inodes = std::map<Id, Inode>;
  struct Entry {
    Id folder;
    std::string name;
    Id target;  ///< 0: the name is gone
  };
  /// What is not durable yet: bytes or a size of a file, or names that change together.
  struct Piece {
    Id file = 0;
    std::uint64_t at = 0;
    std::string bytes;
    bool resize = false;  ///< to `at`
    std::vector<Entry> entries;
    std::uint64_t pair = 0;  ///< of the two names of a rename between folders; 0: it stands alone
    bool synced = false;     ///< its folder was, but not yet that of the other
  };

  static void apply(const Piece& piece, Inodes& inodes, std::size_t torn);
  void change();
  void add(Piece piece);
  void forget_older(const Piece& piece, std::size_t before);
  std::error_code make(const sys::File& parent, const std::string& name, Inode inode, Id& made);
  [[nodiscard]] Id at(const sys::File& file) const { return open_.at(file.descriptor()); }
  [[nodiscard]] Id find(Id folder, const std::string& name) const;
  void fill(Id id, sys::Stat& out) const;
  void collect(Id folder, const std::string& path, std::map<std::string, std::string>& into) const;

  std::uint32_t user_ = sys::SystemProcess{}.user();
  mutable std::recursive_mutex guard_;
  CrossRename cross_;
  std::function<void(std::uint64_t)> on_change_;
  std::uint64_t changes_ = 0;
  std::uint64_t time_ = 0;  ///< goes on after a loss of power
  Inodes now_;
  Inodes durable_;
  std::vector<Piece> pending_;
  Id last_ = 1;
  int next_descriptor_ = 1'000'000;
  std::map<int, Id> open_;
  std::map<Id, int> locks_;
};

}  // namespace resumable::test
