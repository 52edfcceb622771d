#include "store/file/layout.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "store/file/temporary_file.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

constexpr int known_layout = 1;
constexpr std::uint64_t max_bytes = 4096;

enum class Says : std::uint8_t { known, newer, nothing };

Says reading(const std::optional<std::string>& content) {
  if (!content) return Says::nothing;
  const auto document = core::Json::parse(*content, nullptr, false);
  if (!document.is_object()) return Says::nothing;
  const auto layout = document.find("layout");
  if (layout == document.end() || !layout->is_number_unsigned()) return Says::nothing;
  return *layout > known_layout ? Says::newer : Says::known;
}

std::string file_of(const Backend& backend) {
  return fmt::format("{}/{}/{}", backend.shown(), names::own, names::layout);
}

[[noreturn]] void fail(const Backend& backend, Errc code, const char* operation,
                       std::error_code cause) {
  throw Error(code, {.what = fmt::format("the store {} cannot be {}", backend.shown(),
                                         code == Errc::unreadable ? "read" : "written"),
                     .operation = operation,
                     .file = file_of(backend),
                     .kept = "everything saved before is intact",
                     .next = advice(cause),
                     .cause = cause});
}

void must(const Backend& backend, const char* operation, std::error_code error) {
  if (error) fail(backend, Errc::store_failed, operation, error);
}

/// Whether something else than a layout is in its place.
bool is_damage(std::error_code error) {
  return is_odd_file(error) || error == std::errc::file_too_large;
}

/// Another process may have done so a moment ago.
void set_aside(const Backend& backend, const sys::File& own) {
  std::string unique;
  must(backend, "getrandom", backend.temporary(unique));
  const auto error = sys::rename_to_free(backend.files(), own, names::layout, own,
                                         names::layout + ".damaged-" + unique);
  if (!is_absent(error)) must(backend, "rename", error);
}

/// What the file says, and whether there is anything.
Says look(const Backend& backend, const sys::File& own, bool& present) {
  std::optional<std::string> content;
  const auto error = backend.read_file(own, names::layout, max_bytes, content);
  if (error && !is_damage(error)) fail(backend, Errc::unreadable, "read", error);
  present = error || content;
  return reading(content);
}

}  // namespace

void refuse_newer_layout(const Backend& backend, const sys::File& root) {
  sys::File own;
  std::optional<std::string> content;
  auto error = backend.files().open(root, names::own, sys::Open::folder, own);
  if (!error) error = backend.read_file(own, names::layout, max_bytes, content);
  if (error && !is_absent(error) && !is_damage(error)) {
    fail(backend, Errc::unreadable, "read", error);
  }
  if (reading(content) != Says::newer) return;
  throw Error(Errc::newer, {.what = fmt::format("the store {} has a newer layout than this program"
                                                " knows ({})",
                                                backend.shown(), known_layout),
                            .file = file_of(backend),
                            .kept = "untouched: a newer store is never rewritten",
                            .next = "use a newer program"});
}

std::string kind_in_layout(const Backend& backend, const sys::File& root) {
  sys::File own;
  std::optional<std::string> content;
  if (backend.files().open(root, names::own, sys::Open::folder, own)) return {};
  if (backend.read_file(own, names::layout, max_bytes, content) || !content) return {};
  const auto document = core::Json::parse(*content, nullptr, false);
  if (!document.is_object()) return {};
  const auto kind = document.find("store");
  const bool said = kind != document.end() && kind->is_string();
  return said ? kind->get<std::string>() : std::string{};
}

void write_layout(const Backend& backend, const RunSite& site, const RunFolders& folders) {
  sys::FileSystem& files = backend.files();
  auto error = files.make_folder(*folders.store, names::own, sys::Access::owner_only);
  const bool made = !error;
  if (error != std::errc::file_exists) must(backend, "mkdir", error);
  sys::File own;
  must(backend, "open", files.open(*folders.store, names::own, sys::Open::folder, own));
  bool present = false;
  if (look(backend, own, present) != Says::nothing) return;
  if (present) set_aside(backend, own);
  TemporaryFile file(backend, site, folders.temporary);
  file.must("write", sys::write_fully(files, file.file(), 0,
                                      fmt::format("{{\"layout\":{},\"store\":\"{}\"}}\n",
                                                  known_layout, backend.kind().name)));
  file.sync();
  file.close();
  must(backend, "rename", file.replace(own, names::layout));
  must(backend, "fsync", files.sync_folder(own));
  if (made) must(backend, "fsync", files.sync_folder(*folders.store));
}

}  // namespace resumable::store
