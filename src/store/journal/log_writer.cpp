#include "store/journal/log_writer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <span>

#include <fmt/format.h>

#include "store/names.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::uint64_t first_segment_bytes = std::uint64_t{1} << 20U;
/// More is not joined: commits of large values gain little by it.
constexpr std::uint64_t most_group_bytes = std::uint64_t{4} << 20U;
/// A smaller group is written where zeros were written before, so many at a time: otherwise its
/// sync is dearer. For a larger one that would be to write as much again.
constexpr std::uint64_t zeros_ahead_bytes = std::uint64_t{256} << 10U;

}  // namespace

LogWriter::LogWriter(Backend& backend, const RunSite& site, const RunFolders& folders,
                     Journal& journal, std::uint64_t fence, std::uint64_t segment_bytes)
    : backend_(backend),
      site_(site),
      folders_(folders),
      journal_(journal),
      fence_(fence),
      segment_bytes_(segment_bytes),
      pid_(backend.process().pid()),
      maker_(backend, site, folders, segment_bytes),
      next_size_(std::min(segment_bytes, first_segment_bytes)),
      no_memory_(unknown("write", std::make_error_code(std::errc::not_enough_memory))) {}

// Without a sync: if the end mark is missing, the next owner only has to search for the end.
LogWriter::~LogWriter() {
  if (backend_.process().pid() == pid_) maker_.remove_spare();
  if (!file_ || backend_.process().pid() != pid_ || broken_ || !synced_) return;
  std::string end;
  try {
    end.resize(group_header_bytes);
  } catch (const std::bad_alloc&) {
    return;
  }
  seal_group(end, {.entries = 0, .epoch = header_.epoch, .sequence = written_.sequence + 1});
  if (sys::write_fully(backend_.files(), file_, written_.end, end)) return;
  static_cast<void>(backend_.files().truncate(file_, written_.end + end.size()));
}

std::string LogWriter::segment_file() const {
  return site_.own(fmt::format("{}/{}", names::journal, segment_name(header_.number)));
}

bool LogWriter::is_certain() {
  const std::scoped_lock lock{guard_};
  return !broken_;
}

void LogWriter::check() {
  const std::scoped_lock lock{guard_};
  if (broken_) throw *broken_;
}

// The last group may be only in the page cache, and the sync that should have saved it may have
// failed: then the kernel considers its pages clean. Writing it again makes them dirty.
void LogWriter::settle(const Tail& tail) {
  header_.number = tail.segment;
  written_ = tail.reading;
  if (tail.segment == 0 || tail.reading.last == 0 || tail.reading.closed) return;
  sys::FileSystem& files = backend_.files();
  sys::File file;
  const auto must = [&](const char* operation, std::error_code error) {
    if (error) throw site_.failed(operation, segment_file(), error);
  };
  const std::uint64_t size = tail.reading.end - tail.reading.last;
  const std::string bytes = journal_.files().raw(tail.segment, tail.reading.last, size);
  must("open",
       files.open(folders_.records, segment_name(tail.segment), sys::Open::read_write, file));
  must("write", sys::write_fully(files, file, tail.reading.last, bytes));
  must("fdatasync", files.sync_data(file));
}

void LogWriter::refuse_existing(const Pending& pending) {
  for (const Change& change : pending.changes) {
    const RecordId id{change.id.path, change.id.generation};
    if (change.erase) continue;
    if (in_flight_.contains(change.id) || journal_.find(id)) {
      throw site_.record_exists(id, journal_.locate(id));
    }
  }
}

void LogWriter::commit(Pending& pending) {
  pending.alarm = std::make_shared<Alarm>();
  std::unique_lock lock{guard_};
  if (broken_) throw *broken_;
  refuse_existing(pending);
  try {
    for (const Change& change : pending.changes) {
      if (!change.erase) in_flight_.insert(change.id);
    }
    queue_.push_back(&pending);
    while (!pending.done) {
      if (!lock.owns_lock()) lock.lock();
      if (!pending.done) wait_for_turn(pending, lock);
    }
  } catch (const std::bad_alloc&) {
    withdraw(pending, lock);
    throw;
  }
  if (pending.error) throw *pending.error;
}

