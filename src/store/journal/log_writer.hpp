/// @file
/// Writes the journal of a run: waiting commits are combined into one group, which is one write and
/// one fdatasync. company.hpp decides how long a group waits for more of them.
///
/// Each lease begins a segment of its own; segment_maker.hpp says how. A group whose write or sync
/// has failed is cut by the next segment, which says where the one before ends: once
/// that is durable, nothing was changed. Where it cannot be made, it is unknown whether the group
/// will be found, and the lease writes no more.
///
/// The log is cleaned from its beginning, when a segment is full and the log has become larger than
/// twice its records: what is in use of the oldest segments is committed again, in the new one. The
/// header of the segment after that says where the log begins; once it is durable, the segments
/// before that are removed. When a lease ends, a small log of which little is in use is cleaned as
/// a whole: runs that are resumed often, or that end with little, do not keep what they once had.
///
/// A group of commits with Durability::data alone is not synced. The next sync of the segment, at
/// the latest when it is full, makes it durable, too; until then the value files stay that it no
/// longer needs. If that sync fails, the lease writes no more: what the kernel has dropped may be
/// any of these groups.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "store/file/run_folder.hpp"
#include "store/journal/alarm.hpp"
#include "store/journal/company.hpp"
#include "store/journal/group_bytes.hpp"
#include "store/journal/journal.hpp"
#include "store/journal/segment_maker.hpp"

namespace resumable::store::journal {

/// A commit on its way: the entries, after room for the header of a group, and what they change.
/// The places in `changes` are counted from the beginning of `group`.
struct Pending {
  GroupBytes group;
  std::vector<Change> changes;
  Durability durability = Durability::full;
  std::vector<ValuePlace> unused;  ///< afterwards: value files that may go

  std::optional<Error> error{};  ///< once it is done
  std::atomic<bool> done{false};
  std::shared_ptr<Alarm> alarm{};  ///< of who waits for it
};

/// Safe to use from several threads.
class LogWriter {
 public:
  LogWriter(Backend& backend, const RunSite& site, const RunFolders& folders, Journal& journal,
            std::uint64_t fence, std::uint64_t segment_bytes);
  /// Says that the last segment ends here, if this process is the one that wrote it.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Makes durable what a previous owner may have left unsynced, because this process builds on it.
  /// @throws Error{Errc::store_failed}, Error{Errc::unreadable}
  void settle(const Tail& tail);
  /// Returns once the commit is as durable as `pending` asks.
  /// @throws Error{Errc::fenced}           one of the records exists
  /// @throws Error{Errc::store_failed}     nothing changed
  /// @throws Error{Errc::outcome_unknown}  and so does everything after it
  void commit(Pending& pending);
  /// Makes all commits durable that have returned. Adds to `unused` what they no longer need.
  /// @throws Error{Errc::outcome_unknown}
  void sync(std::vector<ValuePlace>& unused);
  /// Writes the records again if they are little of the log, and removes the rest. No other thread
  /// commits. @throws Error: the records are where they were
  void compact();
  /// Whether all commits that have returned are durable.
  [[nodiscard]] bool is_synced() const noexcept { return synced_; }
  /// Throws the error that keeps the lease from writing.
  void check();
  /// Syncs the folder of the segments; when that fails, the lease writes no more.
  void sync_folder();
  /// Whether everything that was written is as the index says.
  [[nodiscard]] bool is_certain();

 private:
  void refuse_existing(const Pending& pending);
  void withdraw(const Pending& pending, std::unique_lock<std::mutex>& lock);
  void lead(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::vector<Pending*> take_group();
  void wait_for_turn(const Pending& pending, std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::shared_ptr<Alarm> finish(const std::vector<Pending*>& group,
                                              const std::optional<Error>& error);
  [[nodiscard]] std::optional<Error> write_or_fail(const std::vector<Pending*>& group);
  [[nodiscard]] std::optional<Error> write(const std::vector<Pending*>& group);
  [[nodiscard]] std::optional<Error> append(GroupBytes& bytes, const std::vector<Pending*>& group);
  [[nodiscard]] std::error_code write_zeros_for(std::uint64_t end);
  [[nodiscard]] std::optional<Error> sync_segment();
  [[nodiscard]] Error spoil(const char* operation, std::error_code cause);
  void collect_moves(std::span<const std::uint64_t> segments, Pending& moved);
  GroupBytes& joined(const std::vector<Pending*>& group);
  void begin_segment(std::uint64_t at_least, std::uint64_t wished = 0);
  [[nodiscard]] Error cut(const char* operation, std::error_code cause);
  [[nodiscard]] Error unknown(const char* operation, std::error_code cause) const;
  [[nodiscard]] std::string segment_file() const;

  Backend& backend_;
  const RunSite& site_;
  const RunFolders& folders_;
  Journal& journal_;
  std::uint64_t fence_;
  std::uint64_t segment_bytes_;
  std::int64_t pid_;

  // Of the thread that leads.
  SegmentMaker maker_;
  SegmentHeader header_;
  sys::File file_;          ///< not open: the next group begins a segment
  std::uint64_t size_ = 0;  ///< of the segment
  std::uint64_t next_size_;
  Reading written_;
  std::uint64_t zeros_end_ = 0;  ///< up to where zeros or more were really written
  GroupBytes joined_;
  bool spoiled_ = false;                  ///< nothing more may be written
  std::vector<ValuePlace> unused_later_;  ///< value files to remove once everything is synced
  std::atomic<bool> synced_{true};        ///< nothing that was written waits for a sync

  std::mutex guard_;
  bool busy_ = false;
  std::vector<Pending*> queue_;
  Company company_;
  std::set<Index::Id, Index::Before> in_flight_;
  std::optional<Error> broken_;
  Error no_memory_;  ///< made while there was some
};

}  // namespace resumable::store::journal
