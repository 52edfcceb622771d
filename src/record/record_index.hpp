/// @file
/// The records of one run, with their headers and payloads.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/key.hpp"
#include "plan/facts.hpp"
#include "record/origin.hpp"
#include "record/record_table.hpp"
#include "record/recorder.hpp"
#include "record/suspects.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/store.hpp"

namespace resumable::record {

/// A record that existed when the run was scanned and no longer does: its owner superseded it.
struct VanishedRecord {};

/// Calls work(last), and repeats it as long as it finds a record that its owner superseded
/// meanwhile. In the last attempt a record that is gone is damage, so this ends.
template <class Work>
auto look_until_found(Work work) {
  constexpr int looks = 100;
  for (int look = 1;; ++look) {
    try {
      return work(look == looks);
    } catch (const VanishedRecord&) {
      continue;
    }
  }
}

/// A payload, and what its header says of it.
struct Saved {
  std::shared_ptr<const Payload> payload;
  std::string schemas;       ///< of types inside the value
  std::uint64_t passes = 0;  ///< of a loop, before it was saved
  double seconds = 0;
  Cost cost{};
};

/// The records of a run in its store: reads heads once, headers and payloads when asked.
/// Reading is safe from several threads as long as none commits or notes.
class RecordIndex : public RecordTable {
 public:
  /// `store` must outlive it.
  RecordIndex(const CheckpointStore& store, std::string run)
      : store_(store), run_(std::move(run)) {}

  /// Whether this process owns the run; otherwise records may disappear while they are read, which
  /// is thrown as VanishedRecord. In an owned run, a record that is gone is damage.
  void owned(bool is) noexcept { owned_ = is; }
  /// What is kept of a header that the scan reads: what is summed up, or all of it.
  enum class Keep : std::uint8_t { nothing, sums, all };
  using Keeps = FunctionRef<Keep(std::string_view path)>;
  /// Reads the heads, and the library's own small records. Headers that are kept come with their
  /// heads: whoever asks for them later costs no read.
  void gather_records(std::optional<Keeps> keeps = {});

  /// Where records of an item may be.
  [[nodiscard]] static std::vector<std::string> places_of(std::string_view stage,
                                                          std::string_view item);
  /// Notes what other processes have recorded at these ScanOptions::places since they were looked
  /// at, with one scan. The run's uid must be known. @throws Error as CheckpointStore::scan
  void look_at(const std::vector<std::string>& places);

  [[nodiscard]] std::optional<core::Header> header(std::string_view path,
                                                   std::uint64_t generation) const override;
  [[nodiscard]] std::string locate(std::string_view path, std::uint64_t generation) const override;
  /// By size, or after gathering with all payloads by content.
  [[nodiscard]] std::string changed_file(std::string_view path,
                                         const plan::Row& row) const override;

  /// What the operating system said when this file could not be read.
  [[nodiscard]] std::error_code cause_of(const std::string& file) const {
    const auto found = causes_.find(file);
    return found == causes_.end() ? std::error_code{} : found->second;
  }
  [[nodiscard]] const std::string& run() const noexcept { return run_; }
  [[nodiscard]] const std::string& uid() const noexcept { return origin_.uid; }
  void uid(std::string given) { origin_.uid = std::move(given); }
  /// Whose run it is; "" as long as no record says so.
  [[nodiscard]] const std::string& pipeline() const noexcept { return origin_.pipeline; }

  /// The record's payload, proved, as text where it is JSON. @throws DamagedRecord, Error
  [[nodiscard]] std::shared_ptr<const Payload> payload(const std::string& path,
                                                       std::uint64_t generation) const {
    return saved(path, generation).payload;
  }
  /// The same, with what its header says about types inside the value.
  [[nodiscard]] Saved saved(const std::string& path, std::uint64_t generation) const;
  /// What saved() would return for each of `ids`, in one call of the store, until `visit` returns
  /// false. nullopt: it is damaged, unreadable or large; saved() reads it, or says what is wrong.
  /// @throws Error
  void read_many(std::span<const RecordId> ids,
                 FunctionRef<bool(std::size_t index, std::optional<Saved>)> visit) const;
  /// The value in a record, migrated.
  /// @throws DamagedRecord; Error as the type's decode()
  [[nodiscard]] detail::AnyValue value(const std::string& path, const plan::Row& row,
                                       const detail::ValueType& type) const;
  /// The value in what saved() has returned.
  /// @throws Error as the type's decode(); Error{Errc::no_value}  it was dropped
  [[nodiscard]] static detail::AnyValue decoded(Saved saved, const plan::Row& row,
                                                const detail::ValueType& type);
  /// The text of a small record; "" when it turns out to be damaged. @throws Error
  [[nodiscard]] std::string text_of(std::string_view path, const plan::Row& row) const;

  /// Makes it the next generation of its path, which erases the whole ones before the last.
  void place(Draft& draft) const;
  /// place(), commits it, and notes it. @throws Error as Recorder::commit
  void commit(Recorder& recorder, Draft draft);
  /// Remembers for the next gathering of this process that a record was found damaged.
  void suspect(const std::string& path, std::uint64_t generation) const;
  /// Proves the records that a reader has found damaged, of this process or by mark_damaged().
  void prove_suspects();
  /// Commits a request that the next plan verifies this record. @throws Error
  void mark_damaged(Recorder& recorder, const DamagedRecord& record);

 protected:
  /// Reads every payload, or those of the library's own small records, and notes what is damaged.
  void prove_payloads(bool all);
  /// Drops what was kept of the payloads below this prefix, except those of a few bytes: whoever
  /// needs one reads it again.
  void forget_small(std::string_view prefix, std::size_t few = 0);
  /// Reads one of the library's own. @throws DamagedRecord, Error
  virtual void prove_small(const std::string& path, const plan::Row& row) const;

 private:
  void scan(std::optional<Keeps> keeps);
  void note_found(const RecordHead& found);
  void keep_header(plan::Row& row, const RecordHead& found, Keep wanted);
  [[nodiscard]] bool prove_at_once(plan::Row& row, const RecordHead& found);
  void prove_tags();
  void fetch_small();
  void prove(const std::string& path, plan::Row& row, bool small);
  [[nodiscard]] bool is_damaged(const Suspect& one);
  [[nodiscard]] std::vector<Suspect> marks() const;
  [[nodiscard]] std::optional<StoredRecord> stored(std::string_view path,
                                                   std::uint64_t generation) const;
  [[nodiscard]] std::optional<Saved> proved(const StoredRecord& record, RecordId id) const;
  [[nodiscard]] std::optional<Saved> in_memory(const StoredRecord& record, RecordId id) const;

  const CheckpointStore& store_;
  std::string run_;
  bool owned_ = true;
  bool deep_ = false;  ///< all payloads were proved
  Origin origin_;
  Tags tags_;               ///< only while gathering: of the records that are not proved yet
  bool confirmed_ = false;  ///< only while gathering: a second record is of the run of the origin
  /// Proved payloads of the library's own records.
  std::map<std::pair<std::string, std::uint64_t>, Saved> small_;
  std::map<std::string, std::error_code> causes_;
};

}  // namespace resumable::record
