/// @file
/// The optional capabilities of a store that wraps another one: those that the other one has.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/forwarding_store.hpp"
#include "resumable/store.hpp"
#include "store/forwarding_queue.hpp"

namespace resumable::store {

/// A store with a cache.
template <class Base>
class WithCache : public Base, public ContentCache {
 public:
  template <class... Args>
  explicit WithCache(ContentCache& cache, Args&... args) : Base(args...), cache_(cache) {}

  std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const override {
    return cache_.find(path, wait);
  }
  bool do_put_if_absent(const Put& put, const Wait& wait) override {
    return cache_.put_if_absent(put, wait);
  }
  void do_replace(const Put& put, const Wait& wait) override { cache_.replace(put, wait); }

 private:
  ContentCache& cache_;
};

/// A store with a folder for artifacts.
template <class Base>
class WithFolder : public Base, public ArtifactFolder {
 public:
  template <class... Args>
  explicit WithFolder(ArtifactFolder& folder, Args&... args) : Base(args...), folder_(folder) {}

  [[nodiscard]] std::string artifact_folder(std::string_view run) const override {
    return folder_.artifact_folder(run);
  }

 private:
  ArtifactFolder& folder_;
};

/// A store whose runs can be shared.
class Sharing : public ForwardingStore, public ForwardingQueue {
 public:
  Sharing(WorkQueue& queue, CheckpointStore& store)
      : ForwardingStore(store), ForwardingQueue(queue) {}
};

/// A `Base` of `args` with the two; nullptr when neither is there.
template <class Base, class... Args>
std::unique_ptr<CheckpointStore> with_both(ContentCache* cache, ArtifactFolder* folder,
                                           Args&... args) {
  using Caching = WithCache<Base>;
  if (cache != nullptr && folder != nullptr) {
    return std::make_unique<WithFolder<Caching>>(*folder, *cache, args...);
  }
  if (cache != nullptr) return std::make_unique<Caching>(*cache, args...);
  if (folder != nullptr) return std::make_unique<WithFolder<Base>>(*folder, args...);
  return nullptr;
}

/// `store` with those of the three that are there; nullptr when none is. All must outlive it.
[[nodiscard]] inline std::unique_ptr<CheckpointStore> offering(CheckpointStore& store,
                                                               ContentCache* cache,
                                                               ArtifactFolder* folder,
                                                               WorkQueue* queue) {
  if (queue == nullptr) return with_both<ForwardingStore>(cache, folder, store);
  auto all = with_both<Sharing>(cache, folder, *queue, store);
  return all ? std::move(all) : std::make_unique<Sharing>(*queue, store);
}

}  // namespace resumable::store
