/// @file
/// A store whose leases implement Durability::queued; see write_behind.hpp.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "resumable/forwarding_store.hpp"
#include "store/write_behind.hpp"

namespace resumable::store {

/// Everything is passed on, except commits that may wait. Reading a record that is still queued
/// waits for it.
class QueuedStore final : public ForwardingStore {
 public:
  explicit QueuedStore(CheckpointStore& next, const QueueLimits& limits = {});
  ~QueuedStore() override;

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;

  [[nodiscard]] std::shared_ptr<WriteBehind> queue_of(std::string_view run) const;

  QueueLimits limits_;
  mutable std::mutex guard_;
  std::map<std::string, std::weak_ptr<WriteBehind>, std::less<>> queues_;  ///< by run
};

}  // namespace resumable::store
