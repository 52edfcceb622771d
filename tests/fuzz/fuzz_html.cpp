// Pages of a site: arbitrary bytes are a document, and no passage of it is empty.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "research/html.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const research::Passage& passage : research::read_html(text).passages) {
    if (passage.text.empty()) std::abort();
  }
  return 0;
}
