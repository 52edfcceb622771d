// Types with a schema inside a value: which versions its record has, and what that means.
#include "plan/judge.hpp"
#include "plan/judge_usable.hpp"
#include "resumable/detail/packed_json.hpp"
#include "value/nested_schemas.hpp"

namespace resumable::plan {

// The hash of a shape covers the versions of the types that it shows, so a record is looked at more
// closely only if they may have changed.
void Judge::look_inside(const Subject& subject, Usable& usable) const {
  const detail::ValueType& type = *graph_.nodes[subject.node].type;
  const core::Head& head = usable.row->head;
  const Shape& shape = shape_of(type);
  const bool same_root = head.schema == type.version;
  if (!shape.type.holds_others || head.shape == shape.hash ||
      detail::unpacked(head.codec) != type.codec) {
    return;
  }
  if (!usable.header) usable.header = facts_.header(subject.path, usable.row->generation);
  if (!usable.header) return;
  usable.inside = value::schema_changes(usable.header->schemas, shape.type, same_root);
}

std::optional<Cause> Judge::refused_inside(const Usable& usable) {
  using Change = value::SchemaChange;
  for (const Change& change : usable.inside) {
    if (change.what == Change::What::migrated) continue;
    return Cause{
        .reason = change.what == Change::What::newer ? Reason::newer : Reason::no_migration,
        .subject = change.name,
        .before = change.before == 0 ? "" : std::to_string(change.before),
        .after = change.newest == 0 ? "" : std::to_string(change.newest),
        .detail = value::text_of(change)};
  }
  return std::nullopt;
}

void Judge::migration(const Subject& subject, const Usable& usable, Verdict& verdict) const {
  const detail::ValueType& type = *graph_.nodes[subject.node].type;
  const std::uint32_t schema = usable.row->head.schema;
  if (type.oldest <= schema && schema < type.version) {
    verdict.note({.reason = Reason::migrated,
                  .before = std::to_string(schema),
                  .after = std::to_string(type.version)});
  }
  for (const value::SchemaChange& change : usable.inside) {
    if (change.what != value::SchemaChange::What::migrated) continue;
    verdict.note({.reason = Reason::migrated,
                  .subject = change.name,
                  .before = std::to_string(change.before),
                  .after = std::to_string(change.newest)});
  }
}

}  // namespace resumable::plan
