/// @file
/// Payloads in sealed chunks, as in STREAM (Hoang, Reyhanitabar, Rogaway, Vizár: Online
/// Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, 2015), which age uses, too: the
/// nonce is the number of the chunk and whether it is the last one, so that no chunk can be left
/// out, repeated or moved.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "encryption/crypto.hpp"
#include "resumable/record.hpp"

namespace resumable::encryption {

inline constexpr std::uint64_t chunk_bytes = std::uint64_t{64} * 1024;
/// Payloads up to this size are sealed and opened at once.
inline constexpr std::uint64_t small_bytes = 4 * chunk_bytes;

/// `front` and then the bytes of `payload`, sealed. A large payload is read and sealed piece by
/// piece, whenever a piece is requested; it must not change.
[[nodiscard]] std::shared_ptr<const Payload> seal_payload(const Key& key, std::string front,
                                                          const Payload& payload);

/// `size` bytes from `skip` on of what was sealed.
/// @throws Error{Errc::damaged}  `sealed` has another size; of a small payload, also what reading a
///         large one throws later
[[nodiscard]] std::shared_ptr<const Payload> open_payload(const Key& key, std::uint64_t skip,
                                                          std::uint64_t size,
                                                          std::shared_ptr<const Payload> sealed);

}  // namespace resumable::encryption
