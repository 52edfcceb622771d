#include "encryption/sealed_cache.hpp"

#include <utility>

#include "encryption/names.hpp"
#include "encryption/runs.hpp"
#include "encryption/sealed_record.hpp"

namespace resumable::encryption {

std::optional<StoredRecord> SealedCache::do_find(std::string_view path, const Wait& wait) const {
  const auto keys = ring_.current_for(cache_run);
  auto record = next_.find(Names{keys}.seal(path).path, wait);
  if (!record) return std::nullopt;
  const RecordId id{path, 1};
  HeadReading reading = open_head(*keys, cache_run, id, record->tag, record->header);
  if (reading.damage != Damage::none) throw refusal(cache_run, id, reading, {});
  return open_record(*keys, std::move(reading.head), record->tag, std::move(record->payload));
}

namespace {

/// Calls write(put) with what the next cache is to keep.
template <class Write>
auto seal_entry(KeyRing& ring, const Put& put, const Write& write) {
  const auto keys = ring.current_for(cache_run);
  const SealedRecord sealed = seal_record(*keys, cache_run, put);
  const std::string path = Names{keys}.seal(put.id.path).path;
  return write(Put{.id = {path, put.id.generation},
                   .tag = sealed.tag,
                   .header = sealed.header,
                   .payload = sealed.payload.get()});
}

}  // namespace

bool SealedCache::do_put_if_absent(const Put& put, const Wait& wait) {
  return seal_entry(ring_, put,
                    [&](const Put& sealed) { return next_.put_if_absent(sealed, wait); });
}

void SealedCache::do_replace(const Put& put, const Wait& wait) {
  seal_entry(ring_, put, [&](const Put& sealed) { next_.replace(sealed, wait); });
}

}  // namespace resumable::encryption
