// What a lease does besides committing: the manifest, and setting damaged files aside.
#include <utility>
#include <vector>

#include "store/file/file_lease.hpp"
#include "store/file/record_file.hpp"
#include "store/file/runs.hpp"

namespace resumable::store {

void FileLease::do_manifest(std::string_view json, const Wait& /*a disk answers*/) {
  check_right();
  write_manifest(*backend_, site_, folders_, json);
}

std::string FileLease::do_quarantine(RecordId id, const Wait& /*a disk answers*/) {
  check_right();
  read_batches();
  const auto nameless = batch_of_nameless(id.path);
  const auto spot = batches_->find(id);
  const auto batch = nameless ? batches_->file(*nameless) : spot ? spot->file : nullptr;
  if (!batch) return set_aside(nameless ? Place{names::batch, *nameless} : place_of(id));
  write_again_without(*batch, id);
  batches_->drop(batch->name);
  return set_aside({names::batch, batch->name});
}

/// Moves a file from checkpoints/ to the same place in quarantine/.
std::string FileLease::set_aside(const Place& place) {
  sys::FileSystem& files = backend_->files();
  const sys::File from = folder_for_writing(names::checkpoints, place.folder);
  const sys::File to = folder_for_writing(names::quarantine, place.folder);
  std::string name = place.name;
  auto error = sys::move_to_free(files, from, place.name, to, name);
  if (error == std::errc::file_exists) {
    std::string unique;
    must("getrandom", file_of(place), backend_->temporary(unique));
    name += '~' + unique;
    error = sys::move_to_free(files, from, place.name, to, name);
  }
  must("link", file_of(place), error);
  std::string where = site_.own(names::quarantine + '/' + Place{place.folder, name}.path());
  sync_folder(to, where);
  sync_folder(from, file_of(place));
  return where;
}

/// The other whole records of a batch are copied to a new file before the old one is set aside.
void FileLease::write_again_without(const BatchFile& batch, RecordId id) {
  const std::string where = file_of({names::batch, batch.name});
  const sys::File folder = folder_for_writing(names::checkpoints, names::batch);
  std::vector<StoredRecord> records;
  std::vector<Put> puts;
  records.reserve(batch.front.records.size());
  for (const Front::Record& record : batch.front.records) {
    const Frame& frame = record.frame;
    const bool this_one = frame.path == id.path && frame.generation == id.generation;
    if (this_one || record.damage != Damage::none) continue;
    sys::File file;
    must("open", where, backend_->files().open(folder, batch.name, sys::Open::read, file));
    const StoredRecord& stored =
        records.emplace_back(read_stored(backend_, site_, where, std::move(file), frame));
    puts.push_back(
        {{frame.path, frame.generation}, stored.tag, stored.header, stored.payload.get()});
  }
  if (!puts.empty()) write(puts);
}

}  // namespace resumable::store
