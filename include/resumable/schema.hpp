/// @file
/// Versions of a type's JSON, and migrations from one to the next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <nlohmann/json_fwd.hpp>

namespace resumable {
inline namespace v0 {

/// The document that a migration changes; include "resumable/codec.hpp" to use it.
using Json = nlohmann::json;

/// Turns a document of one schema version into one of the next version.
using Migration = void (*)(Json& document);

/// The version that a chain of migrations starts from, if earlier migrations were dropped.
struct oldest {  // NOLINT(readability-identifier-naming): reads as a named argument
  consteval explicit oldest(std::uint32_t first) : version(first) {
    if (first == 0) throw "schema versions start at 1";
  }
  std::uint32_t version;
};

/// The chain of migrations of a type. Each leads from one version to the next, so gaps, cycles and
/// two ways to one version cannot be written:
///
///     constexpr rs::Migrations three{add_sources, rename_hits};     // 1 -> 2 -> 3
///     constexpr rs::Migrations five{rs::oldest(4), split_name};     // 4 -> 5
///
/// Use named static functions: a lambda in a header has a different type in each translation unit.
template <std::size_t N>
class Migrations {
 public:
  constexpr Migrations() requires(N == 0) = default;
  template <class... F>
    requires(sizeof...(F) == N && N > 0)
  constexpr explicit(false) Migrations(F... steps) : steps_{checked(steps)...} {}
  template <class... F>
    requires(sizeof...(F) == N)
  constexpr explicit(false) Migrations(resumable::oldest first, F... steps)
      : oldest_(first.version), steps_{checked(steps)...} {}

  /// The earliest version that can still be read.
  [[nodiscard]] constexpr std::uint32_t oldest() const { return oldest_; }
  /// The version that is written.
  [[nodiscard]] constexpr std::uint32_t newest() const {
    return oldest_ + static_cast<std::uint32_t>(N);
  }
  /// The step from `version` to the next one. @pre oldest() <= version < newest()
  [[nodiscard]] constexpr Migration from(std::uint32_t version) const {
    return steps_[version - oldest_];
  }

 private:
  template <class F>
  static constexpr Migration checked(F step) {
    static_assert(std::is_convertible_v<F, Migration>,
                  "resumable: a migration is a function void(Json& document)");
    if constexpr (std::is_convertible_v<F, Migration>)
      return step;
    else
      return nullptr;
  }

  std::uint32_t oldest_ = 1;
  std::array<Migration, N> steps_{};
};

template <class... F>
Migrations(F...) -> Migrations<sizeof...(F)>;
template <class... F>
Migrations(oldest, F...) -> Migrations<sizeof...(F)>;

/// The schema of T's JSON. Specialise it when the JSON of T changes:
///
///     template <> struct resumable::Schema<Research> {
///       static constexpr std::string_view name = "memo.research";
///       static void add_sources(Json& doc) { doc["sources"] = Json::array(); }
///       static constexpr Migrations migrations{add_sources};
///     };
///
/// A migration gets a document of its own version and nothing else; the stored bytes stay as they
/// are until the value is next committed. If it throws, or the final document is not exactly a T,
/// that is Error{Errc::not_decodable}.
///
/// Each value of T is migrated by itself, wherever it is: as the value of a stage, or as a member
/// or element of another value, at any depth. So a migration changes its own type's members only,
/// and leaves values of other types with a Schema, and values of its own type inside its document,
/// as they are. Records know a type by `name`, so do not change it; without a name they use the
/// name of the C++ type.
///
/// Specialise Schema in the header that defines T, before any function that reads or writes JSON of
/// a T: where it is not visible, values of T inside others are not migrated. T has to_json and
/// from_json functions; a specialisation of nlohmann::adl_serializer for it does not compile.
///
/// Records of library versions that did not list the types inside a value are refused with
/// Errc::no_migration if T has more than one version. If you know which version they hold, say so:
/// `static constexpr std::uint32_t unrecorded = 1;`
template <class T>
struct Schema {
  static constexpr std::string_view name = "";
  static constexpr Migrations<0> migrations{};
};

/// The version that is written for T: one more than its migrations, unless oldest() says otherwise.
template <class T>
inline constexpr std::uint32_t schema_version_v = Schema<T>::migrations.newest();

}  // namespace v0
}  // namespace resumable

#include "resumable/detail/nested_schemas.hpp"  // IWYU pragma: export
