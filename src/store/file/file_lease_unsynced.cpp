// Commits with Durability::data: acknowledged without a sync, which follows later for many.
#include <algorithm>
#include <utility>
#include <vector>

#include "store/file/file_lease.hpp"
#include "store/file/folder_cursor.hpp"
#include "store/file/limits.hpp"

namespace resumable::store {

void FileLease::write_unsynced(const Batch& batch) {
  bool many = false;
  write_batch(batch, Durability::data);
  {
    const std::lock_guard lock(guard_);
    if (unsynced_.empty() && erases_.empty()) durable_ = tickets_;
    for (const RecordId& id : batch.erases)
      erases_.push_back({std::string{id.path}, id.generation});
    many = unsynced_.size() >= limits::unsynced_files || erases_.size() >= limits::unsynced_files;
  }
  if (many) sync_all();
}

Ticket FileLease::do_durable() const noexcept {
  const std::lock_guard lock(guard_);
  return unsynced_.empty() && erases_.empty() ? Ticket{tickets_} : durable_;
}

/// A record whose file is gone by now needs no sync: a later one has replaced it.
void FileLease::sync_all() {
  const std::lock_guard one_at_a_time(syncing_);
  std::vector<Place> places;
  std::vector<Erase> erases;
  Ticket reached = 0;
  {
    const std::lock_guard lock(guard_);
    if (broken_) throw *broken_;
    if (unsynced_.empty() && erases_.empty()) return;
    // A commit adds its files before it gets its ticket.
    reached = tickets_;
    places = unsynced_;
    erases = erases_;
  }
  sys::FileSystem& files = backend_->files();
  const auto broken = [&](const char* operation, const Place& place, std::error_code error) {
    const std::lock_guard lock(guard_);
    broken_ = site_.failed(operation, file_of(place), error);
    return *broken_;
  };
  std::vector<Place> sorted = places;
  std::ranges::stable_sort(sorted, {}, &Place::folder);
  FolderCursor cursor(*backend_, folders_.own);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Place& place = sorted[i];
    auto error = cursor.enter(names::checkpoints, place.folder);
    sys::File file;
    if (!error) error = files.open(cursor.folder(), place.name, sys::Open::read, file);
    if (!error) error = files.sync(file);
    if (error && error != std::errc::no_such_file_or_directory) {
      throw broken("fsync", place, error);
    }
    const bool last = i + 1 == sorted.size() || sorted[i + 1].folder != place.folder;
    if (!last || !cursor.folder()) continue;
    if (const auto failed = files.sync_folder(cursor.folder())) {
      throw broken("fsync of the folder", place, failed);
    }
  }
  std::vector<RecordId> ids;
  ids.reserve(erases.size());
  for (const Erase& one : erases) ids.push_back({one.path, one.generation});
  if (!ids.empty()) erase(ids);
  const std::lock_guard lock(guard_);
  unsynced_.erase(unsynced_.begin(),
                  unsynced_.begin() + static_cast<std::ptrdiff_t>(places.size()));
  erases_.erase(erases_.begin(), erases_.begin() + static_cast<std::ptrdiff_t>(erases.size()));
  durable_ = std::max(durable_, reached);
}

}  // namespace resumable::store
