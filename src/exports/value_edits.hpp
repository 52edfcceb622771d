/// @file
/// Turns an edit into a value: reads what a user wrote, merges it, and drafts the record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "exports/ledger.hpp"
#include "exports/publisher.hpp"
#include "record/draft.hpp"
#include "record/run_facts.hpp"

namespace resumable::exports {

/// The order of an export whose record is only proposed: it gets one when it is committed.
inline constexpr std::uint64_t newest_order = UINT64_MAX;

/// The newest record of a stage or item, and its value.
struct Current {
  Subject subject;
  core::Key key;
  record::Succession next;
  core::Header header;
  std::string bytes;  ///< of the value, as the type encodes it now
  detail::AnyValue value;
  bool merged = false;  ///< with a value newer than the one that was edited
  std::vector<core::Collision> collisions;
};

/// Records that adopt or discard edits. They are committed together.
struct Proposal {
  struct Value {
    Subject subject;
    record::Draft draft;
  };
  struct AppendedFile {
    std::string path;
    AppendedSoFar known;
  };
  std::uint32_t node = 0;
  std::vector<Value> values;
  std::vector<std::string> copies;  ///< paths whose bytes are kept in .resumable/removed first
  std::optional<AppendedFile> appended;
};

/// What a user wrote in a file, or in a part of one.
struct Written {
  const detail::Artifact& artifact;
  std::string text;
  std::string file;                   ///< in full
  std::optional<std::string> base{};  ///< the value whose text it was; nullopt: the current one
  std::string place{};                ///< whose part of the file it is, for messages, or empty
};

/// Writes nothing.
class ValueEdits {
 public:
  /// All must outlive it.
  ValueEdits(const detail::Graph& graph, record::RunFacts& facts, const ExportLedger& ledger,
             std::string user)
      : graph_(graph), facts_(facts), ledger_(ledger), user_(std::move(user)) {}

  /// nullopt: it has no whole record that this program can read; planning says so.
  [[nodiscard]] std::optional<Current> current(const Subject& subject) const;
  /// A value in an older record, as the type encodes it now.
  [[nodiscard]] std::string bytes_of(const Current& current, const plan::Row& row) const;

  /// Reads the text into `current`, and adds what it changes; false when it cannot be a value,
  /// with one cause that says why.
  bool take(Current& current, const Written& written, std::vector<Cause>& causes) const;

  /// The same record as the next generation, without its exports' confirmations.
  [[nodiscard]] record::Draft same_draft(const Current& current) const;
  /// The record of the value as it is now.
  [[nodiscard]] record::Draft edited_draft(const Current& current, bool changed) const;
  /// What the file of a value will be, if it is not as the user left it.
  [[nodiscard]] core::Export export_of(const core::Export& former, const detail::Artifact& artifact,
                                       const detail::ValueType& type, const void* value) const;

 private:
  const detail::Graph& graph_;
  record::RunFacts& facts_;
  const ExportLedger& ledger_;
  std::string user_;
};

}  // namespace resumable::exports
