#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "resumable/error.hpp"
#include "resumable/record.hpp"
#include "resumable/text.hpp"

namespace resumable {
inline namespace v0 {
namespace {

void require_utf8(std::string_view text, Errc code) {
  if (core::is_utf8(text)) return;
  throw Error(code, {.what = "not UTF-8: \"" + core::printable(text) + "\"",
                     .next = "convert the text to UTF-8, or use resumable::Bytes"});
}

/// Smaller values are copied: stores can then write them together with their heads.
constexpr std::size_t least_shared = std::size_t{1} << 20U;

/// The bytes of a value in memory. They have no view(): stores read them piece by piece, and so
/// digest and write each piece while it is in the processor's cache.
class SharedBytes final : public Payload {
 public:
  SharedBytes(std::shared_ptr<const void> owner, std::string_view bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= bytes_.size()) return 0;
    return bytes_.copy(to.data(), to.size(), static_cast<std::size_t>(at));
  }

 private:
  std::shared_ptr<const void> owner_;
  std::string_view bytes_;
};

std::shared_ptr<const Payload> share_bytes(std::shared_ptr<const void> owner,
                                           std::string_view bytes) {
  if (bytes.size() < least_shared) return nullptr;
  return std::make_shared<const SharedBytes>(std::move(owner), bytes);
}

}  // namespace

std::string Codec<Text>::encode(const Text& value) {
  require_utf8(value.text, Errc::not_encodable);
  return value.text;
}

Text Codec<Text>::decode(std::string_view bytes) {
  require_utf8(bytes, Errc::not_decodable);
  return {std::string(bytes)};
}

Text Codec<Text>::take(std::string bytes) {
  require_utf8(bytes, Errc::not_decodable);
  return {std::move(bytes)};
}

std::shared_ptr<const Payload> Codec<Text>::share(const std::shared_ptr<const Text>& value) {
  require_utf8(value->text, Errc::not_encodable);
  return share_bytes(value, value->text);
}

std::shared_ptr<const Payload> Codec<Bytes>::share(const std::shared_ptr<const Bytes>& value) {
  return share_bytes(value, value->bytes);
}

}  // namespace v0
}  // namespace resumable
