#include "store/journal/segment_reader.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "store/journal/numbers.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::size_t first_piece_bytes = std::size_t{64} << 10U;
constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
/// Of a group whose entries are larger than that, their heads alone are read where that is enough.
constexpr std::uint64_t large_entry_bytes = std::uint64_t{64} << 10U;
/// What is read at the beginning of an entry: a head, a path, and of put_apart a header.
constexpr std::size_t head_piece_bytes = std::size_t{4} << 10U;
constexpr std::uint64_t most_head_bytes = std::uint64_t{192} << 10U;

/// A part of a file in memory, which moves forward.
class Window {
 public:
  Window(sys::FileSystem& files, const sys::File& file) : files_(files), file_(file) {}

  /// The `count` bytes at `at`, fewer at the end of the file or after an error.
  std::string_view bytes(std::uint64_t at, std::uint64_t count) {
    if (!has(at, count)) {
      load(at, std::max<std::uint64_t>(count, piece_));
      piece_ = std::min(4 * piece_, piece_bytes);
    }
    return loaded(at, count);
  }
  /// The same, and nothing after them is read.
  std::string_view only(std::uint64_t at, std::uint64_t count) {
    if (!has(at, count)) load(at, count);
    return loaded(at, count);
  }
  void forget() { buffer_.clear(); }
  /// Reads little ahead at first, because what follows may be skipped.
  void read_little() { piece_ = head_piece_bytes; }
  [[nodiscard]] std::error_code error() const { return error_; }
  [[nodiscard]] std::uint64_t size() {
    sys::Stat stat;
    if (const auto error = files_.stat(file_, stat)) error_ = error;
    return stat.size;
  }

 private:
  [[nodiscard]] bool has(std::uint64_t at, std::uint64_t count) const {
    return at >= at_ && at + count <= at_ + buffer_.size();
  }
  [[nodiscard]] std::string_view loaded(std::uint64_t at, std::uint64_t count) const {
    const std::string_view all{buffer_};
    return at - at_ >= all.size()
               ? std::string_view{}
               : all.substr(static_cast<std::size_t>(at - at_), static_cast<std::size_t>(count));
  }
  void load(std::uint64_t at, std::uint64_t count) {
    const std::uint64_t size = this->size();
    const std::uint64_t left = size - std::min(size, at);
    const std::uint64_t wanted = std::min(left, count);
    at_ = at;
    buffer_.resize(static_cast<std::size_t>(wanted));
    std::size_t got = 0;
    if (const auto error = sys::read_fully(files_, file_, at, buffer_, got)) error_ = error;
    buffer_.resize(got);
  }

  sys::FileSystem& files_;
  const sys::File& file_;
  std::string buffer_;
  std::uint64_t at_ = 0;
  std::size_t piece_ = head_piece_bytes;
  std::error_code error_;
};

/// The whole group at `at`, which ends before `limit`.
std::optional<GroupHeader> whole_group(Window& window, std::uint64_t at, std::uint64_t epoch,
                                       std::uint64_t limit) {
  const auto header = decode_group_header(window.bytes(at, group_header_bytes));
  if (!header || header->epoch != epoch || header->bytes() > limit - at) return std::nullopt;
  const std::string_view group = window.bytes(at, header->bytes());
  if (group.size() < header->bytes() || !is_whole(group)) return std::nullopt;
  return header;
}

/// The next group after `at`, whole or not, that `counts`.
template <class Counts>
std::optional<std::uint64_t> find_group(Window& window, std::uint64_t at, std::uint64_t limit,
                                        const Counts& counts) {
  constexpr std::uint64_t magic_at = 8;
  while (at + group_header_bytes <= limit) {
    const std::string_view piece =
        window.bytes(at, std::min<std::uint64_t>(limit - at, first_piece_bytes));
    if (piece.size() < group_header_bytes) return std::nullopt;
    const std::size_t found = piece.find("RSMG", magic_at);
    if (found == piece.npos) {
      at += piece.size() - group_header_bytes + 1;
      continue;
    }
    at += found - magic_at;
    if (counts(at)) return at;
    ++at;
  }
  return std::nullopt;
}

/// The next whole group after `at`.
std::optional<std::uint64_t> next_group(Window& window, std::uint64_t at, std::uint64_t epoch,
                                        std::uint64_t limit) {
  return find_group(window, at, limit, [&](std::uint64_t found) {
    return whole_group(window, found, epoch, limit).has_value();
  });
}

class GroupReader {
 public:
  GroupReader(Window& window, const SegmentHeader& header, const LogVisitor& visitor)
      : window_(window), epoch_(header.epoch), visitor_(visitor) {}

  /// Visits the entries from `at` on, and returns where the first that is none begins.
  std::uint64_t visit_entries(std::uint64_t at, std::uint64_t end) {
    while (at < end) {
      const auto entry = decode_entry(window_.bytes(at, end - at), epoch_);
      if (!entry || entry->bytes() > end - at) break;
      const std::uint64_t next = at + entry->bytes();
      visitor_.entry(*entry, at);
      at = next;
    }
    return at;
  }

