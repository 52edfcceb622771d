#include "store/journal/journal.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "store/file/limits.hpp"
#include "store/file/record_file.hpp"
#include "store/names.hpp"

namespace resumable::store::journal {
namespace {

/// The name of damage in a segment, where the names of the records are unknown.
std::string damage_path(std::uint64_t segment, std::uint64_t at) {
  return nameless_path(batch_name(segment, at));
}

}  // namespace

Journal::View::~View() {
  if (!index_) return;
  // With the guard held, because a change of the index depends on how many use it.
  const std::scoped_lock lock{journal_->guard_};
  index_.reset();
}

Journal::Journal(std::shared_ptr<Backend> backend, RunSite site, std::uint64_t index_after_bytes)
    : backend_(std::move(backend)),
      site_(std::move(site)),
      files_(backend_, site_),
      index_after_bytes_(index_after_bytes),
      index_(std::make_shared<Index>()) {}

Journal::View Journal::view(std::string_view prefix) {
  const std::scoped_lock lock{guard_};
  with_index([&] {
    refresh(false);
    index_->prove(prefix);
  });
  return {*this, index_};
}

RecordTotals Journal::totals(std::string_view prefix) {
  const std::scoped_lock lock{guard_};
  return with_index([&] {
    refresh(false);
    return index_->totals(prefix);
  });
}

std::optional<Known> Journal::find(RecordId id) {
  const std::scoped_lock lock{guard_};
  return with_index([&] { return index_->find(id); });
}

std::string Journal::locate(RecordId id) {
  const auto known = find(id);
  if (!known) return site_.own(names::journal);
  if (!known->apart) return files_.name(known->segment);
  return site_.own(fmt::format("{}/{}", names::journal, value_name(known->value)));
}

// ---- keeping up with other processes ---------------------------------------------------------

void Journal::reset() {
  segments_.clear();
  first_ = 0;
  end_.reset();
  files_.close_all();
  index_ = std::make_shared<Index>();
}

/// Views keep the index that they have.
Index& Journal::changeable() {
  if (index_.use_count() > 1) index_ = std::make_shared<Index>(*index_);
  return *index_;
}

void Journal::refresh(bool again) {
  if (leased_) return;
  const auto run = backend_->open_run(site_);
  if (again || !run || (run_ && !run->own_stat.same_file(*run_))) reset();
  if (!run) return;
  run_ = run->own_stat;
  for (int look = 0; look < limits::looks; ++look) {
    sys::File folder;
    const auto error = backend_->files().open(run->own, names::journal, sys::Open::folder, folder);
    if (is_absent(error)) return reset();
    if (error) throw site_.unreadable("open", site_.own(names::journal), error);
    std::set<std::uint64_t> numbers;
    // Before anything of the log is read, which is at least as long from now on.
    const auto end = read_end(folder);
    const bool listed = list(folder, numbers);
    if (listed && segments_.empty() && look == 0 && !again) load_index(folder);
    end_ = end;
    if (listed && is_same_run(folder, numbers) && read_new(folder, numbers)) return;
    reset();
  }
  throw site_.unreadable("read", site_.own(names::journal),
                         std::make_error_code(std::errc::device_or_resource_busy));
}

bool Journal::list(const sys::File& folder, std::set<std::uint64_t>& numbers) const {
  std::vector<sys::Entry> entries;
  if (const auto error = backend_->files().list(folder, entries)) {
    throw site_.unreadable("list", site_.own(names::journal), error);
  }
  for (const sys::Entry& entry : entries) {
    if (const auto number = segment_of(entry.name)) numbers.insert(*number);
  }
  return std::ranges::all_of(segments_,
                             [&](const auto& known) { return numbers.contains(known.first); });
}

/// If it cannot be read, or was torn by a power loss, nothing is known.
std::optional<LogEnd> Journal::read_end(const sys::File& folder) const {
  sys::File file;
  std::string bytes(log_end_bytes, '\0');
  std::size_t count = 0;
  if (backend_->files().open(folder, end_name, sys::Open::read, file)) return std::nullopt;
  if (sys::read_fully(backend_->files(), file, 0, bytes, count)) return std::nullopt;
  return decode_log_end(std::string_view{bytes}.substr(0, count));
}

std::shared_ptr<const IndexFile> Journal::open_index(const sys::File& folder) const {
  sys::File file;
  sys::Stat stat;
  auto error = backend_->files().open(folder, index_name, sys::Open::read, file);
  if (!error) error = backend_->files().stat(file, stat);
  if (error) return nullptr;
  auto source = [backend = backend_, shared = std::make_shared<sys::File>(std::move(file))](
                    std::uint64_t at, std::span<char> to) {
    std::size_t count = 0;
    return !sys::read_fully(backend->files(), *shared, at, to, count) && count == to.size();
  };
  return IndexFile::open(std::move(source), stat.size);
}

/// Uses the index file if it matches the existing segments. The log after it is read afterwards.
/// The whole log is read again if the index does not match, or if a record is not where it says.
void Journal::load_index(const sys::File& folder) {
  auto file = open_index(folder);
  if (!file || file->segments().empty()) return;
  Segments covered;
  for (const auto& [header, reading, _] : file->segments()) {
    HeaderReading now;
    if (!files_.read_header(folder, header.number, now)) return;
    if (now.damage != Damage::none || now.header.epoch != header.epoch) return;
    sys::Stat stat;
    if (backend_->files().stat(folder, segment_name(header.number), stat)) return;
    if (stat.size < reading.end) return;  // the whole log is read: that tells the damage
    covered[header.number] = {.header = header, .reading = reading};
  }
  segments_ = std::move(covered);
  first_ = segments_.rbegin()->second.header.first;
  index_ = std::make_shared<Index>(std::move(file));
}

/// A run that was removed and begun again may have the same inodes, but no epoch twice.
bool Journal::is_same_run(const sys::File& folder, const std::set<std::uint64_t>& numbers) {
  if (segments_.empty() || numbers.empty()) return true;
  const auto& [number, segment] = *segments_.rbegin();
  HeaderReading now;
  return files_.read_header(folder, number, now) && now.header.epoch == segment.header.epoch;
}

/// Without those of segments that are not needed any more.
bool Journal::read_headers(const sys::File& folder, std::set<std::uint64_t>& numbers) {
  std::map<std::uint64_t, HeaderReading> news;
  for (const std::uint64_t number : numbers) {
    if (segments_.contains(number)) continue;
    if (!files_.read_header(folder, number, news[number])) return false;
    first_ = std::max(first_, news[number].header.first);
  }
  numbers.erase(numbers.begin(), numbers.lower_bound(first_));
  if (!segments_.empty() && segments_.begin()->first < first_) return false;
  for (const auto& [number, reading] : news) {
    if (number < first_) continue;
    segments_[number].header = reading.header;
    if (reading.damage != Damage::none) {
      note_damage(number, 0, segment_header_bytes);
      segments_[number].read = true;
    }
    const std::uint64_t previous = reading.header.previous;
    const bool missing = previous != 0 && previous >= first_ && !numbers.contains(previous);
    if (missing) note_damage(previous, 0, 0);
  }
  return true;
}

/// The last segment of all. If another one follows, that one says what is missing.
void Journal::note_lost_segment(const std::set<std::uint64_t>& numbers) {
  const bool lost =
      end_ && end_->number >= first_ && (numbers.empty() || *numbers.rbegin() < end_->number);
  if (lost) note_damage(end_->number, 0, 0);
}

bool Journal::read_new(const sys::File& folder, std::set<std::uint64_t>& numbers) {
  if (!read_headers(folder, numbers)) return false;
  note_lost_segment(numbers);
  for (auto at = segments_.begin(); at != segments_.end(); ++at) {
    const auto next = std::next(at);
    std::optional<std::uint64_t> end;
    const bool known = next != segments_.end() && next->second.header.previous == at->first;
    if (known) end = next->second.header.previous_end;
    const bool ended = next == segments_.end() && end_ && end_->number == at->first &&
                       end_->epoch == at->second.header.epoch;
    if (ended) end = end_->at;
    if (end && at->second.reading.end > *end) return false;
    if (at->second.header.epoch == 0) continue;  // nothing is known about it
    if (!read_segment(folder, at->first, at->second, end)) return false;
    if (ended) at->second.reading.closed = true;
  }
  return true;
}

bool Journal::read_segment(const sys::File& folder, std::uint64_t number, Segment& segment,
                           std::optional<std::uint64_t> end) {
  if (end && segment.reading.end == *end) return true;
  sys::File file;
  auto error = backend_->files().open(folder, segment_name(number), sys::Open::read, file);
  if (is_absent(error)) return false;
  std::vector<Change> changes;
  const LogVisitor visitor{
      .entry =
          [&](const Entry& entry, std::uint64_t at) {
            const Known known{.tag = entry.tag,
                              .header_bytes = entry.header_bytes,
                              .payload_bytes = entry.payload_bytes,
                              .segment = number,
                              .at = at,
                              .value = entry.value,
                              .apart = entry.kind == EntryKind::put_apart};
            changes.push_back({{std::string{entry.path}, entry.generation},
                               known,
                               entry.kind == EntryKind::erase});
          },
      .damage = [&](std::uint64_t at, std::uint64_t to) { note_damage(number, at, to); }};
  if (!error) {
    error = read_groups(backend_->files(), file, segment.header, end, !segment.read,
                        segment.reading, visitor);
  }
  bool same = true;
  if (!error) error = has_epoch(backend_->files(), file, segment.header.epoch, same);
  if (!same) return false;
  if (error) throw site_.unreadable("read", files_.name(number), error);
  segment.read = true;
  if (changes.empty()) return true;
  Index& index = changeable();
  for (const Change& change : changes) {
    const RecordId id{change.id.path, change.id.generation};
    if (change.erase) static_cast<void>(index.erase(id));
    if (!change.erase) index.put(id, change.known);
  }
  return true;
}

void Journal::note_damage(std::uint64_t segment, std::uint64_t at, std::uint64_t end) {
  const std::string path = damage_path(segment, at);
  changeable().put({path, 1}, {.tag = {},
                               .header_bytes = 0,
                               .payload_bytes = end - at,
                               .segment = segment,
                               .at = at,
                               .value = {},
                               .damage = Damage::torn});
}

// ---- reading records ---------------------------------------------------------------------------

std::uint64_t Journal::epoch_of(std::uint64_t number) {
  const std::scoped_lock lock{guard_};
  const auto segment = segments_.find(number);
  return segment == segments_.end() ? 0 : segment->second.header.epoch;
}

OpenSegment Journal::open(std::uint64_t number) { return {files_.open(number), epoch_of(number)}; }

std::optional<StoredRecord> Journal::get(RecordId id) {
  auto known = find(id);
  for (bool fresh = false;; fresh = true) {
    if (!known || fresh) {
      const std::scoped_lock lock{guard_};
      const auto found = with_index([&] {
        // If a record is not what the index says, this may be a different run by now.
        refresh(known.has_value());
        return index_->find(id);
      });
      if (!found && known && index_->is_damaged_at(known->segment, known->at)) {
        throw site_.damaged(id, files_.name(known->segment), "its bytes in the log have changed");
      }
      if (!found) return std::nullopt;
      known = found;
    }
    if (known->damage != Damage::none) {
      throw site_.bad(id, files_.name(known->segment), known->damage, {});
    }
    if (auto stored = files_.record(id, *known, epoch_of(known->segment))) return stored;
    if (fresh) throw site_.damaged(id, locate(id), "its bytes are not where the journal says");
  }
}

}  // namespace resumable::store::journal
