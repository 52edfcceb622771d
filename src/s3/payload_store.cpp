#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "resumable/error.hpp"
#include "resumable/s3.hpp"
#include "s3/home.hpp"
#include "s3/leftovers.hpp"
#include "s3/mark.hpp"
#include "store/filter.hpp"
#include "store/offering.hpp"

namespace resumable::s3 {
namespace {

/// A record on its way into the next store.
struct Placed {
  std::string header;
  Tag tag;
  std::shared_ptr<const Payload> payload{};  ///< nullptr: the one that was given
  std::string key{};                         ///< of the object, if it is one
};

/// Valid as long as both.
Put placed_put(const Put& put, const Placed& placed) {
  return {.id = put.id,
          .tag = placed.tag,
          .header = placed.header,
          .payload = placed.payload ? placed.payload.get() : put.payload};
}

void restore(StoredRecord& record, const std::shared_ptr<Home>& home, std::string_view run,
             RecordId id, const Wait& wait) {
  Unmarked unmarked = unmark(record.header);
  record.header = std::move(unmarked.header);
  if (!unmarked.reference) return;
  record.tag = turned(record.tag);
  record.payload = payload_of(home,
                              {.run = std::string{run},
                               .path = std::string{id.path},
                               .generation = id.generation,
                               .reference = *std::move(unmarked.reference)},
                              wait.stop);
}

/// Stores large payloads before the records that name them. Safe to use from several threads.
class Placer {
 public:
  Placer(std::shared_ptr<Home> home, const S3Options& options)
      : home_(std::move(home)), above_(options.above), keep_erased_(options.keep_erased) {}

  /// What `commit` returns for the batch of a run with its large payloads replaced.
  template <class Commit>
  auto commit(std::string_view run, const Batch& batch, const Wait& wait, const Commit& commit) {
    Stored stored;
    std::vector<Put> puts;
    for (const Put& put : batch.puts) {
      puts.push_back(placed_put(put, stored.emplace_back(place(run, put, wait))));
    }
    return commit(Batch{puts, batch.erases}, stored);
  }
  using Stored = std::deque<Placed>;  ///< which the puts refer to

  /// Whether its payload becomes an object.
  [[nodiscard]] bool is_large(const Put& put) const {
    return put.payload->size() > above_ && can_mark(put.header);
  }

  /// After the commit. Removes the objects of records that were erased long enough ago, and
  /// durably, as far as `durable` says: the record of an object never returns.
  void note(std::string_view run, const Stored& stored, const Batch& batch, Ticket ticket,
            FunctionRef<Ticket()> durable, const std::stop_token& stop) {
    const auto now = std::chrono::steady_clock::now();
    std::vector<std::string> old;
    {
      const std::scoped_lock lock{guard_};
      for (std::size_t i = 0; i < stored.size(); ++i) {
        if (!stored[i].key.empty()) stored_[id_of(run, batch.puts[i].id)] = stored[i].key;
      }
      for (const RecordId id : batch.erases) {
        const auto found = stored_.find(id_of(run, id));
        if (found == stored_.end()) continue;
        erased_.push_back({ticket, now, std::move(found->second)});
        stored_.erase(found);
      }
      const Ticket done = erased_.empty() ? 0 : durable();
      while (!erased_.empty() && erased_.front().ticket <= done &&
             now - erased_.front().at >= keep_erased_) {
        old.push_back(std::move(erased_.front().key));
        erased_.pop_front();
      }
    }
    try {
      const Wait soon{.stop = stop, .deadline = now + std::chrono::seconds{5}};
      for (const std::string& key : old) home_->objects().remove(key, soon);
    } catch (const Error&) {
      // The commit has happened; remove_leftovers() finds them.
    }
  }

 private:
  using Id = std::tuple<std::string, std::string, std::uint64_t>;  ///< run, path, generation
  struct Erased {
    Ticket ticket;
    std::chrono::steady_clock::time_point at;
    std::string key;
  };

