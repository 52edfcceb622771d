/// @file
/// The inspector `resumable` as a library call (component `inspector`): a program that reads the
/// runs of any store without the programs that wrote them. Link it to add your own stores and
/// codecs:
///
///     int main(int argc, char** argv) {
///       rs::InspectorOptions options;
///       options.stores["redis"] = [](std::string_view url, rs::CreateStore) {
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
#include "resumable/manage.hpp"
#include "resumable/open_store.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
struct Console;
}  // namespace cli

/// Turns the bytes of a value into text for people; JSON text is shown as JSON.
using ShowBytes = std::function<std::string(std::string_view bytes)>;

struct InspectorOptions {
  StoreFactories stores{};  ///< in addition to `file` and `journal`
  /// Wraps the store that the command line names, for instance in one that checks more. Without it,
  /// that store is used as it is.
  std::function<std::unique_ptr<CheckpointStore>(std::unique_ptr<CheckpointStore> store)> through{};
  /// For values of a program's own codecs, by CodecId.
  std::map<std::uint8_t, ShowBytes> codecs{};
  /// The functions that `export` and `import` call: export_bundle() and import_bundle() of the
  /// component `bundle`. Without them, these commands report that the program lacks them.
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
