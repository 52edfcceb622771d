#include "resumable/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/text.hpp"

namespace resumable {
inline namespace v0 {
namespace {

Digest canonical(XXH128_hash_t hash) noexcept {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  Digest result;
  std::copy(std::begin(bytes.digest), std::end(bytes.digest), result.bytes.begin());
  return result;
}

}  // namespace

std::string Digest::hex() const {
  std::string text;
  core::append_hex(text, bytes);
  return text;
}

std::optional<Digest> Digest::parse(std::string_view text) {
  Digest result;
  if (!core::read_hex(text, std::as_writable_bytes(std::span(result.bytes)))) return std::nullopt;
  return result;
}

Digest digest(std::string_view content) noexcept {
  return canonical(XXH3_128bits(content.data(), content.size()));
}

struct Digester::State {
  XXH3_state_t xxh;
  State() { XXH3_128bits_reset(&xxh); }
};

Digester::Digester() : state_(std::make_unique<State>()) {}
Digester::~Digester() = default;
Digester::Digester(Digester&&) noexcept = default;
Digester& Digester::operator=(Digester&&) noexcept = default;

Digester& Digester::add(std::string_view piece) {
  std::array<char, 8> length{};
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<char>((piece.size() >> (8 * i)) & 0xff);
  }
  return add_raw({length.data(), length.size()}).add_raw(piece);
}

Digester& Digester::add(const Digest& piece) {
  XXH3_128bits_update(&state_->xxh, piece.bytes.data(), piece.bytes.size());
  return *this;
}

Digester& Digester::add_raw(std::string_view bytes) {
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
  return *this;
}

Digest Digester::finish() const { return canonical(XXH3_128bits_digest(&state_->xxh)); }

}  // namespace v0
}  // namespace resumable
