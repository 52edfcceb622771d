#include "store/journal/format.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "core/record_format.hpp"
#include "resumable/digest.hpp"
#include "store/names.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::string_view segment_magic = "RSMJ";
constexpr std::string_view group_magic = "RSMG";
constexpr std::uint8_t journal_layout = 1;
constexpr std::size_t check_bytes = 8;
constexpr std::string_view segment_end = ".log";
constexpr std::string_view value_end = ".value";
/// No body, header or payload is longer: sums of them do not overflow.
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 62U;

template <class Number>
void set(char* at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) at[i] = static_cast<char>(value >> (8 * i));
}

template <class Number>
Number get(std::string_view bytes, std::size_t at) {
  Number value = 0;
  for (std::size_t i = sizeof value; i-- > 0;) {
    value = static_cast<Number>((value << 8U) | static_cast<unsigned char>(bytes[at + i]));
  }
  return value;
}

std::uint64_t check_of_bytes(std::string_view bytes) {
  const Digest sum = digest(bytes);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < check_bytes; ++i) value = (value << 8U) | sum.bytes[i];
  return value;
}

/// The check stands first and covers what follows.
void seal(char* at, std::size_t size) {
  set(at, check_of_bytes({at + check_bytes, size - check_bytes}));
}

bool is_sealed(std::string_view bytes) {
  return get<std::uint64_t>(bytes, 0) == check_of_bytes(bytes.substr(check_bytes));
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string encode_segment_header(const SegmentHeader& header) {
  std::string bytes(segment_header_bytes, '\0');
  std::copy(segment_magic.begin(), segment_magic.end(), bytes.begin() + 8);
  bytes[12] = static_cast<char>(journal_layout);
  set(bytes.data() + 16, header.number);
  set(bytes.data() + 24, header.epoch);
  set(bytes.data() + 32, header.fence);
  set(bytes.data() + 40, header.previous);
  set(bytes.data() + 48, header.previous_end);
  set(bytes.data() + 56, header.first);
  seal(bytes.data(), bytes.size());
  return bytes;
}

HeaderReading decode_segment_header(std::string_view bytes) {
  const bool ours = bytes.size() == segment_header_bytes &&
                    bytes.substr(8, segment_magic.size()) == segment_magic && is_sealed(bytes);
  if (!ours) return {Damage::torn, {}};
  if (get<std::uint8_t>(bytes, 12) > journal_layout) return {Damage::newer, {}};
  return {Damage::none,
          {.number = get<std::uint64_t>(bytes, 16),
           .epoch = get<std::uint64_t>(bytes, 24),
           .fence = get<std::uint64_t>(bytes, 32),
           .previous = get<std::uint64_t>(bytes, 40),
           .previous_end = get<std::uint64_t>(bytes, 48),
           .first = get<std::uint64_t>(bytes, 56)}};
}

void seal_group(std::string& group, const GroupHeader& header) {
  std::copy(group_magic.begin(), group_magic.end(), group.begin() + 8);
  set(group.data() + 12, header.entries);
  set(group.data() + 16, header.epoch);
  set(group.data() + 24, header.sequence);
  set(group.data() + 32, header.body_bytes);
  seal(group.data(), group.size());
}

std::optional<GroupHeader> decode_group_header(std::string_view bytes) {
  if (bytes.size() < group_header_bytes) return std::nullopt;
  if (bytes.substr(8, group_magic.size()) != group_magic) return std::nullopt;
  const GroupHeader header{.entries = get<std::uint32_t>(bytes, 12),
                           .epoch = get<std::uint64_t>(bytes, 16),
                           .sequence = get<std::uint64_t>(bytes, 24),
                           .body_bytes = get<std::uint64_t>(bytes, 32)};
  if (header.body_bytes >= max_bytes) return std::nullopt;
  return header;
}

bool is_whole(std::string_view group) { return is_sealed(group); }

std::uint64_t Entry::bytes() const noexcept {
  switch (kind) {
    case EntryKind::put: return payload_at() + payload_bytes;
    case EntryKind::put_apart: return payload_at() + value_place_bytes;
    case EntryKind::erase: break;
  }
  return header_at();
}

void append_entry(std::string& out, const Entry& entry) {
  const std::size_t begin = out.size();
  out.resize(begin + entry_head_bytes);
  char* const at = out.data() + begin;
  set(at + 8, static_cast<std::uint8_t>(entry.kind));
  set(at + 10, static_cast<std::uint16_t>(entry.path.size()));
  set(at + 12, static_cast<std::uint32_t>(entry.header_bytes));
  set(at + 16, entry.generation);
  set(at + 24, entry.payload_bytes);
  std::memcpy(at + 40, entry.tag.raw.data(), entry.tag.raw.size());
  out += entry.path;
}

void append_value_place(std::string& out, const ValuePlace& place) {
  const std::size_t begin = out.size();
  out.resize(begin + value_place_bytes);
  set(out.data() + begin, place.fence);
  set(out.data() + begin + 8, place.number);
  set(out.data() + begin + 16, place.at);
}

void seal_entry(char* entry, std::uint64_t epoch) {
  const auto path_bytes = get<std::uint16_t>({entry, entry_head_bytes}, 10);
  set(entry + 32, epoch);
  seal(entry, entry_head_bytes + path_bytes);
}

std::optional<Entry> decode_entry(std::string_view bytes, std::uint64_t epoch) {
  if (bytes.size() < entry_head_bytes || get<std::uint64_t>(bytes, 32) != epoch) return {};
  const auto kind = get<std::uint8_t>(bytes, 8);
  const auto path_bytes = get<std::uint16_t>(bytes, 10);
  const std::size_t head = entry_head_bytes + path_bytes;
  if (kind < 1 || kind > 3 || bytes.size() < head || !is_sealed(bytes.substr(0, head))) return {};
  Entry entry{.kind = static_cast<EntryKind>(kind),
              .path = bytes.substr(entry_head_bytes, path_bytes),
              .generation = get<std::uint64_t>(bytes, 16),
              .header_bytes = get<std::uint32_t>(bytes, 12),
              .payload_bytes = get<std::uint64_t>(bytes, 24),
              .tag = {},
              .value = {}};
  std::memcpy(entry.tag.raw.data(), bytes.data() + 40, entry.tag.raw.size());
  if (entry.payload_bytes >= max_bytes || entry.header_bytes > core::max_header_bytes) return {};
  if (entry.kind != EntryKind::put_apart) return entry;
  if (bytes.size() < entry.bytes()) return {};
  const std::size_t at = entry.payload_at();
  entry.value = {.fence = get<std::uint64_t>(bytes, at),
                 .number = get<std::uint64_t>(bytes, at + 8),
                 .at = get<std::uint64_t>(bytes, at + 16)};
  return entry;
}

std::string segment_name(std::uint64_t number) {
  return fmt::format("{:010}{}", number, segment_end);
}

std::optional<std::uint64_t> segment_of(std::string_view name) {
  if (!name.ends_with(segment_end)) return std::nullopt;
  const auto number = number_in(name.substr(0, name.size() - segment_end.size()));
  if (!number || *number == 0 || segment_name(*number) != name) return std::nullopt;
  return number;
}

std::string value_name(const ValuePlace& place) {
  return fmt::format("{}-{}{}", place.fence, place.number, value_end);
}

std::optional<ValuePlace> value_of(std::string_view name) {
  if (!name.ends_with(value_end)) return std::nullopt;
  name.remove_suffix(value_end.size());
  const std::size_t dash = name.find('-');
  if (dash == name.npos) return std::nullopt;
  const auto fence = number_in(name.substr(0, dash));
  const auto number = number_in(name.substr(dash + 1));
  if (!fence || !number) return std::nullopt;
  return ValuePlace{.fence = *fence, .number = *number};
}

}  // namespace resumable::store::journal
