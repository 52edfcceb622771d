#include <deque>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

#include "resumable/error.hpp"
#include "resumable/zstd.hpp"
#include "store/filter.hpp"
#include "store/offering.hpp"
#include "zstd/mark.hpp"
#include "zstd/pieces.hpp"

namespace resumable::zstd {
namespace {

/// A record on its way into the next store.
struct Packed {
  std::string header;
  std::shared_ptr<const Payload> payload;  ///< nullptr: the one that was given
};

Packed pack(const Put& put, const CompressedStoreOptions& options) {
  if (put.payload->size() >= options.least_bytes && can_mark(put.header)) {
    auto smaller = compress(*put.payload, options.level);
    if (smaller) return {mark(put.header, put.payload->size()), std::move(smaller)};
  }
  return {mark_plain(put.header), nullptr};
}

/// Valid as long as both.
Put packed_put(const Put& put, const Packed& packed) {
  return {.id = put.id,
          .tag = put.tag,
          .header = packed.header,
          .payload = packed.payload ? packed.payload.get() : put.payload};
}

/// What `commit` returns for the batch with its payloads compressed.
template <class Commit>
auto commit_packed(const Batch& batch, const CompressedStoreOptions& options,
                   const Commit& commit) {
  std::deque<Packed> packed;  // which the puts refer to
  std::vector<Put> puts;
  for (const Put& put : batch.puts) {
    puts.push_back(packed_put(put, packed.emplace_back(pack(put, options))));
  }
  return commit(Batch{puts, batch.erases});
}

void unpack(StoredRecord& record) {
  Unmarked unmarked = unmark(record.header);
  record.header = std::move(unmarked.header);
  if (unmarked.size) record.payload = decompress(std::move(record.payload), *unmarked.size);
}

/// The cache of the next store, compressed.
class CompressedCache final : public ContentCache {
 public:
  CompressedCache(ContentCache& next, const CompressedStoreOptions& options)
      : next_(next), options_(options) {}

  std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const override {
    auto record = next_.find(path, wait);
    if (record) unpack(*record);
    return record;
  }
  bool do_put_if_absent(const Put& put, const Wait& wait) override {
    const Packed packed = pack(put, options_);
    return next_.put_if_absent(packed_put(put, packed), wait);
  }
  void do_replace(const Put& put, const Wait& wait) override {
    const Packed packed = pack(put, options_);
    next_.replace(packed_put(put, packed), wait);
  }

 private:
  ContentCache& next_;
  CompressedStoreOptions options_;
};

/// The work queue of the next store: what workers commit is compressed.
class CompressingQueue final : public store::ForwardingQueue {
 public:
  CompressingQueue(WorkQueue& next, const CompressedStoreOptions& options)
      : ForwardingQueue(next), options_(options) {}

  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override {
    return commit_packed(batch, options_, [&](const Batch& packed) {
      return next().commit(claim, packed, options);
    });
  }

 private:
  CompressedStoreOptions options_;
};

}  // namespace
}  // namespace resumable::zstd

namespace resumable {
inline namespace v0 {

struct CompressedStore::State {
  State(CheckpointStore& next, CompressedStoreOptions how)
      : options(how), folder(next.capability<ArtifactFolder>()) {
    if (auto* inner = next.capability<ContentCache>()) cache.emplace(*inner, options);
    if (auto* inner = next.capability<WorkQueue>()) queue.emplace(*inner, options);
  }

  std::unique_ptr<CheckpointStore> owned{};
  CompressedStoreOptions options;
  std::optional<zstd::CompressedCache> cache{};
  std::optional<zstd::CompressingQueue> queue{};
  ArtifactFolder* folder;
  std::unique_ptr<CheckpointStore> offered{};
};

/// Compresses what it commits.
class CompressedStore::CompressingLease final : public ForwardingLease {
 public:
  CompressingLease(std::unique_ptr<Lease> next, std::shared_ptr<State> state)
      : ForwardingLease(std::move(next)), state_(std::move(state)) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    return zstd::commit_packed(batch, state_->options,
                               [&](const Batch& packed) { return next().commit(packed, options); });
  }

  std::shared_ptr<State> state_;
};

CompressedStore::CompressedStore(CheckpointStore& next, CompressedStoreOptions options)
    : ForwardingStore(next), state_(std::make_shared<State>(next, options)) {
  if (options.level < 1 || options.level > ZSTD_maxCLevel()) {
    throw Error(Errc::bad_option, {.what = fmt::format("zstd has no level {}", options.level),
                                   .next = fmt::format("take one from 1 to {}", ZSTD_maxCLevel())});
  }
  state_->offered = store::offering(*this, state_->cache ? &*state_->cache : nullptr,
                                    state_->folder, state_->queue ? &*state_->queue : nullptr);
}

CompressedStore::CompressedStore(std::unique_ptr<CheckpointStore> next,
                                 CompressedStoreOptions options)
    : CompressedStore(*next, options) {
  state_->owned = std::move(next);
}

CompressedStore::~CompressedStore() = default;

std::unique_ptr<Lease> CompressedStore::do_lease(std::string_view run,
                                                 const LeaseRequest& request) {
  return std::make_unique<CompressingLease>(next().lease(run, request), state_);
}

void CompressedStore::do_scan(std::string_view run, const ScanOptions& what,
                              FunctionRef<bool(const RecordHead&)> visit) const {
  ScanOptions headers = what;
  headers.headers = true;  // they have the sizes
  next().scan(run, headers, [&](const RecordHead& packed) {
    if (!packed.header) return visit(packed);
    const zstd::Unmarked unmarked = zstd::unmark(*packed.header);
    RecordHead head = packed;
    head.header.reset();
    if (what.headers) head.header = unmarked.header;
    head.header_bytes = unmarked.header.size();
    if (unmarked.size) head.payload_bytes = *unmarked.size;
    return visit(head);
  });
}

void CompressedStore::do_restore(std::string_view /*run*/, RecordId /*id*/,
                                 StoredRecord& record) const {
  zstd::unpack(record);
}

std::string CompressedStore::do_url() const { return "zstd+" + next().url(); }

RemoveResult CompressedStore::do_remove(std::string_view run, const RemoveOptions& options) {
  return store::remove_from(next(), *this, state_->folder != nullptr, run, options);
}

CheckpointStore* CompressedStore::do_capability() noexcept {
  return state_->offered ? state_->offered.get() : this;
}

StoreFactories with_compression(const StoreFactories& factories, CompressedStoreOptions options) {
  return store::with_prefix("zstd+", factories, [options](std::unique_ptr<CheckpointStore> next) {
    return std::make_unique<CompressedStore>(std::move(next), options);
  });
}

}  // namespace v0
}  // namespace resumable
