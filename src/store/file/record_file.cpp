#include "store/file/record_file.hpp"

#include <algorithm>
#include <utility>

#include "core/record_format.hpp"
#include "resumable/digest.hpp"
#include "store/check.hpp"
#include "sys/sequential_writer.hpp"

namespace resumable::store {
namespace {

constexpr std::size_t first_piece = 2048;
constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;
constexpr std::size_t collected_bytes = std::size_t{256} << 10U;
constexpr std::uint64_t small_payload_bytes = std::uint64_t{256} << 10U;

/// The lines of a file's front, read a piece at a time.
class Lines {
 public:
  /// `first` are the bytes that the file begins with.
  Lines(sys::FileSystem& files, const sys::File& file, std::uint64_t size, std::string first)
      : files_(files), file_(file), size_(size), buffer_(std::move(first)) {}

  /// False at the end, or where no line feed comes within a frame's length.
  bool next(std::string_view& line, std::error_code& error) {
    std::size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos && buffer_.size() - at_ < max_frame_bytes) {
      std::size_t count = 0;
      if (error = more(count); error || count == 0) return false;
      end = buffer_.find('\n');
    }
    if (end == std::string::npos || end - at_ >= max_frame_bytes) return false;
    line = std::string_view(buffer_).substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  /// What was read, when that is the beginning of the file.
  [[nodiscard]] std::string take_head() {
    return dropped_ == 0 ? std::move(buffer_) : std::string{};
  }

 private:
  std::error_code more(std::size_t& count) {
    buffer_.erase(0, at_);
    dropped_ += std::exchange(at_, 0);
    const std::size_t before = buffer_.size();
    // The first piece has the frame of one record; files with many records are read in larger
    // pieces. No piece reaches past the end: reading there would be one more call for each file of
    // a scan.
    const std::uint64_t piece = dropped_ + before == 0 ? first_piece : 65536;
    const std::uint64_t left = size_ - std::min(size_, dropped_ + before);
    buffer_.resize(before + static_cast<std::size_t>(std::min(piece, left)));
    const auto error = sys::read_fully(files_, file_, dropped_ + before,
                                       std::span(buffer_).subspan(before), count);
    buffer_.resize(before + count);
    return error;
  }

  sys::FileSystem& files_;
  const sys::File& file_;
  std::uint64_t size_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t dropped_ = 0;
};

/// Reads as many lines as the first whole frame says, but at least two. A damaged line counts as
/// one record, or as several if line feeds are damaged: the numbers show which.
std::error_code read_records(Lines& lines, Front& out) {
  std::uint64_t count = 2;
  bool counted = false;
  std::error_code error;
  std::string_view line;
  while (out.records.size() < count && lines.next(line, error)) {
    FrameReading reading = decode_frame(line);
    if (reading.damage == Damage::newer) return out.damage = Damage::newer, error;
    const Frame& frame = reading.frame;
    const bool whole = reading.damage == Damage::none && frame.number > out.records.size() &&
                       frame.count <= out.stat.size / min_frame_bytes &&
                       (!counted || frame.count == count);
    if (whole) {
      count = frame.count;
      counted = true;
      out.records.resize(frame.number - 1, {Damage::torn, {}});
      out.records.push_back({Damage::none, std::move(reading.frame)});
    } else {
      out.records.push_back({Damage::torn, {}});
    }
  }
  if (counted) {
    out.records.resize(count, {Damage::torn, {}});
  } else {
    out.damage = Damage::torn;
  }
  return error;
}

/// Whether these bytes, all that came at once, end where the only record of the file does.
bool is_one_record(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == bytes.npos || bytes.size() == first_piece) return false;
  const FrameReading reading = decode_frame(bytes.substr(0, end));
  return reading.damage == Damage::none && reading.frame.count == 1 &&
         reading.frame.end() == bytes.size();
}

/// The first bytes and the size. For a file with one small record, which most are, the bytes show
/// the size: a scan asks the system only for the size of others.
std::error_code begin(sys::FileSystem& files, const sys::File& file, FileOf what,
                      std::string& first, sys::Stat& stat) {
  if (what == FileOf::record) {
    std::size_t count = 0;
    first.resize(first_piece);
    if (const auto error = sys::read_once(files, file, 0, first, count)) return error;
    first.resize(count);
    if (is_one_record(first)) return stat.size = count, std::error_code{};
  }
  return files.stat(file, stat);
}

/// A file that is shorter or longer than its frames say.
void compare_lengths(Front& front) {
  for (Front::Record& record : front.records) {
    const bool last = &record == &front.records.back();
    const std::uint64_t end = record.frame.end();
    const bool fits = last ? end == front.stat.size : end <= front.stat.size;
    if (record.damage == Damage::none && !fits) record.damage = Damage::torn;
  }
}

/// Reads `to.size()` bytes of a file, of which `head` is the beginning.
std::error_code read_at(sys::FileSystem& files, const sys::File& file, std::string_view head,
                        std::uint64_t at, std::span<char> to, std::size_t& count) {
  if (at + to.size() > head.size()) return sys::read_fully(files, file, at, to, count);
  count = to.size();
  std::ranges::copy(head.substr(static_cast<std::size_t>(at), to.size()), to.begin());
  return {};
}

class FilePayload final : public Payload {
 public:
  FilePayload(std::shared_ptr<Backend> backend, RunSite site, std::string where, sys::File file,
              std::uint64_t at, std::uint64_t size, RecordId id)
      : backend_(std::move(backend)),
        site_(std::move(site)),
        where_(std::move(where)),
        file_(std::move(file)),
        at_(at),
        size_(size),
        path_(id.path),
        generation_(id.generation) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= size_) return 0;
    to = to.first(static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), size_ - at)));
    std::size_t count = 0;
    const auto error = sys::read_fully(backend_->files(), file_, at_ + at, to, count);
    if (error) throw site_.unreadable("read", where_, error);
    if (count < to.size()) {
      throw site_.damaged({path_, generation_}, where_, "it was cut while it was open");
    }
    return count;
  }

  [[nodiscard]] std::optional<PayloadFile> file() const override {
    if (!backend_->has_real_files()) return std::nullopt;
    return PayloadFile{file_.descriptor(), at_};
  }

 private:
  std::shared_ptr<Backend> backend_;
  RunSite site_;
  std::string where_;
  sys::File file_;
  std::uint64_t at_;
  std::uint64_t size_;
  std::string path_;
  std::uint64_t generation_;
};

