/// @file
/// Derives the keys with which a run's records are sealed from the keys of the program.
///
///     key of the program ── HKDF, "names" and the run ──> the key of the run's names
///                        └─ HKDF, the record's salt ───> two keys of that record
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "encryption/crypto.hpp"
#include "resumable/encryption.hpp"

namespace resumable::encryption {

inline constexpr std::size_t max_id = 24;
inline constexpr std::size_t salt_bytes = 24;
inline constexpr std::size_t check_bytes = 8;

/// @throws Error{Errc::bad_option}
void check_id(std::string_view id);

/// The keys of one record. A random salt makes them unique, so that chunk numbers can serve as
/// nonces.
struct RecordKeys {
  Key head;
  Key payload;
};

/// One key of the program, for one run.
class RunKeys {
 public:
  RunKeys(std::string id, const EncryptionKey& key, std::string_view run);

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  /// 8 bytes that show whether a record was sealed with this key. They reveal nothing else about
  /// it.
  [[nodiscard]] const std::string& check() const noexcept { return check_; }
  [[nodiscard]] const NameKey& names() const noexcept { return names_; }
  [[nodiscard]] RecordKeys of_record(std::string_view salt) const;

 private:
  std::string id_;
  Key records_;
  NameKey names_;
  std::string check_;
};

/// Safe to use from several threads.
class KeyRing {
 public:
  /// @throws Error{Errc::bad_option}
  explicit KeyRing(EncryptionKeys keys);

  [[nodiscard]] const std::string& current() const noexcept { return keys_.current; }
  /// nullptr when the program has no such key.
  [[nodiscard]] std::shared_ptr<const RunKeys> find(std::string_view id, std::string_view run);
  /// @throws Error{Errc::bad_option}  the program does not have the key that it calls current
  [[nodiscard]] std::shared_ptr<const RunKeys> current_for(std::string_view run);

 private:
  EncryptionKeys keys_;
  std::mutex guard_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const RunKeys>> known_;
};

}  // namespace resumable::encryption
