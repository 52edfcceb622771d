/// @file
/// A store as if it were far away: it counts the calls that are passed on to it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/forwarding_store.hpp"
#include "testing/records.hpp"

namespace resumable::test {

class SlowStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  /// Since the last call of this.
  int take_calls() const { return calls_.exchange(0); }

 private:
  class SlowLease final : public ForwardingLease {
   public:
    SlowLease(const SlowStore& store, std::unique_ptr<Lease> next)
        : ForwardingLease(std::move(next)), store_(store) {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      store_.call();
      return next().commit(batch, options);
    }
    void do_wait(Ticket ticket) override {
      store_.call();
      next().wait(ticket);
    }
    void do_manifest(std::string_view json) override {
      store_.call();
      next().manifest(json);
    }
    std::string do_quarantine(RecordId id) override {
      store_.call();
      return next().quarantine(id);
    }
    const SlowStore& store_;
  };

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    call();
    return std::make_unique<SlowLease>(*this, next().lease(run, request));
  }
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    call();
    next().scan(run, what, visit);
  }
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override {
    call();
    next().get_many(run, ids, visit, wait);
  }
  std::optional<Owner> do_owner(std::string_view run) const override {
    call();
    return next().owner(run);
  }
  std::optional<std::string> do_manifest(std::string_view run) const override {
    call();
    return next().manifest(run);
  }
  std::optional<std::uint64_t> do_stamp(std::string_view run) const override {
    call();
    return next().stamp(run);
  }

  void call() const { ++calls_; }

  mutable std::atomic<int> calls_{0};
};

/// How many calls of `below` it takes to read 300 records of `store`, which stands before it; -1 if
/// what is read is not what was committed.
inline int calls_to_read_many(const SlowStore& below, CheckpointStore& store) {
  std::vector<std::string> paths;
  std::vector<RecordId> ids;
  const auto lease = store.lease("many");
  for (int i = 0; i < 300; ++i) paths.push_back("item/" + std::to_string(i));
  for (const std::string& path : paths) {
    testing::commit(*lease, path, 1, path + std::string(500, '.'));
    ids.push_back({path, 1});
  }
  static_cast<void>(store.get("many", ids.front()));  // an encrypted store looks for its key
  below.take_calls();
  std::size_t good = 0;
  store.get_many("many", ids, [&](const Fetched& one) {
    const bool same =
        one.record && read_all(*one.record->payload) == paths[one.index] + std::string(500, '.');
    good += same ? 1U : 0U;
    return true;
  });
  return good == ids.size() ? below.take_calls() : -1;
}

}  // namespace resumable::test
