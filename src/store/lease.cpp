#include "resumable/lease.hpp"

#include <algorithm>
#include <vector>

#include "core/record_format.hpp"
#include "store/check.hpp"

namespace resumable {
inline namespace v0 {

std::string_view to_string(Durability durability) noexcept {
  switch (durability) {
    case Durability::full: return "full";
    case Durability::data: return "data";
    case Durability::queued: return "queued";
  }
  return "unknown";
}

Lease::~Lease() = default;

Ticket Lease::commit(const Batch& batch, const CommitOptions& options) {
  store::check_batch(batch);
  store::check_wait(options.wait);
  std::vector<Seal> seals;  // which the finished puts refer to
  std::vector<Put> finished;
  Batch whole = batch;
  const bool unsealed =
      std::ranges::any_of(batch.puts, [](const Put& put) { return put.seal.has_value(); });
  if (unsealed && !do_supports_seal()) {
    seals.reserve(batch.puts.size());
    for (const Put& put : batch.puts) {
      finished.push_back(put);
      if (!put.seal) continue;
      const Seal& seal = seals.emplace_back((*put.seal)(core::digest_of(*put.payload)));
      store::check_header(put.id.path, seal.header);
      finished.back() = {put.id, seal.tag, seal.header, put.payload};
    }
    whole.puts = finished;
  }
  const Ticket ticket = do_commit(whole, options);
  for (Ticket last = last_; last < ticket && !last_.compare_exchange_weak(last, ticket);) {
  }
  return ticket;
}

void Lease::manifest(std::string_view json, const Wait& wait) {
  store::check_wait(wait);
  do_manifest(json, wait);
}

std::string Lease::quarantine(RecordId id, const Wait& wait) {
  store::check_found(id);
  store::check_wait(wait);
  return do_quarantine(id, wait);
}

void Lease::do_wait(Ticket ticket, const Wait& wait) {
  static_cast<void>(ticket);
  static_cast<void>(wait);
}

}  // namespace v0
}  // namespace resumable