  static Id id_of(std::string_view run, RecordId id) {
    return {std::string{run}, std::string{id.path}, id.generation};
  }

  Placed place(std::string_view run, const Put& put, const Wait& wait) {
    if (!is_large(put)) return {.header = mark_plain(put.header), .tag = put.tag};
    const Reference reference{.size = put.payload->size(),
                              .name = fmt::format("{}-{:x}", name_, ++objects_),
                              .sha256 = sha256_of(*put.payload)};
    std::string key = home_->run_prefix(run, wait) + reference.name;
    home_->objects().put(key, *put.payload, reference.sha256, wait);
    return {.header = mark(put.header, reference),
            .tag = turned(put.tag),
            .payload = std::make_shared<const StringPayload>(""),
            .key = std::move(key)};
  }

  std::shared_ptr<Home> home_;
  std::uint64_t above_;
  std::chrono::milliseconds keep_erased_;
  std::string name_ = random_name();  ///< of no other one
  std::atomic<std::uint64_t> objects_ = 0;
  std::mutex guard_;
  std::map<Id, std::string> stored_;  ///< keys
  std::deque<Erased> erased_;
};

/// The work queue of the next store: large payloads that workers commit are stored as objects.
class PlacingQueue final : public store::ForwardingQueue {
 public:
  PlacingQueue(WorkQueue& next, std::shared_ptr<Home> home, const S3Options& options)
      : ForwardingQueue(next), home_(std::move(home)), placer_(home_, options) {}

  std::uint64_t join(const WorkerInfo& worker, std::chrono::milliseconds ttl) override {
    home_->prepare({});
    return next().join(worker, ttl);
  }
  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override {
    if (std::ranges::any_of(batch.puts, [&](auto& put) { return placer_.is_large(put); })) {
      // Who waits for an owner commits again and again: nothing is stored for that.
      const ClaimState state =
          next().commit(claim, {}, {.durability = Durability::data, .wait = options.wait});
      if (state != ClaimState::held) return state;
    }
    return placer_.commit(
        claim.run, batch, options.wait, [&](const Batch& placed, const Placer::Stored& stored) {
          const ClaimState state = next().commit(claim, placed, options);
          if (state == ClaimState::held && options.durability == Durability::full) {
            placer_.note(
                claim.run, stored, batch, 0, [] { return Ticket{0}; }, options.wait.stop);
          }
          return state;
        });
  }

 private:
  std::shared_ptr<Home> home_;
  Placer placer_;
};

}  // namespace
}  // namespace resumable::s3

