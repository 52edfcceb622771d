/// @file
/// The list in a record's header of the types with a Schema inside its value: `memo.inner:2
/// memo.deep:1+`, `-` if there is none, and "" in records that were written before there were
/// lists. A `+` marks a type that only the values themselves show.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/detail/value_type.hpp"

namespace resumable::value {

/// The list for what this program writes; "" for a type that can hold no other.
[[nodiscard]] std::string schemas_inside(const detail::TypeShape& shape);

/// Four bytes that differ when the fields of two types do, or the schemas that the types alone
/// show; 0 for a type without fields.
[[nodiscard]] std::uint32_t shape_hash(const detail::TypeShape& shape);

/// How a version that a record lists differs from that of this program.
struct SchemaChange {
  enum class What : std::uint8_t { migrated, newer, no_migration, unrecorded };
  What what = What::migrated;
  std::string name;
  std::uint32_t before = 0;
  std::uint32_t oldest = 0;  ///< what this program can read; 0 for a type that it does not know
  std::uint32_t newest = 0;
};

/// What can be said without the value: of the types that `now` alone shows. A type that is unknown
/// here is a change only if `same_root`: a migration of the value itself may have removed it.
[[nodiscard]] std::vector<SchemaChange> schema_changes(std::string_view inside,
                                                       const detail::TypeShape& now,
                                                       bool same_root);

/// In a sentence: "holds 'memo.inner' with schema 3; this program knows 1 to 2".
[[nodiscard]] std::string text_of(const SchemaChange& change);

/// Whether the versions inside a value are those that this program writes. `now` is of after a
/// value with the same types inside was encoded.
[[nodiscard]] bool are_current(std::string_view inside, const detail::TypeShape& now);

}  // namespace resumable::value
