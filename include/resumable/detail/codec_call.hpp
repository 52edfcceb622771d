/// @file
/// What the compiled library knows of a type's schema, and of the call of a codec that a thread is
/// in. See nested_schemas.hpp.
/// No promises: this header may change in any version.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "resumable/detail/value_traits.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

template <class T>
struct Schema;

namespace detail {

/// The versions of a type that can be read.
struct SchemaRange {
  std::string_view name;
  std::uint32_t oldest = 1;
  std::uint32_t newest = 1;
  std::uint32_t unrecorded = 0;  ///< inside records that list no versions; 0: not known
  const std::type_info& (*type)() = nullptr;  ///< of the C++ type, which may be incomplete
};

template <class T>
[[nodiscard]] const std::type_info& type_info_of() {
  return typeid(T);
}

template <class T>
consteval SchemaRange schema_range_of() {
  SchemaRange range;
  if constexpr (requires { Schema<T>::name; }) range.name = Schema<T>::name;
  if constexpr (requires { Schema<T>::migrations; }) {
    range.oldest = Schema<T>::migrations.oldest();
    range.newest = Schema<T>::migrations.newest();
  }
  if constexpr (requires { Schema<T>::unrecorded; }) range.unrecorded = Schema<T>::unrecorded;
  range.type = &type_info_of<T>;
  return range;
}

template <class T>
inline constexpr SchemaRange schema_range = schema_range_of<T>();

/// Its values can have another version than 1, or have a name at least.
template <class T>
inline constexpr bool has_schema = !schema_range<T>.name.empty() || schema_range<T>.newest != 1;

/// A type whose values the specialisation below sees. Those of json_types.hpp have their own.
template <class T>
concept Versioned = std::is_class_v<T> && has_schema<T> && !Optional<T> && !Variant<T> &&
                    !Duration<T> && !TimePoint<T>;

/// What a record says about the schemas of its value.
struct SavedAs {
  /// Versions inside the value: those that this program writes.
  static constexpr std::string_view now = "=";
  /// Not implicit conversions by accident: a version alone means bytes that this program wrote.
  SavedAs(std::uint32_t schema_version,  // NOLINT(google-explicit-constructor)
          std::string schemas_inside = std::string(now))
      : version(schema_version), inside(std::move(schemas_inside)) {}
  std::uint32_t version;  ///< of the value itself; 0: it is listed in `inside`, as part of another
  /// As in the header of a record; empty if it was written before versions were listed.
  std::string inside;
};

/// The types with a Schema that values of one type were found to hold. Thread-safe.
class RESUMABLE_EXPORT SchemaNotes {
 public:
  SchemaNotes();
  ~SchemaNotes();
  SchemaNotes(const SchemaNotes&) = delete;
  SchemaNotes& operator=(const SchemaNotes&) = delete;
  /// @throws Error{Errc::not_encodable}  another type has the same name and another version
  void note(const SchemaRange& range);
  [[nodiscard]] std::vector<SchemaRange> all() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// One call of a type's codec in this thread. They nest.
class RESUMABLE_EXPORT CodecCall {
 public:
  /// Encodes a value of type `root`, or asks a new one for what it can hold (`probes`).
  CodecCall(SchemaNotes& notes, const SchemaRange& root, bool probes = false);
  /// Decodes one.
  CodecCall(const SavedAs& saved, const SchemaRange& root);
  ~CodecCall();
  CodecCall(const CodecCall&) = delete;
  CodecCall& operator=(const CodecCall&) = delete;
  /// nullptr outside of such calls.
  [[nodiscard]] static CodecCall* current() noexcept;

  [[nodiscard]] bool probes() const noexcept;
  /// A value of this type is written. @throws as SchemaNotes::note()
  void note(const SchemaRange& range);
  /// The version of the whole value.
  /// @throws Error{Errc::newer}, Error{Errc::no_migration}  it is part of another, and listed there
  [[nodiscard]] std::uint32_t root_version();
  /// The version of the value of this type that is now read. @throws as root_version()
  [[nodiscard]] std::uint32_t version(const SchemaRange& range);
  /// While it lives, keep() is about one document, whose parts have addresses of their own.
  class RESUMABLE_EXPORT OneDocument {
   public:
    OneDocument();
    ~OneDocument();
    OneDocument(const OneDocument&) = delete;
    OneDocument& operator=(const OneDocument&) = delete;

   private:
    std::map<const void*, std::shared_ptr<const void>> outer_;
  };
  /// The document that stood at `place` is now this one.
  void keep(const void* place, std::shared_ptr<const void> document);
  /// What keep() was given for `place`, or nullptr.
  [[nodiscard]] const void* kept(const void* place) const noexcept;
  [[nodiscard]] bool has_migrated() const noexcept;
  /// Once the value is decoded. @throws Error{Errc::newer}  it holds a type that this program does
  /// not know, in a later version than the first
  void finish() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Makes the schema known to the process. Returns true.
RESUMABLE_EXPORT bool know_schema(const SchemaRange& range);

template <class T>
inline const bool schema_is_known = know_schema(schema_range<T>);

}  // namespace detail
}  // namespace v0
}  // namespace resumable

#include "resumable/schema.hpp"  // IWYU pragma: keep
