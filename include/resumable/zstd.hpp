/// @file
/// A store that compresses what it passes on to another one (component `zstd`).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/open_store.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

struct CompressedStoreOptions {
  int level = 3;                    ///< zstd's: 1, the fastest, to 22
  std::uint64_t least_bytes = 512;  ///< smaller payloads stay as they are
};

/// Compresses payloads with zstd. What does not become smaller by a sixteenth is stored as it is,
/// and what was stored without this store is read: it can be put before a store at any time, and
/// the records that it has compressed are read only through it. To encrypt as well, put it before
/// the EncryptedStore: what is encrypted no longer compresses.
///
/// A payload is compressed in pieces of 1 MiB, so that a large one need not be in memory; one over
/// 4 MiB is read and compressed twice. What is decompressed has the size that its header says, or
/// is Errc::damaged. As safe to use from several threads as `next`.
class RESUMABLE_EXPORT CompressedStore final : public ForwardingStore {
 public:
  /// `next` must outlive the store and its leases.
  /// @throws Error{Errc::bad_option}  no such level
  explicit CompressedStore(CheckpointStore& next, CompressedStoreOptions options = {});
  /// The same, and owns `next` together with its leases.
  explicit CompressedStore(std::unique_ptr<CheckpointStore> next,
                           CompressedStoreOptions options = {});
  ~CompressedStore() override;

 private:
  class CompressingLease;

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  std::string do_url() const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;
  CheckpointStore* do_capability() noexcept override;

  struct State;
  std::shared_ptr<State> state_;
};

/// `factories`, and for each of them, `file` and `journal` one whose name begins with `zstd+`:
/// `open_store("zstd+journal:runs", with_compression())`.
[[nodiscard]] RESUMABLE_EXPORT StoreFactories with_compression(const StoreFactories& factories = {},
                                                               CompressedStoreOptions options = {});

}  // namespace v0
}  // namespace resumable
