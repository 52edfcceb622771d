/// @file
/// How the schema versions of values that are inside others are kept and migrated.
///
/// A program's types write and read their JSON through nlohmann::adl_serializer, whichever function
/// of the program calls for it. The specialisation below stands there for every type with a Schema.
/// While a value is encoded, it notes the type, and the record lists what was noted, with versions.
/// While a value is decoded, it looks up the version that the record lists, and migrates the
/// document of that one value. So it does not matter how deep a value is inside others.
///
/// Included by schema.hpp, so that it is known wherever a Schema is.
/// No promises: this header may change in any version.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <nlohmann/json_fwd.hpp>

#include "resumable/detail/codec_call.hpp"
#include "resumable/detail/value_traits.hpp"
#include "resumable/export.hpp"
#include "resumable/schema.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

/// Throws for the migration `from` -> `from` + 1, which threw the exception that is being handled.
[[noreturn]] RESUMABLE_EXPORT void refuse_migration(const SchemaRange& range, std::uint32_t from);
/// Throws for a document of another kind than Json, which migrations cannot change.
[[noreturn]] RESUMABLE_EXPORT void refuse_other_json(const SchemaRange& range);
/// Throws for a value inside another that was migrated from version `from` and cannot be read: the
/// exception that is being handled says why.
[[noreturn]] RESUMABLE_EXPORT void refuse_migrated_part(const SchemaRange& range,
                                                        std::uint32_t from);

/// Brings `document` from `version` to the newest one.
template <class T, class J>
void migrate(J& document, std::uint32_t version) {
  for (std::uint32_t from = version; from < schema_range<T>.newest; ++from) {
    try {
      Schema<T>::migrations.from(from)(document);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      refuse_migration(schema_range<T>, from);
    }
  }
}

template <class T>
void note_written() {
  static_cast<void>(schema_is_known<T>);
  if (CodecCall* call = CodecCall::current()) call->note(schema_range<T>);
}

/// Calls `read` with the document of a T that stands inside another value, migrated.
template <class T, class J, class Read>
decltype(auto) read_migrated(const J& document, const Read& read) {
  static_cast<void>(schema_is_known<T>);
  CodecCall* call = CodecCall::current();
  const std::uint32_t version =
      call == nullptr ? schema_range<T>.newest : call->version(schema_range<T>);
  if (version == schema_range<T>.newest) return read(document);
  if constexpr (!std::is_same_v<J, Json>) {
    refuse_other_json(schema_range<T>);
  } else {
    const auto migrated = std::make_shared<J>(document);
    migrate<T>(*migrated, version);
    call->keep(&document, migrated);
    try {
      return read(std::as_const(*migrated));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      refuse_migrated_part(schema_range<T>, version);
    }
  }
}

template <class T, int Depth = 0>
consteval bool can_hold_schema();
template <class T, int Depth, std::size_t... I>
consteval bool members_can_hold_schema(std::index_sequence<I...>) {
  return (false || ... ||
          can_hold_schema<std::remove_const_t<std::tuple_element_t<I, T>>, Depth>());
}

/// Whether its type alone shows that a T is, or can hold, a value with a schema.
template <class T, int Depth>
consteval bool can_hold_schema() {
  if constexpr (Depth >= 16 || !std::is_class_v<T>) {
    return false;
  } else if constexpr (Versioned<T>) {
    return true;
  } else if constexpr (Optional<T>) {
    return can_hold_schema<typename OptionalValue<T>::type, Depth + 1>();
  } else if constexpr (Variant<T>) {
    return can_hold_schema<typename Alternatives<T>::type, Depth + 1>();
  } else if constexpr (Container<T>) {
    if constexpr (std::is_same_v<typename T::value_type, T>)
      return false;
    else
      return can_hold_schema<typename T::value_type, Depth + 1>();
  } else if constexpr (TupleLike<T>) {
    return members_can_hold_schema<T, Depth + 1>(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    return false;
  }
}

template <class T>
void note_held(CodecCall& call);
template <class T, std::size_t... I>
void note_members(CodecCall& call, std::index_sequence<I...>) {
  (note_held<std::remove_const_t<std::tuple_element_t<I, T>>>(call), ...);
}

/// Notes what the type alone shows. @pre can_hold_schema<T>()
template <class T>
void note_held(CodecCall& call) {
  if constexpr (!can_hold_schema<T>()) {
    return;
  } else if constexpr (Versioned<T>) {
    static_cast<void>(schema_is_known<T>);
    call.note(schema_range<T>);
  } else if constexpr (Optional<T>) {
    note_held<typename OptionalValue<T>::type>(call);
  } else if constexpr (Variant<T>) {
    note_held<typename Alternatives<T>::type>(call);
  } else if constexpr (Container<T>) {
    note_held<typename T::value_type>(call);
  } else {
    note_members<T>(call, std::make_index_sequence<std::tuple_size_v<T>>{});
  }
}

/// While a type is asked what it can hold: a new V, which a T without a value does not show.
template <class V, class J>
void probe() {
  CodecCall* call = CodecCall::current();
  if (call == nullptr || !call->probes()) return;
  note_held<V>(*call);
  if constexpr (std::is_class_v<V> && std::is_default_constructible_v<V> &&
                std::is_constructible_v<J, V>) {
    try {
      static_cast<void>(J(V()));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {  // then it shows nothing
    }
  }
}

/// A container, pair or tuple that can hold a type with a schema. It is noted although it is empty.
template <class T>
concept HoldsVersioned = std::is_class_v<T> && !Versioned<T> && !Optional<T> && !Variant<T> &&
                         !Pointer<T> && (Container<T> || TupleLike<T>)&&can_hold_schema<T>();

/// Names nlohmann's own adl_serializer where another specialisation stands for T.
struct OwnSerialiser {};

}  // namespace detail
}  // namespace v0
}  // namespace resumable

/// @cond
// A program's own specialisation for one type is more specialised, and is taken; value_type<T>()
// refuses it for a type with migrations.
template <class T>
  requires resumable::detail::Versioned<T>
struct nlohmann::adl_serializer<T, void> {
  using resumable_reads_schema = void;
  using Own = adl_serializer<T, resumable::detail::OwnSerialiser>;

  template <class J, class U = T>
  static auto to_json(J& json, U&& value)
      -> decltype(Own::to_json(json, std::forward<U>(value)), void()) {
    resumable::detail::note_written<T>();
    Own::to_json(json, std::forward<U>(value));
  }
  template <class J, class U = T>
  static auto from_json(J&& json, U& value)
      -> decltype(Own::from_json(std::forward<J>(json), value), void()) {
    resumable::detail::read_migrated<T>(
        std::as_const(json), [&](const auto& document) { Own::from_json(document, value); });
  }
  template <class J>
  static auto from_json(J&& json) -> decltype(Own::from_json(std::forward<J>(json))) {
    return resumable::detail::read_migrated<T>(
        std::as_const(json), [](const auto& document) { return Own::from_json(document); });
  }
};

template <class T>
  requires resumable::detail::HoldsVersioned<T>
struct nlohmann::adl_serializer<T, void>
    : nlohmann::adl_serializer<T, resumable::detail::OwnSerialiser> {
  using Own = adl_serializer<T, resumable::detail::OwnSerialiser>;

  template <class J, class U = T>
  static auto to_json(J& json, U&& value)
      -> decltype(Own::to_json(json, std::forward<U>(value)), void()) {
    auto* call = resumable::detail::CodecCall::current();
    if (call != nullptr && call->probes()) resumable::detail::note_held<T>(*call);
    Own::to_json(json, std::forward<U>(value));
  }
};
/// @endcond
