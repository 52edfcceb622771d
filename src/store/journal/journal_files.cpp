#include "store/journal/journal_files.hpp"

#include <utility>

#include <fmt/format.h>

#include "store/file/record_file.hpp"
#include "store/names.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::size_t max_open_segments = 4;

/// A payload that is the end of an entry, with the entry's bytes.
class EndPayload final : public Payload {
 public:
  EndPayload(std::string entry, std::size_t begin) : entry_(std::move(entry)), begin_(begin) {}
  [[nodiscard]] std::uint64_t size() const override { return entry_.size() - begin_; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= size()) return 0;
    return view()->substr(static_cast<std::size_t>(at)).copy(to.data(), to.size());
  }
  [[nodiscard]] std::optional<std::string_view> view() const override {
    return std::string_view{entry_}.substr(begin_);
  }

 private:
  std::string entry_;
  std::size_t begin_;
};

}  // namespace

bool is_entry_of(const Entry& entry, RecordId id, const Known& known) {
  return entry.path == id.path && entry.generation == id.generation && entry.tag == known.tag &&
         entry.bytes() == known.bytes(id.path.size());
}

JournalFiles::JournalFiles(std::shared_ptr<Backend> backend, RunSite site)
    : backend_(std::move(backend)), site_(std::move(site)) {}

std::string JournalFiles::name(std::uint64_t number) const {
  return site_.own(fmt::format("{}/{}", names::journal, segment_name(number)));
}

std::shared_ptr<const sys::File> JournalFiles::open(std::uint64_t number) {
  const std::scoped_lock lock{guard_};
  const auto known = open_.find(number);
  sys::Stat stat;
  if (known != open_.end() && !backend_->files().stat(*known->second, stat) && stat.links > 0) {
    return known->second;
  }
  if (known != open_.end()) open_.erase(known);
  const auto run = backend_->open_run(site_);
  sys::File folder;
  sys::File file;
  if (!run) return nullptr;
  auto error = backend_->files().open(run->own, names::journal, sys::Open::folder, folder);
  if (!error) {
    error = backend_->files().open(folder, segment_name(number), sys::Open::read, file);
  }
  if (is_absent(error)) return nullptr;
  if (error) throw site_.unreadable("open", name(number), error);
  if (open_.size() >= max_open_segments) open_.erase(open_.begin());
  return open_[number] = std::make_shared<const sys::File>(std::move(file));
}

void JournalFiles::close(std::uint64_t segment) {
  const std::scoped_lock lock{guard_};
  open_.erase(segment);
}

void JournalFiles::close_all() {
  const std::scoped_lock lock{guard_};
  open_.clear();
}

std::error_code JournalFiles::read(const OpenSegment& segment, std::uint64_t at, std::span<char> to,
                                   std::size_t& count) const {
  auto error = sys::read_fully(backend_->files(), *segment.file, at, to, count);
  bool same = true;
  if (!error) error = has_epoch(backend_->files(), *segment.file, segment.epoch, same);
  if (!same) count = 0;
  return error;
}

std::string JournalFiles::raw(std::uint64_t segment, std::uint64_t at, std::uint64_t size) {
  const auto file = open(segment);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::size_t count = 0;
  if (!file) return {};
  const auto error = sys::read_fully(backend_->files(), *file, at, bytes, count);
  if (error) throw site_.unreadable("read", name(segment), error);
  bytes.resize(count);
  return bytes;
}

bool JournalFiles::read_header(const sys::File& folder, std::uint64_t number,
                               HeaderReading& out) const {
  sys::File file;
  auto error = backend_->files().open(folder, segment_name(number), sys::Open::read, file);
  if (is_absent(error)) return false;
  if (!error) error = read_segment_header(backend_->files(), file, number, out);
  if (error) throw site_.unreadable("read", name(number), error);
  if (out.damage == Damage::newer) throw site_.newer({names::journal, 1}, name(number));
  if (out.damage == Damage::none && out.header.number != number) return false;
  out.header.number = number;
  return true;
}

std::optional<StoredRecord> JournalFiles::record(RecordId id, const Known& known,
                                                 std::uint64_t epoch) {
  if (!backend_->open_run(site_)) return std::nullopt;
  const OpenSegment segment{open(known.segment), epoch};
  if (!segment.file) return std::nullopt;
  const std::uint64_t size = known.bytes(id.path.size());
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::size_t count = 0;
  const auto error = read(segment, known.at, bytes, count);
  if (error) throw site_.unreadable("read", name(known.segment), error);
  const auto entry = decode_entry(std::string_view{bytes}.substr(0, count), epoch);
  if (count != size || !entry || !is_entry_of(*entry, id, known)) return std::nullopt;
  const auto header_at = static_cast<std::size_t>(entry->header_at());
  const auto header_bytes = static_cast<std::size_t>(known.header_bytes);
  StoredRecord stored{known.tag, bytes.substr(header_at, header_bytes), nullptr};
  if (known.apart) {
    stored.payload = open_value(id, known);
    if (!stored.payload) return std::nullopt;
  } else {
    stored.payload = std::make_shared<EndPayload>(std::move(bytes), header_at + header_bytes);
  }
  return stored;
}

std::shared_ptr<const Payload> JournalFiles::open_value(RecordId id, const Known& known) const {
  const std::string name = value_name(known.value);
  const std::string where = site_.own(fmt::format("{}/{}", names::journal, name));
  const auto run = backend_->open_run(site_);
  sys::File folder;
  sys::File file;
  sys::Stat stat;
  if (!run) return nullptr;
  auto error = backend_->files().open(run->own, names::journal, sys::Open::folder, folder);
  if (!error) error = backend_->files().open(folder, name, sys::Open::read, file);
  if (!error) error = backend_->files().stat(file, stat);
  if (is_absent(error)) return nullptr;
  if (error) throw site_.unreadable("open", where, error);
  if (stat.size < known.value.at + known.payload_bytes) return nullptr;
  return payload_in_file(backend_, site_, where, std::move(file), known.value.at,
                         known.payload_bytes, id);
}

}  // namespace resumable::store::journal
