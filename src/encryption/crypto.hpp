/// @file
/// The primitives, all of them OpenSSL's: HKDF (RFC 5869), AES-256-GCM (NIST SP 800-38D) and
/// AES-SIV (RFC 5297).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace resumable::encryption {

/// Overwrites memory in a way that the compiler does not optimise away.
void wipe(void* memory, std::size_t size) noexcept;

/// Bytes that are overwritten when they are no longer needed.
template <std::size_t N>
class Secret {
 public:
  Secret() = default;
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret() { wipe(bytes.data(), N); }

  [[nodiscard]] std::string_view view() const {
    return {reinterpret_cast<const char*>(bytes.data()), N};
  }

  std::array<unsigned char, N> bytes{};
};

using Key = Secret<32>;
using NameKey = Secret<64>;  ///< of AES-256-SIV: one half authenticates, the other encrypts
using Nonce = std::array<unsigned char, 12>;

inline constexpr std::size_t gcm_tag = 16;
inline constexpr std::size_t siv_tag = 16;

/// @throws Error{Errc::store_failed}  all of these, when OpenSSL fails
[[nodiscard]] std::string random_bytes(std::size_t count);

/// HKDF with SHA-256.
void derive(std::string_view from, std::string_view salt, std::string_view info, unsigned char* to,
            std::size_t size);
template <std::size_t N>
[[nodiscard]] Secret<N> derived(std::string_view from, std::string_view salt,
                                std::string_view info) {
  Secret<N> secret;
  derive(from, salt, info, secret.bytes.data(), N);
  return secret;
}

/// The ciphertext, followed by the tag. @pre no other text was sealed with this key and nonce
[[nodiscard]] std::string seal(const Key& key, const Nonce& nonce, std::string_view about,
                               std::string_view text);
/// nullopt when it is not what seal() gave for the same key, nonce and `about`.
[[nodiscard]] std::optional<std::string> open(const Key& key, const Nonce& nonce,
                                              std::string_view about, std::string_view sealed);

/// Deterministic: the tag, which depends on the whole text, followed by the ciphertext.
[[nodiscard]] std::string seal_name(const NameKey& key, std::string_view about,
                                    std::string_view name);
[[nodiscard]] std::optional<std::string> open_name(const NameKey& key, std::string_view about,
                                                   std::string_view sealed);

/// RFC 4648 without padding; `to_base32` in lower case, so that no two names collide on a file
/// system that ignores case.
[[nodiscard]] std::string to_base32(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base32(std::string_view text);
[[nodiscard]] std::string to_base64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace resumable::encryption
