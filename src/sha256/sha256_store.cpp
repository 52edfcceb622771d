#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "core/record_format.hpp"
#include "resumable/sha256.hpp"
#include "sha256/payloads.hpp"
#include "store/filter.hpp"
#include "store/offering.hpp"

namespace resumable::sha256 {
namespace {

constexpr std::string_view not_known_yet =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// The header with a SHA-256; as it is if it is not one of the library's.
std::string with_sum(std::string_view line, const Tag& tag, std::string_view sum) {
  auto header = core::decode_header(line, tag);
  if (!header) return std::string{line};
  header->payload_sha256 = sum;
  return core::encode_header(*header, tag);
}

/// A record on its way into the next store.
class Digested {
 public:
  explicit Digested(const Put& put) : put_(put), payload_(*put.payload) {
    if (!put.seal) header_ = with_sum(put.header, put.tag, payload_.digest());
  }

  /// As Put::seal. Before the payload's bytes are known, the header has its length alone.
  Seal operator()(const Digest& digest) const {
    Seal seal = (*put_.seal)(digest);
    seal.header =
        with_sum(seal.header, seal.tag, digest == Digest{} ? not_known_yet : payload_.digest());
    return seal;
  }

  /// Valid as long as this.
  [[nodiscard]] Put put() {
    Put put{.id = put_.id, .tag = put_.tag, .header = header_, .payload = &payload_};
    if (put_.seal) put.seal = *this;
    return put;
  }

 private:
  const Put& put_;
  Digesting payload_;
  std::string header_;
};

/// What `commit` returns for the batch with a SHA-256 in its headers.
template <class Commit>
auto commit_digested(const Batch& batch, Sha256Use use, const Commit& commit) {
  if (use == Sha256Use::check) return commit(batch);
  std::deque<Digested> digested;  // which the puts refer to
  std::vector<Put> puts;
  for (const Put& put : batch.puts) puts.push_back(digested.emplace_back(put).put());
  return commit(Batch{puts, batch.erases});
}

void check(StoredRecord& record) {
  // Only a header with the name is decoded, because the reader of the record decodes it again.
  if (record.header.find("\"sha256\"") == std::string::npos) return;
  if (const auto header = core::decode_header(record.header, record.tag)) {
    if (header->payload_sha256.empty()) return;
    record.payload = checked(std::move(record.payload), header->payload_sha256);
  }
}

/// The cache of the next store.
class DigestingCache final : public ContentCache {
 public:
  DigestingCache(ContentCache& next, Sha256Use use) : next_(next), use_(use) {}

  std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const override {
    auto record = next_.find(path, wait);
    if (record) check(*record);
    return record;
  }
  bool do_put_if_absent(const Put& put, const Wait& wait) override {
    if (use_ == Sha256Use::check) return next_.put_if_absent(put, wait);
    Digested one{put};
    return next_.put_if_absent(one.put(), wait);
  }
  void do_replace(const Put& put, const Wait& wait) override {
    if (use_ == Sha256Use::check) return next_.replace(put, wait);
    Digested one{put};
    next_.replace(one.put(), wait);
  }

 private:
  ContentCache& next_;
  Sha256Use use_;
};

/// The work queue of the next store: what workers commit is digested.
class DigestingQueue final : public store::ForwardingQueue {
 public:
  DigestingQueue(WorkQueue& next, Sha256Use use) : ForwardingQueue(next), use_(use) {}

  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override {
    return commit_digested(batch, use_, [&](const Batch& digested) {
      return next().commit(claim, digested, options);
    });
  }

 private:
  Sha256Use use_;
};

}  // namespace
}  // namespace resumable::sha256

namespace resumable {
inline namespace v0 {

struct Sha256Store::State {
  State(CheckpointStore& next, Sha256Use how)
      : use(how), folder(next.capability<ArtifactFolder>()) {
    if (auto* inner = next.capability<ContentCache>()) cache.emplace(*inner, use);
    if (auto* inner = next.capability<WorkQueue>()) queue.emplace(*inner, use);
  }

  std::unique_ptr<CheckpointStore> owned{};
  Sha256Use use;
  std::optional<sha256::DigestingCache> cache{};
  std::optional<sha256::DigestingQueue> queue{};
  ArtifactFolder* folder;
  std::unique_ptr<CheckpointStore> offered{};
};

/// Digests what it commits.
class Sha256Store::DigestingLease final : public ForwardingLease {
 public:
  DigestingLease(std::unique_ptr<Lease> next, std::shared_ptr<State> state)
      : ForwardingLease(std::move(next)), state_(std::move(state)) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    return sha256::commit_digested(batch, state_->use, [&](const Batch& digested) {
      return next().commit(digested, options);
    });
  }
  [[nodiscard]] bool do_supports_seal() const noexcept override { return true; }

  std::shared_ptr<State> state_;
};

Sha256Store::Sha256Store(CheckpointStore& next, Sha256Use use)
    : ForwardingStore(next), state_(std::make_shared<State>(next, use)) {
  state_->offered = store::offering(*this, state_->cache ? &*state_->cache : nullptr,
                                    state_->folder, state_->queue ? &*state_->queue : nullptr);
}

Sha256Store::Sha256Store(std::unique_ptr<CheckpointStore> next, Sha256Use use)
    : Sha256Store(*next, use) {
  state_->owned = std::move(next);
}

Sha256Store::~Sha256Store() = default;

std::unique_ptr<Lease> Sha256Store::do_lease(std::string_view run, const LeaseRequest& request) {
  return std::make_unique<DigestingLease>(next().lease(run, request), state_);
}

void Sha256Store::do_restore(std::string_view /*run*/, RecordId /*id*/,
                             StoredRecord& record) const {
  sha256::check(record);
}

std::string Sha256Store::do_url() const {
  return (state_->use == Sha256Use::record ? "sha256+" : "") + next().url();
}

CheckpointStore* Sha256Store::do_capability() noexcept {
  return state_->offered ? state_->offered.get() : this;
}

StoreFactories with_sha256(const StoreFactories& factories) {
  return store::with_prefix("sha256+", factories, [](std::unique_ptr<CheckpointStore> next) {
    return std::make_unique<Sha256Store>(std::move(next));
  });
}

}  // namespace v0
}  // namespace resumable