/// There was no memory to take a group: nothing of this one was written, and another one leads.
void LogWriter::withdraw(const Pending& pending, std::unique_lock<std::mutex>& lock) {
  std::erase(queue_, &pending);
  for (const Change& change : pending.changes) in_flight_.erase(change.id);
  const std::shared_ptr<Alarm> next = queue_.empty() ? nullptr : queue_.front()->alarm;
  lock.unlock();
  if (next) next->ring();
}

/// The commit that completes the expected group leads at once; if that takes too long, the first in
/// the queue does. Returns without the lock, because an answer does not need it.
void LogWriter::wait_for_turn(const Pending& pending, std::unique_lock<std::mutex>& lock) {
  const bool awaited =
      busy_ || company_.is_awaited(queue_.size(), std::chrono::steady_clock::now());
  if (!awaited) return lead(lock);
  const bool keeps_time = !busy_ && queue_.front() == &pending;
  const auto until = company_.until();
  lock.unlock();
  if (keeps_time) {
    pending.alarm->wait_until(until);
  } else {
    pending.alarm->wait();
  }
}

/// A commit without a record: it waits for its turn, and then for the sync.
void LogWriter::sync(std::vector<ValuePlace>& unused) {
  if (synced_) return;
  Pending nothing;
  commit(nothing);
  unused.insert(unused.end(), nothing.unused.begin(), nothing.unused.end());
}

/// Those that have waited longest, as many as make a group.
std::vector<Pending*> LogWriter::take_group() {
  std::uint64_t bytes = 0;
  auto end = queue_.begin();
  for (; end != queue_.end(); ++end) {
    bytes += (*end)->group.size();
    if (end != queue_.begin() && bytes > most_group_bytes) break;
  }
  std::vector<Pending*> group(queue_.begin(), end);
  queue_.erase(queue_.begin(), end);
  return group;
}

/// Writes what waits; then the first of those who are left, or came meanwhile, leads.
void LogWriter::lead(std::unique_lock<std::mutex>& lock) {
  const std::vector<Pending*> group = take_group();
  busy_ = true;
  company_.begin_group(group.size());
  auto error = broken_;
  lock.unlock();
  const auto begun = std::chrono::steady_clock::now();
  if (!error) error = write_or_fail(group);
  lock.lock();
  busy_ = false;
  company_.end_group(group.size(), queue_.size(), begun, std::chrono::steady_clock::now());
  if (error && spoiled_ && !broken_) broken_ = error;
  const std::shared_ptr<Alarm> next = queue_.empty() ? nullptr : queue_.front()->alarm;
  std::shared_ptr<Alarm> answered = finish(group, error);
  lock.unlock();
  if (next) next->ring();
  Alarm::ring_all(std::move(answered));
}

/// Gives the answers, and returns the threads to wake. A thread that has its answer may be gone at
/// once.
std::shared_ptr<Alarm> LogWriter::finish(const std::vector<Pending*>& group,
                                         const std::optional<Error>& error) {
  std::shared_ptr<Alarm> answered;
  for (Pending* const one : group) {
    for (const Change& change : one->changes) {
      if (!change.erase) in_flight_.erase(change.id);
    }
    one->error = error;
    one->alarm->link(std::exchange(answered, one->alarm));
    one->done = true;
  }
  return answered;
}

GroupBytes& LogWriter::joined(const std::vector<Pending*>& group) {
  if (group.size() == 1) return group.front()->group;
  joined_.clear();
  for (Pending* const one : group) {
    const std::uint64_t moved = joined_.join(one->group);
    for (Change& change : one->changes) change.known.at += moved;
  }
  return joined_;
}

