#include "record/origin.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/key.hpp"
#include "core/record_format.hpp"

namespace resumable::record {
namespace {

/// What a record says of its run, when the record is whole and in its place; else nothing.
Origin origin_of(const Tags::key_type& id, const Tag& tag,
                 const std::optional<StoredRecord>& record) {
  auto header = record ? core::decode_header(record->header, tag) : std::nullopt;
  if (!header) return {};
  const core::Place place{header->run_uid, id.first, id.second};
  if (core::decode_tag(tag, place).damage != Damage::none) return {};
  return {std::move(header->run_uid), std::move(header->pipeline)};
}

/// Whether a record at another path is of the run with this uid.
bool is_shared(const Tags& tags, std::string_view uid, std::string_view but) {
  return std::any_of(tags.begin(), tags.end(), [&](const auto& one) {
    const auto& [id, tag] = one;
    return id.first != but &&
           core::decode_tag(tag, {uid, id.first, id.second}).damage == Damage::none;
  });
}

}  // namespace

// A record proves that it belongs to this run by the run's uid, which is part of its tag's check;
// and the uid itself is read from a record. So a record copied here from another run could make
// every other record look foreign. A uid is therefore taken only when a second record confirms it:
// first that of `@run`, which is there to say it, else that of any other record. A record that is
// alone (a run killed right after it began) is believed last.
Origin find_origin(const Tags& tags,
                   FunctionRef<std::optional<StoredRecord>(const Tags::key_type&)> read) {
  const std::string own = core::run_key().path;
  Origin alone;
  Origin found;
  const auto try_one = [&](const Tags::key_type& id, const Tag& tag) {
    Origin origin = origin_of(id, tag, read(id));
    if (origin.uid.empty()) return false;
    if (alone.uid.empty()) alone = origin;
    if (!is_shared(tags, origin.uid, id.first)) return false;
    found = std::move(origin);
    return true;
  };
  for (auto at = tags.lower_bound({own, 0}); at != tags.end() && at->first.first == own; ++at) {
    if (try_one(at->first, at->second)) return found;
  }
  // Eight paths are enough: a run's records agree, or nearly all of them are from elsewhere. Each
  // try reads a header and checks all tags, so trying every record of a large run would take for
  // ever.
  std::set<std::string> tried;
  for (const auto& [id, tag] : tags) {
    if (tried.size() >= 8) break;
    if (id.first != own && try_one(id, tag)) return found;
    tried.insert(id.first);
  }
  return alone;
}

}  // namespace resumable::record
