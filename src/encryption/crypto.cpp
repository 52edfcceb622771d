#include "encryption/crypto.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include "resumable/error.hpp"

namespace resumable::encryption {
namespace {

[[noreturn]] void failed(std::string_view call) {
  std::array<char, 160> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  ERR_clear_error();
  throw Error(Errc::store_failed, {.what = fmt::format("OpenSSL failed: {}", reason.data()),
                                   .operation = std::string{call},
                                   .next = "check the installation of OpenSSL 3"});
}

void need(bool done, std::string_view call) {
  if (!done) failed(call);
}

struct Free {
  void operator()(EVP_CIPHER* one) const noexcept { EVP_CIPHER_free(one); }
  void operator()(EVP_CIPHER_CTX* one) const noexcept { EVP_CIPHER_CTX_free(one); }
  void operator()(EVP_KDF* one) const noexcept { EVP_KDF_free(one); }
  void operator()(EVP_KDF_CTX* one) const noexcept { EVP_KDF_CTX_free(one); }
};
template <class T>
using Own = std::unique_ptr<T, Free>;

/// Fetched once: looking an algorithm up costs more than using it.
const EVP_CIPHER* gcm() {
  static const Own<EVP_CIPHER> cipher{EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr)};
  need(cipher != nullptr, "EVP_CIPHER_fetch");
  return cipher.get();
}
const EVP_CIPHER* siv() {
  static const Own<EVP_CIPHER> cipher{EVP_CIPHER_fetch(nullptr, "AES-256-SIV", nullptr)};
  need(cipher != nullptr, "EVP_CIPHER_fetch");
  return cipher.get();
}
EVP_KDF* hkdf() {
  static const Own<EVP_KDF> kdf{EVP_KDF_fetch(nullptr, "HKDF", nullptr)};
  need(kdf != nullptr, "EVP_KDF_fetch");
  return kdf.get();
}

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* raw(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

/// One use of a cipher. The texts are at most a chunk, so that their sizes fit into an int.
class Cipher {
 public:
  enum class Way : int { open = 0, seal = 1 };

  Cipher(const EVP_CIPHER* cipher, Way way, const unsigned char* key, const unsigned char* nonce)
      : context_(EVP_CIPHER_CTX_new()) {
    need(context_ != nullptr, "EVP_CIPHER_CTX_new");
    need(EVP_CipherInit_ex2(context_.get(), cipher, key, nonce, static_cast<int>(way), nullptr) > 0,
         "EVP_CipherInit_ex2");
  }

  void about(std::string_view bytes) {
    int length = 0;
    need(EVP_CipherUpdate(context_.get(), nullptr, &length, raw(bytes), size(bytes)) > 0,
         "EVP_CipherUpdate");
  }
  /// Returns false if the tag that was set is not that of `from`.
  [[nodiscard]] bool run(std::string_view from, unsigned char* to) {
    int length = 0;
    int rest = 0;
    const bool done =
        from.empty() || EVP_CipherUpdate(context_.get(), to, &length, raw(from), size(from)) > 0;
    const bool good = done && EVP_CipherFinal_ex(context_.get(), to + length, &rest) > 0;
    if (!good) ERR_clear_error();
    return good;
  }
  void take_tag(unsigned char* to) {
    need(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, gcm_tag, to) > 0, "GET_TAG");
  }
  void set_tag(std::string_view tag) {
    std::string copy{tag};
    need(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG, gcm_tag, copy.data()) > 0,
         "SET_TAG");
  }

 private:
  static int size(std::string_view bytes) { return static_cast<int>(bytes.size()); }
  Own<EVP_CIPHER_CTX> context_;
};

/// Groups of `Bits` bits as characters.
template <unsigned Bits>
std::string to_text(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  std::uint32_t held = 0;
  unsigned count = 0;
  for (const char c : bytes) {
    held = (held << 8U) | static_cast<unsigned char>(c);
    for (count += 8; count >= Bits;) {
      count -= Bits;
      text += alphabet[(held >> count) & ((1U << Bits) - 1)];
    }
  }
  if (count > 0) text += alphabet[(held << (Bits - count)) & ((1U << Bits) - 1)];
  return text;
}

