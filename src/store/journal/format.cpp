#include "store/journal/format.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "core/record_format.hpp"
#include "store/journal/numbers.hpp"
#include "store/names.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::string_view segment_magic = "RSMJ";
constexpr std::string_view group_magic = "RSMG";
constexpr std::string_view end_magic = "RSMN";
constexpr std::uint8_t journal_layout = 1;
constexpr std::string_view segment_end = ".log";
constexpr std::string_view value_end = ".value";

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
  set_number(bytes.data() + 16, header.number);
  set_number(bytes.data() + 24, header.epoch);
  set_number(bytes.data() + 32, header.fence);
  set_number(bytes.data() + 40, header.previous);
  set_number(bytes.data() + 48, header.previous_end);
  set_number(bytes.data() + 56, header.first);
  seal(bytes.data(), bytes.size());
  return bytes;
}

HeaderReading decode_segment_header(std::string_view bytes) {
  const bool ours = bytes.size() == segment_header_bytes &&
                    bytes.substr(8, segment_magic.size()) == segment_magic && is_sealed(bytes);
  if (!ours) return {Damage::torn, {}};
  if (get_number<std::uint8_t>(bytes, 12) > journal_layout) return {Damage::newer, {}};
  return {Damage::none,
          {.number = get_number<std::uint64_t>(bytes, 16),
           .epoch = get_number<std::uint64_t>(bytes, 24),
           .fence = get_number<std::uint64_t>(bytes, 32),
           .previous = get_number<std::uint64_t>(bytes, 40),
           .previous_end = get_number<std::uint64_t>(bytes, 48),
           .first = get_number<std::uint64_t>(bytes, 56)}};
}

std::string encode_log_end(const LogEnd& end) {
  std::string bytes(log_end_bytes, '\0');
  std::copy(end_magic.begin(), end_magic.end(), bytes.begin() + 8);
  bytes[12] = static_cast<char>(journal_layout);
  set_number(bytes.data() + 16, end.number);
  set_number(bytes.data() + 24, end.epoch);
  set_number(bytes.data() + 32, end.at);
  seal(bytes.data(), bytes.size());
  return bytes;
}

std::optional<LogEnd> decode_log_end(std::string_view bytes) {
  const bool ours = bytes.size() == log_end_bytes &&
                    bytes.substr(8, end_magic.size()) == end_magic &&
                    get_number<std::uint8_t>(bytes, 12) == journal_layout && is_sealed(bytes);
  if (!ours) return std::nullopt;
  return LogEnd{.number = get_number<std::uint64_t>(bytes, 16),
                .epoch = get_number<std::uint64_t>(bytes, 24),
                .at = get_number<std::uint64_t>(bytes, 32)};
}

void set_group_header(char* group, const GroupHeader& header) {
  std::copy(group_magic.begin(), group_magic.end(), group + 8);
  set_number(group + 12, header.entries);
  set_number(group + 16, header.epoch);
  set_number(group + 24, header.sequence);
  set_number(group + 32, header.body_bytes);
}

void seal_group(std::string& group, const GroupHeader& header) {
  set_group_header(group.data(), header);
  seal(group.data(), group.size());
}

std::optional<GroupHeader> decode_group_header(std::string_view bytes) {
  if (bytes.size() < group_header_bytes) return std::nullopt;
  if (bytes.substr(8, group_magic.size()) != group_magic) return std::nullopt;
  const GroupHeader header{.entries = get_number<std::uint32_t>(bytes, 12),
                           .epoch = get_number<std::uint64_t>(bytes, 16),
                           .sequence = get_number<std::uint64_t>(bytes, 24),
                           .body_bytes = get_number<std::uint64_t>(bytes, 32)};
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
  set_number(at + 8, static_cast<std::uint8_t>(entry.kind));
  set_number(at + 10, static_cast<std::uint16_t>(entry.path.size()));
  set_number(at + 12, static_cast<std::uint32_t>(entry.header_bytes));
  set_number(at + 16, entry.generation);
  set_number(at + 24, entry.payload_bytes);
  std::memcpy(at + 40, entry.tag.raw.data(), entry.tag.raw.size());
  out += entry.path;
}

void append_value_place(std::string& out, const ValuePlace& place) {
  const std::size_t begin = out.size();
  out.resize(begin + value_place_bytes);
  set_number(out.data() + begin, place.fence);
  set_number(out.data() + begin + 8, place.number);
  set_number(out.data() + begin + 16, place.at);
}

void seal_entry(char* entry, std::uint64_t epoch) {
  const auto path_bytes = get_number<std::uint16_t>({entry, entry_head_bytes}, 10);
  set_number(entry + 32, epoch);
  seal(entry, entry_head_bytes + path_bytes);
}

std::optional<Entry> decode_entry(std::string_view bytes, std::uint64_t epoch) {
  if (bytes.size() < entry_head_bytes || get_number<std::uint64_t>(bytes, 32) != epoch) return {};
  const auto kind = get_number<std::uint8_t>(bytes, 8);
  const auto path_bytes = get_number<std::uint16_t>(bytes, 10);
  const std::size_t head = entry_head_bytes + path_bytes;
  if (kind < 1 || kind > 3 || bytes.size() < head || !is_sealed(bytes.substr(0, head))) return {};
  Entry entry{.kind = static_cast<EntryKind>(kind),
              .path = bytes.substr(entry_head_bytes, path_bytes),
              .generation = get_number<std::uint64_t>(bytes, 16),
              .header_bytes = get_number<std::uint32_t>(bytes, 12),
              .payload_bytes = get_number<std::uint64_t>(bytes, 24),
              .tag = {},
              .value = {}};
  std::memcpy(entry.tag.raw.data(), bytes.data() + 40, entry.tag.raw.size());
  if (entry.payload_bytes >= max_bytes || entry.header_bytes > core::max_header_bytes) return {};
  if (entry.kind != EntryKind::put_apart) return entry;
  if (bytes.size() < entry.bytes()) return {};
  const std::size_t at = entry.payload_at();
  entry.value = {.fence = get_number<std::uint64_t>(bytes, at),
                 .number = get_number<std::uint64_t>(bytes, at + 8),
                 .at = get_number<std::uint64_t>(bytes, at + 16)};
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
