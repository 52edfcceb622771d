#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
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

}  // namespace
}  // namespace resumable::s3

namespace resumable {
inline namespace v0 {

struct S3PayloadStore::State {
  State(CheckpointStore& next, const S3Options& given)
      : home(std::make_shared<s3::Home>(next, given)),
        above(given.above),
        keep_erased(given.keep_erased) {}

  std::unique_ptr<CheckpointStore> owned{};  // outlives the rest
  std::shared_ptr<s3::Home> home;
  std::uint64_t above;
  std::chrono::milliseconds keep_erased;
  std::unique_ptr<CheckpointStore> offered{};
  ArtifactFolder* folder = nullptr;
};

/// Stores large payloads before the records that name them.
class S3PayloadStore::PayloadLease final : public ForwardingLease {
 public:
  PayloadLease(std::unique_ptr<Lease> next, std::shared_ptr<State> state, std::string_view run)
      : ForwardingLease(std::move(next)),
        state_(std::move(state)),
        run_(run),
        name_(s3::random_name()) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    std::deque<s3::Placed> placed;  // which the puts refer to
    std::vector<Put> puts;
    for (const Put& put : batch.puts) {
      puts.push_back(s3::placed_put(put, placed.emplace_back(place(put, options.wait))));
    }
    const Ticket ticket = next().commit({puts, batch.erases}, options);
    remove_erased(placed, batch, ticket, options.wait.stop);
    return ticket;
  }

  s3::Placed place(const Put& put, const Wait& wait) {
    if (put.payload->size() <= state_->above || !s3::can_mark(put.header)) {
      return {.header = s3::mark_plain(put.header), .tag = put.tag};
    }
    const s3::Reference reference{.size = put.payload->size(),
                                  .name = fmt::format("{}-{:x}", name_, ++objects_),
                                  .sha256 = s3::sha256_of(*put.payload)};
    std::string key = state_->home->run_prefix(run_, wait) + reference.name;
    state_->home->objects().put(key, *put.payload, reference.sha256, wait);
    return {.header = s3::mark(put.header, reference),
            .tag = s3::turned(put.tag),
            .payload = std::make_shared<const StringPayload>(""),
            .key = std::move(key)};
  }

  /// Notes what was stored and erased, and removes the objects of records that were erased long
  /// enough ago, and durably: the record of an object never returns.
  void remove_erased(const std::deque<s3::Placed>& placed, const Batch& batch, Ticket ticket,
                     const std::stop_token& stop) {
    const auto now = std::chrono::steady_clock::now();
    std::vector<std::string> old;
    {
      const std::scoped_lock lock{guard_};
      for (std::size_t i = 0; i < placed.size(); ++i) {
        const RecordId id = batch.puts[i].id;
        if (!placed[i].key.empty()) stored_[{std::string{id.path}, id.generation}] = placed[i].key;
      }
      for (const RecordId id : batch.erases) {
        const auto found = stored_.find({std::string{id.path}, id.generation});
        if (found == stored_.end()) continue;
        erased_.push_back({ticket, now, std::move(found->second)});
        stored_.erase(found);
      }
      const Ticket durable = erased_.empty() ? 0 : next().durable();
      while (!erased_.empty() && erased_.front().ticket <= durable &&
             now - erased_.front().at >= state_->keep_erased) {
        old.push_back(std::move(erased_.front().key));
        erased_.pop_front();
      }
    }
    try {
      const Wait soon{.stop = stop, .deadline = now + std::chrono::seconds{5}};
      for (const std::string& key : old) state_->home->objects().remove(key, soon);
    } catch (const Error&) {
      // The commit has happened; remove_leftovers() finds them.
    }
  }

  struct Erased {
    Ticket ticket;
    std::chrono::steady_clock::time_point at;
    std::string key;
  };

  std::shared_ptr<State> state_;
  std::string run_;
  std::string name_;  ///< of no other lease
  std::atomic<std::uint64_t> objects_ = 0;
  std::mutex guard_;
  std::map<std::pair<std::string, std::uint64_t>, std::string> stored_;  ///< keys, of this lease
  std::deque<Erased> erased_;
};

S3PayloadStore::S3PayloadStore(CheckpointStore& next, const S3Options& options)
    : ForwardingStore(next), state_(std::make_shared<State>(next, options)) {
  state_->folder = next.capability<ArtifactFolder>();
  state_->offered = store::offering(*this, next.capability<ContentCache>(), state_->folder);
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
