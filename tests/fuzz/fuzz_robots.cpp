// robots.txt of a site: arbitrary bytes are rules, and asking them about arbitrary paths ends. The
// first line of the input is the path.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "research/robots.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const research::Robots robots{text, "resumable-research"};
  const std::string_view path = text.substr(0, std::min(text.find('\n'), text.size()));
  static_cast<void>(robots.allows(path));
  if (!robots.allows("/robots.txt")) std::abort();
  if (robots.delay() && robots.delay()->count() < 0) std::abort();
  return 0;
}
