// One idea: the program `resumable` with a store and a codec of your own.
#include <memory>
#include <string>
#include <string_view>

#include <resumable/inspector.hpp>
#include <resumable/resumable.hpp>

namespace rs = resumable;

// archive:2026 is a folder in the archive.
std::unique_ptr<rs::CheckpointStore> open_archive(std::string_view url, rs::CreateStore create) {
  return rs::open_store("archive/" + std::string{url.substr(url.find(':') + 1)}, {}, create);
}

int main(int argc, char** argv) {
  rs::InspectorOptions options;
  options.program = "inspect";
  options.stores["archive"] = open_archive;
  options.codecs[64] = [](std::string_view bytes) { return std::string{bytes}; };
  return rs::inspect(argc, argv, options);
}
