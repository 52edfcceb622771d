#include "store/journal/header_reader.hpp"

#include <algorithm>

namespace resumable::store::journal {
namespace {

/// What is read ahead of records that follow each other.
constexpr std::size_t window = std::size_t{64} << 10U;
constexpr std::size_t max_open = 64;

}  // namespace

bool HeaderReader::choose(std::uint64_t segment) {
  if (chosen_.file && segment_ == segment) return true;
  if (open_.size() >= max_open) open_.clear();
  const auto [found, added] = open_.try_emplace(segment);
  if (added) found->second = journal_.open(segment);
  chosen_ = found->second;
  segment_ = segment;
  bytes_.clear();
  return chosen_.file != nullptr;
}

/// Reads at least `size` bytes at `at`, unless they are there already.
bool HeaderReader::fill(std::uint64_t at, std::size_t size) {
  const std::uint64_t end = begin_ + bytes_.size();
  if (at >= begin_ && at + size <= end) return true;
  // Records in the order of their paths may be anywhere: then nothing is read for later.
  const bool goes_on = at >= begin_ && at <= end;
  bytes_.resize(goes_on ? std::max(window, size) : size);
  begin_ = at;
  std::size_t count = 0;
  const auto error = journal_.files().read(chosen_, at, bytes_, count);
  bytes_.resize(error ? 0 : count);
  return bytes_.size() >= size;
}

std::optional<std::string_view> HeaderReader::read(RecordId id, const Known& known) {
  const std::uint64_t size = known.bytes(id.path.size());
  if (known.damage != Damage::none || size > window) return std::nullopt;
  if (!choose(known.segment) || !fill(known.at, static_cast<std::size_t>(size))) {
    return std::nullopt;
  }
  const std::string_view bytes = std::string_view{bytes_}.substr(known.at - begin_, size);
  const auto entry = decode_entry(bytes, chosen_.epoch);
  if (!entry || !is_entry_of(*entry, id, known)) return std::nullopt;
  return bytes.substr(static_cast<std::size_t>(entry->header_at()), known.header_bytes);
}

}  // namespace resumable::store::journal
