#include "store/file/batch_index.hpp"

#include "store/names.hpp"

namespace resumable::store {

std::optional<BatchIndex::Spot> BatchIndex::find(RecordId id) const {
  const std::lock_guard lock(guard_);
  if (files_.empty()) return {};
  const auto found = spots_.find(Id(id.path, id.generation));
  if (found == spots_.end()) return {};
  return found->second;
}

std::shared_ptr<const BatchFile> BatchIndex::file(const std::string& name) const {
  const std::lock_guard lock(guard_);
  const auto found = files_.find(name);
  return found == files_.end() ? nullptr : found->second;
}

std::error_code BatchIndex::refresh(sys::FileSystem& files, const sys::File& checkpoints) {
  sys::File folder;
  std::vector<sys::Entry> entries;
  auto error = files.open(checkpoints, names::batch, sys::Open::folder, folder);
  if (!error) error = files.list(folder, entries);
  if (error && !is_absent(error)) return error;
  error.clear();
  std::set<std::string> present;
  for (const sys::Entry& entry : entries) {
    if (is_batch_name(entry.name)) present.insert(entry.name);
  }
  const std::lock_guard lock(guard_);
  for (auto file = files_.begin(); file != files_.end();) {
    const std::string name = (file++)->first;
    if (!present.contains(name)) drop_locked(name);
  }
  for (const std::string& name : present) {
    if (files_.contains(name)) continue;
    auto batch = std::make_shared<BatchFile>();
    sys::File file;
    batch->name = name;
    if (read_front(files, folder, name, FileOf::batch, file, batch->front))
      continue;  // erased meanwhile
    if (batch->front.damage == Damage::unreadable) {
      error = batch->front.cause;  // not kept: the next look may succeed
    } else {
      add_locked(batch);
    }
  }
  return error;
}

void BatchIndex::clear() {
  const std::lock_guard lock(guard_);
  files_.clear();
  spots_.clear();
  erased_.clear();
}

void BatchIndex::add(const std::shared_ptr<const BatchFile>& file) {
  const std::lock_guard lock(guard_);
  add_locked(file);
}

void BatchIndex::add_locked(const std::shared_ptr<const BatchFile>& file) {
  files_[file->name] = file;
  for (std::size_t i = 0; i < file->front.records.size(); ++i) {
    const Frame& frame = file->front.records[i].frame;
    if (!frame.path.empty()) {
      spots_.insert_or_assign(Id(frame.path, frame.generation), Spot{file, i});
    }
  }
}

void BatchIndex::drop(const std::string& file) {
  const std::lock_guard lock(guard_);
  drop_locked(file);
}

void BatchIndex::drop_locked(const std::string& name) {
  const auto found = files_.find(name);
  if (found == files_.end()) return;
  for (const Front::Record& record : found->second->front.records) {
    const auto spot = spots_.find(Id(record.frame.path, record.frame.generation));
    if (spot != spots_.end() && spot->second.file == found->second) spots_.erase(spot);
  }
  erased_.erase(name);
  files_.erase(found);
}

bool BatchIndex::erase(const Spot& spot) {
  const std::lock_guard lock(guard_);
  auto& erased = erased_[spot.file->name];
  erased.insert(spot.number);
  return erased.size() == spot.file->front.records.size();
}

}  // namespace resumable::store
