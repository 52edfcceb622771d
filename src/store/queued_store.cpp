#include "store/queued_store.hpp"

#include <limits>
#include <utility>

namespace resumable::store {
namespace {

class QueuedLease final : public ForwardingLease {
 public:
  QueuedLease(std::unique_ptr<Lease> next, const QueueLimits& limits)
      : ForwardingLease(std::move(next)), queue_(WriteBehind::make(this->next(), limits)) {}

  [[nodiscard]] const std::shared_ptr<WriteBehind>& queue() const noexcept { return queue_; }

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    return options.durability == Durability::queued ? queue_->push(batch, options.wait)
                                                    : queue_->commit_now(batch, options.wait);
  }
  [[nodiscard]] Ticket do_durable() const noexcept override { return queue_->durable(); }
  void do_wait(Ticket ticket, const Wait& wait) override { queue_->wait(ticket, wait); }
  [[nodiscard]] bool do_supports_seal() const noexcept override { return true; }
  std::string do_quarantine(RecordId id, const Wait& wait) override {
    queue_->wait_for(id, wait);
    return next().quarantine(id, wait);
  }

  std::shared_ptr<WriteBehind> queue_;
};

}  // namespace

QueuedStore::QueuedStore(CheckpointStore& next, const QueueLimits& limits)
    : ForwardingStore(next), limits_(limits) {}

QueuedStore::~QueuedStore() = default;

std::unique_ptr<Lease> QueuedStore::do_lease(std::string_view run, const LeaseRequest& request) {
  auto lease = std::make_unique<QueuedLease>(next().lease(run, request), limits_);
  const std::scoped_lock lock{guard_};
  queues_.insert_or_assign(std::string{run}, lease->queue());
  return lease;
}

std::shared_ptr<WriteBehind> QueuedStore::queue_of(std::string_view run) const {
  const std::scoped_lock lock{guard_};
  const auto found = queues_.find(run);
  return found == queues_.end() ? nullptr : found->second.lock();
}

void QueuedStore::do_scan(std::string_view run, const ScanOptions& what,
                          FunctionRef<bool(const RecordHead&)> visit) const {
  if (const auto queue = queue_of(run)) queue->wait(std::numeric_limits<Ticket>::max(), what.wait);
  next().scan(run, what, visit);
}

void QueuedStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                              FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  if (const auto queue = queue_of(run)) {
    for (const RecordId& id : ids) queue->wait_for(id, wait);
  }
  next().get_many(run, ids, visit, wait);
}

}  // namespace resumable::store
