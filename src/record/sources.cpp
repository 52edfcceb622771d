#include "record/sources.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/error.hpp"
#include "resumable/function_ref.hpp"

namespace resumable {
inline namespace v0 {
namespace {

[[noreturn]] void fail(std::string_view input, const std::string& file, std::string_view operation,
                       std::string_view what, std::error_code cause) {
  throw Error(Errc::source_failed,
              {.what = fmt::format("input '{}': {}", input, what),
               .operation = std::string{operation},
               .file = file,
               .kept = "nothing was changed",
               .next = "name a file, or a folder with at least one readable file, and run again",
               .cause = cause});
}

/// Reads a file piece by piece into `sink`.
std::error_code read_file(sys::FileSystem& system, const sys::File& folder, const std::string& name,
                          FunctionRef<void(std::string_view)> sink) {
  sys::File file;
  if (const auto error = system.open(folder, name, sys::Open::read, file)) return error;
  return sys::read_pieces(system, file, [&](std::string_view piece) {
    sink(piece);
    return std::error_code{};
  });
}

class Walk {
 public:
  Walk(sys::FileSystem& system, std::string_view input, std::string root)
      : system_(system), input_(input), root_(std::move(root)) {}

  std::vector<SourceFile> found;

  void folder(const sys::File& folder, const std::string& below) {
    std::vector<sys::Entry> entries;
    if (const auto error = system_.list(folder, entries)) {
      fail(input_, root_ + "/" + below, "readdir", "the folder cannot be listed", error);
    }
    for (const sys::Entry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      one(folder, entry.name, below);
    }
  }

  void file(const sys::File& folder, const std::string& name, const std::string& shown,
            const std::string& path) {
    SourceFile source{shown, {}, 0, path};
    Digester digester;
    const auto error = read_file(system_, folder, name, [&](std::string_view piece) {
      digester.add_raw(piece);
      source.bytes += piece.size();
    });
    if (error) fail(input_, path, "read", "the file cannot be read", error);
    source.digest = digester.finish();
    found.push_back(std::move(source));
  }

 private:
  void one(const sys::File& folder, const std::string& name, const std::string& below) {
    const std::string shown = below + name;
    const std::string path = root_ + "/" + shown;
    sys::Stat stat;
    if (const auto error = system_.stat(folder, name, stat)) {
      fail(input_, path, "stat", "the file cannot be looked at", error);
    }
    if (stat.kind == sys::Kind::file) {
      if (!core::is_utf8(shown)) fail(input_, path, "stat", "a file's name is not UTF-8", {});
      file(folder, name, shown, path);
    } else if (stat.kind == sys::Kind::folder) {
      sys::File next;
      if (const auto error = system_.open(folder, name, sys::Open::folder, next)) {
        fail(input_, path, "open", "the folder cannot be opened", error);
      }
      this->folder(next, shown + "/");
    }
  }

  sys::FileSystem& system_;
  std::string_view input_;
  std::string root_;
};

}  // namespace

}  // namespace v0
}  // namespace resumable

namespace resumable::record {

std::vector<SourceFile> read_sources(sys::FileSystem& system, const std::string& input,
                                     const std::string& path) {
  const std::string root = std::filesystem::path{path}.lexically_normal().string();
  Walk walk{system, input, root};
  sys::File folder;
  auto error = system.open_root(root, folder);
  if (!error) {
    walk.folder(folder, "");
  } else if (error == std::errc::not_a_directory) {
    const std::filesystem::path file{root};
    const std::string parent = file.has_parent_path() ? file.parent_path().string() : ".";
    error = system.open_root(parent, folder);
    if (error) fail(input, path, "open", "it cannot be opened", error);
    walk.file(folder, file.filename().string(), file.filename().string(), root);
  } else {
    fail(input, path, "open",
         error == std::errc::no_such_file_or_directory ? "there is no such file or folder"
                                                       : "it cannot be opened",
         error);
  }
  if (walk.found.empty()) fail(input, path, "readdir", "the folder holds no file", {});
  std::sort(walk.found.begin(), walk.found.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
  return std::move(walk.found);
}

Digest identity_of(const std::vector<SourceFile>& files) {
  Digester digester;
  for (const SourceFile& file : files) digester.add(file.name).add(file.digest);
  return digester.finish();
}

}  // namespace resumable::record

namespace resumable {
inline namespace v0 {

std::string SourceFile::read() const {
  const auto system = sys::posix_file_system();
  sys::File folder;
  const std::string parent = path.has_parent_path() ? path.parent_path().string() : ".";
  auto error = system->open_root(parent, folder);
  std::string content;
  if (!error) {
    error = read_file(*system, folder, path.filename().string(),
                      [&](std::string_view piece) { content.append(piece); });
  }
  if (error) fail(name, path.string(), "read", "the file cannot be read", error);
  if (resumable::digest(content) != digest) {
    fail(name, path.string(), "read", "the file changed during the run", {});
  }
  return content;
}

}  // namespace v0
}  // namespace resumable
