// Compressed payloads from arbitrary bytes: what is decompressed has the size that was asked for,
// or is refused; and what is compressed comes back. The input: four bytes of the size, the payload.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "resumable/error.hpp"
#include "zstd/mark.hpp"
#include "zstd/pieces.hpp"

namespace {

namespace rs = resumable;
namespace zstd = resumable::zstd;

constexpr std::uint64_t most = std::uint64_t{6} << 20U;  // larger ones are read piece by piece

std::shared_ptr<const rs::Payload> payload_of(std::string bytes) {
  return std::make_shared<rs::StringPayload>(std::move(bytes));
}

/// Whether the bytes are a payload of this size.
bool decompresses(const std::string& bytes, std::uint64_t size) {
  try {
    if (rs::read_all(*zstd::decompress(payload_of(bytes), size)).size() != size) std::abort();
    return true;
  } catch (const rs::Error& error) {
    if (error.errc() != rs::Errc::damaged) std::abort();
    return false;
  }
}

void compress(const std::string& bytes) {
  const auto plain = payload_of(bytes);
  const auto smaller = zstd::compress(*plain, 1);
  if (smaller && rs::read_all(*zstd::decompress(smaller, bytes.size())) != bytes) std::abort();
}

/// A header with a mark gives both back; one that looks marked is not taken for one.
void mark(const std::string& header, std::uint64_t size) {
  static_cast<void>(zstd::unmark(header));
  if (!zstd::can_mark(header)) return;
  const zstd::Unmarked marked = zstd::unmark(zstd::mark(header, size));
  if (marked.header != header || marked.size != size) std::abort();
  const zstd::Unmarked plain = zstd::unmark(zstd::mark_plain(header));
  if (plain.header != header || plain.size) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  std::uint64_t wanted = 0;
  for (unsigned i = 0; i < 4; ++i) wanted |= std::uint64_t{data[i]} << (8 * i);
  const std::string bytes(reinterpret_cast<const char*>(data) + 4, size - 4);
  const std::uint64_t asked = wanted % most;
  // What has one size has no other.
  if (decompresses(bytes, asked) && decompresses(bytes, asked + 1)) std::abort();
  compress(bytes);
  mark(bytes, wanted);
  return 0;
}
