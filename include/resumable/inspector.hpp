/// @file
/// The inspector `resumable` as a library call (component `inspector`): a program that reads the
/// runs of any store and needs none of the programs that wrote them. Link it to add your own
/// stores and codecs:
///
///     int main(int argc, char** argv) {
///       rs::InspectorOptions options;
///       options.stores["redis"] = [](std::string_view url) {
///         return std::make_unique<RedisStore>(url);
///       };
///       return rs::inspect(argc, argv, options);
///     }
///
/// docs/inspector.md lists its commands, flags and JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/file_store.hpp"
#include "resumable/manage.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
struct Console;
}  // namespace cli

/// Opens the store that a URL names, such as `redis:localhost`. May throw Error.
using StoreFactory = std::function<std::unique_ptr<CheckpointStore>(std::string_view url)>;

/// By scheme: what stands before the colon, in lower case.
using StoreFactories = std::map<std::string, StoreFactory, std::less<>>;

/// Opens a store: `file:DIR`, `journal:DIR`, a bare path, which is what the folder says that it is,
/// or a scheme of `factories`. `create` is for folders. No
/// global registry is involved.
/// @throws Error{Errc::bad_option}  the scheme is unknown; the folder does not exist, and is not to
///         be created
/// @throws Error{Errc::unreadable}  the operating system does not say whether the folder exists
[[nodiscard]] RESUMABLE_EXPORT std::unique_ptr<CheckpointStore> open_store(
    std::string_view url, const StoreFactories& factories = {},
    CreateStore create = CreateStore::never);

/// Turns the bytes of a value into text for people; JSON text is shown as JSON.
using ShowBytes = std::function<std::string(std::string_view bytes)>;

struct InspectorOptions {
  StoreFactories stores{};  ///< in addition to `file` and `journal`
  /// For values of a program's own codecs, by CodecId.
  std::map<std::uint8_t, ShowBytes> codecs{};
  /// What `export` and `import` call: export_bundle() and import_bundle() of the component
  /// `bundle`. Without them these commands say that the program has none.
  std::function<CopyResult(const CheckpointStore& store, std::string_view run,
                           const std::filesystem::path& file, const CopyOptions& options)>
      export_bundle{};
  std::function<CopyResult(const std::filesystem::path& file, CheckpointStore& to,
                           std::string_view new_id, const CopyOptions& options)>
      import_bundle{};
  std::string program = "resumable";  ///< its name, in help and advice
  cli::Console* console = nullptr;    ///< where to print; nullptr: cli::Console::detect()
};

/// The whole program: parses, runs one command, prints; returns the exit code. Commands that only
/// read take no lock and write nothing. Throws nothing. Not thread-safe.
[[nodiscard]] RESUMABLE_EXPORT int inspect(int argc, const char* const* argv,
                                           const InspectorOptions& options = {});

}  // namespace v0
}  // namespace resumable
