/// @file
/// value_type<T>(): the table of functions by which the compiled library handles a T.
/// Included by codec.hpp alone. No promises: this header may change in any version.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "resumable/detail/codec_errors.hpp"
#include "resumable/detail/json_abi.hpp"
#include "resumable/detail/json_codec.hpp"
#include "resumable/detail/json_shape.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/detail/value_traits.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/error.hpp"
#include "resumable/record.hpp"
#include "resumable/schema.hpp"

namespace resumable {
inline namespace v0 {

template <class T>
struct Codec;

namespace detail {
inline namespace RESUMABLE_JSON_ABI {

template <class T>
inline constexpr bool has_own_codec = !std::is_base_of_v<JsonCodec<T>, Codec<T>>;

/// How records keep the JSON of a T.
template <class T>
consteval CodecId packing_of() {
  if constexpr (has_own_codec<T>)
    return CodecId::none;
  else
    return Codec<T>::id == CodecId::json ? CodecId::none : Codec<T>::id;
}

/// Whether Codec<T> has an id, and whether that id is allowed.
template <class T>
consteval bool has_valid_id() {
  if constexpr (!has_own_codec<T>)
    return packing_of<T>() == CodecId::none || is_packed_json(Codec<T>::id);
  else if constexpr (has_library_codec<T>)
    return true;
  else if constexpr (requires { std::integral_constant<CodecId, Codec<T>::id>{}; })
    return Codec<T>::id >= CodecId::user;
  else
    return false;
}

template <class T>
consteval Flaw value_flaw() {
  if constexpr (own_flaw<T>() == Flaw::not_a_value)
    return Flaw::not_a_value;
  else if constexpr (has_own_codec<T>)
    return Flaw::none;
  else
    return flaw<T>();
}

template <class T>
consteval bool is_checkpointable() {
  if constexpr (value_flaw<T>() != Flaw::none)
    return false;
  else if constexpr (!std::is_move_constructible_v<T>)
    return false;
  else if constexpr (has_own_codec<T>)
    return true;
  else
    return JsonValue<T>;
}

/// Calls a program's own codec; exceptions become Error{code}.
template <class F>
auto call_codec(Errc code, const F& function) {
  try {
    return function();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    refuse_codec(code, caught_text());
  }
}

template <class T>
std::shared_ptr<const Payload> encode_erased(const void* value) {
  const CodecCall call{notes_of<T>(), schema_range<T>};
  return call_codec(Errc::not_encodable, [&]() -> std::shared_ptr<const Payload> {
    if constexpr (!has_own_codec<T>) {
      return std::make_shared<const StringPayload>(encode_json(*static_cast<const T*>(value)));
    }
    auto encoded = Codec<T>::encode(*static_cast<const T*>(value));
    if constexpr (std::is_convertible_v<decltype(encoded), std::shared_ptr<const Payload>>) {
      return encoded;
    } else {
      return std::make_shared<const StringPayload>(std::move(encoded));
    }
  });
}

template <class T>
std::shared_ptr<T> decode_bytes(const std::shared_ptr<const Payload>& payload,
                                std::uint32_t version) {
  if constexpr (std::is_invocable_v<decltype(&Codec<T>::decode), std::shared_ptr<const Payload>>) {
    return std::make_shared<T>(Codec<T>::decode(payload));
  } else if constexpr (requires { Codec<T>::take(std::string{}); }) {
    return std::make_shared<T>(Codec<T>::take(read_all(*payload)));
  } else {
    std::string copy;
    std::optional<std::string_view> bytes = payload->view();
    if (!bytes) bytes = copy = read_all(*payload);
    if constexpr (!has_own_codec<T>)
      return std::make_shared<T>(decode_json<T>(*bytes, version));
    else
      return std::make_shared<T>(Codec<T>::decode(*bytes));
  }
}

template <class T>
AnyValue decode_erased(std::shared_ptr<const Payload> payload, const SavedAs& saved) {
  CodecCall call{saved, schema_range<T>};
  const std::uint32_t version = call.root_version();
  require_version(version, schema_range<T>);
  AnyValue value = call_codec(Errc::not_decodable,
                              [&]() -> AnyValue { return decode_bytes<T>(payload, version); });
  call.finish();
  return value;
}

template <class T>
std::shared_ptr<const Payload> share_erased(const AnyValue& value) {
  return call_codec(Errc::not_encodable,
                    [&] { return Codec<T>::share(std::static_pointer_cast<const T>(value)); });
}

/// Codecs of the library that can return a value's bytes without a copy.
template <class T>
concept SharesBytes = has_library_codec<T> && requires(std::shared_ptr<const T> value) {
  Codec<T>::share(value);
};

template <class T>
consteval auto sharing() -> std::shared_ptr<const Payload> (*)(const AnyValue&) {
  if constexpr (SharesBytes<T>)
    return &share_erased<T>;
  else
    return nullptr;
}

template <class T>
TypeShape shape_erased() {
  if constexpr (has_library_codec<T>)
    return {};
  else
    return type_shape<T, has_own_codec<T>>();
}

/// Whether the values of T would be migrated also inside others.
template <class T>
inline constexpr bool shows_schema = schema_range<T>.newest == 1 || requires {
  typename ::nlohmann::adl_serializer<T, void>::resumable_reads_schema;
};

template <class T>
struct ValueTable {
  static_assert(!has_own_codec<T> || schema_range<T>.newest == schema_range<T>.oldest,
                "resumable: migrations work on JSON; a type with a Codec of its own reads its "
                "earlier forms itself");
  static constexpr ValueType table{
      .codec = has_own_codec<T> ? Codec<T>::id : CodecId::json,
      .version = schema_range<T>.newest,
      .oldest = schema_range<T>.oldest,
      .schema = schema_range<T>.name,
      .cpp_type = &typeid(T),
      .encode = &encode_erased<T>,
      .decode = &decode_erased<T>,
      .share = sharing<T>(),
      .shape = &shape_erased<T>,
      .exact = !has_own_codec<T> && (std::is_same_v<T, std::string> || std::is_integral_v<T>),
      .packing = packing_of<T>(),
  };
};
template <class T>
struct NoTable {
  static constexpr ValueType table{};
};

/// The table of T. One object per type. A type that cannot be saved is refused here, with one
/// sentence for each reason, before nlohmann prints any diagnostics.
template <class T>
[[nodiscard]] constexpr const ValueType& value_type() noexcept {
  constexpr Flaw flaw = value_flaw<T>();
  static_assert(flaw != Flaw::not_a_value,
                "resumable: a value is a plain object type: not void, const, a reference or T[N]");
  static_assert(flaw != Flaw::pointer,
                "resumable: a pointer cannot be saved, its address means nothing in the next "
                "process: save the object itself");
  static_assert(flaw != Flaw::view,
                "resumable: a view (string_view, span, reference_wrapper) does not own what it "
                "shows: use std::string or std::vector");
  static_assert(flaw != Flaw::unordered,
                "resumable: elements without a stable order have no stable digest: use std::set, "
                "std::map or std::multimap, or a map with string keys");
  static_assert(flaw != Flaw::repeated_key,
                "resumable: a JSON object cannot hold one key twice: use a map of vectors");
  static_assert(flaw != Flaw::too_wide,
                "resumable: JSON holds no number wider than 64 bits: use double or std::int64_t, "
                "or save it as text");
  static_assert(
      flaw != Flaw::steady_clock,
      "resumable: only times of std::chrono::system_clock mean something after a restart");
  if constexpr (is_checkpointable<T>() && !has_own_codec<T>) {
    static_assert(
        shows_schema<T>,
        "resumable: a type with migrations has to_json and from_json functions, no "
        "nlohmann::adl_serializer of its own, so that its values are found inside others");
  }
  if constexpr (flaw == Flaw::none && !is_checkpointable<T>()) {
    static_assert(std::is_move_constructible_v<T>, "resumable: a value must be movable");
    static_assert(!needs_json_types<T>,
                  "resumable: to save std::optional, std::variant, durations and times include "
                  "<resumable/json_types.hpp>");
    static_assert(!std::is_move_constructible_v<T> || needs_json_types<T> || JsonValue<T>,
                  "resumable: this type cannot be saved: give it to_json and from_json (for "
                  "instance NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE) or specialise resumable::Codec");
  }
  if constexpr (is_checkpointable<T>()) {
    static_assert(has_valid_id<T>(),
                  "resumable: a Codec of your own has a 'static constexpr CodecId id' from 64 to "
                  "255: lower numbers are the library's");
    return std::conditional_t<has_valid_id<T>(), ValueTable<T>, NoTable<T>>::table;
  } else {
    return NoTable<T>::table;
  }
}

/// The same, also for a stage that returns nothing.
template <class T>
[[nodiscard]] constexpr const ValueType& type_held() noexcept {
  if constexpr (std::is_void_v<T>) {
    return NoTable<T>::table;
  } else {
    return value_type<T>();
  }
}

}  // namespace RESUMABLE_JSON_ABI
}  // namespace detail
}  // namespace v0
}  // namespace resumable
