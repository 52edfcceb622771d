// Pages of a site: arbitrary bytes are a document, and no passage of it is empty.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "text/charset.hpp"
#include "text/html.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const auto& passage : text::read_html("page.html", text::to_utf8(bytes)).document.passages) {
    if (passage.body.empty()) std::abort();
  }
  return 0;
}
