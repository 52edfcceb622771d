/// @file
/// All records of a run, read without a pipeline and verified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record_format.hpp"
#include "record/small_records.hpp"
#include "resumable/manage.hpp"
#include "resumable/store.hpp"

namespace resumable::manage {

/// A record whose tag and header are as they were written.
struct Whole {
  std::string path;
  std::uint64_t generation = 0;
  Tag tag;
  core::Head head;
  std::string text;  ///< the header's line
  core::Header header;
};

/// In the order of paths, then of generations.
struct RunRecords {
  std::string uid;
  std::string pipeline;
  std::vector<Whole> whole;
  std::size_t count = 0;  ///< of the whole ones
  std::vector<RecordProblem> problems;
  std::size_t set_aside = 0;
  std::uint64_t bytes = 0;  ///< of the whole ones' payloads
  /// With Payloads::prove_and_drop, by path: the last export of those whose headers are whole.
  std::map<std::string, core::Export> exports;

  [[nodiscard]] std::uint64_t highest_fence() const;
  [[nodiscard]] const Whole* find(std::string_view path, std::uint64_t generation) const;
  /// The whole ones of a path.
  [[nodiscard]] std::span<const Whole> all(std::string_view path) const;
  /// The newest whole one of a path, or nullptr.
  [[nodiscard]] const Whole* current(std::string_view path) const;
};

enum class Payloads : std::uint8_t {
  leave,  ///< only tags and headers are proved
  prove,
  prove_and_drop,  ///< RunRecords::whole stays empty: a run may have a million records
};

/// @throws Error{Errc::unknown_run}, Error{Errc::unreadable}, Error{Errc::cancelled}
[[nodiscard]] RunRecords read_run(const CheckpointStore& store, std::string_view run,
                                  Payloads payloads, const Wait& wait = {});

/// What the run's own record says; nullopt when there is none.
/// @throws as CheckpointStore::get()
[[nodiscard]] std::optional<record::RunRecord> run_record(const CheckpointStore& store,
                                                          std::string_view run,
                                                          const RunRecords& records);

/// Whether the store has this run, with or without records.
[[nodiscard]] bool exists(const CheckpointStore& store, std::string_view run);

/// @throws Error{Errc::damaged} and so on: the first problem, and how many there are
void refuse_problems(std::string_view run, const RunRecords& records);

}  // namespace resumable::manage
