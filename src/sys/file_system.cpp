#include "sys/file_system.hpp"

#include <algorithm>

#include <boost/filesystem/operations.hpp>
#include <boost/filesystem/path.hpp>

namespace resumable::sys {

namespace fs = boost::filesystem;

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    static_cast<void>(close());
    system_ = other.system_;
    descriptor_ = other.release();
  }
  return *this;
}

std::error_code File::close() noexcept {
  return descriptor_ < 0 ? std::error_code{} : system_->close(release());
}

FileSystem::~FileSystem() = default;
std::error_code FileSystem::reserve(const File& file, std::uint64_t size) {
  return truncate(file, size);
}
std::error_code FileSystem::may_write(const File& /*folder*/) { return {}; }

void FileSystem::begin_sync(const File& /*file*/, std::uint64_t /*at*/,
                            std::uint64_t /*size*/) noexcept {}

std::error_code read_once(FileSystem& system, const File& file, std::uint64_t at,
                          std::span<char> to, std::size_t& count) {
  std::error_code error;
  do {
    error = system.read(file, at, to, count);
  } while (error == std::errc::interrupted);
  return error;
}

std::error_code read_fully(FileSystem& system, const File& file, std::uint64_t at,
                           std::span<char> to, std::size_t& count) {
  count = 0;
  while (count < to.size()) {
    std::size_t got = 0;
    const auto error = read_once(system, file, at + count, to.subspan(count), got);
    if (error) return error;
    if (got == 0) break;
    count += got;
  }
  return {};
}

std::error_code read_pieces(FileSystem& system, const File& file,
                            const std::function<std::error_code(std::string_view)>& visit,
                            std::uint64_t length) {
  // Not filled with zeros, which would cost more than reading a small file.
  constexpr std::size_t size = std::size_t{64} * 1024;
  const auto piece = std::make_unique_for_overwrite<char[]>(size);
  for (std::uint64_t at = 0; at < length;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, length - at));
    std::size_t got = 0;
    auto error = read_fully(system, file, at, {piece.get(), wanted}, got);
    if (!error && got > 0) error = visit({piece.get(), got});
    if (error || got < wanted) return error;
    at += got;
  }
  return {};
}

std::error_code write_fully(FileSystem& system, const File& file, std::uint64_t at,
                            std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t put = 0;
    const auto error = system.write(file, at, bytes, put);
    if (error == std::errc::interrupted) continue;
    if (error) return error;
    if (put == 0) return std::make_error_code(std::errc::io_error);
    at += put;
    bytes.remove_prefix(put);
  }
  return {};
}

std::error_code rename_to_free(FileSystem& system, const File& from_folder, const std::string& from,
                               const File& to_folder, const std::string& to) {
  auto error = system.rename(from_folder, from, to_folder, to, Rename::if_free);
  if (error != std::errc::invalid_argument && error != std::errc::function_not_supported) {
    return error;
  }
  if (error = system.link(from_folder, from, to_folder, to); error) return error;
  // The new name counts; an old one that stays is a leftover like that of any crash.
  static_cast<void>(system.unlink(from_folder, from));
  return {};
}

std::error_code move_to_free(FileSystem& system, const File& from_folder, const std::string& from,
                             const File& to_folder, const std::string& to) {
  auto error = system.link(from_folder, from, to_folder, to);
  const bool no_links =
      error == std::errc::operation_not_permitted || error == std::errc::not_supported ||
      error == std::errc::operation_not_supported || error == std::errc::function_not_supported ||
      error == std::errc::too_many_links;
  if (no_links) {
    error = rename_to_free(system, from_folder, from, to_folder, to);
    return error ? error : system.sync_folder(from_folder);
  }
  // The new name counts; an old one that stays is a leftover like that of any crash.
  if (!error) static_cast<void>(system.unlink(from_folder, from));
  return error;
}

std::error_code open_or_make_folder(FileSystem& system, const File& parent, const std::string& name,
                                    Access access, File& out) {
  auto error = system.open(parent, name, Open::folder, out);
  if (error != std::errc::no_such_file_or_directory) return error;
  error = system.make_folder(parent, name, access);
  if (error && error != std::errc::file_exists) return error;
  return system.open(parent, name, Open::folder, out);
}

std::string absolute_path(const std::string& path) {
  boost::system::error_code error;
  const fs::path result = fs::absolute(fs::path(path), fs::current_path(error));
  return error ? std::string() : result.string();
}

std::error_code resolve_path(const std::string& path, std::string& out) {
  boost::system::error_code error;
  out = fs::canonical(fs::path(path), error).string();
  return {error.value(), std::generic_category()};
}

namespace {

std::error_code make_below(FileSystem& system, const fs::path& path, File& out) {
  File parent;
  if (auto error = open_or_make_root(system, path.parent_path().string(), parent)) return error;
  const std::string name = path.filename().string();
  auto error = system.make_folder(parent, name, Access::by_umask);
  if (error == std::errc::file_exists) error.clear();  // another process made it just now
  if (!error) error = system.sync_folder(parent);
  return error ? error : system.open_root(path.string(), out);
}

}  // namespace

std::error_code open_or_make_root(FileSystem& system, const std::string& path, File& out) {
  const auto error = system.open_root(path, out);
  if (error != std::errc::no_such_file_or_directory) return error;
  fs::path clean(path);
  while (clean.filename() == "." || clean.filename().empty()) {
    if (!clean.has_parent_path()) return error;
    clean = clean.parent_path();
  }
  return make_below(system, clean, out);
}

std::error_code may_write(FileSystem& system, const std::string& path) {
  for (fs::path folder{path};; folder = folder.parent_path()) {
    File found;
    const auto error = system.open_root(folder.string(), found);
    if (!error) return system.may_write(found);
    if (error != std::errc::no_such_file_or_directory || !folder.has_parent_path()) return error;
  }
}

std::uint64_t free_bytes(FileSystem& system, const std::string& path) {
  for (fs::path folder{path};; folder = folder.parent_path()) {
    File found;
    Volume volume;
    const auto error = system.open_root(folder.string(), found);
    if (!error) return system.volume(found, volume) ? UINT64_MAX : volume.free_bytes;
    if (error != std::errc::no_such_file_or_directory || !folder.has_parent_path()) {
      return UINT64_MAX;
    }
  }
}

}  // namespace resumable::sys
