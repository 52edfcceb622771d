/// @file
/// The runs of an encrypted store: their keys, and how their records are found and opened.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "encryption/keys.hpp"
#include "encryption/sealed_record.hpp"
#include "resumable/encryption.hpp"
#include "resumable/error.hpp"

namespace resumable::encryption {

/// Which key a run has, and how its records are found and opened. Safe to use from several threads.
class Runs {
 public:
  Runs(CheckpointStore& next, EncryptionKeys keys) : next_(next), ring_(std::move(keys)) {}

  [[nodiscard]] KeyRing& ring() noexcept { return ring_; }

  using Keys = std::shared_ptr<const RunKeys>;
  /// The key that the run's records name, read from the next store; nullptr when it has none.
  /// @throws Error{Errc::unreadable}  the program does not have that key
  /// @throws Error{Errc::foreign}     the run is not encrypted
  Keys look(std::string_view run, const Wait& wait);
  /// The same, if it is not known already; of a run without records the current key.
  Keys of(std::string_view run, const Wait& wait);

  /// All long components of a run, by their short forms.
  [[nodiscard]] std::map<std::string, std::string> book(std::string_view run, const Keys& keys,
                                                        const Wait& wait) const;
  void scan(std::string_view run, const ScanOptions& what,
            FunctionRef<bool(const RecordHead&)> visit);
  void get_many(std::string_view run, std::span<const RecordId> ids,
                FunctionRef<bool(Fetched)> visit, const Wait& wait);
  [[nodiscard]] std::optional<std::string> manifest(std::string_view run, const Wait& wait);
  [[nodiscard]] static std::string seal_manifest(const RunKeys& keys, std::string_view run,
                                                 std::string_view json);
  /// A run that was removed may begin with another key.
  void forget(std::string_view run);
  /// The id by which the next store knows a record; `path` holds its path.
  [[nodiscard]] RecordId sealed_id(std::string_view run, RecordId id, std::string& path,
                                   const Wait& wait);

 private:
  /// `sealed`: the id of `record` in the next store.
  [[nodiscard]] StoredRecord open(const Keys& keys, std::string_view run, RecordId id,
                                  RecordId sealed, StoredRecord record) const;
  [[nodiscard]] static RecordId sealed_with(const Keys& keys, RecordId id, std::string& path);

  CheckpointStore& next_;
  KeyRing ring_;
  std::mutex guard_;
  std::map<std::string, Keys, std::less<>> known_;
};

/// What is thrown for a record that cannot be opened.
[[nodiscard]] Error refusal(std::string_view run, RecordId id, const HeadReading& reading,
                            std::string file);

}  // namespace resumable::encryption
