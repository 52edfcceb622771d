#include "store/journal/index_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "store/journal/numbers.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::string_view index_magic = "RSMX";
constexpr std::uint8_t index_layout = 2;
constexpr std::size_t top_header_bytes = 64;
constexpr std::size_t covered_segment_bytes = 80;
constexpr std::size_t used_value_bytes = 24;
constexpr std::size_t place_bytes = 32;
constexpr std::size_t row_bytes_each = 112;
/// About 32 KiB: little for one record, and much for one read.
constexpr std::size_t rows_of_a_block = 256;
/// So many are kept once they are read.
constexpr std::size_t few_blocks = 4;

void append_number(std::string& out, std::uint64_t value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  set_number(out.data() + at, value);
}

/// Reads numbers one after the other.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t next() { return get_number<std::uint64_t>(bytes_, std::exchange(at_, at_ + 8)); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

bool is_before(RecordId a, RecordId b) {
  const int order = a.path.compare(b.path);
  return order != 0 ? order < 0 : a.generation < b.generation;
}

std::uint64_t number_of(const CoveredSegment& segment) { return segment.header.number; }

}  // namespace

// ---- a block -----------------------------------------------------------------------------------

bool IndexBlock::parse(std::string bytes, std::size_t rows,
                       std::span<const CoveredSegment> segments) {
  bytes_ = std::move(bytes);
  rows_ = rows;
  if (rows > bytes_.size() / row_bytes_each) return false;
  const CoveredSegment* segment = nullptr;
  for (std::size_t number = 0; number < rows; ++number) {
    segment = is_inside(number, segment, segments);
    if (segment == nullptr) return false;
  }
  return true;
}

std::string IndexBlock::release() noexcept {
  rows_ = 0;
  return std::exchange(bytes_, {});
}

/// If the path is in the block, and the record in what is covered of its segment: that segment,
/// often the one of the row before. Otherwise nullptr.
const CoveredSegment* IndexBlock::is_inside(std::size_t number, const CoveredSegment* segment,
                                            std::span<const CoveredSegment> segments) const {
  const std::string_view row = row_bytes(number);
  const std::uint64_t paths = bytes_.size() - rows_ * row_bytes_each;
  const auto path_at = get_number<std::uint64_t>(row, 96);
  const auto path_bytes = get_number<std::uint16_t>(row, 108);
  const Known known{.header_bytes = get_number<std::uint32_t>(row, 104),
                    .payload_bytes = get_number<std::uint64_t>(row, 88),
                    .segment = get_number<std::uint64_t>(row, 72),
                    .at = get_number<std::uint64_t>(row, 80),
                    .apart = row[110] != 0};
  const std::uint64_t size = path_bytes + (known.apart ? value_place_bytes : 0);
  if (path_at > paths || size > paths - path_at) return nullptr;
  if (segment == nullptr || number_of(*segment) != known.segment) {
    const auto found = std::ranges::lower_bound(segments, known.segment, {}, number_of);
    if (found == segments.end() || number_of(*found) != known.segment) return nullptr;
    segment = &*found;
  }
  const std::uint64_t end = segment->reading.end;
  const bool inside = known.payload_bytes < max_bytes && known.at < end &&
                      known.bytes(path_bytes) <= end - known.at;
  return inside ? segment : nullptr;
}

std::string_view IndexBlock::row_bytes(std::size_t number) const {
  return std::string_view{bytes_}.substr(number * row_bytes_each, row_bytes_each);
}

RecordId IndexBlock::id(std::size_t number) const {
  const std::string_view row = row_bytes(number);
  const auto at = static_cast<std::size_t>(get_number<std::uint64_t>(row, 96));
  return {std::string_view{bytes_}.substr(rows_ * row_bytes_each + at,
                                          get_number<std::uint16_t>(row, 108)),
          get_number<std::uint64_t>(row, 64)};
}

IndexRow IndexBlock::row(std::size_t number) const {
  const std::string_view row = row_bytes(number);
  IndexRow out{.id = id(number), .known = {}};
  Known& known = out.known;
  std::memcpy(known.tag.raw.data(), row.data(), known.tag.raw.size());
  known.segment = get_number<std::uint64_t>(row, 72);
  known.at = get_number<std::uint64_t>(row, 80);
  known.payload_bytes = get_number<std::uint64_t>(row, 88);
  known.header_bytes = get_number<std::uint32_t>(row, 104);
  known.apart = row[110] != 0;
  if (known.apart) {
    Numbers place{{out.id.path.data() + out.id.path.size(), value_place_bytes}};
    known.value = {place.next(), place.next(), place.next()};
  }
  return out;
}

