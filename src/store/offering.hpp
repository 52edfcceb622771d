/// @file
/// The optional capabilities of a store that wraps another one: those that the other one has.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/forwarding_store.hpp"
#include "resumable/store.hpp"

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

/// `store` with those of the two that are there; nullptr when none is. All must outlive it.
[[nodiscard]] inline std::unique_ptr<CheckpointStore> offering(CheckpointStore& store,
                                                               ContentCache* cache,
                                                               ArtifactFolder* folder) {
  using Caching = WithCache<ForwardingStore>;
  if (cache != nullptr && folder != nullptr) {
    return std::make_unique<WithFolder<Caching>>(*folder, *cache, store);
  }
  if (cache != nullptr) return std::make_unique<Caching>(*cache, store);
  if (folder != nullptr) return std::make_unique<WithFolder<ForwardingStore>>(*folder, store);
  return nullptr;
}

}  // namespace resumable::store
