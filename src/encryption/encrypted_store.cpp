#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "encryption/names.hpp"
#include "encryption/runs.hpp"
#include "encryption/sealed_cache.hpp"
#include "encryption/sealed_record.hpp"
#include "store/filter.hpp"
#include "store/offering.hpp"

namespace resumable {
inline namespace v0 {

using encryption::Names;
using encryption::SealedPath;
using encryption::SealedRecord;

struct EncryptedStore::State {
  State(CheckpointStore& next, EncryptionKeys keys, EncryptedStoreOptions how)
      : options(how), runs(next, std::move(keys)) {
    if (auto* inner = next.capability<ContentCache>()) cache.emplace(*inner, runs.ring());
    if (options.plaintext_artifacts) folder = next.capability<ArtifactFolder>();
  }

  std::unique_ptr<CheckpointStore> owned{};
  EncryptedStoreOptions options;
  encryption::Runs runs;
  std::optional<encryption::SealedCache> cache{};
  ArtifactFolder* folder = nullptr;
  std::unique_ptr<CheckpointStore> offered{};
};

/// Seals what it commits.
class EncryptedStore::SealingLease final : public ForwardingLease {
 public:
  SealingLease(std::unique_ptr<Lease> next, std::string run, std::shared_ptr<State> state,
               encryption::Runs::Keys keys)
      : ForwardingLease(std::move(next)),
        run_(std::move(run)),
        state_(std::move(state)),
        runs_(state_->runs),
        keys_(std::move(keys)),
        names_(keys_) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    std::deque<SealedPath> paths;  // these two are what the puts refer to
    std::deque<SealedRecord> sealed;
    std::vector<Put> puts;
    std::vector<RecordId> erases;
    for (const Put& put : batch.puts) {
      const SealedPath& path = paths.emplace_back(names_.seal(put.id.path));
      if (!path.book.empty()) note(path.book, options);
      const SealedRecord& one = sealed.emplace_back(encryption::seal_record(*keys_, run_, put));
      puts.push_back({.id = {path.path, put.id.generation},
                      .tag = one.tag,
                      .header = one.header,
                      .payload = one.payload.get()});
    }
    for (const RecordId id : batch.erases) {
      erases.push_back({paths.emplace_back(names_.seal(id.path)).path, id.generation});
    }
    return next().commit({puts, erases}, options);
  }

  void do_manifest(std::string_view json, const Wait& wait) override {
    next().manifest(encryption::Runs::seal_manifest(*keys_, run_, json), wait);
  }

  std::string do_quarantine(RecordId id, const Wait& wait) override {
    std::string path;
    return next().quarantine(runs_.sealed_id(run_, id, path, wait), wait);
  }

  /// Records the meaning of the short forms before they are used.
  void note(const std::map<std::string, std::string>& book, const CommitOptions& options) {
    const std::scoped_lock lock{guard_};
    if (!booked_) {
      booked_.emplace();
      for (const auto& [brief, name] : runs_.book(run_, keys_, options.wait))
        booked_->insert(brief);
    }
    for (const auto& [path, name] : book) {
      const std::string brief = path.substr(encryption::book_folder.size());
      if (booked_->contains(brief)) continue;
      const StringPayload nothing{""};
      const SealedRecord one = encryption::seal_record(
          *keys_, run_, {.id = {path, 1}, .tag = {}, .header = name, .payload = &nothing});
      const std::string sealed = names_.seal(path).path;
      const Put put{
          .id = {sealed, 1}, .tag = one.tag, .header = one.header, .payload = one.payload.get()};
      next().commit({.puts = {&put, 1}, .erases = {}}, options);
      booked_->insert(brief);
    }
  }

  std::string run_;
  std::shared_ptr<State> state_;
  encryption::Runs& runs_;
  encryption::Runs::Keys keys_;
  Names names_;
  std::mutex guard_;
  std::optional<std::set<std::string>> booked_;
};

EncryptedStore::EncryptedStore(CheckpointStore& next, EncryptionKeys keys,
                               EncryptedStoreOptions options)
    : ForwardingStore(next), state_(std::make_shared<State>(next, std::move(keys), options)) {
  state_->offered =
      store::offering(*this, state_->cache ? &*state_->cache : nullptr, state_->folder, nullptr);
}

EncryptedStore::EncryptedStore(std::unique_ptr<CheckpointStore> next, EncryptionKeys keys,
                               EncryptedStoreOptions options)
    : EncryptedStore(*next, std::move(keys), options) {
  state_->owned = std::move(next);
}

EncryptedStore::~EncryptedStore() = default;

std::unique_ptr<Lease> EncryptedStore::do_lease(std::string_view run, const LeaseRequest& request) {
  encryption::Runs& runs = state_->runs;
  auto keys = runs.ring().current_for(run);  // refused before anything is created
  auto lease = next().lease(run, request);
  if (auto own = runs.look(run, {.stop = request.stop, .deadline = request.deadline})) {
    keys = std::move(own);
  } else {
    runs.forget(run);  // the run was removed and is being created again
  }
  return std::make_unique<SealingLease>(std::move(lease), std::string{run}, state_,
                                        std::move(keys));
}

void EncryptedStore::do_scan(std::string_view run, const ScanOptions& what,
                             FunctionRef<bool(const RecordHead&)> visit) const {
  state_->runs.scan(run, what, visit);
}

void EncryptedStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                                 FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  state_->runs.get_many(run, ids, visit, wait);
}

std::optional<std::string> EncryptedStore::do_manifest(std::string_view run,
                                                       const Wait& wait) const {
  return state_->runs.manifest(run, wait);
}

std::string EncryptedStore::do_locate(std::string_view run, RecordId id) const {
  std::string path;
  return next().locate(run, state_->runs.sealed_id(run, id, path, {}));
}

std::string EncryptedStore::do_url() const { return "encrypted+" + next().url(); }

std::vector<std::string> EncryptedStore::do_warnings(const Wait& wait) const {
  auto all = next().warnings(wait);
  if (state_->folder != nullptr) all.emplace_back("artifacts are files that are not encrypted");
  return all;
}

RemoveResult EncryptedStore::do_remove(std::string_view run, const RemoveOptions& options) {
  RemoveResult result = store::remove_from(next(), *this, state_->folder != nullptr, run, options);
  if (result.removed) state_->runs.forget(run);
  return result;
}

CheckpointStore* EncryptedStore::do_capability() noexcept {
  return state_->offered ? state_->offered.get() : this;
}

StoreFactories with_encryption(const EncryptionKeys& keys, const StoreFactories& factories,
                               EncryptedStoreOptions options) {
  return store::with_prefix("encrypted+", factories, [=](std::unique_ptr<CheckpointStore> next) {
    return std::make_unique<EncryptedStore>(std::move(next), keys, options);
  });
}

}  // namespace v0
}  // namespace resumable
