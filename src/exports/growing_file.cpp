#include "exports/growing_file.hpp"

namespace resumable::exports {
namespace {

/// Adds the first `length` bytes to `digester`; fewer when the file ends before.
std::error_code digest_prefix(sys::FileSystem& system, const sys::File& file, std::uint64_t length,
                              Digester& digester) {
  const auto add = [&](std::string_view piece) {
    digester.add_raw(piece);
    return std::error_code{};
  };
  return sys::read_pieces(system, file, add, length);
}

}  // namespace

GrowingFile::Look GrowingFile::look(const Folder& folder, std::string_view path,
                                    std::uint64_t length) {
  Look look;
  Folder::Place place;
  sys::File file;
  sys::Stat stat;
  Digester digester;
  look.error = folder.descend(path, false, place);
  if (!look.error) {
    look.error = folder.system_.open(place.folder, place.name, sys::Open::read, file);
  }
  if (!look.error) look.error = folder.system_.stat(file, stat);
  if (!look.error) look.error = digest_prefix(folder.system_, file, length, digester);
  look.size = stat.size;
  look.digest = digester.finish();
  return look;
}

std::error_code GrowingFile::open_in_place(sys::Open how, bool make_folders) {
  auto error = folder_.descend(path_, make_folders, place_);
  if (!error) error = folder_.system_.open(place_.folder, place_.name, how, file_);
  if (!error) error = folder_.system_.stat(file_, opened_);
  return error;
}

std::error_code GrowingFile::open(std::uint64_t length) {
  auto error = open_in_place(sys::Open::read_write, false);
  digester_ = {};
  if (!error) error = digest_prefix(folder_.system_, file_, length, digester_);
  length_ = length;
  return error;
}

std::error_code GrowingFile::create() {
  auto error = open_in_place(sys::Open::new_public, true);
  if (!error) error = folder_.system_.sync_folder(place_.folder);
  digester_ = {};
  length_ = 0;
  return error;
}

std::error_code GrowingFile::accept(std::string_view text, bool& accepted) {
  std::string there(text.size(), '\0');
  std::size_t got = 0;
  accepted = false;
  if (const auto error = sys::read_fully(folder_.system_, file_, length_, there, got)) return error;
  if (got < text.size() || there != text) return {};
  if (const auto error = sys::write_fully(folder_.system_, file_, length_, text)) return error;
  accepted = true;
  digester_.add_raw(text);
  length_ += text.size();
  return {};
}

std::error_code GrowingFile::cut_tail(std::string_view expected, bool& copied) {
  copied = false;
  sys::Stat stat;
  if (const auto error = folder_.system_.stat(file_, stat)) return error;
  if (stat.size <= length_) return {};
  std::string tail(static_cast<std::size_t>(stat.size - length_), '\0');
  std::size_t got = 0;
  if (const auto error = sys::read_fully(folder_.system_, file_, length_, tail, got)) return error;
  tail.resize(got);
  if (!expected.starts_with(tail)) {
    const std::string name = path_.substr(path_.rfind('/') + 1) + ".tail";
    const auto write = [&](sys::UnnamedFile& copy) { return copy.write(0, tail); };
    if (const auto error = folder_.keep(name, write)) return error;
    copied = true;
  }
  return folder_.system_.truncate(file_, length_);
}

std::error_code GrowingFile::append(std::string_view text) {
  sys::Stat stat;
  const auto error = folder_.system_.stat(place_.folder, place_.name, stat);
  if (error && error != std::errc::no_such_file_or_directory) return error;
  if (error || !stat.same_file(opened_) || stat.size != length_) {
    return std::make_error_code(std::errc::file_exists);
  }
  if (const auto failed = sys::write_fully(folder_.system_, file_, length_, text)) return failed;
  digester_.add_raw(text);
  length_ += text.size();
  return {};
}

std::error_code GrowingFile::sync() {
  const auto error = folder_.system_.sync(file_);
  if (error) static_cast<void>(file_.close());
  return error;
}

}  // namespace resumable::exports
