#include "store/file/file_lease.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/file/folder_cursor.hpp"
#include "store/file/record_file.hpp"
#include "store/file/temporary_file.hpp"

namespace resumable::store {

FileLease::FileLease(std::shared_ptr<Backend> backend, RunSite site, RunFolders folders,
                     OwnerLock lock, std::uint64_t fence, std::optional<std::uint64_t> stamp,
                     std::shared_ptr<BatchIndex> batches)
    : Lease(fence),
      backend_(std::move(backend)),
      site_(std::move(site)),
      lock_(std::move(lock)),
      folders_(std::move(folders)),
      pid_(backend_->process().pid()),
      stamp_(stamp),
      batches_(std::move(batches)),
      synced_{names::checkpoints} {}

FileLease::~FileLease() = default;

void FileLease::must(const char* operation, const std::string& where, std::error_code error) const {
  if (error) throw site_.failed(operation, where, error);
}

std::string FileLease::file_of(const Place& place) const {
  return site_.own(names::checkpoints + '/' + place.path());
}

Ticket FileLease::do_commit(const Batch& batch, const CommitOptions& /*there is one durability*/) {
  check_right();
  if (!batch.puts.empty()) {
    refuse_existing(batch.puts);
    write(batch.puts);
  }
  if (!batch.erases.empty()) erase(batch.erases);
  return ++tickets_;
}

void FileLease::do_wait(Ticket /*all that were given out are durable*/) {
  const std::lock_guard lock(guard_);
  if (broken_) throw *broken_;
}

void FileLease::check_right() {
  if (backend_->process().pid() != pid_) throw site_.forked();
  do_wait(tickets_);
  bool in_place = false;
  must("stat", site_.own(names::owner), lock_.is_in_place(folders_.own, in_place));
  if (in_place) return;
  throw site_.error(Errc::fenced,
                    {.what = fmt::format("run {} was taken from this process: its owner file was"
                                         " removed or replaced",
                                         site_.name),
                     .file = site_.own(names::owner),
                     .kept = "all that was saved before is where it was moved to",
                     .next = "leave .resumable alone while a run goes on; resume again"});
}

void FileLease::read_batches() {
  const std::lock_guard lock(guard_);
  if (batches_read_) return;
  batches_->clear();
  if (const auto error = batches_->refresh(backend_->files(), folders_.checkpoints)) {
    throw site_.unreadable("read", site_.own(names::checkpoints + '/' + names::batch), error);
  }
  batches_read_ = true;
}

// A single record whose own file exists is found when that cannot be replaced, see write(). What
// is left is a record of a batch, and for a batch the files of single ones.
void FileLease::refuse_existing(std::span<const Put> puts) {
  read_batches();
  FolderCursor cursor(*backend_, folders_.own);
  for (const Put& put : puts) {
    if (const auto spot = batches_->find(put.id)) {
      throw site_.record_exists(put.id, file_of({names::batch, spot->file->name}));
    }
    if (puts.size() == 1) return;
    const Place place = place_of(put.id);
    sys::Stat found;
    auto error = cursor.enter(names::checkpoints, place.folder);
    if (!error) error = backend_->files().stat(cursor.folder(), place.name, found);
    if (!error) throw site_.record_exists(put.id, file_of(place));
    if (!is_absent(error)) throw site_.failed("stat", file_of(place), error);
  }
}

void FileLease::write(std::span<const Put> puts) {
  const bool single = puts.size() == 1;
  const Place place =
      single ? place_of(puts.front().id) : Place{names::batch, batch_name(fence(), ++batch_count_)};
  TemporaryFile temporary(*backend_, site_, folders_.temporary);
  temporary.must("write", write_records(backend_->files(), temporary.file(), puts, fence()));
  temporary.sync();
  temporary.close();
  const sys::File folder = folder_for_writing(names::checkpoints, place.folder);
  const auto error = temporary.take_free_name(folder, place.name);
  if (error == std::errc::file_exists) {
    throw site_.record_exists(puts.front().id, file_of(place));
  }
  must("link", file_of(place), error);
  try {
    sync_folder(folder, file_of(place));
  } catch (const Error& failed) {
    if (!backend_->files().unlink(folder, place.name)) throw;
    throw unknown(failed, place);
  }
  if (!single) note_batch(folder, place.name);
}

/// The record has its name, which can neither be made durable nor be taken away again.
Error FileLease::unknown(const Error& failed, const Place& place) const {
  return site_.error(
      Errc::outcome_unknown,
      {.what = fmt::format("it is not known whether run {} has its last checkpoint", site_.name),
       .operation = failed.info().operation,
       .file = file_of(place),
       .kept = "everything saved before is intact",
       .next = "resume again: it reads what the run holds",
       .cause = failed.info().cause});
}

void FileLease::note_batch(const sys::File& folder, const std::string& name) {
  const auto file = std::make_shared<BatchFile>();
  sys::File opened;
  file->name = name;
  // It is committed whatever comes of this.
  if (!read_front(backend_->files(), folder, name, FileOf::batch, opened, file->front))
    batches_->add(file);
}

// What stays behind is erased when the library asks again: the next scan shows it.
void FileLease::erase(std::span<const RecordId> ids) {
  sys::FileSystem& files = backend_->files();
  FolderCursor cursor(*backend_, folders_.own);
  for (const RecordId id : ids) {
    const auto spot = batches_->find(id);
    if (spot && !batches_->erase(*spot)) continue;
    const Place place = spot ? Place{names::batch, spot->file->name} : place_of(id);
    if (cursor.enter(names::checkpoints, place.folder)) continue;
    static_cast<void>(files.unlink(cursor.folder(), place.name));
    if (spot) batches_->drop(place.name);
  }
}

sys::File FileLease::folder_for_writing(const std::string& base, const std::string& path) {
  sys::FileSystem& files = backend_->files();
  const std::string full = path.empty() ? base : base + '/' + path;
  sys::File folder;
  for (std::size_t begin = 0; begin < full.size();) {
    const std::size_t end = std::min(full.find('/', begin), full.size());
    const std::string so_far = full.substr(0, end);
    const std::string name = full.substr(begin, end - begin);
    const sys::File& parent = folder ? folder : folders_.own;
    sys::File child;
    auto error = files.open(parent, name, sys::Open::folder, child);
    if (is_absent(error)) {
      error = files.make_folder(parent, name, sys::Access::owner_only);
      if (error == std::errc::file_exists) error.clear();
      if (!error) error = files.open(parent, name, sys::Open::folder, child);
    }
    must("mkdir", site_.own(so_far), error);
    // Once a lease also where it exists: who made it may have died before syncing.
    if (!is_synced(so_far)) {
      sync_folder(parent, site_.own(so_far));
      note_synced(so_far);
    }
    folder = std::move(child);
    begin = end + 1;
  }
  return folder;
}

bool FileLease::is_synced(const std::string& folder) {
  const std::lock_guard lock(guard_);
  return synced_.contains(folder);
}

void FileLease::note_synced(const std::string& folder) {
  const std::lock_guard lock(guard_);
  synced_.insert(folder);
}

void FileLease::sync_folder(const sys::File& folder, const std::string& where) {
  const auto error = backend_->files().sync_folder(folder);
  if (!error) return;
  const Error failed = site_.failed("fsync of the folder", where, error);
  const std::lock_guard lock(guard_);
  if (!broken_) broken_ = failed;
  throw failed;
}

}  // namespace resumable::store
