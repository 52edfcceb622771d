// What a lease of this process does to the journal that it owns.
#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "store/file/temporary_file.hpp"
#include "store/journal/journal.hpp"
#include "store/names.hpp"

namespace resumable::store::journal {

void Journal::begin_lease() {
  const std::scoped_lock lock{guard_};
  leased_ = false;
  with_index([&] {
    refresh(false);
    index_->keep_all();
  });
  leased_ = true;
}

void Journal::end_lease(bool certain) {
  const std::scoped_lock lock{guard_};
  leased_ = false;
  if (certain) return;
  try {
    reset();
  } catch (const std::bad_alloc&) {
    run_ = sys::Stat{};  // the next refresh finds another run here
  }
}

// Without a sync: a file that was torn by a power loss does not pass as an index.
void Journal::save_index(const RunFolders& folders) noexcept {
  try {
    const std::scoped_lock lock{guard_};
    std::vector<CoveredSegment> covered;
    for (const auto& [_, segment] : segments_) {
      covered.push_back({.header = segment.header, .reading = segment.reading});
    }
    if (!index_->has_grown(covered, index_after_bytes_)) return;
    std::string bytes = index_->encode(covered);
    if (bytes.empty()) return;
    TemporaryFile temporary{*backend_, site_, folders.temporary};
    temporary.must("write", sys::write_fully(backend_->files(), temporary.file(), 0, bytes));
    temporary.close();
    temporary.must("rename", temporary.replace(folders.records, index_name));
    auto file = open_index(folders.records);
    if (file) file->keep_all();
    if (file) index_ = std::make_shared<Index>(std::move(file));
  } catch (const std::exception&) {
    // The log has everything that the index would have.
  }
}

// Without a sync, in place: if it is torn by a power loss, nothing is known about the end.
void Journal::save_end(const RunFolders& folders) noexcept {
  try {
    const std::scoped_lock lock{guard_};
    // As long as damage is not set aside, what told it stays.
    if (segments_.empty() || index_->has_damage()) return;
    const auto& [number, segment] = *segments_.rbegin();
    const LogEnd end{number, segment.header.epoch, segment.reading.end};
    if (end == end_) return;
    sys::FileSystem& files = backend_->files();
    sys::File file;
    auto error = files.open(folders.records, end_name, sys::Open::read_write, file);
    if (is_absent(error)) {
      error = files.open(folders.records, end_name, sys::Open::new_private, file);
    }
    if (!error) error = sys::write_fully(files, file, 0, encode_log_end(end));
    if (!error) end_ = end;
  } catch (const std::exception&) {
    // Damage of this part of the log is then found like that after a kill.
  }
}

void Journal::set_reading(std::uint64_t segment, const Reading& reading) {
  const std::scoped_lock lock{guard_};
  segments_[segment].reading = reading;
}

std::uint64_t Journal::highest_fence() {
  const std::scoped_lock lock{guard_};
  std::uint64_t highest = 0;
  for (const auto& [_, segment] : segments_) highest = std::max(highest, segment.header.fence);
  return highest;
}

Tail Journal::tail() {
  const std::scoped_lock lock{guard_};
  const std::uint64_t last = segments_.empty() ? 0 : segments_.rbegin()->first;
  if (end_ && end_->number > last) return {.segment = end_->number, .reading = {}};  // it is gone
  if (last == 0) return {};
  return {last, segments_.rbegin()->second.reading};
}

void Journal::add_segment(const SegmentHeader& header) {
  const std::scoped_lock lock{guard_};
  segments_[header.number] = {.header = header, .reading = {}, .read = true};
}

void Journal::apply(std::span<const Change> changes, std::vector<ValuePlace>& unused) {
  const std::scoped_lock lock{guard_};
  Index& index = changeable();
  for (const Change& change : changes) {
    const RecordId id{change.id.path, change.id.generation};
    if (!change.erase) {
      index.put(id, change.known);
    } else if (const auto value = index.erase(id)) {
      unused.push_back(*value);
    }
  }
}

std::optional<std::uint64_t> Journal::first_needed() {
  const std::scoped_lock lock{guard_};
  return index_->first_segment();
}

std::uint64_t Journal::first() {
  const std::scoped_lock lock{guard_};
  return first_;
}

std::vector<std::uint64_t> Journal::drop_before(std::uint64_t first) {
  const std::scoped_lock lock{guard_};
  std::vector<std::uint64_t> dropped;
  first_ = std::max(first_, first);
  while (!segments_.empty() && segments_.begin()->first < first) {
    dropped.push_back(segments_.begin()->first);
    files_.close(segments_.begin()->first);
    segments_.erase(segments_.begin());
  }
  return dropped;
}

std::vector<std::uint64_t> Journal::to_empty(std::uint64_t segment_bytes) {
  const std::scoped_lock lock{guard_};
  std::vector<std::uint64_t> oldest;
  std::uint64_t all = 0;
  std::uint64_t moved = 0;
  for (const auto& [_, segment] : segments_) all += segment.reading.end;
  for (auto at = segments_.begin(); at != segments_.end() && std::next(at) != segments_.end();
       ++at) {
    const std::uint64_t live = index_->live_bytes(at->first);
    const bool much = moved > 0 && moved + live > segment_bytes;
    if (much || all <= 2 * (index_->live_bytes() + segment_bytes)) break;
    all -= at->second.reading.end;
    moved += live;
    oldest.push_back(at->first);
  }
  return oldest;
}

std::vector<std::uint64_t> Journal::to_compact(std::uint64_t segment_bytes) {
  constexpr std::uint64_t most = std::uint64_t{16} << 20U;  // is in memory meanwhile
  const std::uint64_t little = std::min(segment_bytes, std::uint64_t{1} << 20U);
  const std::scoped_lock lock{guard_};
  std::vector<std::uint64_t> all;
  std::uint64_t bytes = 0;
  for (const auto& [number, segment] : segments_) {
    bytes += segment.reading.end;
    all.push_back(number);
  }
  const std::uint64_t live = index_->live_bytes();
  const bool far = live <= most && bytes > 3 * live + little;
  if (!far || index_->has_damage()) all.clear();
  return all;
}

std::vector<Change> Journal::live_in(std::uint64_t number) {
  const auto file = files_.open(number);
  std::vector<Change> live;
  const std::scoped_lock lock{guard_};
  const auto segment = segments_.find(number);
  if (!file || segment == segments_.end() || index_->live_bytes(number) == 0) return live;
  const LogVisitor visitor{
      .entry =
          [&](const Entry& entry, std::uint64_t at) {
            const auto known = index_->find({entry.path, entry.generation});
            const bool here = known && known->segment == number && known->at == at;
            if (here) live.push_back({{std::string{entry.path}, entry.generation}, *known});
          },
      .damage = [](std::uint64_t, std::uint64_t) {}};
  Reading reading;
  const auto error = read_groups(backend_->files(), *file, segment->second.header,
                                 segment->second.reading.end, true, reading, visitor);
  if (error) throw site_.unreadable("read", files_.name(number), error);
  return live;
}

bool Journal::uses(const ValuePlace& file) {
  const std::scoped_lock lock{guard_};
  return index_->uses(file);
}

}  // namespace resumable::store::journal
