/// @file
/// A store that encrypts what it passes on to another store (component `encryption`, OpenSSL).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
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

/// 32 secret bytes from a good random source; not a password. Overwritten when destroyed. Safe to
/// read from several threads.
class RESUMABLE_EXPORT EncryptionKey {
 public:
  static constexpr std::size_t size = 32;

  /// Copies `bytes`, which the caller should overwrite.
  /// @throws Error{Errc::bad_option}  not 32 bytes
  explicit EncryptionKey(std::string_view bytes);
  EncryptionKey(const EncryptionKey&) = default;
  EncryptionKey& operator=(const EncryptionKey&) = default;
  ~EncryptionKey();

  /// A new one from OpenSSL's random generator.
  [[nodiscard]] static EncryptionKey random();
  /// Valid as long as the key.
  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.data(), bytes_.size()}; }

 private:
  EncryptionKey() = default;
  std::array<char, size> bytes_{};
};

/// The keys of a program. A key's id has 1 to 24 characters of [A-Za-z0-9._-]; it is stored with
/// every record, unencrypted.
struct EncryptionKeys {
  /// The id of the key for new runs. A run keeps the key that it began with.
  std::string current;
  /// Returns the key with this id, or nullopt if there is none. Called when a run is first read or
  /// written, by one thread at a time; the store rethrows what it throws. It must not use the
  /// store.
  std::function<std::optional<EncryptionKey>(std::string_view id)> find;
};

struct EncryptedStoreOptions {
  /// Whether the store offers the next store's folder for artifacts, which are files for people
  /// and are never encrypted. Without it a run has artifacts only in
  /// ResumeOptions::artifact_folder.
  bool plaintext_artifacts = false;
};

/// Encrypts payloads, headers, tags, manifests, entries of the cache, and the names in the paths of
/// records with AES-256-GCM and AES-SIV, and passes them on. docs/encryption.md says what is
/// protected and what is not: run ids, the number and sizes of records, and when they were written
/// remain visible.
///
/// Anything that is not as it was written is refused: a changed bit is Errc::damaged, a record that
/// is not encrypted or was moved from another place is Errc::foreign, and a run whose key is
/// missing or wrong is Errc::unreadable, with the id of the key.
///
/// A scan reads and decrypts the header of each record that it visits, and holds all heads of the
/// run in memory, because it has to sort them by name. As safe to use from several threads as
/// `next`.
class RESUMABLE_EXPORT EncryptedStore final : public ForwardingStore {
 public:
  /// `next` must outlive the store and its leases.
  /// @throws Error{Errc::bad_option}  keys.current is not a valid id, or keys.find is empty
  EncryptedStore(CheckpointStore& next, EncryptionKeys keys, EncryptedStoreOptions options = {});
  /// The same, and owns `next` together with its leases.
  EncryptedStore(std::unique_ptr<CheckpointStore> next, EncryptionKeys keys,
                 EncryptedStoreOptions options = {});
  ~EncryptedStore() override;

 private:
  class SealingLease;

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  std::vector<std::string> do_warnings(const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;
  CheckpointStore* do_capability() noexcept override;

  struct State;
  std::shared_ptr<State> state_;
};

/// `factories`, and for each of them and for `file` and `journal` one more whose name begins with
/// `encrypted+`: `open_store("encrypted+journal:runs", with_encryption(keys))`.
[[nodiscard]] RESUMABLE_EXPORT StoreFactories with_encryption(const EncryptionKeys& keys,
                                                              const StoreFactories& factories = {},
                                                              EncryptedStoreOptions options = {});

}  // namespace v0
}  // namespace resumable