namespace resumable {
inline namespace v0 {

struct S3PayloadStore::State {
  State(CheckpointStore& next, const S3Options& given)
      : options(given),
        home(std::make_shared<s3::Home>(next, given)),
        folder(next.capability<ArtifactFolder>()) {
    if (auto* inner = next.capability<WorkQueue>()) queue.emplace(*inner, home, given);
  }

  std::unique_ptr<CheckpointStore> owned{};  // outlives the rest
  S3Options options;
  std::shared_ptr<s3::Home> home;
  std::optional<s3::PlacingQueue> queue{};
  ArtifactFolder* folder;
  std::unique_ptr<CheckpointStore> offered{};
};

class S3PayloadStore::PayloadLease final : public ForwardingLease {
 public:
  PayloadLease(std::unique_ptr<Lease> next, std::shared_ptr<State> state, std::string_view run)
      : ForwardingLease(std::move(next)),
        state_(std::move(state)),
        run_(run),
        placer_(state_->home, state_->options) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    return placer_.commit(
        run_, batch, options.wait, [&](const Batch& placed, const s3::Placer::Stored& stored) {
          const Ticket ticket = next().commit(placed, options);
          placer_.note(
              run_, stored, batch, ticket, [&] { return next().durable(); }, options.wait.stop);
          return ticket;
        });
  }

  std::shared_ptr<State> state_;
  std::string run_;
  s3::Placer placer_;
};

S3PayloadStore::S3PayloadStore(CheckpointStore& next, const S3Options& options)
    : ForwardingStore(next), state_(std::make_shared<State>(next, options)) {
  state_->offered = store::offering(*this, next.capability<ContentCache>(), state_->folder,
                                    state_->queue ? &*state_->queue : nullptr);
}

S3PayloadStore::S3PayloadStore(std::unique_ptr<CheckpointStore> next, const S3Options& options)
    : S3PayloadStore(*next, options) {
  state_->owned = std::move(next);
}

S3PayloadStore::~S3PayloadStore() = default;

std::unique_ptr<Lease> S3PayloadStore::do_lease(std::string_view run, const LeaseRequest& request) {
  state_->home->prepare({.stop = request.stop, .deadline = {}});
  return std::make_unique<PayloadLease>(next().lease(run, request), state_, run);
}

void S3PayloadStore::do_scan(std::string_view run, const ScanOptions& what,
                             FunctionRef<bool(const RecordHead&)> visit) const {
  ScanOptions headers = what;
  headers.headers = true;  // they have the sizes
  next().scan(run, headers, [&](const RecordHead& placed) {
    if (!placed.header) return visit(placed);
    const s3::Unmarked unmarked = s3::unmark(*placed.header);
    RecordHead head = placed;
    head.header.reset();
    if (what.headers) head.header = unmarked.header;
    head.header_bytes = unmarked.header.size();
    if (unmarked.reference) {
      head.tag = s3::turned(head.tag);
      head.payload_bytes = unmarked.reference->size;
    }
    return visit(head);
  });
}

void S3PayloadStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                                 FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  next().get_many(
      run, ids,
      [&](Fetched one) {
        if (one.record) s3::restore(*one.record, state_->home, run, ids[one.index], wait);
        return visit(std::move(one));
      },
      wait);
}

std::string S3PayloadStore::do_url() const {
  const std::string url = next().url();
  return url + (url.find('?') == url.npos ? '?' : '&') +
         s3::parameters_of(state_->home->objects().target().options);
}

RemoveResult S3PayloadStore::do_remove(std::string_view run, const RemoveOptions& options) {
  const Wait wait{.stop = options.stop, .deadline = {}};
  const auto objects = s3::objects_of_run(*state_->home, run, wait);
  RemoveResult result = store::remove_from(next(), *this, state_->folder != nullptr, run, options);
  if (!result.removed) return result;
  try {
    for (const s3::Listed& one : objects) state_->home->objects().remove(one.key, wait);
  } catch (const Error&) {
    // The run is gone: remove_leftovers() finds the rest.
  }
  return result;
}

Leftovers S3PayloadStore::do_remove_leftovers(bool dry_run) {
  return s3::remove_leftovers(next(), *state_->home, dry_run);
}

CheckpointStore* S3PayloadStore::do_capability() noexcept {
  return state_->offered ? state_->offered.get() : this;
}

StoreFactories with_s3_payloads(const StoreFactories& factories) {
  StoreFactories all = factories;
  for (const char* own : {"", "file", "journal"}) {
    all.try_emplace(
        own, [](std::string_view url, CreateStore create) { return open_store(url, {}, create); });
  }
  for (auto& [scheme, factory] : all) {
    const bool wraps = scheme.find('+') != scheme.npos;
    factory = [wraps, plain = factory](std::string_view url,
                                       CreateStore create) -> std::unique_ptr<CheckpointStore> {
      const s3::SplitUrl parts = s3::split(url);
      auto next = plain(parts.rest, create);
      if (!parts.options || !next) return next;
      if (wraps) {
        throw Error(Errc::bad_option,
                    {.what = "large values would leave this store as it got them, not compressed or"
                             " encrypted",
                     .next = "call with_s3_payloads() before with_compression() and the like"});
      }
      return std::make_unique<S3PayloadStore>(std::move(next), *parts.options);
    };
  }
  return all;
}

}  // namespace v0
}  // namespace resumable