/// nullopt also for a text that to_text() does not give.
template <unsigned Bits>
std::optional<std::string> from_text(std::string_view text, std::string_view alphabet) {
  std::string bytes;
  std::uint32_t held = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t value = alphabet.find(c);
    if (value == alphabet.npos) return std::nullopt;
    held = (held << Bits) | static_cast<std::uint32_t>(value);
    count += Bits;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((held >> count) & 0xffU);
  }
  if (to_text<Bits>(bytes, alphabet) != text) return std::nullopt;
  return bytes;
}

constexpr std::string_view base32 = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::string_view base64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

void wipe(void* memory, std::size_t size) noexcept { OPENSSL_cleanse(memory, size); }

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  need(RAND_bytes(raw(bytes), static_cast<int>(count)) > 0, "RAND_bytes");
  return bytes;
}

void derive(std::string_view from, std::string_view salt, std::string_view info, unsigned char* to,
            std::size_t size) {
  const Own<EVP_KDF_CTX> context{EVP_KDF_CTX_new(hkdf())};
  need(context != nullptr, "EVP_KDF_CTX_new");
  const auto octets = [](const char* name, std::string_view bytes) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<char*>(bytes.data()), bytes.size());
  };
  std::string hash = "SHA256";
  const OSSL_PARAM end = OSSL_PARAM_construct_end();
  const std::array<OSSL_PARAM, 5> parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, hash.data(), 0),
      octets(OSSL_KDF_PARAM_KEY, from), octets(OSSL_KDF_PARAM_INFO, info),
      salt.empty() ? end : octets(OSSL_KDF_PARAM_SALT, salt), end};
  need(EVP_KDF_derive(context.get(), to, size, parameters.data()) > 0, "EVP_KDF_derive");
}

std::string seal(const Key& key, const Nonce& nonce, std::string_view about,
                 std::string_view text) {
  std::string sealed(text.size() + gcm_tag, '\0');
  Cipher cipher{gcm(), Cipher::Way::seal, key.bytes.data(), nonce.data()};
  cipher.about(about);
  need(cipher.run(text, raw(sealed)), "EVP_CipherFinal_ex");
  cipher.take_tag(raw(sealed) + text.size());
  return sealed;
}

std::optional<std::string> open(const Key& key, const Nonce& nonce, std::string_view about,
                                std::string_view sealed) {
  if (sealed.size() < gcm_tag) return std::nullopt;
  std::string text(sealed.size() - gcm_tag, '\0');
  Cipher cipher{gcm(), Cipher::Way::open, key.bytes.data(), nonce.data()};
  cipher.about(about);
  cipher.set_tag(sealed.substr(text.size()));
  if (!cipher.run(sealed.substr(0, text.size()), raw(text))) return std::nullopt;
  return text;
}

std::string seal_name(const NameKey& key, std::string_view about, std::string_view name) {
  std::string sealed(siv_tag + name.size(), '\0');
  Cipher cipher{siv(), Cipher::Way::seal, key.bytes.data(), nullptr};
  cipher.about(about);
  need(cipher.run(name, raw(sealed) + siv_tag), "EVP_CipherFinal_ex");
  cipher.take_tag(raw(sealed));
  return sealed;
}

std::optional<std::string> open_name(const NameKey& key, std::string_view about,
                                     std::string_view sealed) {
  if (sealed.size() <= siv_tag) return std::nullopt;
  std::string name(sealed.size() - siv_tag, '\0');
  Cipher cipher{siv(), Cipher::Way::open, key.bytes.data(), nullptr};
  cipher.set_tag(sealed.substr(0, siv_tag));
  cipher.about(about);
  if (!cipher.run(sealed.substr(siv_tag), raw(name))) return std::nullopt;
  return name;
}

std::string to_base32(std::string_view bytes) { return to_text<5>(bytes, base32); }
std::optional<std::string> from_base32(std::string_view text) { return from_text<5>(text, base32); }
std::string to_base64(std::string_view bytes) { return to_text<6>(bytes, base64); }
std::optional<std::string> from_base64(std::string_view text) { return from_text<6>(text, base64); }

}  // namespace resumable::encryption
