#include "store/journal/index_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "store/journal/numbers.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::string_view index_magic = "RSMX";
constexpr std::uint8_t index_layout = 1;
constexpr std::size_t index_header_bytes = 48;
constexpr std::size_t covered_segment_bytes = 80;
constexpr std::size_t used_value_bytes = 24;
constexpr std::size_t row_bytes_each = 112;

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

}  // namespace

// ---- reading -----------------------------------------------------------------------------------

std::shared_ptr<const IndexFile> IndexFile::parse(std::string bytes) {
  const std::string_view all{bytes};
  const bool ours = all.size() >= index_header_bytes &&
                    all.substr(8, index_magic.size()) == index_magic &&
                    get_number<std::uint8_t>(all, 12) == index_layout && is_sealed(all);
  if (!ours) return nullptr;
  const auto file = std::make_shared<IndexFile>();
  file->bytes_ = std::move(bytes);
  if (!file->read_tables() || !file->check_rows()) return nullptr;
  return file;
}

bool IndexFile::read_tables() {
  Numbers sizes{std::string_view{bytes_}.substr(16)};
  const std::uint64_t segments = sizes.next();
  const std::uint64_t values = sizes.next();
  const std::uint64_t rows = sizes.next();
  const std::uint64_t paths = sizes.next();
  const std::uint64_t most = bytes_.size();
  if (segments > most || values > most || rows > most || paths > most) return false;
  rows_at_ = index_header_bytes + segments * covered_segment_bytes + values * used_value_bytes;
  paths_at_ = rows_at_ + rows * row_bytes_each;
  rows_ = rows;
  if (paths_at_ + paths != most) return false;

  Numbers tables{std::string_view{bytes_}.substr(index_header_bytes)};
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
  return true;
}

/// Whether each path is in the file, and each record in what is covered of its segment. Adds up how
/// large they are.
bool IndexFile::check_rows() {
  const std::uint64_t paths = bytes_.size() - paths_at_;
  const auto number_of = [](const CoveredSegment& segment) { return segment.header.number; };
  if (!std::ranges::is_sorted(segments_, {}, number_of)) return false;
  const auto is_inside = [&](std::size_t number) {
    const std::string_view row = row_bytes(number);
    const auto path_at = get_number<std::uint64_t>(row, 96);
    const auto path_bytes = get_number<std::uint16_t>(row, 108);
    const Known known{.header_bytes = get_number<std::uint32_t>(row, 104),
                      .payload_bytes = get_number<std::uint64_t>(row, 88),
                      .segment = get_number<std::uint64_t>(row, 72),
                      .at = get_number<std::uint64_t>(row, 80),
                      .apart = row[110] != 0};
    const std::uint64_t size = path_bytes + (known.apart ? value_place_bytes : 0);
    if (path_at > paths || size > paths - path_at) return false;
    const auto segment = std::ranges::lower_bound(segments_, known.segment, {}, number_of);
    if (segment == segments_.end() || number_of(*segment) != known.segment) return false;
    const std::uint64_t end = segment->reading.end;
    totals_.header_bytes += known.header_bytes;
    totals_.payload_bytes += known.payload_bytes;
    return known.payload_bytes < max_bytes && known.at < end &&
           known.bytes(path_bytes) <= end - known.at;
  };
  for (std::size_t number = 0; number < rows_; ++number) {
    if (!is_inside(number)) return false;
  }
  totals_.records = rows_;
  return true;
}

std::string_view IndexFile::row_bytes(std::size_t number) const {
  return std::string_view{bytes_}.substr(rows_at_ + number * row_bytes_each, row_bytes_each);
}

RecordId IndexFile::id(std::size_t number) const {
  const std::string_view row = row_bytes(number);
  const auto at = static_cast<std::size_t>(get_number<std::uint64_t>(row, 96));
  return {std::string_view{bytes_}.substr(paths_at_ + at, get_number<std::uint16_t>(row, 108)),
          get_number<std::uint64_t>(row, 64)};
}

IndexFile::Row IndexFile::row(std::size_t number) const {
  const std::string_view row = row_bytes(number);
  Row out{.id = id(number), .known = {}};
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

std::size_t IndexFile::lower_bound(RecordId id) const {
  std::size_t first = 0;
  for (std::size_t count = rows_; count > 0;) {
    const std::size_t half = count / 2;
    const RecordId middle = this->id(first + half);
    const int order = middle.path.compare(id.path);
    if (order < 0 || (order == 0 && middle.generation < id.generation)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

// ---- writing -----------------------------------------------------------------------------------

IndexFileWriter::IndexFileWriter(std::span<const CoveredSegment> segments,
                                 std::span<const UsedValue> values)
    : bytes_(index_header_bytes, '\0') {
  std::ranges::copy(index_magic, bytes_.begin() + 8);
  bytes_[12] = static_cast<char>(index_layout);
  set_number(bytes_.data() + 16, std::uint64_t{segments.size()});
  set_number(bytes_.data() + 24, std::uint64_t{values.size()});
  for (const auto& [header, reading, live] : segments) {
    for (const std::uint64_t number :
         {header.number, header.epoch, header.fence, header.previous, header.previous_end,
          header.first, reading.end, reading.last, reading.sequence, live}) {
      append_number(bytes_, number);
    }
  }
  for (const UsedValue& value : values) {
    for (const std::uint64_t number : {value.fence, value.number, value.users}) {
      append_number(bytes_, number);
    }
  }
}

void IndexFileWriter::add(RecordId id, const Known& known) {
  const std::size_t begin = bytes_.size();
  bytes_.resize(begin + row_bytes_each);
  char* const row = bytes_.data() + begin;
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
  ++rows_;
}

std::string IndexFileWriter::finish() {
  set_number(bytes_.data() + 32, rows_);
  set_number(bytes_.data() + 40, std::uint64_t{paths_.size()});
  bytes_ += paths_;
  seal(bytes_.data(), bytes_.size());
  return std::move(bytes_);
}

}  // namespace resumable::store::journal
