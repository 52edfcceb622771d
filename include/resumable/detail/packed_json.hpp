/// @file
/// JSON as CBOR and MessagePack: the forms in which a record may keep it.
/// No promises: this header may change in any version.
#pragma once

#include <string>
#include <string_view>

#include "resumable/codec_id.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

[[nodiscard]] constexpr bool is_packed_json(CodecId codec) noexcept {
  return codec == CodecId::cbor || codec == CodecId::msgpack;
}

/// What the bytes of a record are once they are unpacked.
[[nodiscard]] constexpr CodecId unpacked(CodecId codec) noexcept {
  return is_packed_json(codec) ? CodecId::json : codec;
}

/// @pre is_packed_json(form)
/// @throws Error{Errc::not_decodable}  `json` is not a document
[[nodiscard]] RESUMABLE_EXPORT std::string pack_json(CodecId form, std::string_view json);

/// The canonical JSON of a packed document. Errors are: values that JSON does not have (binary
/// values, NaN, keys that are not text), duplicate keys, more than max_json_depth levels, and
/// anything after the document.
/// @pre is_packed_json(form)
/// @throws Error{Errc::not_decodable}  `bytes` are not such a document
[[nodiscard]] RESUMABLE_EXPORT std::string unpack_json(CodecId form, std::string_view bytes);

}  // namespace detail
}  // namespace v0
}  // namespace resumable
