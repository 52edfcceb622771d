/// @file
/// A type as the compiled library sees it: how to encode, decode and migrate its values.
/// No promises: this header may change in any version.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "resumable/codec_id.hpp"
#include "resumable/detail/nested_schemas.hpp"
#include "resumable/record.hpp"

namespace resumable {
inline namespace v0 {

namespace detail {

/// Values travel between stages like this; the pointee is immutable and has the stage's type.
using AnyValue = std::shared_ptr<const void>;

/// What is known of a type without a value of it.
struct TypeShape {
  std::string fields;                ///< the JSON shape of a new one, as JSON text; "": it has none
  std::vector<SchemaRange> schemas;  ///< types with a Schema that it holds, as far as it shows
  std::vector<SchemaRange> found;    ///< others that values of it were found to hold
  bool holds_others = false;         ///< whether its values can hold any
};

/// One immutable instance per type, made by value_type<T>() in the program's translation unit.
struct ValueType {
  CodecId codec = CodecId::none;  ///< of what encode() gives; JSON where `packing` is set
  std::uint32_t version = 1;      ///< the schema version that encode() writes
  std::uint32_t oldest = 1;       ///< the oldest one that decode() migrates from
  std::string_view schema;        ///< the schema's name, may be empty
  const std::type_info* cpp_type = &typeid(void);  ///< void: no value
  /// @throws Error{Errc::not_encodable}  with the JSON path
  std::shared_ptr<const Payload> (*encode)(const void* value) = nullptr;
  /// Migrates from the versions that were saved, then decodes and checks that nothing was lost.
  /// What it returns is an object of its own that is not const: see take().
  /// @throws Error{Errc::not_decodable}  with the JSON path; Error{Errc::no_migration}
  AnyValue (*decode)(std::shared_ptr<const Payload> payload, const SavedAs& saved) = nullptr;
  /// As encode(), but without a copy of the value's bytes: they are read from the value, which the
  /// payload owns too. Returns nullptr if the value is so small that a copy is better; the pointer
  /// itself is null if the type has no such function. Decoding the result would give an equal
  /// value.
  std::shared_ptr<const Payload> (*share)(const AnyValue& value) = nullptr;
  TypeShape (*shape)() = nullptr;

  /// Decoding what encode() gives always gives an equal value, so that it can be left out.
  bool exact = false;

  /// The form in which a record keeps the JSON; none: as it is.
  CodecId packing = CodecId::none;

  /// The codec of new records of this type.
  [[nodiscard]] CodecId stored_as() const { return packing == CodecId::none ? codec : packing; }
  [[nodiscard]] TypeShape shape_now() const { return shape != nullptr ? shape() : TypeShape{}; }
};

/// Whether Codec<T> is one of the library's, whose ids are below CodecId::user.
template <class T>
inline constexpr bool has_library_codec = false;

/// Moves the value out of what decode() returned. @pre no one else holds it
template <class T>
[[nodiscard]] T take(const AnyValue& decoded) {
  return std::move(*static_cast<T*>(const_cast<void*>(decoded.get())));
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
