/// @file
/// The right to write to a run of a journal store. log_writer.hpp explains what a commit does.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "store/file/take_run.hpp"
#include "store/journal/log_writer.hpp"

namespace resumable::store::journal {

class JournalLease final : public Lease {
 public:
  JournalLease(std::shared_ptr<Backend> backend, RunSite site, TakenRun taken,
               std::shared_ptr<Journal> journal, std::uint64_t segment_bytes);
  ~JournalLease() override;

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override;
  [[nodiscard]] std::optional<std::uint64_t> do_stamp() const override { return stamp_; }
  [[nodiscard]] bool do_supports_seal() const noexcept override { return true; }
  [[nodiscard]] Ticket do_durable() const noexcept override;
  void do_wait(Ticket ticket, const Wait& wait) override;
  void do_manifest(std::string_view json, const Wait& wait) override;
  std::string do_quarantine(RecordId id, const Wait& wait) override;

  bool compact() noexcept;
  void check_right();
  void commit(const Batch& batch, Durability durability = Durability::full);
  void note_durable(Ticket ticket) noexcept;
  void remove(std::span<const ValuePlace> values);
  void remove_leftovers();
  std::error_code write_aside(RecordId id, const Known& known, const sys::File& file);
  [[nodiscard]] std::string copy_aside(RecordId id, const Known& known);

  // The members are destroyed in this order: the lock last, except for the system's objects.
  std::shared_ptr<Backend> backend_;
  RunSite site_;
  OwnerLock lock_;
  RunFolders folders_;
  std::int64_t pid_;
  std::optional<std::uint64_t> stamp_;
  std::uint64_t segment_bytes_;
  std::shared_ptr<Journal> journal_;
  std::optional<LogWriter> log_;
  std::atomic<std::uint64_t> values_{0};
  std::atomic<Ticket> tickets_{0};
  std::atomic<Ticket> durable_{0};  ///< all up to here is durable, perhaps more
};

/// See take_run().
[[nodiscard]] std::unique_ptr<Lease> take_journal_lease(const std::shared_ptr<Backend>& backend,
                                                        const RunSite& site,
                                                        const LeaseRequest& request,
                                                        std::shared_ptr<Journal> journal,
                                                        std::uint64_t segment_bytes);

}  // namespace resumable::store::journal
