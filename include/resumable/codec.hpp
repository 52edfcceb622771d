/// @file
/// How values become bytes and come back: JSON unless a type has a codec of its own.
///
/// A value is saved exactly or not at all, and what was saved is read back exactly or not at all.
/// There are no defaulted fields, no narrowed numbers and no dropped keys: each is an Error with
/// the JSON pointer of its place. This is the only public header that needs nlohmann/json.hpp.
#pragma once

#include "resumable/detail/erased_codec.hpp"
#include "resumable/detail/json_codec.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/schema.hpp"
#include "resumable/text.hpp"  // IWYU pragma: export

namespace resumable::inline v0 {

/// How a T is saved. The default is JSON by nlohmann's to_json and from_json. To use another form
/// specialise it:
///
///     template <> struct resumable::Codec<Mesh> {
///       static constexpr CodecId id{64};               // 64 to 255 are yours; never change it
///       static std::string encode(const Mesh& mesh);
///       static Mesh decode(std::string_view bytes);    // throws unless `bytes` is exactly a Mesh
///     };
///
/// Large values may be streamed: `encode` then returns std::shared_ptr<const Payload>, and `decode`
/// takes one. The bytes must depend on the value alone, as digests are made from them.
template <class T>
struct Codec : detail::JsonCodec<T> {};

/// What a stage may return and an input may hold: a movable object type that owns all it refers to
/// and has a Codec, or nlohmann's to_json and from_json.
template <class T>
concept Checkpointable = detail::is_checkpointable<T>();

}  // namespace resumable::inline v0
