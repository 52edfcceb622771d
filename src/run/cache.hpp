/// @file
/// What was computed in whatever run of the store, by content.
#pragma once

#include <mutex>

#include "resumable/cache.hpp"
#include "resumable/store.hpp"
#include "run/attempt.hpp"
#include "run/inside.hpp"

namespace resumable::inline v0::run {

/// The store's cache. Safe to use from several threads.
class Cache {
 public:
  Cache(CheckpointStore& store, sys::Clock& clock) : store_(store), clock_(clock) {}

  detail::AnyValue cached(const Inside& inside, detail::Attempt& attempt,
                          const detail::CacheCall& call);

 private:
  struct Entry;
  [[nodiscard]] Entry find(const std::string& path) const;
  [[nodiscard]] detail::AnyValue value(const Entry& entry, const detail::CacheCall& call) const;
  void save(const core::Key& key, Entry entry, const detail::CacheCall& call, const void* value,
            const std::stop_token& stop);

  CheckpointStore& store_;
  sys::Clock& clock_;
  std::mutex guard_;  ///< one lease at a time in this process
};

}  // namespace resumable::inline v0::run
