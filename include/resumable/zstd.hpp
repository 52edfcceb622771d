/// @file
/// A store that compresses what it passes on to another store (component `zstd`).
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

/// Compresses payloads with zstd, unless that makes them smaller by less than a sixteenth. Records
/// that were stored without it can still be read, so it can be put in front of a store at any time;
/// records that it has compressed can be read only through it. To encrypt as well, put it in front
/// of the EncryptedStore: encrypted data does not compress.
///
/// A payload is compressed in pieces of 1 MiB, so that a large one need not be in memory; one over
/// 4 MiB is read and compressed twice. If a decompressed payload does not have the size that its
/// header says, that is Errc::damaged. As safe to use from several threads as `next`.
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
  void do_restore(std::string_view run, RecordId id, StoredRecord& record) const override;
  std::string do_url() const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;
  CheckpointStore* do_capability() noexcept override;

  struct State;
  std::shared_ptr<State> state_;
};

/// `factories`, and for each of them and for `file` and `journal` one more whose name begins with
/// `zstd+`: `open_store("zstd+journal:runs", with_compression())`.
[[nodiscard]] RESUMABLE_EXPORT StoreFactories with_compression(const StoreFactories& factories = {},
                                                               CompressedStoreOptions options = {});

}  // namespace v0
}  // namespace resumable
