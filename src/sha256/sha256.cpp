#include "sha256/sha256.hpp"

#include <array>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::sha256 {
namespace {

void need(bool done, std::string_view call) {
  if (done) return;
  std::array<char, 160> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  ERR_clear_error();
  throw Error(Errc::store_failed, {.what = fmt::format("OpenSSL failed: {}", reason.data()),
                                   .operation = std::string{call},
                                   .next = "check the installation of OpenSSL 3"});
}

struct Free {
  void operator()(EVP_MD* one) const noexcept { EVP_MD_free(one); }
  void operator()(EVP_MD_CTX* one) const noexcept { EVP_MD_CTX_free(one); }
};

/// Fetched once: looking it up costs more than digesting a small value.
const EVP_MD* algorithm() {
  static const std::unique_ptr<EVP_MD, Free> md{EVP_MD_fetch(nullptr, "SHA2-256", nullptr)};
  need(md != nullptr, "EVP_MD_fetch");
  return md.get();
}

}  // namespace

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  need(state_->context != nullptr, "EVP_MD_CTX_new");
  reset();
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes) {
  need(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1,
       "EVP_DigestUpdate");
}

std::string Sha256::finish() {
  std::array<unsigned char, 32> sum{};
  need(EVP_DigestFinal_ex(state_->context.get(), sum.data(), nullptr) == 1, "EVP_DigestFinal_ex");
  std::string hex;
  for (const unsigned char byte : sum) core::append_hex(hex, byte);
  return hex;
}

void Sha256::reset() {
  need(EVP_DigestInit_ex(state_->context.get(), algorithm(), nullptr) == 1, "EVP_DigestInit_ex");
}

}  // namespace resumable::sha256