std::optional<Error> LogWriter::write_or_fail(const std::vector<Pending*>& group) {
  try {
    return write(group);
  } catch (const Error& error) {
    return error;
  } catch (...) {  // for want of memory: threads that wait for this group must learn of every error
    spoiled_ = true;
    return no_memory_;
  }
}

std::optional<Error> LogWriter::write(const std::vector<Pending*>& group) {
  const bool empty = std::ranges::all_of(group, [](auto* one) { return one->changes.empty(); });
  if (empty) {
    if (auto error = sync_segment()) return error;
    group.front()->unused = std::exchange(unused_later_, {});
    return std::nullopt;
  }
  GroupBytes& bytes = joined(group);
  const std::uint64_t needed = bytes.size() + group_header_bytes;  // and the end of the segment
  if (!file_ || needed > size_ - written_.end) {
    Pending moved;
    collect_moves(journal_.to_empty(segment_bytes_), moved);
    // Some room for more, or the next commit would have to move records again.
    const std::uint64_t room = moved.changes.empty() ? 0 : segment_bytes_ / 2;
    const std::uint64_t at_least = segment_header_bytes + moved.group.size() + needed;
    begin_segment(at_least, std::max(at_least + room, next_size_));
    if (!moved.changes.empty()) {
      if (auto error = append(moved.group, {&moved})) return error;
    }
  }
  return append(bytes, group);
}

/// Records of the oldest segments that are still in use are written again, after everything else:
/// then the segments can be removed.
void LogWriter::collect_moves(std::span<const std::uint64_t> segments, Pending& moved) {
  for (const std::uint64_t segment : segments) {
    try {
      for (Change& change : journal_.live_in(segment)) {
        const std::uint64_t size = change.known.bytes(change.id.path.size());
        const std::string entry = journal_.files().raw(segment, change.known.at, size);
        if (entry.size() < size) continue;  // cut by someone: it stays where it is
        change.known.at = moved.group.size();
        moved.group.copied() += entry;
        moved.changes.push_back(std::move(change));
      }
    } catch (const Error&) {
      return;  // it stays; reading its records gives the error
    }
  }
}

/// Two new segments: the records, and one whose header says that the log begins with them.
void LogWriter::compact() {
  check();
  if (!synced_) return;
  const std::vector<std::uint64_t> segments = journal_.to_compact(segment_bytes_);
  if (segments.empty()) return;
  Pending moved;
  collect_moves(segments, moved);
  try {
    begin_segment(segment_header_bytes + moved.group.size() + group_header_bytes);
    if (!moved.changes.empty()) {
      if (const auto error = append(moved.group, {&moved})) throw Error{*error};
    }
    begin_segment(segment_header_bytes + group_header_bytes);
  } catch (const Error& error) {
    const std::scoped_lock lock{guard_};
    broken_ = error;  // nothing more is written to this log
    throw;
  }
}

std::error_code LogWriter::write_zeros_for(std::uint64_t end) {
  if (end <= zeros_end_) return {};
  const std::uint64_t from = std::max(zeros_end_, written_.end);
  const std::uint64_t to = std::min(size_, std::max(end, from + zeros_ahead_bytes));
  zeros_end_ = to;
  static std::array<char, zeros_ahead_bytes> zeros{};  // takes no room in the program file
  return sys::write_fully(backend_.files(), file_, from,
                          {zeros.data(), static_cast<std::size_t>(to - from)});
}

