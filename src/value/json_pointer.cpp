#include "value/json_pointer.hpp"

#include "core/text.hpp"

namespace resumable::value {

void append_pointer(std::string& pointer, std::string_view name) {
  pointer += '/';
  for (const char c : core::printable(name)) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
}

std::string pointer_of(std::span<const detail::JsonFrame> frames) {
  std::string pointer;
  for (const detail::JsonFrame& frame : frames) {
    if (frame.count == 0) break;
    append_pointer(pointer, frame.object ? frame.key : std::to_string(frame.count - 1));
  }
  return pointer;
}

}  // namespace resumable::value
