/// @file
/// Records as stores and codecs see them: where they are, their fixed heads, their bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::inline v0 {

/// Where a record is: a path of safe ASCII components (see docs/format.md) and a generation >= 1.
/// Both are given by the library, never by a store, and never twice.
struct RecordId {
  std::string_view path;
  std::uint64_t generation = 0;
};

/// The fixed head of a record, opaque to stores: all that a plan needs.
struct Tag {
  std::array<std::byte, 64> raw{};
  friend bool operator==(const Tag&, const Tag&) = default;
};

/// The bytes of a value, read piecewise so that a large one need not be in memory.
class RESUMABLE_EXPORT Payload {
 public:
  virtual ~Payload();
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Copies bytes from `at` on to `to`; returns how many, short only at the end. Repeatable.
  /// @throws Error{Errc::unreadable}
  virtual std::size_t read(std::uint64_t at, std::span<char> to) const = 0;
  /// All bytes when they are contiguous in memory, else nullopt. Valid as long as the Payload.
  [[nodiscard]] virtual std::optional<std::string_view> view() const { return std::nullopt; }
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
  none,        ///< it is whole, as far as a store can see
  torn,        ///< shorter or longer than it says, or its frame does not parse
  newer,       ///< a layout that this program does not know
  foreign,     ///< not a record of ours
  unreadable,  ///< the operating system refused: see Found::cause
};

}  // namespace resumable::inline v0