  /// The end of the large group at `at`, whose entries were visited by their heads; nullopt, and
  /// none was visited, where it is not large or that cannot be done.
  std::optional<std::uint64_t> visit_heads(std::uint64_t at, std::uint64_t limit) {
    const auto header = decode_group_header(window_.only(at, group_header_bytes));
    const bool large = header && header->epoch == epoch_ && header->entries > 0 &&
                       header->body_bytes / header->entries >= large_entry_bytes &&
                       header->bytes() <= limit - at;
    if (!large) return std::nullopt;
    const std::uint64_t end = at + header->bytes();
    std::uint32_t count = 0;
    const auto count_one = [&](const Entry& /*entry*/, std::uint64_t /*at*/) { ++count; };
    if (walk(at + group_header_bytes, end, count_one) != end || count != header->entries) {
      return std::nullopt;
    }
    walk(at + group_header_bytes, end, visitor_.entry);
    window_.read_little();
    sequence_ = header->sequence;
    return end;
  }
  /// Of the group that visit_heads() has visited.
  [[nodiscard]] std::uint64_t sequence() const noexcept { return sequence_; }

  /// What can be found out about one or several groups that are not whole: the entries of each, as
  /// far as their heads are right. So damage has the names of its records wherever they are left.
  void salvage(std::uint64_t at, std::uint64_t end) {
    while (at < end) {
      const std::uint64_t entries = std::min(end, at + group_header_bytes);
      const std::uint64_t stopped = visit_entries(entries, end);
      const std::uint64_t next =
          find_group(window_, std::max(stopped, at + 1), end, [&](std::uint64_t found) {
            const auto header = decode_group_header(window_.bytes(found, group_header_bytes));
            return header && header->epoch == epoch_;
          }).value_or(end);
      if (stopped < next) visitor_.damage(stopped == entries ? at : stopped, next);
      at = next;
    }
  }

 private:
  /// As visit_entries(), without reading payloads.
  template <class Visit>
  std::uint64_t walk(std::uint64_t at, std::uint64_t end, const Visit& visit) {
    while (at < end) {
      auto entry = decode_entry(
          window_.only(at, std::min<std::uint64_t>(end - at, head_piece_bytes)), epoch_);
      if (!entry) {
        entry = decode_entry(window_.only(at, std::min(end - at, most_head_bytes)), epoch_);
      }
      if (!entry || entry->bytes() > end - at) break;
      const std::uint64_t next = at + entry->bytes();
      visit(*entry, at);
      at = next;
    }
    return at;
  }

  Window& window_;
  std::uint64_t epoch_;
  const LogVisitor& visitor_;
  std::uint64_t sequence_ = 0;
};

}  // namespace

std::error_code read_groups(sys::FileSystem& files, const sys::File& file,
                            const SegmentHeader& header, std::optional<std::uint64_t> end,
                            bool first, Reading& reading, const LogVisitor& visitor) {
  Window window{files, file};
  GroupReader groups{window, header, visitor};
  const std::uint64_t limit = end ? *end : window.size();
  const auto step_over = [&](std::uint64_t next, std::uint64_t last, std::uint64_t sequence) {
    reading.end = next;
    reading.last = last;
    reading.sequence = sequence;
  };
  while (reading.end < limit && !window.error()) {
    const std::uint64_t at = reading.end;
    if (const auto next = end ? groups.visit_heads(at, limit) : std::nullopt) {
      step_over(*next, at, groups.sequence());
      continue;
    }
    if (const auto group = whole_group(window, at, header.epoch, limit)) {
      reading.closed = group->entries == 0;
      if (reading.closed) break;
      groups.visit_entries(at + group_header_bytes, at + group->bytes());
      step_over(at + group->bytes(), at, group->sequence);
      continue;
    }
    if (!end && !first) break;
    const auto next = next_group(window, at + 1, header.epoch, limit);
    if (window.error() || (!next && !end)) break;
    // An owner may have completed it since it was read.
    window.forget();
    if (whole_group(window, at, header.epoch, limit)) continue;
    groups.salvage(at, next.value_or(limit));
    step_over(next.value_or(limit), at, reading.sequence);
  }
  return window.error();
}

std::error_code has_epoch(sys::FileSystem& files, const sys::File& file, std::uint64_t epoch,
                          bool& out) {
  constexpr std::uint64_t epoch_at = 24;
  std::array<char, sizeof epoch> bytes{};
  std::size_t count = 0;
  if (const auto error = sys::read_fully(files, file, epoch_at, bytes, count)) return error;
  out = count == bytes.size() && get_number<std::uint64_t>({bytes.data(), count}, 0) == epoch;
  if (out) return {};
  HeaderReading now;  // it may be damaged
  const auto error = read_segment_header(files, file, 0, now);
  out = !error && now.damage == Damage::none && now.header.epoch == epoch;
  return error;
}

std::error_code read_segment_header(sys::FileSystem& files, const sys::File& file,
                                    std::uint64_t number, HeaderReading& out) {
  Window window{files, file};
  out = decode_segment_header(window.only(0, segment_header_bytes));
  if (out.damage != Damage::torn) return window.error();
  const auto group = decode_group_header(window.bytes(segment_header_bytes, group_header_bytes));
  const bool whole =
      group && whole_group(window, segment_header_bytes, group->epoch, window.size());
  if (whole) out = {Damage::none, {.number = number, .epoch = group->epoch}};
  return window.error();
}

}  // namespace resumable::store::journal
