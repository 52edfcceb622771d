#include "encryption/keys.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {

EncryptionKey::EncryptionKey(std::string_view bytes) {
  if (bytes.size() != size) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("a key has {} bytes, not {}", size, bytes.size()),
                 .next = "take 32 random bytes; a password is not a key"});
  }
  std::ranges::copy(bytes, bytes_.begin());
}

EncryptionKey::~EncryptionKey() { encryption::wipe(bytes_.data(), bytes_.size()); }

EncryptionKey EncryptionKey::random() {
  std::string bytes = encryption::random_bytes(size);
  EncryptionKey key;
  std::ranges::copy(bytes, key.bytes_.begin());
  encryption::wipe(bytes.data(), bytes.size());
  return key;
}

}  // namespace v0
}  // namespace resumable

namespace resumable::encryption {
namespace {

constexpr std::string_view for_check = "resumable encryption 1 check";
constexpr std::string_view for_records = "resumable encryption 1 records";
constexpr std::string_view for_names = "resumable encryption 1 names ";
constexpr std::string_view for_record = "resumable encryption 1 record";

}  // namespace

void check_id(std::string_view id) {
  const bool good = !id.empty() && id.size() <= max_id && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
  if (good) return;
  throw Error(Errc::bad_option,
              {.what = fmt::format("'{}' cannot be the id of a key", core::printable(id)),
               .next = "use 1 to 24 characters of a-z, A-Z, 0-9, '.', '_' and '-'"});
}

RunKeys::RunKeys(std::string id, const EncryptionKey& key, std::string_view run)
    : id_(std::move(id)),
      records_(derived<32>(key.bytes(), {}, for_records)),
      names_(derived<64>(key.bytes(), {}, std::string{for_names}.append(run))),
      check_(derived<check_bytes>(key.bytes(), {}, for_check).view()) {}

RecordKeys RunKeys::of_record(std::string_view salt) const {
  const Secret<64> both = derived<64>(records_.view(), salt, for_record);
  RecordKeys keys;
  std::copy_n(both.bytes.begin(), keys.head.bytes.size(), keys.head.bytes.begin());
  std::copy_n(both.bytes.begin() + keys.head.bytes.size(), keys.payload.bytes.size(),
              keys.payload.bytes.begin());
  return keys;
}

KeyRing::KeyRing(EncryptionKeys keys) : keys_(std::move(keys)) {
  check_id(keys_.current);
  if (!keys_.find) {
    throw Error(Errc::bad_option, {.what = "EncryptionKeys::find is not set",
                                   .next = "give the store a function that finds a key by its id"});
  }
}

std::shared_ptr<const RunKeys> KeyRing::find(std::string_view id, std::string_view run) {
  std::pair<std::string, std::string> wanted{id, run};
  const std::scoped_lock lock{guard_};
  if (const auto known = known_.find(wanted); known != known_.end()) return known->second;
  const std::optional<EncryptionKey> key = keys_.find(id);
  if (!key) return nullptr;
  auto made = std::make_shared<const RunKeys>(std::string{id}, *key, run);
  known_.emplace(std::move(wanted), made);
  return made;
}

std::shared_ptr<const RunKeys> KeyRing::current_for(std::string_view run) {
  if (auto keys = find(keys_.current, run)) return keys;
  throw Error(Errc::bad_option,
              {.what = fmt::format("the program has no key '{}', which it calls the current one",
                                   keys_.current),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "let EncryptionKeys::find give it"});
}

}  // namespace resumable::encryption
