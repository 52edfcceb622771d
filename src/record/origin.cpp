#include "record/origin.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "core/key.hpp"
#include "core/record_format.hpp"

namespace resumable::record {
namespace {

/// Whether a record at another path is of the run with this uid.
bool is_shared(const Tags& tags, std::string_view uid, std::string_view but) {
  return std::any_of(tags.begin(), tags.end(), [&](const FoundTag& one) {
    const core::Place place{uid, one.id.path, one.id.generation};
    return one.id.path != but && core::decode_tag(one.tag, place).damage == Damage::none;
  });
}

bool is_before(const FoundTag& a, const FoundTag& b) {
  return std::tie(a.id.path, a.id.generation) < std::tie(b.id.path, b.id.generation);
}

}  // namespace

Origin origin_of(RecordId id, const Tag& tag, const std::optional<StoredRecord>& record) {
  auto header = record ? core::decode_header(record->header, tag) : std::nullopt;
  if (!header) return {};
  const core::Place place{header->run_uid, id.path, id.generation};
  if (core::decode_tag(tag, place).damage != Damage::none) return {};
  return {std::move(header->run_uid), std::move(header->pipeline)};
}

void put_in_order(Tags& tags) {
  if (!std::ranges::is_sorted(tags, is_before)) std::ranges::stable_sort(tags, is_before);
}

// A record proves that it belongs to this run by the run's uid, which is part of its tag's check;
// but the uid itself is read from a record. So a record copied here from another run could make
// every other record look foreign. A uid is therefore accepted only if a second record confirms it:
// first that of `@run`, whose purpose this is, then that of any other record. A single record (of a
// run killed right after it began) is trusted last.
Origin find_origin(const Tags& tags, FunctionRef<std::optional<StoredRecord>(RecordId)> read) {
  for (const FoundTag& one : tags) core::refuse_sealed(one.tag, one.id.path);
  const std::string path = core::run_key().path;
  const std::string_view own = path;
  Origin alone;
  Origin found;
  const auto try_one = [&](const FoundTag& one) {
    Origin origin = origin_of(one.id, one.tag, read(one.id));
    if (origin.uid.empty()) return false;
    if (alone.uid.empty()) alone = origin;
    if (!is_shared(tags, origin.uid, one.id.path)) return false;
    found = std::move(origin);
    return true;
  };
  const auto path_of = [](const FoundTag& one) { return one.id.path; };
  for (auto at = std::ranges::lower_bound(tags, own, {}, path_of);
       at != tags.end() && at->id.path == own; ++at) {
    if (try_one(*at)) return found;
  }
  // Eight paths are enough: either a run's records agree, or nearly all of them are from elsewhere.
  // Each attempt reads a header and checks all tags, so trying every record of a large run would
  // take forever.
  std::set<std::string_view> tried;
  for (const FoundTag& one : tags) {
    if (tried.size() >= 8) break;
    if (one.id.path != own && try_one(one)) return found;
    tried.insert(one.id.path);
  }
  return alone;
}

}  // namespace resumable::record
