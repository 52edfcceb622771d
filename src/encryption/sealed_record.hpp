/// @file
/// A record as the next store sees it. docs/format.md specifies the bytes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "encryption/keys.hpp"
#include "resumable/record.hpp"
#include "resumable/store.hpp"

namespace resumable::encryption {

/// The tag of a sealed record: it says that it is one, with which key, and the salt.
struct OuterTag {
  Damage damage = Damage::none;  ///< newer; or foreign: not a sealed record
  std::string id{};              ///< of the key
  std::string check{};
  std::string salt{};
};
[[nodiscard]] OuterTag read_tag(const Tag& tag);

/// A record that is ready for the next store.
struct SealedRecord {
  Tag tag;
  std::string header;
  std::shared_ptr<const Payload> payload;
};
/// Reads `put.payload`, and later again if it is large: it must outlive what is returned.
[[nodiscard]] SealedRecord seal_record(const RunKeys& keys, std::string_view run, const Put& put);

/// What the sealed part of a header holds.
struct OpenedHead {
  Tag tag;
  std::string header{};
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  bool header_in_payload = false;  ///< it is too long for the next store's header
};

struct HeadReading {
  Damage damage = Damage::none;  ///< torn, newer, foreign
  std::string why{};             ///< with damage: a sentence's end, "is not encrypted"
  OpenedHead head{};
};
/// @param id  of the record, as this store's users name it
[[nodiscard]] HeadReading open_head(const RunKeys& keys, std::string_view run, RecordId id,
                                    const Tag& tag, std::string_view header);

/// The record as its writer gave it. Small payloads are opened at once, large ones as they are
/// read.
/// @throws Error{Errc::damaged}  a chunk is not as it was written
[[nodiscard]] StoredRecord open_record(const RunKeys& keys, OpenedHead head, const Tag& tag,
                                       std::shared_ptr<const Payload> sealed);

/// A text that is not a record: `about` is what it is for.
[[nodiscard]] std::string seal_text(const RunKeys& keys, std::string_view about,
                                    std::string_view text);
/// The id of the key it is sealed with, or nullopt if it is not such a text.
[[nodiscard]] std::optional<std::string> key_of_text(std::string_view sealed);
[[nodiscard]] std::optional<std::string> open_text(const RunKeys& keys, std::string_view about,
                                                   std::string_view sealed);

}  // namespace resumable::encryption
