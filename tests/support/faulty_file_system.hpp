/// @file
/// A file system that counts calls, and fails or calls back at a chosen one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "sys/forwarding_file_system.hpp"

namespace resumable::test {

/// The operations of sys::FileSystem.
enum class Op : std::uint8_t {
  open_root,
  open,
  create,  ///< open() of a new file
  close,
  make_folder,
  stat,
  list,
  volume,
  read,
  write,
  truncate,
  reserve,
  sync,
  sync_data,
  sync_folder,
  rename,
  link,
  unlink,
  remove_folder,
  lock,
  unlock,
  is_locked,
};
inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::is_locked) + 1;

[[nodiscard]] std::string_view to_string(Op op);
/// Those that change what is on disk, or promise that it is there: between two of them nothing on
/// the disk is different.
[[nodiscard]] const std::set<Op>& writing_ops();

/// Which call fails, and how. Calls are counted from 1, only those of `ops` (none: any).
struct Fault {
  std::set<Op> ops;
  std::uint64_t at = 1;
  std::errc error = std::errc::io_error;
  bool sticky = false;  ///< all later ones as well
};

/// Safe to use from several threads.
class FaultyFileSystem final : public sys::ForwardingFileSystem {
 public:
  explicit FaultyFileSystem(sys::FileSystem& next) : ForwardingFileSystem(next) {}

  /// Counts from here on; nullopt: fails no more.
  void fail(std::optional<Fault> fault);
  /// Whether the fault has struck since.
  [[nodiscard]] bool struck() const;
  /// Called before each call (`done` false) and after it, with how many of any kind there were.
  void on_call(std::function<void(Op, std::uint64_t count, bool done)> call);
  /// A fixed answer instead of the volume's.
  void pretend(sys::Volume volume);
  /// Reads and writes move at most this many bytes, and every other call is interrupted first.
  void move_at_most(std::size_t bytes);

  [[nodiscard]] std::uint64_t count(Op op) const;
  [[nodiscard]] std::uint64_t syncs() const;
  void reset_counts();
  /// Descriptors that were opened through this and not closed.
  [[nodiscard]] std::int64_t open_files() const;
  /// Files synced again after a sync of them had failed: nobody may trust that.
  [[nodiscard]] std::uint64_t second_syncs() const;

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
  std::error_code reserve(const sys::File& file, std::uint64_t size) override;
  std::error_code sync(const sys::File& file) override;
  std::error_code sync_data(const sys::File& file) override;
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
  std::error_code around(Op op, const std::function<std::error_code()>& call);
  std::error_code synced(const sys::File& file, std::error_code error);
  std::error_code before(Op op);
  void after(Op op);
  bool interrupts();

  mutable std::mutex guard_;
  std::optional<Fault> fault_;
  std::uint64_t matched_ = 0;
  bool struck_ = false;
  std::function<void(Op, std::uint64_t, bool)> on_call_;
  std::optional<sys::Volume> volume_;
  std::size_t most_ = SIZE_MAX;
  bool interrupted_ = false;
  std::array<std::uint64_t, op_count> counts_{};
  std::uint64_t total_ = 0;
  std::int64_t open_files_ = 0;
  std::set<int> lost_;
  std::uint64_t second_syncs_ = 0;
};

}  // namespace resumable::test
