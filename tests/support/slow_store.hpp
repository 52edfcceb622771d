/// @file
/// A store as if it were far away: it counts the calls that are passed on to it, and some of them
/// may have no answer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/error.hpp"
#include "resumable/forwarding_store.hpp"
#include "testing/records.hpp"

namespace resumable::test {

class SlowStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  /// Since the last call of this.
  int take_calls() const { return calls_.exchange(0); }

  /// What becomes of a call: `scan`, `get`, `lease`, `commit` and so on.
  enum class Fate {
    answered,
    silent,     ///< it has no answer until answer(), or until its Wait is over
    lost,       ///< of a commit: it happens, and the caller is told that this is unknown
    not_begun,  ///< of a commit: the same, and it does not happen
  };
  std::function<Fate(std::string_view call)> fate = [](std::string_view) { return Fate::answered; };

  /// All calls are answered from now on, those that wait as well.
  void answer() {
    const std::scoped_lock lock{guard_};
    answers_ = true;
    changed_.notify_all();
  }
  /// Until a call waits for its answer.
  void await_silence() {
    std::unique_lock lock{guard_};
    changed_.wait(lock, [&] { return waiting_ > 0; });
  }

 private:
  class SlowLease final : public ForwardingLease {
   public:
    SlowLease(const SlowStore& store, std::unique_ptr<Lease> next)
        : ForwardingLease(std::move(next)), store_(store) {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      const Fate what = store_.call("commit", options.wait);
      Ticket ticket = 0;
      if (what != Fate::not_begun) ticket = next().commit(batch, options);
      if (what == Fate::answered) return ticket;
      throw Error(Errc::outcome_unknown, {.what = "the answer to a commit was lost"});
    }
    void do_wait(Ticket ticket, const Wait& wait) override {
      store_.call("wait", wait);
      next().wait(ticket, wait);
    }
    [[nodiscard]] std::stop_token do_lost() const noexcept override {
      return store_.lost.get_token();
    }
    void do_manifest(std::string_view json, const Wait& wait) override {
      store_.call("manifest", wait);
      next().manifest(json, wait);
    }
    std::string do_quarantine(RecordId id, const Wait& wait) override {
      store_.call("quarantine", wait);
      return next().quarantine(id, wait);
    }
    const SlowStore& store_;
  };

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    call("lease", {.stop = request.stop, .deadline = request.deadline});
    return std::make_unique<SlowLease>(*this, next().lease(run, request));
  }
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    call("scan", what.wait);
    next().scan(run, what, visit);
  }
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override {
    call("get", wait);
    next().get_many(run, ids, visit, wait);
  }
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override {
    call("owner", wait);
    return next().owner(run, wait);
  }
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override {
    call("manifest", wait);
    return next().manifest(run, wait);
  }
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override {
    call("stamp", wait);
    return next().stamp(run, wait);
  }
  std::vector<std::string> do_warnings(const Wait& wait) const override {
    call("warnings", wait);
    return next().warnings(wait);
  }

  Fate call(std::string_view name, const Wait& wait) const {
    ++calls_;
    const Fate what = fate(name);
    if (what != Fate::silent) return what;
    std::unique_lock lock{guard_};
    ++waiting_;
    changed_.notify_all();
    const auto answers = [&] { return answers_; };
    const bool answered = wait.deadline
                              ? changed_.wait_until(lock, wait.stop, *wait.deadline, answers)
                              : changed_.wait(lock, wait.stop, answers);
    --waiting_;
    if (answered) return Fate::answered;
    throw Error(Errc::cancelled, {.what = "given up"});
  }

 public:
  std::stop_source lost{};  ///< of its leases

 private:
  mutable std::atomic<int> calls_{0};
  mutable std::mutex guard_;
  mutable std::condition_variable_any changed_;
  mutable int waiting_ = 0;
  bool answers_ = false;
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
