/// @file
/// SourceFile: one file of an input folder, identified by its content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "resumable/digest.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// A file that Pipeline::files() found. Its identity is its name below the folder and its content;
/// where the folder is does not matter.
struct SourceFile {
  std::string name;  ///< relative to the folder, with '/'
  Digest digest;     ///< of the content when the run began
  std::uint64_t bytes = 0;
  std::filesystem::path path;  ///< where it is now (of a link: its target); not part of the value

  /// The content.
  /// @throws Error{Errc::source_failed}  it cannot be read, or has changed
  [[nodiscard]] RESUMABLE_EXPORT std::string read() const;
};

/// each(files) uses a file's name as its key.
[[nodiscard]] inline const std::string& resumable_key(const SourceFile& file) { return file.name; }

template <class Json>
void to_json(Json& json, const SourceFile& file) {
  json = Json{{"name", file.name}, {"digest", file.digest.hex()}, {"bytes", file.bytes}};
}
template <class Json>
void from_json(const Json& json, SourceFile& file) {
  json.at("name").get_to(file.name);
  file.digest = Digest::parse(json.at("digest").template get<std::string>()).value();
  json.at("bytes").get_to(file.bytes);
}

}  // namespace v0
}  // namespace resumable
