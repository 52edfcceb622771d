/// @file
/// A store in memory, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/store.hpp"
#include "resumable/work_queue.hpp"

namespace resumable {
inline namespace v0 {

/// Keeps runs in memory. To resume a run, as another process would with a store on disk, use the
/// same store object again. Leases may outlive the store.
class RESUMABLE_EXPORT MemoryStore final : public CheckpointStore,
                                           public RecordCounter,
                                           public WorkQueue {
 public:
  MemoryStore();
  ~MemoryStore() override;

  /// For threads, and for several calls with this store object.
  void take_over(std::string_view run, std::uint64_t fence) override;
  void publish(std::string_view run, std::uint64_t fence, std::span<const WorkTask> tasks) override;
  [[nodiscard]] std::vector<FinishedWork> collect(std::string_view run,
                                                  std::uint64_t fence) override;
  std::vector<WorkItem> withdraw(std::string_view run, std::uint64_t fence, bool stop) override;
  void end(std::string_view run, std::uint64_t fence) override;
  [[nodiscard]] std::uint64_t join(const WorkerInfo& worker,
                                   std::chrono::milliseconds ttl) override;
  [[nodiscard]] Claimed claim(std::uint64_t worker, std::string_view pipeline,
                              std::string_view program, std::string_view run,
                              std::size_t most) override;
  WorkBeat beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                std::span<const std::uint64_t> held) override;
  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override;
  ClaimState finish(const WorkClaim& claim, std::string_view result) override;
  void give_back(const WorkClaim& claim) override;
  void leave(std::uint64_t worker) override;
  [[nodiscard]] std::vector<WorkerInfo> workers() const override;
  [[nodiscard]] std::vector<WorkItem> work(std::string_view run) const override;

 private:
  RecordTotals do_sums(std::string_view run, std::string_view prefix,
                       const Wait& wait) const override;
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace v0
}  // namespace resumable
