/// @file
/// Payloads as zstd frames of 1 MiB each. docs/format.md specifies the bytes.
#pragma once

#include <cstdint>
#include <memory>

#include "resumable/record.hpp"

namespace resumable::zstd {

inline constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20U;

/// The compressed form, or nullptr when it would not be smaller by a sixteenth. A large payload is
/// compressed again when the result is read; it must stay the same and outlive the result.
[[nodiscard]] std::shared_ptr<const Payload> compress(const Payload& payload, int level);

/// The payload of `size` bytes that compress() was given. Small ones are decompressed at once.
/// @throws Error{Errc::damaged} it is not such a payload; for a large one also while it is read
[[nodiscard]] std::shared_ptr<const Payload> decompress(std::shared_ptr<const Payload> compressed,
                                                        std::uint64_t size);

}  // namespace resumable::zstd