std::size_t IndexBlock::lower_bound(RecordId wanted) const {
  std::size_t first = 0;
  for (std::size_t count = rows_; count > 0;) {
    const std::size_t half = count / 2;
    if (is_before(id(first + half), wanted)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

// ---- the file ----------------------------------------------------------------------------------

std::shared_ptr<const IndexFile> IndexFile::open(Source source, std::uint64_t size) {
  std::shared_ptr<IndexFile> file{new IndexFile{std::move(source), size}};
  return file->read_top() ? file : nullptr;
}

bool IndexFile::read_top() {
  top_.resize(top_header_bytes);
  if (size_ < top_header_bytes || !source_(0, top_)) return false;
  const std::string_view header{top_};
  const bool ours = header.substr(8, index_magic.size()) == index_magic &&
                    get_number<std::uint8_t>(header, 12) == index_layout;
  const auto bytes = get_number<std::uint64_t>(header, 16);
  if (!ours || bytes < top_header_bytes || bytes > size_) return false;
  top_.resize(static_cast<std::size_t>(bytes));
  if (!source_(0, top_) || !is_sealed(top_)) return false;
  Numbers sizes{std::string_view{top_}.substr(24)};
  const std::uint64_t segments = sizes.next();
  const std::uint64_t values = sizes.next();
  totals_ = {.records = sizes.next(), .header_bytes = sizes.next(), .payload_bytes = sizes.next()};
  if (segments > bytes || values > bytes || totals_.records > size_) return false;
  return read_tables(static_cast<std::size_t>(segments), static_cast<std::size_t>(values));
}

bool IndexFile::read_tables(std::size_t segments, std::size_t values) {
  const std::size_t end =
      top_header_bytes + segments * covered_segment_bytes + values * used_value_bytes;
  if (end > top_.size()) return false;
  Numbers tables{std::string_view{top_}.substr(top_header_bytes)};
  segments_.resize(segments);
  for (CoveredSegment& segment : segments_) {
    SegmentHeader& header = segment.header;
    Reading& reading = segment.reading;
    for (std::uint64_t* const number :
         {&header.number, &header.epoch, &header.fence, &header.previous, &header.previous_end,
          &header.first, &reading.end, &reading.last, &reading.sequence, &segment.live_bytes}) {
      *number = tables.next();
    }
  }
  values_.resize(values);
  for (UsedValue& value : values_) value = {tables.next(), tables.next(), tables.next()};
  return std::ranges::is_sorted(segments_, {}, number_of) && read_places(end);
}

bool IndexFile::read_places(std::size_t at) {
  std::uint64_t block_at = top_.size();
  while (at < top_.size()) {
    if (top_.size() - at < place_bytes) return false;
    Numbers numbers{std::string_view{top_}.substr(at)};
    Place place;
    place.at = block_at;
    place.check = numbers.next();
    place.size = numbers.next();
    place.first.generation = numbers.next();
    const std::uint64_t path = numbers.next();
    at += place_bytes;
    if (path > top_.size() - at || place.size > size_ - block_at) return false;
    place.first.path = std::string_view{top_}.substr(at, static_cast<std::size_t>(path));
    at += static_cast<std::size_t>(path);
    block_at += place.size;
    places_.push_back(place);
  }
  const std::size_t needed = (rows() + rows_of_a_block - 1) / rows_of_a_block;
  if (block_at != size_ || places_.size() != needed) return false;
  blocks_ = std::vector<std::atomic<const IndexBlock*>>(needed);
  return true;
}

std::size_t IndexFile::rows_in(std::size_t block) const {
  return std::min(rows_of_a_block, rows() - block * rows_of_a_block);
}

void IndexFile::read(std::size_t number, IndexBlock& to) const {
  const Place& place = places_[number];
  std::string bytes = to.release();
  bytes.resize(static_cast<std::size_t>(place.size));
  if (!source_(place.at, bytes) || check_of_bytes(bytes) != place.check) throw Unusable{};
  if (!to.parse(std::move(bytes), rows_in(number), segments_)) throw Unusable{};
}

const IndexBlock& IndexFile::block(std::size_t number) const {
  if (const IndexBlock* const kept = blocks_[number]) return *kept;
  const std::scoped_lock lock{guard_};
  if (const IndexBlock* const kept = blocks_[number]) return *kept;
  auto block = std::make_unique<IndexBlock>();
  read(number, *block);
  blocks_[number] = block.get();
  return *kept_.emplace_back(std::move(block));
}

IndexRow IndexFile::row(std::size_t number) const {
  return block(number / rows_of_a_block).row(number % rows_of_a_block);
}

std::size_t IndexFile::block_of(RecordId id) const {
  const auto behind = std::ranges::upper_bound(places_, id, is_before, &Place::first);
  return behind == places_.begin() ? 0 : static_cast<std::size_t>(behind - places_.begin()) - 1;
}

std::size_t IndexFile::lower_bound(RecordId id) const {
  if (places_.empty() || !is_before(places_.front().first, id)) return 0;
  const std::size_t number = block_of(id);
  return number * rows_of_a_block + block(number).lower_bound(id);
}

void IndexFile::keep_all() const {
  for (std::size_t number = 0; number < places_.size(); ++number) {
    static_cast<void>(block(number));
  }
}

void IndexFile::prove(std::string_view prefix) const {
  const std::size_t first = block_of({prefix, 0});
  const auto is_behind = [&](const Place& place) {
    return place.first.path > prefix && !place.first.path.starts_with(prefix);
  };
  // A search ends at its first row, if that is not in a block before.
  const auto last =
      std::find_if(places_.begin() + static_cast<std::ptrdiff_t>(first), places_.end(), is_behind);
  const auto end =
      static_cast<std::size_t>(last - places_.begin()) + (last != places_.end() ? 1 : 0);
  IndexBlock passing;
  for (std::size_t number = first; number < end; ++number) {
    if (end - first <= few_blocks) {
      static_cast<void>(block(number));
    } else if (blocks_[number] == nullptr) {
      read(number, passing);
    }
  }
}

// ---- going through it --------------------------------------------------------------------------

IndexCursor::IndexCursor(const IndexFile& file, RecordId id) : file_(file) {
  if (file.places_.empty()) return;
  choose(file.block_of(id));
  at_ = block_->lower_bound(id);
}

void IndexCursor::choose(std::size_t number) {
  number_ = number;
  at_ = 0;
  block_ = file_.blocks_[number];
  if (block_ != nullptr) return;
  file_.read(number, own_);
  block_ = &own_;
}

std::optional<IndexRow> IndexCursor::next() {
  if (block_ == nullptr) return std::nullopt;
  if (at_ == block_->rows()) {
    if (number_ + 1 == file_.places_.size()) return std::nullopt;
    choose(number_ + 1);
  }
  return block_->row(at_++);
}

// ---- writing -----------------------------------------------------------------------------------

IndexFileWriter::IndexFileWriter(std::span<const CoveredSegment> segments,
                                 std::span<const UsedValue> values)
    : top_(top_header_bytes, '\0') {
  std::ranges::copy(index_magic, top_.begin() + 8);
  top_[12] = static_cast<char>(index_layout);
  set_number(top_.data() + 24, std::uint64_t{segments.size()});
  set_number(top_.data() + 32, std::uint64_t{values.size()});
  for (const auto& [header, reading, live] : segments) {
    for (const std::uint64_t number :
         {header.number, header.epoch, header.fence, header.previous, header.previous_end,
          header.first, reading.end, reading.last, reading.sequence, live}) {
      append_number(top_, number);
    }
  }
  for (const UsedValue& value : values) {
    for (const std::uint64_t number : {value.fence, value.number, value.users}) {
      append_number(top_, number);
    }
  }
}

void IndexFileWriter::add(RecordId id, const Known& known) {
  if (rows_.empty()) {
    place_at_ = top_.size();
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{0}, id.generation}) {
      append_number(top_, number);
    }
    append_number(top_, id.path.size());
    top_ += id.path;
  }
  const std::size_t begin = rows_.size();
  rows_.resize(begin + row_bytes_each);
  char* const row = rows_.data() + begin;
  std::memcpy(row, known.tag.raw.data(), known.tag.raw.size());
  set_number(row + 64, id.generation);
  set_number(row + 72, known.segment);
  set_number(row + 80, known.at);
  set_number(row + 88, known.payload_bytes);
  set_number(row + 96, std::uint64_t{paths_.size()});
  set_number(row + 104, static_cast<std::uint32_t>(known.header_bytes));
  set_number(row + 108, static_cast<std::uint16_t>(id.path.size()));
  row[110] = known.apart ? '\1' : '\0';
  paths_ += id.path;
  if (known.apart) append_value_place(paths_, known.value);
  ++totals_.records;
  totals_.header_bytes += known.header_bytes;
  totals_.payload_bytes += known.payload_bytes;
  if (rows_.size() == rows_of_a_block * row_bytes_each) end_block();
}

void IndexFileWriter::end_block() {
  if (rows_.empty()) return;
  rows_ += paths_;
  set_number(top_.data() + place_at_, check_of_bytes(rows_));
  set_number(top_.data() + place_at_ + 8, std::uint64_t{rows_.size()});
  blocks_ += rows_;
  rows_.clear();
  paths_.clear();
}

std::string IndexFileWriter::finish() {
  end_block();
  set_number(top_.data() + 16, std::uint64_t{top_.size()});
  set_number(top_.data() + 40, totals_.records);
  set_number(top_.data() + 48, totals_.header_bytes);
  set_number(top_.data() + 56, totals_.payload_bytes);
  seal(top_.data(), top_.size());
  return std::move(top_) + blocks_;
}

}  // namespace resumable::store::journal
