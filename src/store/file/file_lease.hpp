/// @file
/// Writing a run in a file store: one new file per commit, or for the commits of several threads
/// that arrive while another one is written.
///
/// A file is written in `tmp/`, synced, linked to a name that must not exist yet, its folder is
/// synced, and only then is the commit acknowledged. It is linked, not renamed, because POSIX makes
/// a rename between folders durable only when both are synced, which would be a third sync. If the
/// last sync fails, the name is removed again and the error is reported; a later reader may still
/// find the record, whole, as if the process had died there. After any failed sync of a folder the
/// lease writes no more, because what the kernel has dropped cannot be synced again. A failed sync
/// of a file affects only that file: the next commit uses a new one.
///
/// With Durability::data the two syncs are deferred to wait(), to the next full commit, or until
/// many files wait for them. What such commits erase is kept until then, because the records that
/// replace it may still be lost.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "store/file/backend.hpp"
#include "store/file/batch_index.hpp"
#include "store/file/commit_queue.hpp"
#include "store/file/take_run.hpp"
#include "store/names.hpp"

namespace resumable::store {

class FileLease final : public Lease {
 public:
  FileLease(std::shared_ptr<Backend> backend, RunSite site, TakenRun taken,
            std::shared_ptr<BatchIndex> batches);
  ~FileLease() override;

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override;
  [[nodiscard]] std::optional<std::uint64_t> do_stamp() const override { return stamp_; }
  [[nodiscard]] bool do_supports_seal() const noexcept override { return true; }
  [[nodiscard]] Ticket do_durable() const noexcept override;
  void do_wait(Ticket ticket, const Wait& wait) override;
  void do_manifest(std::string_view json, const Wait& wait) override;
  std::string do_quarantine(RecordId id, const Wait& wait) override;

  void check_right();
  void check_unbroken();
  void write_unsynced(const Batch& batch);
  void sync_all();
  void read_batches();
  void refuse_existing(std::span<const Put> puts);
  void write_batch(const Batch& batch, Durability durability = Durability::full);
  void write_group(CommitQueue::Group group);
  bool write_as_one(CommitQueue::Group group);
  void write(std::span<const Put> puts, Durability durability = Durability::full);
  void sync_name(const sys::File& folder, const Place& place);
  [[nodiscard]] Error unknown(const Error& failed, const Place& place) const;
  void note_batch(const sys::File& folder, const std::string& name);
  void erase(std::span<const RecordId> ids);
  std::string set_aside(const Place& place);
  void write_again_without(const BatchFile& batch, RecordId id);

  sys::File folder_for_writing(const std::string& base, const std::string& path);
  [[nodiscard]] bool is_synced(const std::string& folder);
  void note_synced(const std::string& folder);
  void sync_folder(const sys::File& folder, const std::string& where);
  void must(const char* operation, const std::string& where, std::error_code error) const;
  [[nodiscard]] std::string file_of(const Place& place) const;

  // The members are destroyed in this order: the lock last, except for the system's objects.
  std::shared_ptr<Backend> backend_;
  RunSite site_;
  OwnerLock lock_;
  RunFolders folders_;
  std::int64_t pid_;
  std::optional<std::uint64_t> stamp_;
  std::shared_ptr<BatchIndex> batches_;
  std::atomic<std::uint64_t> batch_count_{0};
  std::atomic<Ticket> tickets_{0};
  CommitQueue queue_;

  std::mutex syncing_;  ///< of sync_all(), taken before guard_
  mutable std::mutex guard_;
  bool batches_read_ = false;
  std::set<std::string> synced_;  ///< folders that this lease has synced into their parents
  std::optional<Error> broken_;
  std::vector<Place> unsynced_;  ///< files whose commits were acknowledged without a sync
  struct Erase {
    std::string path;
    std::uint64_t generation;
  };
  std::vector<Erase> erases_;  ///< what is to be erased once they are synced
  Ticket durable_ = 0;         ///< with unsynced_: all up to here is durable
};

/// The right to write a run, see take_run().
[[nodiscard]] std::unique_ptr<Lease> take_lease(const std::shared_ptr<Backend>& backend,
                                                const RunSite& site, const LeaseRequest& request,
                                                std::shared_ptr<BatchIndex> batches);

}  // namespace resumable::store