/// Collects small pieces, so that a small record is one write.
class Writer {
 public:
  Writer(sys::FileSystem& files, const sys::File& file) : file_(files, file) {}

  std::error_code add(std::string_view bytes) {
    const bool fits = buffer_.size() + bytes.size() <= collected_bytes;
    if (fits) return buffer_ += bytes, std::error_code{};
    const auto error = flush();
    return error ? error : file_.write(bytes);
  }

  /// Adds the bytes to `digester` on their way, where there is one.
  std::error_code add(const Payload& payload, Digester* digester) {
    if (const auto bytes = payload.view(); bytes && digester == nullptr) return add(*bytes);
    std::string chunk(
        static_cast<std::size_t>(std::min<std::uint64_t>(payload.size(), chunk_bytes)), '\0');
    for (std::uint64_t at = 0; at < payload.size();) {
      const auto rest = std::min<std::uint64_t>(payload.size() - at, chunk.size());
      const auto count = payload.read(at, std::span(chunk).first(static_cast<std::size_t>(rest)));
      if (count == 0) return std::make_error_code(std::errc::message_size);
      const auto piece = std::string_view(chunk).substr(0, count);
      if (digester != nullptr) digester->add_raw(piece);
      if (const auto error = add(piece)) return error;
      at += count;
    }
    return {};
  }

  std::error_code flush() {
    const auto error = file_.write(buffer_);
    buffer_.clear();
    return error;
  }

 private:
  sys::SequentialWriter file_;
  std::string buffer_;
};

/// A record on its way into a file.
struct Writing {
  const Put* put;
  Frame frame;
  Seal seal;          ///< of a put that has one
  bool late = false;  ///< the seal is that of no digest, until the payload was read
  std::uint64_t frame_at = 0;

  [[nodiscard]] std::string_view header() const {
    return put->seal ? std::string_view(seal.header) : put->header;
  }
};

std::vector<Writing> writings_of(std::span<const Put> puts, std::uint64_t fence) {
  std::vector<Writing> all;
  all.reserve(puts.size());
  for (const Put& put : puts) {
    Writing& one = all.emplace_back(Writing{.put = &put, .frame = {}, .seal = {}});
    if (put.seal) {
      const auto bytes = put.payload->view();
      one.late = !bytes;
      one.seal = (*put.seal)(bytes ? digest(*bytes) : Digest{});
      check_header(put.id.path, one.seal.header);
    }
    one.frame = {.path = std::string(put.id.path),
                 .generation = put.id.generation,
                 .number = all.size(),
                 .count = puts.size(),
                 .fence = fence,
                 .at = 0,
                 .header_bytes = one.header().size(),
                 .payload_bytes = put.payload->size(),
                 .tag = put.seal ? one.seal.tag : put.tag};
  }
  std::uint64_t at = 0;
  for (Writing& one : all) {
    one.frame_at = at;
    at += encode_frame(one.frame).size();
  }
  for (Writing& one : all) {
    one.frame.at = at;
    at = one.frame.end();
  }
  return all;
}

