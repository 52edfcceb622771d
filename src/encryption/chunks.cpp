#include "encryption/chunks.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "resumable/error.hpp"

namespace resumable::encryption {
namespace {

constexpr std::uint64_t sealed_chunk = chunk_bytes + gcm_tag;

/// An empty payload has one chunk, too, so that its emptiness is authenticated.
std::uint64_t chunks_of(std::uint64_t size) {
  return std::max<std::uint64_t>(1, size / chunk_bytes + (size % chunk_bytes != 0 ? 1 : 0));
}

Nonce nonce_of(std::uint64_t chunk, bool last) {
  Nonce nonce{};
  for (std::size_t i = 0; i < 8; ++i)
    nonce[3 + i] = static_cast<unsigned char>(chunk >> (56 - 8 * i));
  nonce[11] = last ? 1 : 0;
  return nonce;
}

[[noreturn]] void damaged() {
  throw Error(Errc::damaged, {.what = "an encrypted payload is not as it was written",
                              .kept = "its bytes as they are"});
}

/// Reads all of `to`, from the offset `at`.
void read_exactly(const Payload& payload, std::uint64_t at, std::span<char> to) {
  while (!to.empty()) {
    const std::size_t count = payload.read(at, to);
    if (count == 0) damaged();
    at += count;
    to = to.subspan(count);
  }
}

/// Copies from pieces of one size, which `piece(number)` gives, into `to`.
template <class Piece>
std::size_t copy_pieces(std::uint64_t at, std::uint64_t end, std::uint64_t piece_bytes,
                        std::span<char> to, const Piece& piece) {
  std::size_t copied = 0;
  while (copied < to.size() && at < end) {
    const std::string bytes = piece(at / piece_bytes);
    const std::uint64_t skip = at % piece_bytes;
    const auto count = std::min<std::uint64_t>(bytes.size() - skip, to.size() - copied);
    const auto fits = static_cast<std::size_t>(std::min(count, end - at));
    std::memcpy(to.data() + copied, bytes.data() + skip, fits);
    copied += fits;
    at += fits;
  }
  return copied;
}

/// Seals while it is read.
class Sealing final : public Payload {
 public:
  Sealing(const Key& key, std::string front, const Payload& payload)
      : key_(key),
        front_(std::move(front)),
        payload_(payload),
        plain_(front_.size() + payload.size()),
        count_(chunks_of(plain_)) {}

  [[nodiscard]] std::uint64_t size() const override { return plain_ + count_ * gcm_tag; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    return copy_pieces(at, size(), sealed_chunk, to,
                       [&](std::uint64_t number) { return chunk(number); });
  }

 private:
  [[nodiscard]] std::string chunk(std::uint64_t number) const {
    const std::uint64_t at = number * chunk_bytes;
    std::string plain(static_cast<std::size_t>(std::min(chunk_bytes, plain_ - at)), '\0');
    std::size_t filled = 0;
    if (at < front_.size()) {
      filled = std::min<std::size_t>(plain.size(), front_.size() - static_cast<std::size_t>(at));
      std::memcpy(plain.data(), front_.data() + at, filled);
    }
    read_exactly(payload_, at + filled - front_.size(), std::span(plain).subspan(filled));
    return seal(key_, nonce_of(number, number + 1 == count_), {}, plain);
  }

  Key key_;
  std::string front_;
  const Payload& payload_;
  std::uint64_t plain_;
  std::uint64_t count_;
};

/// Opens while it is read.
class Opening final : public Payload {
 public:
  Opening(const Key& key, std::uint64_t skip, std::uint64_t size,
          std::shared_ptr<const Payload> sealed)
      : key_(key),
        skip_(skip),
        size_(size),
        count_(chunks_of(skip + size)),
        sealed_(std::move(sealed)) {
    if (size > UINT64_MAX / 2 || sealed_->size() != skip + size + count_ * gcm_tag) damaged();
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= size_) return 0;
    return copy_pieces(skip_ + at, skip_ + size_, chunk_bytes, to,
                       [&](std::uint64_t number) { return chunk(number); });
  }
  [[nodiscard]] std::string chunk(std::uint64_t number) const {
    const std::uint64_t at = number * sealed_chunk;
    std::string bytes(static_cast<std::size_t>(std::min(sealed_chunk, sealed_->size() - at)), '\0');
    read_exactly(*sealed_, at, bytes);
    auto plain = open(key_, nonce_of(number, number + 1 == count_), {}, bytes);
    if (!plain) damaged();
    return *std::move(plain);
  }

 private:
  Key key_;
  std::uint64_t skip_;
  std::uint64_t size_;
  std::uint64_t count_;
  std::shared_ptr<const Payload> sealed_;
};

}  // namespace

std::shared_ptr<const Payload> seal_payload(const Key& key, std::string front,
                                            const Payload& payload) {
  auto sealing = std::make_shared<const Sealing>(key, std::move(front), payload);
  if (sealing->size() > small_bytes) return sealing;
  return std::make_shared<const StringPayload>(read_all(*sealing));
}

std::shared_ptr<const Payload> open_payload(const Key& key, std::uint64_t skip, std::uint64_t size,
                                            std::shared_ptr<const Payload> sealed) {
  auto opening = std::make_shared<const Opening>(key, skip, size, std::move(sealed));
  if (size > small_bytes) return opening;
  if (size == 0) static_cast<void>(opening->chunk(0));
  return std::make_shared<const StringPayload>(read_all(*opening));
}

}  // namespace resumable::encryption
