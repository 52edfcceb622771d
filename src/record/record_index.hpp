/// @file
/// The records of one run: which there are, and what their headers and payloads say.
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
#include "record/recorder.hpp"
#include "record/suspects.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/store.hpp"

namespace resumable::record {

/// A record that turned out to be damaged when it was read: the run has to be planned again.
struct DamagedRecord {
  std::string path;
  std::uint64_t generation = 0;
};

/// A record that was there when the run was scanned, and is not now: its owner superseded it.
struct VanishedRecord {};

/// Does work(last), again as long as it meets a record that its owner supersedes meanwhile. That
/// ends, too: in the last look a record that is gone is damage.
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

/// What a new record of a path follows.
struct Succession {
  std::uint64_t generation = 1;                              ///< the new one's
  std::optional<plan::Row> previous;                         ///< the newest whole record
  std::vector<std::pair<std::string, std::uint64_t>> erase;  ///< those that may go with the commit
};

/// The part of the facts that needs no pipeline. Reads heads once, headers and payloads when asked.
/// Reading is safe from several threads as long as none commits or notes.
class RecordIndex : public plan::Facts {
 public:
  /// `store` must outlive it.
  RecordIndex(const CheckpointStore& store, std::string run)
      : store_(store), run_(std::move(run)) {}

  /// Whether this process owns the run; else records may go while they are looked at, which is
  /// thrown as VanishedRecord. Owned, a record that is gone is damage.
  void owned(bool is) noexcept { owned_ = is; }
  /// Says of which paths the headers are kept.
  using Keeps = FunctionRef<bool(std::string_view path)>;
  /// Reads the heads, and the library's own small records. Headers that are kept come with their
  /// heads: whoever asks for them later costs no read.
  void gather_records(std::optional<Keeps> keeps = {});

  [[nodiscard]] std::span<const plan::Row> rows(std::string_view path) const override;
  [[nodiscard]] std::optional<core::Header> header(std::string_view path,
                                                   std::uint64_t generation) const override;
  [[nodiscard]] std::string locate(std::string_view path, std::uint64_t generation) const override;
  [[nodiscard]] std::vector<std::string> item_paths(std::string_view stage) const override;
  [[nodiscard]] std::vector<std::string> inside_paths(std::string_view stage,
                                                      std::string_view item) const override;
  [[nodiscard]] std::vector<std::string> stored_stages() const override;
  [[nodiscard]] std::vector<DamagedRow> damaged() const override;

  /// As inside_paths(), and those whose records are all damaged or set aside.
  [[nodiscard]] std::vector<std::string> inside_places(std::string_view stage,
                                                       std::string_view item) const;
  /// What the operating system said when this file could not be read.
  [[nodiscard]] std::error_code cause_of(const std::string& file) const {
    const auto found = causes_.find(file);
    return found == causes_.end() ? std::error_code{} : found->second;
  }
  [[nodiscard]] const std::string& uid() const noexcept { return origin_.uid; }
  void uid(std::string given) { origin_.uid = std::move(given); }
  /// Records of all kinds when they were gathered, older generations and damaged ones included, and
  /// the bytes of their payloads.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Whose run it is; "" as long as no record says so.
  [[nodiscard]] const std::string& pipeline() const noexcept { return origin_.pipeline; }
  [[nodiscard]] bool begun() const noexcept { return !rows_.empty(); }

  /// 1 + the highest generation that was ever seen at this path.
  [[nodiscard]] std::uint64_t next_generation(std::string_view path) const;
  /// The newest whole row, or nullptr.
  [[nodiscard]] const plan::Row* current(std::string_view path) const;
  /// The record's payload, proved. @throws DamagedRecord, Error
  [[nodiscard]] std::shared_ptr<const Payload> payload(const std::string& path,
                                                       std::uint64_t generation) const;
  /// The text of a small record; "" when it turns out to be damaged. @throws Error
  [[nodiscard]] std::string text_of(std::string_view path, const plan::Row& row) const;
  /// For a record of a type whose newest schema is `schema`: records of newer ones stay.
  [[nodiscard]] Succession succession(const std::string& path, std::uint32_t schema) const;
  /// All damaged rows that are still in their places.
  [[nodiscard]] std::vector<DamagedRecord> torn() const;

  /// Commits a record as the next generation of its path, notes it, and erases the whole ones
  /// before the last. @throws Error as Recorder::commit
  void commit(Recorder& recorder, Draft draft);
  /// After a commit.
  void note(const std::string& path, std::uint64_t generation, const core::Head& head);
  void note_damage(const DamagedRecord& record, bool quarantined);
  /// Remembers for the next gathering of this process that a record was found damaged.
  void suspect(const std::string& path, std::uint64_t generation) const;
  /// Proves the records that a reader has found damaged, of this process or by mark_damaged().
  void prove_suspects();
  /// Commits a request that whoever plans next proves this record. @throws Error
  void mark_damaged(Recorder& recorder, const DamagedRecord& record);

 protected:
  using Rows = std::map<std::string, std::vector<plan::Row>, std::less<>>;
  [[nodiscard]] const Rows& all_rows() const noexcept { return rows_; }
  /// Reads every payload, or those of the library's own small records, and notes what is damaged.
  void prove_payloads(bool all);
  /// Reads one of the library's own. @throws DamagedRecord, Error
  virtual void prove_small(const std::string& path, const plan::Row& row) const;

 private:
  void scan(std::optional<Keeps> keeps);
  void prove_tags();
  void fetch_small();
  void prove(const std::string& path, plan::Row& row, bool small);
  [[nodiscard]] bool is_damaged(const Suspect& one);
  [[nodiscard]] std::vector<Suspect> marks() const;
  [[nodiscard]] std::optional<StoredRecord> stored(std::string_view path,
                                                   std::uint64_t generation) const;
  [[nodiscard]] std::shared_ptr<const Payload> proved(const StoredRecord& record,
                                                      RecordId id) const;
  /// Those of the paths that have a whole record.
  [[nodiscard]] std::vector<std::string> whole(std::vector<std::string> paths) const;
  void add_below(const std::string& prefix, std::ptrdiff_t depth,
                 std::vector<std::string>& paths) const;

  const CheckpointStore& store_;
  std::string run_;
  bool owned_ = true;
  Origin origin_;
  Rows rows_;
  std::size_t count_ = 0;
  std::uint64_t bytes_ = 0;
  Tags tags_;  ///< only while gathering
  /// Proved payloads of the library's own records.
  std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<const Payload>> small_;
  std::map<std::string, std::error_code> causes_;
};

}  // namespace resumable::record
