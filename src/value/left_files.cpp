#include "value/left_files.hpp"

#include <optional>
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
    if (cause == std::errc::no_such_file_or_directory || cause == std::errc::not_a_directory) {
      return fmt::format("'{}' is gone", file.path);
    }
    if (cause) throw;  // the file may be whole
    return fmt::format("'{}' cannot be read: {}", file.path, error.info().what);
  }
}

std::optional<InPlaceFile> in_place(const Json& document) {
  const bool looks_like_one = document.is_object() && document.size() == 3 &&
                              document.contains("path") && document.contains("size") &&
                              document.contains("digest");
  if (!looks_like_one) return std::nullopt;
  try {
    return document.get<InPlaceFile>();
  } catch (const std::exception&) {  // another type's object
    return std::nullopt;
  }
}

/// The nesting is bounded by what parses.
std::string search(const Json& document, bool content) {
  if (const auto file = in_place(document)) return change_of(*file, content);
  if (!document.is_structured()) return {};
  for (const Json& member : document) {
    if (std::string change = search(member, content); !change.empty()) return change;
  }
  return {};
}

}  // namespace

std::string changed_file(std::string_view json, bool content) {
  Json document;
  try {
    document = detail::parse_json(json);
  } catch (const Error&) {  // not JSON: a codec of the program's own
    return {};
  }
  return search(document, content);
}

}  // namespace resumable::value