/// Frame and header again, in their places, now that the payload's digest is known.
std::error_code write_seal(sys::FileSystem& files, const sys::File& file, Writing& one,
                           const Digest& digest) {
  one.seal = (*one.put->seal)(digest);
  check_header(one.put->id.path, one.seal.header);
  if (one.seal.header.size() != one.frame.header_bytes) {
    return std::make_error_code(std::errc::message_size);
  }
  one.frame.tag = one.seal.tag;
  const auto error = sys::write_fully(files, file, one.frame_at, encode_frame(one.frame));
  return error ? error : sys::write_fully(files, file, one.frame.at, one.seal.header);
}

}  // namespace

std::error_code read_front(sys::FileSystem& files, const sys::File& folder, const std::string& name,
                           FileOf what, sys::File& file, Front& out) {
  out = {};
  auto error = files.open(folder, name, sys::Open::read, file);
  if (is_absent(error)) return error;
  std::string first;
  if (!error) error = begin(files, file, what, first, out.stat);
  if (!error) {
    Lines lines(files, file, out.stat.size, std::move(first));
    error = read_records(lines, out);
    if (out.records.size() == 1) out.head = lines.take_head();
  }
  if (error) {
    out.damage = is_odd_file(error) ? Damage::foreign : Damage::unreadable;
    out.cause = error;
  }
  if (out.damage != Damage::none) out.records.clear();
  compare_lengths(out);
  return {};
}

Front::Record only_record(const Front& front, RecordId id) {
  if (front.damage != Damage::none) return {front.damage, {}};
  const Front::Record& record = front.records.front();
  const bool this_one = record.damage == Damage::none && front.records.size() == 1 &&
                        record.frame.path == id.path && record.frame.generation == id.generation;
  return this_one ? record : Front::Record{Damage::torn, {}};
}

std::error_code read_header(sys::FileSystem& files, const sys::File& file, const Front& front,
                            const Frame& frame, std::string& out) {
  const auto bad = std::make_error_code(std::errc::bad_message);
  if (frame.header_bytes > core::max_header_bytes) return bad;
  out.resize(static_cast<std::size_t>(frame.header_bytes) + 1);
  std::size_t count = 0;
  if (const auto error = read_at(files, file, front.head, frame.at, out, count)) return error;
  if (count < out.size() || out.back() != '\n') return bad;
  out.pop_back();
  return {};
}

std::shared_ptr<const Payload> payload_in_file(const std::shared_ptr<Backend>& backend,
                                               const RunSite& site, const std::string& where,
                                               sys::File file, std::uint64_t at, std::uint64_t size,
                                               RecordId id) {
  return std::make_shared<FilePayload>(backend, site, where, std::move(file), at, size, id);
}

StoredRecord read_stored(const std::shared_ptr<Backend>& backend, const RunSite& site,
                         const std::string& where, sys::File file, const Frame& frame,
                         std::string_view head) {
  const RecordId id{frame.path, frame.generation};
  if (frame.header_bytes > core::max_header_bytes)
    throw site.damaged(id, where, "its header is too long");
  const bool small = frame.payload_bytes <= small_payload_bytes;
  const auto wanted = static_cast<std::size_t>(small ? frame.body_bytes() : frame.header_bytes + 1);
  std::string bytes(wanted, '\0');
  std::size_t count = 0;
  const auto error = read_at(backend->files(), file, head, frame.at, bytes, count);
  if (error) throw site.unreadable("read", where, error);
  const auto header_bytes = static_cast<std::size_t>(frame.header_bytes);
  if (count < wanted) throw site.damaged(id, where, "it ends too early");
  if (bytes[header_bytes] != '\n') throw site.damaged(id, where, "its header does not end");
  StoredRecord stored{frame.tag, bytes.substr(0, header_bytes), nullptr};
  if (small) {
    stored.payload = std::make_shared<StringPayload>(bytes.erase(0, header_bytes + 1));
  } else {
    stored.payload = payload_in_file(backend, site, where, std::move(file), frame.at + wanted,
                                     frame.payload_bytes, id);
  }
  return stored;
}

std::error_code write_records(sys::FileSystem& files, const sys::File& file,
                              std::span<const Put> puts, std::uint64_t fence) {
  std::vector<Writing> all = writings_of(puts, fence);
  Writer writer(files, file);
  for (const Writing& one : all) {
    if (const auto error = writer.add(encode_frame(one.frame))) return error;
  }
  std::vector<Digest> digests;
  for (const Writing& one : all) {
    Digester digester;
    auto error = writer.add(one.header());
    if (!error) error = writer.add("\n");
    if (!error) error = writer.add(*one.put->payload, one.late ? &digester : nullptr);
    if (error) return error;
    digests.push_back(digester.finish());
  }
  auto error = writer.flush();
  for (std::size_t i = 0; i < all.size() && !error; ++i) {
    if (all[i].late) error = write_seal(files, file, all[i], digests[i]);
  }
  return error;
}

}  // namespace resumable::store
