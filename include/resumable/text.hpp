/// @file
/// Values that are saved as they are, not as JSON: text and bytes.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/codec_id.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/export.hpp"
#include "resumable/record.hpp"

namespace resumable {
inline namespace v0 {

template <class T>
struct Codec;

/// UTF-8 text whose checkpoint is the text itself. Inside other values it is a JSON string.
struct Text {
  std::string text;

  friend auto operator<=>(const Text&, const Text&) = default;

  template <class J>
    requires requires { typename J::binary_t; }
  friend void to_json(J& json, const Text& value) { json = value.text; }
  template <class J>
    requires requires { typename J::binary_t; }
  friend void from_json(const J& json, Text& value) { json.get_to(value.text); }
};

/// Any bytes. They have no JSON form: a type with a member that holds bytes must define one.
struct Bytes {
  std::string bytes;

  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

namespace detail {
template <>
inline constexpr bool has_library_codec<Text> = true;
template <>
inline constexpr bool has_library_codec<Bytes> = true;
}  // namespace detail

/// Text is refused at save unless it is UTF-8, and at load if the saved bytes are not.
template <>
struct Codec<Text> {
  static constexpr CodecId id = CodecId::text;
  [[nodiscard]] RESUMABLE_EXPORT static std::string encode(const Text& value);
  [[nodiscard]] RESUMABLE_EXPORT static Text decode(std::string_view bytes);
  /// The same without a copy.
  [[nodiscard]] RESUMABLE_EXPORT static Text take(std::string bytes);
  /// The bytes of a large text, as a payload that owns it too; nullptr for a small one.
  [[nodiscard]] RESUMABLE_EXPORT static std::shared_ptr<const Payload> share(
      const std::shared_ptr<const Text>& value);
};

template <>
struct Codec<Bytes> {
  static constexpr CodecId id = CodecId::bytes;
  [[nodiscard]] static std::string encode(const Bytes& value) { return value.bytes; }
  [[nodiscard]] static Bytes decode(std::string_view bytes) { return {std::string(bytes)}; }
  /// The same without a copy.
  [[nodiscard]] static Bytes take(std::string bytes) { return {std::move(bytes)}; }
  /// The bytes of a large value, as a payload that owns it too; nullptr for a small one.
  [[nodiscard]] RESUMABLE_EXPORT static std::shared_ptr<const Payload> share(
      const std::shared_ptr<const Bytes>& value);
};

}  // namespace v0
}  // namespace resumable
