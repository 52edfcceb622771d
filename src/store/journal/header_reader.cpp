#include "store/journal/header_reader.hpp"

#include <span>

namespace resumable::store::journal {
namespace {

/// How much is read ahead for records that follow each other.
constexpr std::size_t ahead_bytes = std::size_t{64} << 10U;
constexpr std::size_t max_open = 64;

}  // namespace

bool HeaderReader::choose(std::uint64_t segment) {
  if (chosen_.file && segment_ == segment) return true;
  if (open_.size() >= max_open) open_.clear();
  const auto [found, added] = open_.try_emplace(segment);
  if (added) found->second = journal_.open(segment);
  chosen_ = found->second;
  segment_ = segment;
  filled_ = 0;
  return chosen_.file != nullptr;
}

/// Reads at least `size` bytes at `at`, unless they are there already.
bool HeaderReader::fill(std::uint64_t at, std::size_t size) {
  const std::uint64_t end = begin_ + filled_;
  if (at >= begin_ && at + size <= end) return true;
  // In the order of their paths, records may be anywhere: then nothing is read ahead.
  const bool goes_on = at >= begin_ && at <= end;
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(ahead_bytes);
  begin_ = at;
  std::size_t count = 0;
  const std::span<char> to{buffer_.get(), goes_on ? ahead_bytes : size};
  const auto error = journal_.files().read(chosen_, at, to, count);
  filled_ = error ? 0 : count;
  return filled_ >= size;
}

std::optional<std::string_view> HeaderReader::read(RecordId id, const Known& known) {
  const std::uint64_t size = known.bytes(id.path.size()) - (known.apart ? 0 : known.payload_bytes);
  if (known.damage != Damage::none || size > ahead_bytes) return std::nullopt;
  if (!choose(known.segment) || !fill(known.at, static_cast<std::size_t>(size))) {
    return std::nullopt;
  }
  const std::string_view bytes{buffer_.get() + (known.at - begin_), static_cast<std::size_t>(size)};
  const auto entry = decode_entry(bytes, chosen_.epoch);
  if (!entry || !is_entry_of(*entry, id, known)) return std::nullopt;
  return bytes.substr(static_cast<std::size_t>(entry->header_at()), known.header_bytes);
}

}  // namespace resumable::store::journal
