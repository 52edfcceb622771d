#include "store/file/content_cache.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "store/file/record_file.hpp"
#include "store/names.hpp"
#include "sys/unnamed_file.hpp"

namespace resumable::store {
namespace {

/// A file left by a killed process; a running process never keeps one that long.
constexpr std::chrono::hours leftover_age{24};

RecordId id_of(std::string_view path) { return {path, 1}; }

}  // namespace

FileContentCache::FileContentCache(std::shared_ptr<Backend> backend)
    : backend_(std::move(backend)), site_(backend_->site(names::cache_run)) {}

void FileContentCache::must(const char* operation, const std::string& where,
                            std::error_code error) const {
  if (error) throw site_.failed(operation, where, error);
}

std::optional<StoredRecord> FileContentCache::find(std::string_view path) {
  const auto run = backend_->open_run(site_);
  if (!run) return std::nullopt;
  const Place place = place_of(id_of(path));
  const std::string where = site_.record(id_of(path));
  sys::File folder;
  sys::File file;
  Front front;
  auto error = backend_->open_folders(run->own, names::checkpoints + '/' + place.folder, folder);
  if (!error)
    error = read_front(backend_->files(), folder, place.name, FileOf::record, file, front);
  if (is_absent(error)) return std::nullopt;
  if (error) throw site_.unreadable("open", where, error);
  const Front::Record record = only_record(front, id_of(path));
  if (record.damage != Damage::none)
    throw site_.bad(id_of(path), where, record.damage, front.cause);
  return read_stored(backend_, site_, where, std::move(file), record.frame, front.head);
}

bool FileContentCache::put(const Put& put, bool over) {
  const Place place = place_of(id_of(put.id.path));
  const std::string where = site_.record(id_of(put.id.path));
  sys::FileSystem& files = backend_->files();
  const sys::File folder = prepare(place.folder);
  std::string name;
  must("getrandom", where, backend_->temporary(name));
  sys::UnnamedFile file;
  must("open", where, file.open(files, folder, name, sys::Open::new_private));
  must("write", where, write_records(files, file.file(), {&put, 1}, 0));
  must("fsync", where, file.sync());
  must("close", where, file.close());
  const auto error =
      over ? file.replace(folder, place.name) : file.take_free_name(folder, place.name);
  if (!over && error == std::errc::file_exists) return false;
  must("rename", where, error);
  must("fsync", where, files.sync_folder(folder));
  return true;
}

std::error_code FileContentCache::make(const sys::File& parent, const std::string& name,
                                       sys::Access access, sys::File& out) const {
  sys::FileSystem& files = backend_->files();
  const auto error = sys::open_or_make_folder(files, parent, name, access, out);
  // Also if it exists: the process that made it may have died before syncing.
  return error ? error : files.sync_folder(parent);
}

sys::File FileContentCache::prepare(const std::string& folder) {
  const std::scoped_lock lock{guard_};
  const std::string full = names::checkpoints + '/' + folder;
  sys::File found;
  const auto run = backend_->open_run(site_);
  if (run && prepared_.contains(full)) {
    const auto error = backend_->open_folders(run->own, full, found);
    if (!is_absent(error)) {
      must("open", site_.own(full), error);
      return found;
    }
  }
  const auto root = backend_->root_for_writing(true);
  must("mkdir", site_.folder(), make(*root, site_.name, sys::Access::by_umask, found));
  const auto enter = [&](const std::string& name) {
    sys::File below;
    must("mkdir", site_.own(full), make(found, name, sys::Access::owner_only, below));
    found = std::move(below);
  };
  enter(names::own);
  for (std::string_view rest = full;;) {
    const std::size_t slash = rest.find('/');
    enter(std::string{rest.substr(0, slash)});
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  remove_leftovers(found);
  prepared_.insert(full);
  return found;
}

void FileContentCache::remove_leftovers(const sys::File& folder) const {
  sys::FileSystem& files = backend_->files();
  std::vector<sys::Entry> entries;
  if (files.list(folder, entries)) return;
  const auto now = backend_->clock().wall().time_since_epoch();
  for (const sys::Entry& entry : entries) {
    sys::Stat found;
    if (!is_temporary_name(entry.name) || files.stat(folder, entry.name, found)) continue;
    if (now - found.modified > leftover_age) static_cast<void>(files.unlink(folder, entry.name));
  }
}

}  // namespace resumable::store
