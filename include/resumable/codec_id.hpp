/// @file
/// CodecId: the number by which a record names its codec.
#pragma once

#include <cstdint>

namespace resumable {
inline namespace v0 {

/// How to read the bytes of a payload. The numbers are frozen, because they are in every record. If
/// a record has another codec than its type, the error is Errc::codec_changed; but json, cbor and
/// msgpack are converted into each other.
enum class CodecId : std::uint8_t {
  none = 0,      ///< no bytes: Stage<void>
  json = 1,      ///< UTF-8 JSON, keys sorted, no white space
  text = 2,      ///< UTF-8
  bytes = 3,     ///< anything
  file = 4,      ///< the bytes of a file
  in_place = 5,  ///< JSON that names a file outside the store, with its size and digest
  cbor = 6,      ///< JSON that is stored as CBOR (RFC 8949)
  msgpack = 7,   ///< JSON that is stored as MessagePack
  user = 64,     ///< from here on: a program's own codecs
};

}  // namespace v0
}  // namespace resumable
