#include "resumable/digest.hpp"

#include <array>
#include <cstring>
#include <memory>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/little_endian.hpp"
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

/// Most of what is digested in pieces is short. So the pieces are put together first, and XXH3's
/// own state, which is large and aligned, is made only once they do not fit.
struct Digester::State {
  void add(const void* data, std::size_t size) {
    if (size > pieces.size() - used) {
      flush();
      if (size > pieces.size()) {
        XXH3_128bits_update(xxh.get(), data, size);
        return;
      }
    }
    if (size > 0) std::memcpy(pieces.data() + used, data, size);
    used += size;
  }
  void flush() {
    if (!xxh) {
      xxh = std::make_unique_for_overwrite<XXH3_state_t>();
      XXH3_128bits_reset(xxh.get());
    }
    XXH3_128bits_update(xxh.get(), pieces.data(), used);
    used = 0;
  }
  [[nodiscard]] Digest finish() {
    if (!xxh) return digest({pieces.data(), used});
    flush();
    return canonical(XXH3_128bits_digest(xxh.get()));
  }

  std::array<char, 512> pieces;
  std::size_t used = 0;
  std::unique_ptr<XXH3_state_t> xxh;
};

Digester::Digester() : state_(new State) {}  // make_unique() would fill it with zeros
Digester::~Digester() = default;
Digester::Digester(Digester&&) noexcept = default;
Digester& Digester::operator=(Digester&&) noexcept = default;

Digester& Digester::add(std::string_view piece) {
  std::array<char, 8> length{};
  core::store_little(length.data(), std::uint64_t{piece.size()});
  return add_raw({length.data(), length.size()}).add_raw(piece);
}

Digester& Digester::add(const Digest& piece) {
  state_->add(piece.bytes.data(), piece.bytes.size());
  return *this;
}

Digester& Digester::add_raw(std::string_view bytes) {
  state_->add(bytes.data(), bytes.size());
  return *this;
}

Digest Digester::finish() const { return state_->finish(); }

}  // namespace v0
}  // namespace resumable
