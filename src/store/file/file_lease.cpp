#include "store/file/file_lease.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/file/folder_cursor.hpp"
#include "store/file/record_file.hpp"
#include "store/file/run_scan.hpp"
#include "store/file/temporary_file.hpp"

namespace resumable::store {

FileLease::FileLease(std::shared_ptr<Backend> backend, RunSite site, TakenRun taken,
                     std::shared_ptr<BatchIndex> batches)
    : Lease(taken.fence),
      backend_(std::move(backend)),
      site_(std::move(site)),
      lock_(std::move(taken.lock)),
      folders_(std::move(taken.folders)),
      pid_(backend_->process().pid()),
      stamp_(taken.stamp),
      batches_(std::move(batches)),
      synced_{names::checkpoints} {}

FileLease::~FileLease() = default;

void FileLease::must(const char* operation, const std::string& where, std::error_code error) const {
  if (error) throw site_.failed(operation, where, error);
}

std::string FileLease::file_of(const Place& place) const {
  return site_.own(names::checkpoints + '/' + place.path());
}

Ticket FileLease::do_commit(const Batch& batch, const CommitOptions& options) {
  check_right();
  if (options.durability == Durability::data) {
    write_unsynced(batch);
    return ++tickets_;
  }
  sync_all();
  if (CommitQueue::takes(batch)) {
    queue_.commit(batch, [this](CommitQueue::Group group) { write_group(group); });
  } else {
    write_batch(batch);
  }
  return ++tickets_;
}

void FileLease::write_batch(const Batch& batch, Durability durability) {
  if (!batch.puts.empty()) {
    refuse_existing(batch.puts);
    write(batch.puts, durability);
  }
  if (!batch.erases.empty() && durability == Durability::full) erase(batch.erases);
}

/// If they cannot be written together, each is tried alone, and its caller gets its own error.
void FileLease::write_group(CommitQueue::Group group) {
  if (group.size() > 1 && write_as_one(group)) return;
  for (WaitingCommit* one : group) {
    try {
      write_batch(one->batch);
    } catch (...) {
      one->error = std::current_exception();
    }
  }
}

/// False when nothing was written, and the cause may lie in one of them.
bool FileLease::write_as_one(CommitQueue::Group group) {
  std::vector<Put> puts;
  std::vector<RecordId> erases;
  std::set<std::pair<std::string_view, std::uint64_t>> ids;
  for (const WaitingCommit* one : group) {
    for (const Put& put : one->batch.puts) {
      // Two commits of one record: the second is refused.
      if (!ids.emplace(put.id.path, put.id.generation).second) return false;
      puts.push_back(put);
    }
    erases.insert(erases.end(), one->batch.erases.begin(), one->batch.erases.end());
  }
  try {
    write_batch({puts, erases});
  } catch (const Error&) {
    const std::lock_guard lock(guard_);
    if (!broken_) return false;
    for (WaitingCommit* one : group) one->error = std::current_exception();
  } catch (...) {
    for (WaitingCommit* one : group) one->error = std::current_exception();
  }
  return true;
}

void FileLease::do_wait(Ticket ticket, const Wait& /*a disk answers*/) {
  if (backend_->process().pid() != pid_) throw site_.forked();
  check_unbroken();
  if (do_durable() < ticket) sync_all();
}

void FileLease::check_unbroken() {
  const std::lock_guard lock(guard_);
  if (broken_) throw *broken_;
}

void FileLease::check_right() {
  if (backend_->process().pid() != pid_) throw site_.forked();
  check_unbroken();
  lock_.check_in_place(site_, folders_.own);
}

void FileLease::read_batches() {
  const std::lock_guard lock(guard_);
  if (batches_read_) return;
  batches_->clear();
  if (const auto error = batches_->refresh(backend_->files(), folders_.records)) {
    throw site_.unreadable("read", site_.own(names::checkpoints + '/' + names::batch), error);
  }
  batches_read_ = true;
}

// If a single record's own file exists, that is noticed because it cannot be replaced, see write().
// It remains to check for records of a batch, and for a batch the files of single records.
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

void FileLease::write(std::span<const Put> puts, Durability durability) {
  const bool single = puts.size() == 1;
  const Place place =
      single ? place_of(puts.front().id) : Place{names::batch, batch_name(fence(), ++batch_count_)};
  TemporaryFile temporary(*backend_, site_, folders_.temporary);
  temporary.must("write", write_records(backend_->files(), temporary.file(), puts, fence()));
  if (durability == Durability::full) temporary.sync();
  temporary.close();
  const sys::File folder = folder_for_writing(names::checkpoints, place.folder);
  const auto error = temporary.take_free_name(folder, place.name);
  if (error == std::errc::file_exists) {
    throw site_.record_exists(puts.front().id, file_of(place));
  }
  must("link", file_of(place), error);
  if (durability != Durability::full) {
    const std::lock_guard lock(guard_);
    if (unsynced_.empty() && erases_.empty()) durable_ = tickets_;
    unsynced_.push_back(place);
  } else {
    sync_name(folder, place);
  }
  if (!single) note_batch(folder, place.name);
}

void FileLease::sync_name(const sys::File& folder, const Place& place) {
  try {
    sync_folder(folder, file_of(place));
  } catch (const Error& failed) {
    if (!backend_->files().unlink(folder, place.name)) throw;
    throw unknown(failed, place);
  }
}

/// The record has its name, which can neither be made durable nor removed again.
Error FileLease::unknown(const Error& failed, const Place& place) const {
  return site_.error(
      Errc::outcome_unknown,
      {.what = fmt::format("it is unknown whether run {} has its last checkpoint", site_.name),
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
  // It is committed, whatever happens here.
  if (!read_front(backend_->files(), folder, name, FileOf::batch, opened, file->front))
    batches_->add(file);
}

// What remains is erased when the library asks again: the next scan shows it.
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
    must("mkdir", site_.own(so_far),
         sys::open_or_make_folder(files, parent, name, sys::Access::owner_only, child));
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

std::unique_ptr<Lease> take_lease(const std::shared_ptr<Backend>& backend, const RunSite& site,
                                  const LeaseRequest& request,
                                  std::shared_ptr<BatchIndex> batches) {
  const auto highest = [&](const sys::File& own, bool known) {
    // The remembered value may be old: it is good enough for a comparison, but not if the text is
    // lost.
    if (!known || !backend->seen_fence(site)) static_cast<void>(scan_run(*backend, site, own, {}));
    return backend->seen_fence(site).value_or(0);
  };
  return std::make_unique<FileLease>(backend, site, take_run(*backend, site, request, highest),
                                     std::move(batches));
}

}  // namespace resumable::store
