/// @file
/// The records of a run as they can be read without its pipeline: what the inspector shows.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/cost.hpp"
#include "resumable/export.hpp"
#include "resumable/manage.hpp"
#include "resumable/store.hpp"

namespace resumable::survey {

/// One record. What comes from its header is empty where that was not read, or is damaged.
struct RecordView {
  std::string path{};
  std::uint64_t generation = 0;
  Damage damage = Damage::none;
  bool quarantined = false;
  bool current = false;  ///< the newest whole one of its path
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;

  // From its tag, unproved.
  std::string kind{};   ///< `value`, `step`, …
  std::string codec{};  ///< `json`, `text`, …; `codec 64` for a program's own
  std::uint32_t schema = 0;
  std::uint32_t revision = 0;
  std::uint64_t fence = 0;
  std::string identity{};
  std::string fingerprint{};
  bool edited = false;    ///< a user's edit is in it
  bool disputed = false;  ///< that edit and a new value of the stage collide
  bool dropped = false;   ///< the value was dropped after use

  // From its header.
  std::string key{};  ///< in full; the path where it is not known
  std::string at{};   ///< UTC
  double seconds = 0;
  unsigned attempts = 0;
  Cost cost{};
  std::vector<std::pair<std::string, std::string>> inputs{};  ///< name, identity
  std::vector<std::string> exports{};                         ///< paths below the run's folder
  std::uint64_t export_order = 0;  ///< of the last of them: the record with the highest owns a path
  std::uint64_t from_generation = 0;      ///< a roll-back's: whose value; else 0
  std::string dropped_at{};               ///< UTC: when the value was dropped after use, or empty
  std::string edited_by{};                ///< who made the edit, where known
  std::vector<std::string> collisions{};  ///< of a disputed value: where

  [[nodiscard]] bool is_whole() const noexcept { return damage == Damage::none && !quarantined; }
};

enum class Depth : std::uint8_t {
  heads,    ///< what a scan of the tags shows: no other call to the store
  headers,  ///< and the headers, in the same scan
};

/// All records whose paths begin with `prefix`, by path and generation. @throws Error as scan()
[[nodiscard]] RESUMABLE_EXPORT std::vector<RecordView> records(const CheckpointStore& store,
                                                               std::string_view run, Depth depth,
                                                               std::string_view prefix = {});

/// The newest whole record of exactly this path, with what its header says. @throws Error as scan()
[[nodiscard]] RESUMABLE_EXPORT std::optional<RecordView> current(const CheckpointStore& store,
                                                                 std::string_view run,
                                                                 std::string_view path);

/// The path that a selector names: `draft`, `draft/team`, `@input/company`, or a path as it is.
[[nodiscard]] RESUMABLE_EXPORT std::string path_of(std::string_view selector);
/// The same in this run, which may have recorded a stage or input under a former name.
[[nodiscard]] RESUMABLE_EXPORT std::string path_of(const CheckpointStore& store,
                                                   std::string_view run, std::string_view selector);

/// A record with its value.
struct Content {
  RecordView record{};
  std::string header{};  ///< the line of JSON as it is stored
  std::shared_ptr<const Payload> payload{};
  bool proved = false;  ///< header and payload are what was written, for this place
};

/// nullopt when there is no such record. @throws Error as CheckpointStore::get()
[[nodiscard]] RESUMABLE_EXPORT std::optional<Content> content(const CheckpointStore& store,
                                                              std::string_view run,
                                                              const RecordView& record);

/// Sets damaged records aside, under the run's lease: the next resume() makes them again, or uses
/// the previous generation. Returns where they are now.
/// @throws Error as CheckpointStore::lease(), Lease::quarantine()
[[nodiscard]] RESUMABLE_EXPORT std::vector<std::string> set_aside(
    CheckpointStore& store, std::string_view run, const std::vector<RecordProblem>& damaged,
    std::chrono::milliseconds wait = {});

}  // namespace resumable::survey
