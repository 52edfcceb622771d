#include "value/left_files.hpp"

#include <system_error>

#include <fmt/format.h>

#include "resumable/detail/json_codec.hpp"
#include "resumable/error.hpp"

namespace resumable::value {
namespace {

/// Empty if it is as it was left.
std::string change_of(const InPlaceFile& file, bool content) {
  try {
    const std::uint64_t now = File::of(file.path).size();
    if (now != file.size) {
      return fmt::format("'{}' has {} bytes, and had {}", file.path, now, file.size);
    }
    if (!content || file.verify()) return {};
    return fmt::format("'{}' has other content than when it was made", file.path);
  } catch (const Error& error) {
    const std::error_code cause = error.info().cause;
    if (cause == std::errc::no_such_file_or_directory) {
      return fmt::format("'{}' is gone", file.path);
    }
    return fmt::format("'{}' cannot be read: {}", file.path,
                       cause ? cause.message() : error.info().what);
  }
}

/// The nesting is bounded by what parses.
std::string search(const Json& document, bool content) {
  if (document.is_object() && document.size() == 3 && document.contains("path") &&
      document.contains("size") && document.contains("digest")) {
    try {
      return change_of(document.get<InPlaceFile>(), content);
    } catch (const std::exception&) {  // another type's object
    }
  }
  if (!document.is_structured()) return {};
  for (const Json& member : document) {
    if (std::string change = search(member, content); !change.empty()) return change;
  }
  return {};
}

}  // namespace

std::string changed_file(std::string_view json, bool content) {
  try {
    return search(detail::parse_json(json), content);
  } catch (const Error&) {  // not JSON: a codec of the program's own
    return {};
  }
}

}  // namespace resumable::value
