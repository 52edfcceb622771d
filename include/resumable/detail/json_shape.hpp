/// @file
/// The shape of a type's JSON: its fields and their kinds. It shows whether a type has changed
/// since a checkpoint was made. Included only by codec.hpp. No promises: this header may change in
/// any version.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "resumable/detail/json_abi.hpp"
#include "resumable/detail/json_codec.hpp"
#include "resumable/detail/json_text.hpp"
#include "resumable/detail/value_traits.hpp"
#include "resumable/schema.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
inline namespace RESUMABLE_JSON_ABI {

/// Writes the kind of each value in place of the value. Arrays are written as `[]`, as a member's
/// initial elements say nothing about its type. The writer bounds the recursion.
inline void write_shape_of(const Json& document, JsonWriter& out) {
  if (document.is_object()) {
    out.begin_object();
    for (const auto& [name, member] : document.get_ref<const Json::object_t&>()) {
      out.key(name);
      write_shape_of(member, out);
    }
    out.end_object();
  } else if (document.is_array()) {
    out.begin_array();
    out.end_array();
  } else if (document.is_number()) {
    out.string(document.is_number_float() ? "number" : "integer");
  } else {
    out.string(document.type_name());
  }
}

/// Json may be of any shape; elements may lack JSON of their own when their container has its own.
template <class T>
inline constexpr bool has_shape =
    !std::is_same_v<T, Json> && std::is_default_constructible_v<T> && JsonValue<T>;

template <class T>
void write_shape(JsonWriter& out);

template <class T, std::size_t... I>
void write_tuple_shape(JsonWriter& out, std::index_sequence<I...>) {
  out.begin_array();
  (write_shape<std::remove_const_t<std::tuple_element_t<I, T>>>(out), ...);
  out.end_array();
}

template <class T>
concept OtherElement = Container<T> && !std::is_same_v<typename T::value_type, T>;

/// The shape of a container by its element's type, as a new container has no elements.
/// Returns false when `fresh` does not look as nlohmann writes such a container.
template <class T>
bool write_container_shape(const Json& fresh, JsonWriter& out) {
  if constexpr (StringMap<T>) {
    if (!fresh.is_object()) return false;
    out.begin_object();
    out.key("*");
    write_shape<typename T::mapped_type>(out);
    out.end_object();
    return true;
  } else if constexpr (OtherElement<T>) {
    if (!fresh.is_array()) return false;
    out.begin_array();
    write_shape<typename T::value_type>(out);
    out.end_array();
    return true;
  } else if constexpr (TupleLike<T>) {
    if (!fresh.is_array()) return false;
    write_tuple_shape<T>(out, std::make_index_sequence<std::tuple_size_v<T>>{});
    return true;
  } else {
    return false;
  }
}

template <class T>
void write_shape(JsonWriter& out) {
  if constexpr (!has_shape<T>) {
    out.string("any");
  } else if constexpr (Variant<T>) {
    out.string("any");
    probe<T, Json>();
  } else if constexpr (Optional<T>) {
    write_shape<typename OptionalValue<T>::type>(out);
  } else {
    const Json fresh(to_document(T()));
    if (!write_container_shape<T>(fresh, out)) write_shape_of(fresh, out);
  }
}

/// JSON text, or "" when T has no shape: its new value throws or cannot be saved.
template <class T>
std::string json_shape() {
  if constexpr (!has_shape<T>) {
    return {};
  } else {
    try {
      JsonWriter out;
      write_shape<T>(out);
      return out.take();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      return {};
    }
  }
}

/// Cannot hold a value of another type that has JSON.
template <class T>
consteval bool is_leaf() {
  if constexpr (!std::is_class_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Json>) {
    return true;
  } else if constexpr (OtherElement<T>) {
    return is_leaf<typename T::value_type>();
  } else {
    return false;
  }
}

/// The types that values of T were found to hold, in this process.
template <class T>
[[nodiscard]] SchemaNotes& notes_of() {
  static SchemaNotes notes;
  return notes;
}

template <class T, bool OwnCodec>
[[nodiscard]] TypeShape type_shape() {
  TypeShape shape;
  if constexpr (is_leaf<T>()) {
    if constexpr (!OwnCodec) shape.fields = json_shape<T>();
  } else {
    shape.holds_others = true;
    if constexpr (!OwnCodec) {
      SchemaNotes seen;
      CodecCall probing{seen, schema_range<T>, true};
      shape.fields = json_shape<T>();
      if constexpr (!Versioned<T>) note_held<T>(probing);
      shape.schemas = seen.all();
    }
    for (const SchemaRange& one : notes_of<T>().all()) {
      bool shown = false;
      for (const SchemaRange& other : shape.schemas) shown = shown || other.type() == one.type();
      if (!shown) shape.found.push_back(one);
    }
  }
  return shape;
}

}  // namespace RESUMABLE_JSON_ABI
}  // namespace detail
}  // namespace v0
}  // namespace resumable
