/// @file
/// Every file name of the file store. docs/format.md draws the folders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/key.hpp"
#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable::store {

namespace names {
inline const std::string own{core::own_folder};
inline const std::string removing = ".resumable.removing";  ///< `own`, once its run is removed
inline const std::string layout = "store.json";
inline const std::string owner = "owner";
inline const std::string manifest = "run.json";
inline const std::string checkpoints = "checkpoints";
inline const std::string journal = "journal";  ///< of a journal store, in its place
inline const std::string quarantine = "quarantine";
inline const std::string temporary = "tmp";
inline const std::string cache_run = "@cache";  ///< the cache's entries, of all runs
inline const std::string batch = "@batch";      ///< below checkpoints; no record's path
}  // namespace names

/// Of a record's path: `@step/stage/item/name` has four.
inline constexpr std::size_t max_components = 5;

/// Whether `path` may name a record: 1 to max_components of [A-Za-z0-9._%@~-], each of 1 to 220
/// bytes, not "." or "..". All but the last do not end in ".ckpt", and none of it is `@batch`.
[[nodiscard]] bool is_record_path(std::string_view path) noexcept;

/// A file below `checkpoints/` or `quarantine/`.
struct Place {
  std::string folder;  ///< "" or "draft" or "@attempt/draft"
  std::string name;    ///< "team.2.ckpt"

  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + '/' + name; }
};

[[nodiscard]] Place place_of(RecordId id);

struct RecordName {
  std::string_view leaf;
  std::uint64_t generation;
};
/// nullopt for a name that place_of() never gives.
[[nodiscard]] std::optional<RecordName> parse_record_name(std::string_view name);

/// The file of the nth batch under a lease: no two leases have one fence.
[[nodiscard]] std::string batch_name(std::uint64_t fence, std::uint64_t n);
[[nodiscard]] bool is_batch_name(std::string_view name);

/// The name of a damaged record of a batch, whose own name is unknown: the batch's file and, as
/// generation, its number in it.
[[nodiscard]] std::string nameless_path(std::string_view batch_name);
/// The batch's file of such a path; nullopt for any other.
[[nodiscard]] RESUMABLE_EXPORT std::optional<std::string> batch_of_nameless(std::string_view path);

[[nodiscard]] std::string temporary_name(std::string_view random);
[[nodiscard]] bool is_temporary_name(std::string_view name);

}  // namespace resumable::store
