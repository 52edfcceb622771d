/// @file
/// How values are turned into bytes and back: as JSON unless a type has a codec of its own.
///
/// A value is saved exactly or not at all, and what was saved is read back exactly or not at all.
/// Defaulted fields, narrowed numbers and dropped keys are errors, which give the JSON pointer of
/// the place. This is the only public header that needs nlohmann/json.hpp.
#pragma once

#include "resumable/codec_id.hpp"
#include "resumable/detail/erased_codec.hpp"
#include "resumable/detail/json_codec.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/schema.hpp"
#include "resumable/text.hpp"  // IWYU pragma: export

namespace resumable {
inline namespace v0 {

/// How a T is saved. The default is JSON by nlohmann's to_json and from_json. To use another form,
/// specialise it:
///
///     template <> struct resumable::Codec<Mesh> {
///       static constexpr CodecId id{64};               // 64 to 255 are yours; never change it
///       static std::string encode(const Mesh& mesh);
///       static Mesh decode(std::string_view bytes);    // throws unless `bytes` is exactly a Mesh
///     };
///
/// A codec without an id, or with a lower one, does not compile.
///
/// Large values may be streamed: `encode` then returns std::shared_ptr<const Payload>, and `decode`
/// takes one. The bytes must depend only on the value, because digests are made from them.
template <class T>
struct Codec : detail::JsonCodec<T> {};

/// JSON that is stored in a binary form, which is smaller if there are many numbers. Everything
/// else is the same as with JSON: schema versions, artifacts, edits, what the program `resumable`
/// shows. A type may change between JSON, CBOR and MessagePack at any time: records in any of them
/// are read.
///
///     template <> struct resumable::Codec<Samples> : resumable::CborCodec<Samples> {};
template <class T>
struct CborCodec : detail::PackedCodec<T, CodecId::cbor> {};
template <class T>
struct MsgpackCodec : detail::PackedCodec<T, CodecId::msgpack> {};

/// The types that a stage may return and an input may have: a movable object type that owns
/// everything it refers to and has a Codec, or nlohmann's to_json and from_json.
template <class T>
concept Checkpointable = detail::is_checkpointable<T>();

}  // namespace v0
}  // namespace resumable

/// @cond
// One sentence where nlohmann's own diagnostics take fifty lines.
// A program's own specialisation of adl_serializer is more specialised, and is taken where visible.
template <class T>
  requires(resumable::detail::NoMember<T>&& resumable::detail::LacksJson<T>)
struct nlohmann::adl_serializer<T, void> {
  using resumable_has_none = void;

  template <class J>
  static void to_json(J&, const T&) {
    if constexpr (resumable::detail::Pointer<T>) {
      static_assert(sizeof(J) == 0,
                    "resumable: a pointer cannot be saved, its address means nothing in the next "
                    "process: save the object itself");
    } else {
      static_assert(sizeof(J) == 0,
                    "resumable: to save std::optional, std::variant, durations and times include "
                    "<resumable/json_types.hpp>");
    }
  }
  // Not for std::optional<Json>: a Json would convert to it in two ways.
  template <class J>
    requires(!requires { typename T::value_type::json_sax_t; })
  static void from_json(const J&, T&) {}
};
/// @endcond
