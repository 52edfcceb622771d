// Importing a bundle from arbitrary bytes: a run that is whole, or a typed Error and nothing
// written; never anything else.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "resumable/bundle.hpp"
#include "resumable/error.hpp"
#include "resumable/memory_store.hpp"

namespace {

namespace rs = resumable;

std::filesystem::path scratch() {
  std::error_code error;
  const std::filesystem::path memory = "/dev/shm";
  const auto folder = std::filesystem::is_directory(memory, error)
                          ? memory
                          : std::filesystem::temp_directory_path();
  return folder / ("fuzz_bundle." + std::to_string(::getpid()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file = scratch();
  {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  rs::MemoryStore store;
  try {
    rs::import_bundle(file, store, "r");
    if (!rs::verify_run(store, "r").ok()) std::abort();
  } catch (const rs::Error&) {
    store.scan("r", {}, [](const rs::RecordHead&) -> bool { std::abort(); });
  }
  std::filesystem::remove(file);
  return 0;
}