std::optional<Error> LogWriter::append(GroupBytes& bytes, const std::vector<Pending*>& group) {
  std::uint32_t entries = 0;
  for (Pending* const one : group) {
    for (Change& change : one->changes) {
      seal_entry(bytes.entry(change.known.at), header_.epoch);
      change.known.segment = header_.number;
      change.known.at += written_.end;
      ++entries;
    }
  }
  bytes.seal({.entries = entries, .epoch = header_.epoch, .sequence = written_.sequence + 1});
  sys::FileSystem& files = backend_.files();
  std::error_code error;
  if (bytes.size() < zeros_ahead_bytes) error = write_zeros_for(written_.end + bytes.size());
  if (!error) error = bytes.write(files, file_, written_.end);
  if (error) return cut("write", error);
  const auto syncs = [](const Pending* one) { return one->durability == Durability::full; };
  const auto full = std::ranges::find_if(group, syncs);
  if (full != group.end()) {
    error = files.sync_data(file_);
    if (error) return cut("fdatasync", error);
  }
  synced_ = full != group.end();
  written_.last = std::exchange(written_.end, written_.end + bytes.size());
  ++written_.sequence;
  journal_.set_reading(header_.number, written_);
  for (Pending* const one : group) {
    journal_.apply(one->changes, full != group.end() ? (*full)->unused : unused_later_);
  }
  if (!synced_) return std::nullopt;
  for (ValuePlace& value : std::exchange(unused_later_, {})) (*full)->unused.push_back(value);
  return std::nullopt;
}

/// Syncs what was written without a sync. If that fails, any of it may be lost.
std::optional<Error> LogWriter::sync_segment() {
  if (synced_) return std::nullopt;
  if (const auto error = backend_.files().sync_data(file_)) return spoil("fdatasync", error);
  synced_ = true;
  return std::nullopt;
}

Error LogWriter::spoil(const char* operation, std::error_code cause) {
  spoiled_ = true;
  return unknown(operation, cause);
}

/// A group could not be made durable.
Error LogWriter::cut(const char* operation, std::error_code cause) {
  if (!synced_) return spoil(operation, cause);
  Error failed = site_.failed(operation, segment_file(), cause);
  file_ = {};
  try {
    begin_segment(segment_header_bytes + group_header_bytes, next_size_);
    return failed;
  } catch (const Error&) {
    return spoil(operation, cause);
  }
}

Error LogWriter::unknown(const char* operation, std::error_code cause) const {
  return site_.error(
      Errc::outcome_unknown,
      {.what = fmt::format("it is unknown whether run {} has its last checkpoint", site_.name),
       .operation = operation,
       .file = segment_file(),
       .kept = "everything saved before is intact",
       .next = "resume again: it reads what the run holds",
       .cause = cause});
}

/// On a disk without room for the wished size, a smaller segment will do.
void LogWriter::begin_segment(std::uint64_t at_least, std::uint64_t wished) {
  if (const auto error = sync_segment()) throw Error{*error};
  SegmentHeader next{.number = header_.number + 1,
                     .epoch = 0,
                     .fence = fence_,
                     .previous = header_.number,
                     .previous_end = header_.number == 0 ? 0 : written_.end,
                     .first = journal_.first_needed().value_or(header_.number)};
  const std::string where =
      site_.own(fmt::format("{}/{}", names::journal, segment_name(next.number)));
  const auto error = backend_.random().fill(std::as_writable_bytes(std::span{&next.epoch, 1}));
  if (error) throw site_.failed("getrandom", where, error);
  std::uint64_t size = std::max(at_least, wished);
  spoiled_ = true;
  maker_.secure_spare(size);
  spoiled_ = false;
  while (!maker_.prepare(next, size, at_least)) size = std::max(at_least, size / 2);
  // If the name is there after all, nothing more may be written to the previous segment.
  spoiled_ = true;
  file_ = maker_.publish();
  spoiled_ = false;
  header_ = next;
  size_ = maker_.size();
  zeros_end_ = maker_.written();
  if (wished > 0) next_size_ = std::min(segment_bytes_, 4 * next_size_);
  written_ = {};
  journal_.add_segment(header_);
  for (const std::uint64_t number : journal_.drop_before(header_.first)) maker_.retire(number);
}

void LogWriter::sync_folder() {
  const auto error = backend_.files().sync_folder(folders_.records);
  if (!error) return;
  const Error failed = site_.failed("fsync of the folder", site_.own(names::journal), error);
  const std::scoped_lock lock{guard_};
  if (!broken_) broken_ = failed;
  throw failed;
}

}  // namespace resumable::store::journal
