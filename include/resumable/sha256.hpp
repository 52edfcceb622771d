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

/// What a Sha256Store does with the records that it writes. What it reads, it always checks.
enum class Sha256Use : std::uint8_t {
  record,  ///< their headers get the SHA-256 of their payloads
  check,   ///< they stay as they are
};

/// Adds the SHA-256 of each payload to the header of its record, and checks it where a payload is
/// read: another one is Errc::damaged. XXH3, which all records have, finds accidents; SHA-256 also
/// finds what somebody has made to have the same XXH3, and it is what other tools can compute.
///
/// It is a member that a header may have: such records are read without this store, too, and then
/// compared by XXH3 alone; records without it are read as they are. So it can be put before a store
/// and taken away at any time. Put it before all others, such as CompressedStore: a header that is
/// not the library's own is passed on as it is. Identities, which decide what runs again, stay
/// XXH3.
///
/// A payload is digested while it is written and while it is read, not once more; one that is read
/// in parts is compared when the last part follows on the others. As safe to use from several
/// threads as `next`.
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
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  std::string do_url() const override;
  CheckpointStore* do_capability() noexcept override;

  struct State;
  std::shared_ptr<State> state_;
};

/// `factories`, and for each of them, `file` and `journal` one whose name begins with `sha256+`:
/// `open_store("sha256+journal:runs", with_sha256())`.
[[nodiscard]] RESUMABLE_EXPORT StoreFactories with_sha256(const StoreFactories& factories = {});

}  // namespace v0
}  // namespace resumable
