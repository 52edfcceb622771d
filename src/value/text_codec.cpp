#include <string>
#include <string_view>

#include "core/text.hpp"
#include "resumable/error.hpp"
#include "resumable/text.hpp"

namespace resumable {
inline namespace v0 {
namespace {

void require_utf8(std::string_view text, Errc code) {
  if (core::is_utf8(text)) return;
  throw Error(code, {.what = "not UTF-8: \"" + core::printable(text) + "\"",
                     .next = "convert the text to UTF-8, or use resumable::Bytes"});
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

}  // namespace v0
}  // namespace resumable
