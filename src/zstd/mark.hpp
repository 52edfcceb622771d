/// @file
/// How a header says that its payload is compressed: it has one more member at its end, `"zstd"`,
/// with the size of the uncompressed payload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace resumable::zstd {

/// Whether a header can be marked: it ends like an object and stays within its limit.
[[nodiscard]] bool can_mark(std::string_view header);
/// @pre can_mark(header)
[[nodiscard]] std::string mark(std::string_view header, std::uint64_t size);
/// The header of a record whose payload is not compressed: changed only if it looks like a marked
/// one.
[[nodiscard]] std::string mark_plain(std::string_view header);

struct Unmarked {
  std::string header;
  std::optional<std::uint64_t> size{};  ///< of a compressed payload, once it is decompressed
};
[[nodiscard]] Unmarked unmark(std::string_view header);

}  // namespace resumable::zstd
