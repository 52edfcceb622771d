#include "zstd/pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

#include "resumable/error.hpp"

namespace resumable::zstd {
namespace {

/// Larger payloads are compressed while they are read.
constexpr std::uint64_t small_bytes = 4 * piece_bytes;

std::uint64_t pieces_of(std::uint64_t size) {
  return std::max<std::uint64_t>(1, size / piece_bytes + (size % piece_bytes != 0 ? 1 : 0));
}

[[noreturn]] void damaged(std::string_view why) {
  throw Error(Errc::damaged, {.what = fmt::format("a compressed payload is damaged: {}", why),
                              .kept = "its bytes as they are"});
}

std::string read_exactly(const Payload& payload, std::uint64_t at, std::uint64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t count = payload.read(at + done, std::span(bytes).subspan(done));
    if (count == 0) damaged("it ends too early");
    done += count;
  }
  return bytes;
}

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};

/// With a checksum: most changed bits would give other bytes instead of none.
std::string compress_piece(std::string_view bytes, int level) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context{ZSTD_createCCtx()};
  if (!context) throw std::bad_alloc();
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  std::size_t result = ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  if (ZSTD_isError(result) == 0) {
    result = ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  }
  if (ZSTD_isError(result) == 0) {
    result = ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
  }
  if (ZSTD_isError(result) != 0) {
    throw Error(Errc::store_failed, {.what = fmt::format("zstd: {}", ZSTD_getErrorName(result))});
  }
  frame.resize(result);
  return frame;
}

/// Has `size` bytes, whatever the frame says of itself.
std::string decompress_piece(std::string_view frame, std::uint64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t found = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(found) != 0) damaged(ZSTD_getErrorName(found));
  if (found != bytes.size()) damaged("it has another size than its header says");
  return bytes;
}

void add_number(std::string& to, std::uint64_t number) {
  for (unsigned i = 0; i < 4; ++i) to += static_cast<char>((number >> (8 * i)) & 0xffU);
}

/// A skippable frame after the others, with the size of each of them.
std::string index_of(const std::vector<std::uint64_t>& sizes) {
  if (sizes.size() == 1) return {};
  std::string index;
  add_number(index, ZSTD_MAGIC_SKIPPABLE_START);
  add_number(index, 4 * sizes.size());
  for (const std::uint64_t size : sizes) add_number(index, size);
  return index;
}

/// Pieces, of which the last one is kept, because readers go through it in small steps.
class KeptPiece {
 public:
  /// Copies what `make(number)` gives, from `skip` on, into `to`.
  template <class Make>
  std::size_t copy(std::uint64_t number, std::uint64_t skip, std::span<char> to,
                   const Make& make) const {
    const std::scoped_lock lock{guard_};
    if (number_ != number) {
      bytes_ = make(number);
      number_ = number;
    }
    const std::size_t count =
        std::min<std::size_t>(to.size(), bytes_.size() - static_cast<std::size_t>(skip));
    std::memcpy(to.data(), bytes_.data() + skip, count);
    return count;
  }

 private:
  mutable std::mutex guard_;
  mutable std::optional<std::uint64_t> number_;
  mutable std::string bytes_;
};

/// Compresses once to know the sizes, and again while it is read.
class Compressing final : public Payload {
 public:
  Compressing(const Payload& payload, int level) : payload_(payload), level_(level) {
    std::uint64_t size = 0;
    for (std::uint64_t number = 0; number < pieces_of(payload.size()); ++number) {
      starts_.push_back(size);
      sizes_.push_back(frame(number).size());
      size += sizes_.back();
      // A payload that does not compress at its beginning is not tried to its end.
      if (number == 3 && !is_worth(size, 4 * piece_bytes)) break;
    }
    starts_.push_back(size);
    index_ = index_of(sizes_);
  }

