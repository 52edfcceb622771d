/// @file
/// Between nlohmann's documents and the library's text; included by codec.hpp and src/core alone.
/// Everything here is inline: no type of nlohmann's crosses the library's boundary.
/// No promises: this header may change in any version.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "resumable/detail/codec_errors.hpp"
#include "resumable/detail/json_abi.hpp"
#include "resumable/detail/json_place.hpp"
#include "resumable/detail/json_text.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/detail/value_traits.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/schema.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
inline namespace RESUMABLE_JSON_ABI {

/// Empties a document, so that destroying it takes no memory: nlohmann's destructor allocates for
/// the members, and ends the process when it cannot. Very deep members are left to it.
inline void take_apart(Json& document, int depth = 0) noexcept {
  constexpr int deepest = 100;
  if (!document.is_structured() || depth > deepest) return;
  for (Json& member : document) take_apart(member, depth + 1);
  document.clear();
}

/// Takes a document apart before it is destroyed.
class TakenApart {
 public:
  explicit TakenApart(Json& document) noexcept : document_(document) {}
  ~TakenApart() { take_apart(document_); }
  TakenApart(const TakenApart&) = delete;
  TakenApart& operator=(const TakenApart&) = delete;

 private:
  Json& document_;
};

/// Builds a document from what a reader finds, without recursion.
class JsonBuilder final : public JsonSink {
 public:
  JsonBuilder() = default;
  ~JsonBuilder() override { take_apart(root_); }
  JsonBuilder(const JsonBuilder&) = delete;
  JsonBuilder& operator=(const JsonBuilder&) = delete;
  void null() override { add(nullptr); }
  void boolean(bool value) override { add(value); }
  void integer(std::int64_t value) override { add(value); }
  void natural(std::uint64_t value) override { add(value); }
  void real(double value) override { add(value); }
  void string(std::string_view value) override { add(std::string(value)); }
  void begin_array() override { open_.push_back(&add(Json::value_t::array)); }
  void end_array() override { open_.pop_back(); }
  void begin_object() override { open_.push_back(&add(Json::value_t::object)); }
  void end_object() override { open_.pop_back(); }
  bool key(std::string_view name) override {
    const auto [place, is_new] = open_.back()->emplace(std::string(name), nullptr);
    member_ = &*place;
    return is_new;
  }
  [[nodiscard]] Json take() { return std::move(root_); }

 private:
  template <class V>
  Json& add(V&& value) {
    Json& place = open_.empty() ? root_ : open_.back()->is_array() ? append() : *member_;
    place = Json(std::forward<V>(value));
    return place;
  }
  Json& append() { return open_.back()->emplace_back(); }

  Json root_;
  Json* member_ = nullptr;
  std::vector<Json*> open_;
};

[[nodiscard]] inline Json parse_json(std::string_view text) {
  JsonBuilder builder;
  read_json(text, builder);
  return builder.take();
}

/// Passes the content of `document` to `sink`, with the parts that `call` has migrated. The sink
/// refuses too deep nesting, which bounds the recursion.
inline void write_json(const Json& document, JsonWriter& sink, const CodecCall* call = nullptr) {
  if (const void* part = call == nullptr ? nullptr : call->kept(&document)) {
    return write_json(*static_cast<const Json*>(part), sink, call);
  }
  switch (document.type()) {
    case Json::value_t::null: return sink.null();
    case Json::value_t::boolean: return sink.boolean(document.get_ref<const bool&>());
    case Json::value_t::number_integer:
      return sink.integer(document.get_ref<const std::int64_t&>());
    case Json::value_t::number_unsigned:
      return sink.natural(document.get_ref<const std::uint64_t&>());
    case Json::value_t::number_float: return sink.real(document.get_ref<const double&>());
    case Json::value_t::string: return sink.string(document.get_ref<const std::string&>());
    case Json::value_t::array:
      sink.begin_array();
      for (const Json& element : document) write_json(element, sink, call);
      return sink.end_array();
    case Json::value_t::object:
      sink.begin_object();
      for (const auto& [name, member] : document.get_ref<const Json::object_t&>()) {
        sink.key(name);
        write_json(member, sink, call);
      }
      return sink.end_object();
    case Json::value_t::binary:
      sink.refuse("JSON has no binary values", "use resumable::Bytes, or save them as text");
    case Json::value_t::discarded: break;
  }
  sink.refuse("a document that nlohmann could not parse");
}

[[nodiscard]] inline std::string json_text(const Json& document, const CodecCall* call = nullptr) {
  JsonWriter writer;
  write_json(document, writer, call);
  return writer.take();
}

/// Neither nlohmann nor a function of the program, found by ADL, has a JSON form for it.
template <class T>
concept LacksJson = !requires(Json & json, const T& value) {
  ::nlohmann::to_json(json, value);
};

/// json_types.hpp has serialisers for these. They are constrained more, so that they win.
template <class T>
concept InJsonTypes = Optional<T> || Duration<T> || TimePoint<T> || Variant<T>;

template <class T>
concept NoMember = InJsonTypes<T> || Pointer<T>;

/// codec.hpp has a serialiser for it that refuses it, in one sentence.
template <class T>
concept MissingSerialiser = requires {
  typename ::nlohmann::adl_serializer<T, void>::resumable_has_none;
};

/// Has JSON both ways. Another basic_json would lose its order or its kinds of numbers.
template <class T>
concept JsonValue = std::is_same_v<T, Json> ||(
    !requires { typename T::json_sax_t; } && !MissingSerialiser<T> &&
    std::is_constructible_v<Json, const T&> &&
    requires(const Json& json) {
      { json.template get<T>() } -> std::same_as<T>;
    });

template <class T>
inline constexpr bool needs_json_types = InJsonTypes<T> && !JsonValue<T>;

/// The document of `value`; a const Json& is not copied.
template <class T>
[[nodiscard]] decltype(auto) to_document(const T& value) {
  if constexpr (std::is_same_v<T, Json>) {
    return (value);
  } else {
    try {
      return Json(value);
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      refuse_codec(Errc::not_encodable, caught_text());
    }
  }
}

/// A std::string is not turned into a document first, because texts can be large.
template <class T>
[[nodiscard]] std::string encode_json(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    JsonWriter writer;
    writer.string(value);
    return writer.take();
  } else if constexpr (std::is_same_v<T, Json>) {
    return json_text(value);
  } else {
    Json document = to_document(value);
    const TakenApart at_end{document};
    return json_text(document);
  }
}

