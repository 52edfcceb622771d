/// @file
/// Results computed in any run of the store, found by content.
#pragma once

#include <functional>
#include <mutex>

#include "resumable/cache.hpp"
#include "resumable/store.hpp"
#include "stage/attempt.hpp"
#include "stage/inside.hpp"

namespace resumable::stage {

/// The store's cache: its ContentCache where it has one, else records of the run `@cache`, which
/// are written under a lease. Safe to use from several threads.
class Cache {
 public:
  /// `wait`: how long a call of the store may take that begins now.
  Cache(CheckpointStore& store, sys::Clock& clock, std::function<Wait()> wait);

  detail::AnyValue cached(const Inside& inside, detail::Attempt& attempt,
                          const detail::CacheCall& call);

 private:
  struct Entry;
  [[nodiscard]] Entry find(const std::string& path) const;
  [[nodiscard]] detail::AnyValue value(const Entry& entry, const detail::CacheCall& call) const;
  void save(const Entry& entry, record::Draft draft, const std::stop_token& stop);

  CheckpointStore& store_;
  ContentCache* content_;  ///< nullptr: it has none
  sys::Clock& clock_;
  std::function<Wait()> wait_;
  std::mutex guard_;  ///< one lease at a time in this process
};

}  // namespace resumable::stage
