/// @file
/// A store that records the SHA-256 of what it passes on, and checks it (component `sha256`).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/open_store.hpp"

namespace resumable {
inline namespace v0 {

/// What a Sha256Store does with the records that it writes. It always checks what it reads.
enum class Sha256Use : std::uint8_t {
  record,  ///< their headers get the SHA-256 of their payloads
  check,   ///< they stay as they are
};

/// Adds the SHA-256 of each payload to the header of its record, and checks it when a payload is
/// read: a different one is Errc::damaged. XXH3, which all records have, detects accidental damage;
/// SHA-256 also detects a payload that was made on purpose to have the same XXH3, and other tools
/// can compute it.
///
/// The SHA-256 is an optional member of the header: such records can be read without this store,
/// and are then checked by XXH3 alone; records without it are read as they are. So this store can
/// be put in front of another and taken away at any time. Put it outermost, in front of others such
/// as CompressedStore: it passes on unchanged any header that is not the library's own. Identities,
/// which decide what runs again, are still XXH3.
///
/// A payload is digested while it is written and while it is read, without an extra pass; one that
/// is read in parts is compared if the parts are read in order to the end. As safe to use from
/// several threads as `next`.
class RESUMABLE_EXPORT Sha256Store final : public ForwardingStore {
 public:
  /// `next` must outlive the store and its leases.
  explicit Sha256Store(CheckpointStore& next, Sha256Use use = Sha256Use::record);
  /// The same, and owns `next` together with its leases.
  explicit Sha256Store(std::unique_ptr<CheckpointStore> next, Sha256Use use = Sha256Use::record);
  ~Sha256Store() override;

 private:
  class DigestingLease;

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_restore(std::string_view run, RecordId id, StoredRecord& record) const override;
  std::string do_url() const override;
  CheckpointStore* do_capability() noexcept override;

  struct State;
  std::shared_ptr<State> state_;
};

/// `factories`, and for each of them and for `file` and `journal` one more whose name begins with
/// `sha256+`: `open_store("sha256+journal:runs", with_sha256())`.
[[nodiscard]] RESUMABLE_EXPORT StoreFactories with_sha256(const StoreFactories& factories = {});

}  // namespace v0
}  // namespace resumable