  [[nodiscard]] bool is_worth_it() const {
    return sizes_.size() == pieces_of(payload_.size()) && is_worth(size(), payload_.size());
  }
  [[nodiscard]] std::uint64_t size() const override { return starts_.back() + index_.size(); }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= size()) return 0;
    if (at >= starts_.back()) {
      const auto skip = static_cast<std::size_t>(at - starts_.back());
      const std::size_t count = std::min(to.size(), index_.size() - skip);
      std::memcpy(to.data(), index_.data() + skip, count);
      return count;
    }
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), at);
    const auto number = static_cast<std::uint64_t>(next - starts_.begin()) - 1;
    return kept_.copy(number, at - *(next - 1), to, [&](std::uint64_t n) { return same_frame(n); });
  }

 private:
  static bool is_worth(std::uint64_t compressed, std::uint64_t plain) {
    return compressed < plain - plain / 16;
  }
  [[nodiscard]] std::string frame(std::uint64_t number) const {
    const std::uint64_t at = number * piece_bytes;
    return compress_piece(read_exactly(payload_, at, std::min(piece_bytes, payload_.size() - at)),
                          level_);
  }
  [[nodiscard]] std::string same_frame(std::uint64_t number) const {
    std::string bytes = frame(number);
    if (bytes.size() == sizes_[static_cast<std::size_t>(number)]) return bytes;
    throw Error(Errc::store_failed, {.what = "a payload changed while it was being compressed",
                                     .kept = "nothing was changed"});
  }

  const Payload& payload_;
  int level_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> starts_;  ///< and where the last one ends
  std::string index_;
  KeptPiece kept_;
};

/// Decompresses while it is read.
class Decompressing final : public Payload {
 public:
  Decompressing(std::shared_ptr<const Payload> compressed, std::uint64_t size)
      : compressed_(std::move(compressed)), size_(size) {
    const std::uint64_t count = pieces_of(size);
    const std::uint64_t all = compressed_->size();
    // No more memory is allocated than the existing bytes justify.
    if (count > all / 4) damaged("it is shorter than its header says");
    std::uint64_t end = all;
    std::string index;
    if (count > 1) {
      index = read_exactly(*compressed_, all - 8 - 4 * count, 8 + 4 * count);
      end -= index.size();
    }
    std::uint64_t at = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
      starts_.push_back(at);
      at += count == 1 ? end : number_at(index, 8 + 4 * number);
    }
    starts_.push_back(at);
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(starts_[i + 1] - starts_[i]);
    if (at != end || index != index_of(sizes)) damaged("its index is not right");
    const std::uint64_t most = ZSTD_compressBound(static_cast<std::size_t>(piece_bytes));
    if (*std::ranges::max_element(sizes) > most) damaged("a piece of it is too large");
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= size_) return 0;
    return kept_.copy(at / piece_bytes, at % piece_bytes, to,
                      [&](std::uint64_t number) { return piece(number); });
  }

 private:
  static std::uint64_t number_at(std::string_view bytes, std::uint64_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes[static_cast<std::size_t>(at) + i])}
               << (8 * i);
    }
    return value;
  }
  [[nodiscard]] std::string piece(std::uint64_t number) const {
    const auto i = static_cast<std::size_t>(number);
    const std::string frame = read_exactly(*compressed_, starts_[i], starts_[i + 1] - starts_[i]);
    return decompress_piece(frame, std::min(piece_bytes, size_ - number * piece_bytes));
  }

  std::shared_ptr<const Payload> compressed_;
  std::uint64_t size_;
  std::vector<std::uint64_t> starts_;
  KeptPiece kept_;
};

}  // namespace

std::shared_ptr<const Payload> compress(const Payload& payload, int level) {
  auto compressing = std::make_shared<const Compressing>(payload, level);
  if (!compressing->is_worth_it()) return nullptr;
  if (payload.size() > small_bytes) return compressing;
  return std::make_shared<const StringPayload>(read_all(*compressing));
}

std::shared_ptr<const Payload> decompress(std::shared_ptr<const Payload> compressed,
                                          std::uint64_t size) {
  auto decompressing = std::make_shared<const Decompressing>(std::move(compressed), size);
  if (size > piece_bytes) return decompressing;
  return std::make_shared<const StringPayload>(read_all(*decompressing));
}

}  // namespace resumable::zstd
