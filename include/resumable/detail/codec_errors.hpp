/// @file
/// What is thrown when a value cannot be saved or read back. Compiled once, for all types.
/// No promises: this header may change in any version.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "resumable/detail/nested_schemas.hpp"
#include "resumable/error.hpp"
#include "resumable/export.hpp"
#include "resumable/schema.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

/// @throws Error{Errc::newer}, Error{Errc::no_migration}  `version` is outside of `range`
RESUMABLE_EXPORT void require_version(std::uint32_t version, const SchemaRange& range);

/// What the exception that is being handled says, whatever its type.
[[nodiscard]] RESUMABLE_EXPORT std::string caught_text();

/// Throws for an exception of a program's own codec or serialiser.
[[noreturn]] RESUMABLE_EXPORT void refuse_codec(Errc code, std::string_view cause);

/// Throws for an exception that a program's from_json threw when it was given `text`. The path is
/// the first place where the document does not fit `shape`, else `element`.
[[noreturn]] RESUMABLE_EXPORT void refuse_decode(std::string_view cause, std::string_view text,
                                                 std::string_view shape, std::string_view element);

/// Throws for a document that was migrated from version `from` and is not exactly a value.
[[noreturn]] RESUMABLE_EXPORT void refuse_migrated(const SchemaRange& range, std::uint32_t from,
                                                   const Error& cause);

}  // namespace detail
}  // namespace v0
}  // namespace resumable
