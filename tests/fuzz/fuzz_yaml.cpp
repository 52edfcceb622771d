// Reading of edited YAML: arbitrary bytes are a value or a YamlError, never anything else, and what
// was read is written and read again as the same value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "resumable/yaml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  resumable::Json value;
  try {
    value = resumable::from_yaml(text);
  } catch (const resumable::YamlError&) {
    return 0;
  }
  if (resumable::from_yaml(resumable::to_yaml(value)) != value) std::abort();
  return 0;
}
