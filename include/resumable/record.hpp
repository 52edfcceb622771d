/// @file
/// Records as stores and codecs see them: where they are, their fixed heads, their bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// Where a record is: a path of safe ASCII components (see docs/format.md) and a generation >= 1.
/// Both are assigned by the library, never by a store, and never twice.
struct RecordId {
  std::string_view path;
  std::uint64_t generation = 0;
};

/// The fixed head of a record, opaque to stores: all that a plan needs.
struct Tag {
  std::array<std::byte, 64> raw{};
  friend bool operator==(const Tag&, const Tag&) = default;
};

/// Where in a file a payload is.
struct PayloadFile {
  int descriptor = -1;  ///< open for reading; the Payload owns it: do not close or seek it
  std::uint64_t offset = 0;
};

/// The bytes of a value, read piece by piece so that a large one need not be in memory.
class RESUMABLE_EXPORT Payload {
 public:
  virtual ~Payload();
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Copies bytes from the offset `at` into `to`; returns how many, fewer than fit only at the end.
  /// Repeatable.
  /// @throws Error{Errc::unreadable}
  virtual std::size_t read(std::uint64_t at, std::span<char> to) const = 0;
  /// All bytes when they are contiguous in memory, else nullopt. Valid as long as the Payload.
  [[nodiscard]] virtual std::optional<std::string_view> view() const { return std::nullopt; }
  /// The open file that holds the bytes, else nullopt: for copy_file_range(2) and the like. Valid
  /// as long as the Payload; whoever copies from it must still verify the bytes.
  [[nodiscard]] virtual std::optional<PayloadFile> file() const { return std::nullopt; }
};

/// A payload that owns its bytes.
class RESUMABLE_EXPORT StringPayload final : public Payload {
 public:
  explicit StringPayload(std::string bytes);
  ~StringPayload() override;
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t at, std::span<char> to) const override;
  [[nodiscard]] std::optional<std::string_view> view() const override { return bytes_; }

 private:
  std::string bytes_;
};

/// All bytes of `payload`, for small ones.
/// @throws Error{Errc::too_large}  more than `limit` bytes
[[nodiscard]] RESUMABLE_EXPORT std::string read_all(const Payload& payload,
                                                    std::uint64_t limit = UINT64_MAX);

/// Why a record cannot be used.
enum class Damage : std::uint8_t {
  none,        ///< it is intact, as far as a store can see
  torn,        ///< shorter or longer than it says, or its frame does not parse
  newer,       ///< a layout that this program does not know
  foreign,     ///< not a record of this library
  unreadable,  ///< the operating system refused: see RecordHead::cause
};

/// What a scan visits: one record's head.
struct RecordHead {
  RecordId id;  ///< the path is valid during the visit
  Tag tag;      ///< all zero when damaged
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  Damage damage = Damage::none;
  bool quarantined = false;  ///< set aside earlier; reported so that its number is not reused
  std::error_code cause{};   ///< with unreadable
  /// With ScanOptions::headers, for records that are whole and not set aside; valid during the
  /// visit.
  std::optional<std::string_view> header{};
};

/// A stored record; the payload is read on demand and stays readable when the store changes.
struct StoredRecord {
  Tag tag;
  std::string header;
  std::shared_ptr<const Payload> payload;
};

}  // namespace v0
}  // namespace resumable