template <class T>
[[nodiscard]] std::string json_shape();  // json_shape.hpp

template <class T>
[[nodiscard]] T from_document(const Json& document, std::string_view text) {
  try {
    return document.template get<T>();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    refuse_decode(caught_text(), text, json_shape<T>(),
                  FailingElement(document, &fits_type<T>).find());
  }
}

/// Decodes a document of the newest version and checks that nothing was lost.
template <class T>
[[nodiscard]] T decode_document(Json& document, std::string_view text) {
  if constexpr (std::is_same_v<T, Json>) {
    return std::move(document);
  } else {
    if constexpr (std::is_same_v<T, std::string>) {
      if (document.is_string()) return std::move(document.get_ref<std::string&>());
    }
    const CodecCall::OneDocument scope;
    T value = from_document<T>(document, text);
    const std::string again = encode_json(value);
    const CodecCall* call = CodecCall::current();
    if (call != nullptr && call->has_migrated()) {
      require_same_json(json_text(document, call), again);
    } else if (again != text) {
      require_same_json(text, again);
    }
    return value;
  }
}

/// @pre `version` is in schema_range<T>
template <class T>
[[nodiscard]] T decode_json(std::string_view text, std::uint32_t version) {
  Json document = parse_json(text);
  const TakenApart at_end{document};
  if (version == schema_range<T>.newest) return decode_document<T>(document, text);
  migrate<T>(document, version);
  try {
    return decode_document<T>(document, json_text(document));
  } catch (const Error& error) {
    refuse_migrated(schema_range<T>, version, error);
  }
}

/// The default codec.
template <class T>
struct JsonCodec {
  static constexpr CodecId id = CodecId::json;
  [[nodiscard]] static std::string encode(const T& value) { return encode_json(value); }
  [[nodiscard]] static T decode(std::string_view bytes) {
    return decode_json<T>(bytes, schema_range<T>.newest);
  }
};

/// JSON in another form.
template <class T, CodecId Form>
struct PackedCodec : JsonCodec<T> {
  static constexpr CodecId id = Form;
  [[nodiscard]] static std::string encode(const T& value) {
    return pack_json(Form, encode_json(value));
  }
  [[nodiscard]] static T decode(std::string_view bytes) {
    return JsonCodec<T>::decode(unpack_json(Form, bytes));
  }
};

}  // namespace RESUMABLE_JSON_ABI
}  // namespace detail
}  // namespace v0
}  // namespace resumable
