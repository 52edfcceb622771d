/// @file
/// The bytes of a record: the fixed tag and the header line. docs/format.md specifies them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/kind.hpp"
#include "resumable/cost.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/digest.hpp"
#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/record.hpp"

namespace resumable::core {

inline constexpr std::uint8_t layout = 1;
inline constexpr std::size_t max_header_bytes = std::size_t{64} * 1024;

[[nodiscard]] std::string_view to_string(Kind kind) noexcept;

/// Set in the revision of a step's head when the step declares a revision itself. 0 is a step with
/// declared inputs and no revision; anything else is the revision of its stage.
inline constexpr std::uint32_t own_revision = 1U << 31U;

/// The revision of the head of an input's record that repeats the record before it, so that one of
/// them may be damaged or gone. The first has revision 1.
inline constexpr std::uint32_t repeated_input = 2;

/// Bits of a head's flags. A reader refuses those that it does not know.
enum Flag : std::uint8_t {
  edited = 1,    ///< a user's edit is in the value; the newest value before it without this flag is
                 ///< what the stage made
  disputed = 2,  ///< the edit and a new value of the stage collide: a user has to choose
  in_place = 4,  ///< the value names files that it leaves in place
  dropped = 8,   ///< the value was dropped after use: the payload is empty, the identity is still
                 ///< that of the value
};

/// The tag's fields, without gaps between them: a plan has one for each record.
struct Head {
  Kind kind = Kind::value;
  std::uint8_t flags = 0;
  CodecId codec = CodecId::none;
  std::uint32_t schema = 1;
  std::uint32_t revision = 1;
  std::uint32_t shape = 0;
  Digest identity;
  Digest fingerprint;
  std::uint64_t fence = 0;
  [[nodiscard]] bool has(Flag flag) const noexcept { return (flags & flag) != 0; }
  void set(Flag flag) noexcept { flags = static_cast<std::uint8_t>(flags | flag); }
  /// Whether the value depends on files outside the store.
  [[nodiscard]] bool leaves_files() const noexcept {
    return has(in_place) || codec == CodecId::in_place;
  }
  friend bool operator==(const Head&, const Head&) = default;
};

/// Whether this is the outcome of the side effect with this intent. An intent stays beside its
/// outcome: if only the outcome is lost, the effect counts as begun.
[[nodiscard]] inline bool is_outcome(const Head& head, const Head& intent) noexcept {
  return head.kind == Kind::effect && head.fingerprint == intent.fingerprint &&
         head.revision == intent.revision && head.fence >= intent.fence;
}

/// Where a record belongs. It is part of the tag's check, so a record in the wrong place, or of
/// another run, is detected without reading its header.
struct Place {
  std::string_view run_uid;
  std::string_view path;
  std::uint64_t generation = 0;
};

[[nodiscard]] Tag encode_tag(const Head& head, const Place& place);

struct TagReading {
  Damage damage = Damage::none;  ///< none, torn, newer or foreign
  Head head;
};
[[nodiscard]] TagReading decode_tag(const Tag& tag, const Place& place);
/// The fields alone, unproved.
[[nodiscard]] Head head_of(const Tag& tag) noexcept;

/// Records that an EncryptedStore has sealed have tags of their own, and so have those whose values
/// an S3PayloadStore has put elsewhere. A program that reads them without that store must neither
/// mistake them for damage nor write beside them.
/// @throws Error{Errc::foreign}  this is such a tag, of the record at `path`
void refuse_sealed(const Tag& tag, std::string_view path);

struct InputIdentity {
  std::string name;
  Digest identity;
  friend bool operator==(const InputIdentity&, const InputIdentity&) = default;
};

/// A file that a record exports: what it holds afterwards, and what was found there before.
struct Export {
  std::string path;
  Digest digest;
  std::optional<Digest> before{};
  std::uint64_t order = 0;  ///< rises over the whole run: the export with the highest owns its path
  bool edited = false;      ///< these bytes are a user's

  /// The value has no text for this path: there is no file.
  [[nodiscard]] bool is_nothing() const noexcept { return digest == Digest{}; }
};

/// A place where an edit and a new value of the stage collide: as JSON or lines, empty if deleted.
struct Collision {
  std::string path;
  std::string edit;
  std::string value;
};

/// The header: explains a record to people, and has what a plan needs if something changed.
struct Header {
  std::string run_uid;
  std::string pipeline;
  std::string key;  ///< in full, also where the path holds a hash of it
  std::uint64_t generation = 0;
  std::string at;  ///< UTC
  std::string schema_name;
  double seconds = 0;
  unsigned attempts = 1;
  std::uint64_t passes = 0;  ///< of progress: those of its loop so far
  Cost cost;
  std::vector<InputIdentity> inputs;
  std::string shape;    ///< JSON text, or empty
  std::string schemas;  ///< versions of types inside the value, or empty; see docs/format.md
  std::vector<Export> exports;
  std::uint64_t from_generation = 0;  ///< a roll-back's: whose payload it has; else 0
  std::vector<Export> confirmed;      ///< exports of earlier records that are known to be in place
  std::string adopted_by;  ///< the user whose process made it of a file that was there, or empty
  std::string edited_by;   ///< the user whose process took the edit over, or empty
  std::vector<Collision> collisions;  ///< of a disputed value
  std::string dropped_at;             ///< UTC: when the value was dropped after use, or empty
  std::uint64_t payload_bytes = 0;
  Digest payload_digest;
  std::string payload_sha256;  ///< 64 hexadecimal digits, or empty: Sha256Store adds and checks it
};

/// One line of JSON that ends in a check over the tag and itself.
/// @throws Error{Errc::too_large}  more than max_header_bytes
[[nodiscard]] RESUMABLE_EXPORT std::string encode_header(const Header& header, const Tag& tag);

/// nullopt when it is not what encode_header() made for this tag.
[[nodiscard]] RESUMABLE_EXPORT std::optional<Header> decode_header(std::string_view line,
                                                                   const Tag& tag);

/// Whether the payload is the one that the header speaks of. @throws as for_each_piece()
[[nodiscard]] bool payload_matches(const Header& header, const Payload& payload);

/// Calls visit(at, piece) for all bytes of a payload, a megabyte at a time.
/// @throws Error{Errc::damaged}  it has fewer than it says; and what reading throws
void for_each_piece(const Payload& payload,
                    FunctionRef<void(std::uint64_t at, std::string_view piece)> visit);

/// The digest of a payload's bytes. @throws as for_each_piece()
[[nodiscard]] Digest digest_of(const Payload& payload);

}  // namespace resumable::core
