/// @file
/// The cache of an encrypted store.
#pragma once

#include <optional>
#include <string_view>

#include "encryption/keys.hpp"
#include "resumable/store.hpp"

namespace resumable::encryption {

/// The run whose records are the entries of a cache.
inline constexpr std::string_view cache_run = "@cache";

/// The cache of the next store, sealed with the current key.
class SealedCache final : public ContentCache {
 public:
  SealedCache(ContentCache& next, KeyRing& ring) : next_(next), ring_(ring) {}

  std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const override;
  bool do_put_if_absent(const Put& put, const Wait& wait) override;
  void do_replace(const Put& put, const Wait& wait) override;

 private:
  ContentCache& next_;
  KeyRing& ring_;
};

}  // namespace resumable::encryption
