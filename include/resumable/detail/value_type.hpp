/// @file
/// A type as the compiled library sees it: how to encode, decode and migrate its values.
/// No promises: this header may change in any version.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/record.hpp"

namespace resumable::inline v0 {

/// How a payload's bytes are to be read. The numbers are frozen: they are in every tag.
enum class CodecId : std::uint8_t {
  none = 0,      ///< no bytes: Stage<void>
  json = 1,      ///< UTF-8 JSON, keys sorted, no white space
  text = 2,      ///< UTF-8
  bytes = 3,     ///< anything
  file = 4,      ///< the bytes of a file
  in_place = 5,  ///< JSON that names a file outside the store, with its size and digest
  user = 64,     ///< from here on: a host's own codecs
};

namespace detail {

/// Values travel between stages like this; the pointee is immutable and has the stage's type.
using AnyValue = std::shared_ptr<const void>;

/// One immutable instance per type, made by value_type<T>() in the host's translation unit.
struct ValueType {
  CodecId codec = CodecId::none;
  std::uint32_t version = 1;  ///< the schema version that encode() writes
  std::uint32_t oldest = 1;   ///< the oldest one that decode() migrates from
  std::string_view schema;    ///< the schema's name, may be empty
  /// @throws Error{Errc::not_encodable}  with the JSON path
  std::shared_ptr<const Payload> (*encode)(const void* value) = nullptr;
  /// Migrates from `version`, then decodes and proves that nothing was lost.
  /// @throws Error{Errc::not_decodable}  with the JSON path; Error{Errc::no_migration}
  AnyValue (*decode)(std::shared_ptr<const Payload> payload, std::uint32_t version) = nullptr;
  /// The JSON shape of a value-initialised T as JSON text, "" when the type has none.
  std::string (*shape)() = nullptr;
};

}  // namespace detail
}  // namespace resumable::inline v0
