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

/// What can be done about a file that cannot be read.
constexpr const char* other_account = "let this account read it, or move it out of the folder";

[[noreturn]] void fail(std::string_view input, const std::string& file, std::string_view operation,
                       std::string_view what, std::error_code cause, std::string_view next) {
  const bool many =
      cause == std::errc::too_many_files_open || cause == std::errc::too_many_files_open_in_system;
  throw Error(
      Errc::source_failed,
      {.what = fmt::format("input '{}': {}", input, what),
       .operation = std::string{operation},
       .file = file,
       .kept = "nothing was changed",
       .next = std::string{many ? "allow more open files (ulimit -n), and run again" : next},
       .cause = cause});
}

/// Reads a file, or its first `length` bytes, piece by piece into `sink`.
std::error_code read_file(sys::FileSystem& system, const sys::File& folder, const std::string& name,
                          FunctionRef<void(std::string_view)> sink,
                          std::uint64_t length = UINT64_MAX) {
  sys::File file;
  if (const auto error = system.open(folder, name, sys::Open::read, file)) return error;
  return sys::read_pieces(
      system, file,
      [&](std::string_view piece) {
        sink(piece);
        return std::error_code{};
      },
      length);
}

/// Whether a file has been written to between two looks.
bool is_same(const sys::Stat& a, const sys::Stat& b) {
  return a.same_file(b) && a.size == b.size && a.modified == b.modified && a.changed == b.changed;
}

/// Links are followed: data that is kept elsewhere is often linked into a folder.
class Walk {
 public:
  Walk(sys::FileSystem& system, std::string_view input, std::string root)
      : system_(system), input_(input), root_(std::move(root)) {}

  record::Sources found;

  void folder(const sys::File& folder, const std::string& below) {
    sys::Stat self;
    if (const auto error = system_.stat(folder, self)) {
      fail(input_, path_of(below), "stat", "the folder cannot be looked at", error, other_account);
    }
    const auto is_self = [&](const sys::Stat& outer) { return outer.same_file(self); };
    if (std::ranges::any_of(inside_, is_self)) {
      return leave_out(below, "leads back to a folder that it is in");
    }
    std::vector<sys::Entry> entries;
    if (const auto error = system_.list(folder, entries)) {
      fail(input_, path_of(below), "readdir", "the folder cannot be listed", error, other_account);
    }
    std::ranges::sort(entries, {}, &sys::Entry::name);
    inside_.push_back(self);
    for (const sys::Entry& entry : entries) {
      if (!entry.name.starts_with('.')) one(folder, entry.name, below + entry.name, {});
    }
    inside_.pop_back();
  }

  /// Whatever `path` is, with all links resolved.
  void root(const std::string& path, const std::string& shown) {
    sys::File folder;
    auto error = system_.open_root(path, folder);
    if (!error) return this->folder(folder, shown.empty() ? shown : shown + "/");
    if (error == std::errc::not_a_directory) {
      const std::filesystem::path file{path};
      error = system_.open_root(file.parent_path().string(), folder);
      const std::string given = std::filesystem::path{root_}.filename().string();
      if (!error) return one(folder, file.filename().string(), shown.empty() ? given : shown, path);
    }
    fail(input_, path, "open", "it cannot be opened", error, other_account);
  }

 private:
  [[nodiscard]] std::string path_of(const std::string& shown) const { return root_ + "/" + shown; }

  void leave_out(const std::string& shown, std::string_view why) {
    found.left_out.push_back(fmt::format("'{}' {}", core::printable(shown), why));
  }

  void one(const sys::File& folder, const std::string& name, const std::string& shown,
           const std::string& resolved) {
    const std::string path = resolved.empty() ? path_of(shown) : resolved;
    sys::Stat stat;
    if (const auto error = system_.stat(folder, name, stat)) {
      fail(input_, path, "stat", "the file cannot be looked at", error, other_account);
    }
    switch (stat.kind) {
      case sys::Kind::file: return file(folder, name, shown, path);
      case sys::Kind::link: return link(shown, path);
      case sys::Kind::folder: break;
      case sys::Kind::other:
      case sys::Kind::unknown: return leave_out(shown, "is a socket, a pipe or a device");
    }
    sys::File next;
    if (const auto error = system_.open(folder, name, sys::Open::folder, next)) {
      fail(input_, path, "open", "the folder cannot be opened", error, other_account);
    }
    this->folder(next, shown + "/");
  }

  void link(const std::string& shown, const std::string& path) {
    std::string target;
    if (const auto error = sys::resolve_path(path, target)) {
      fail(input_, path, "realpath", "the link leads to nothing that can be read", error,
           "bring back what it leads to, or remove the link");
    }
    root(target, shown);
  }

  void file(const sys::File& folder, const std::string& name, const std::string& shown,
            const std::string& path) {
    if (!core::is_utf8(shown)) {
      fail(input_, path, "", "a file's name is not UTF-8", {}, "rename it");
    }
    SourceFile source{shown, {}, 0, path};
    Digester digester;
    sys::Stat before;
    sys::Stat after;
    auto error = system_.stat(folder, name, before);
    const auto add = [&](std::string_view piece) {
      digester.add_raw(piece);
      source.bytes += piece.size();
    };
    // Not beyond the size that it has: another process may append for ever.
    if (!error) error = read_file(system_, folder, name, add, before.size);
    if (!error) error = system_.stat(folder, name, after);
    if (error) fail(input_, path, "read", "the file cannot be read", error, other_account);
    if (!is_same(before, after)) {
      fail(input_, path, "", "the file changed while it was read", {},
           "run again once nothing writes to it");
    }
    source.digest = digester.finish();
    found.files.push_back(std::move(source));
  }

  sys::FileSystem& system_;
  std::string_view input_;
  std::string root_;
  std::vector<sys::Stat> inside_;  ///< the folders that are open
};

}  // namespace

}  // namespace v0
}  // namespace resumable

namespace resumable::record {

Sources read_sources(sys::FileSystem& system, const std::string& input, const std::string& path) {
  const std::string root = std::filesystem::path{path}.lexically_normal().string();
  std::string resolved;
  if (const auto error = sys::resolve_path(root, resolved)) {
    fail(input, path, "open",
         error == std::errc::no_such_file_or_directory ? "there is no such file or folder"
                                                       : "it cannot be opened",
         error, "name a file, or a folder with at least one file");
  }
  Walk walk{system, input, root};
  walk.root(resolved, "");
  if (walk.found.files.empty()) {
    fail(input, path, "", "there is no file to read", {},
         "name a file, or a folder with at least one file that is not hidden");
  }
  std::ranges::sort(walk.found.files, {}, &SourceFile::name);
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
  if (error) fail(name, path.string(), "read", "the file cannot be read", error, other_account);
  if (resumable::digest(content) != digest) {
    fail(name, path.string(), "", "the file changed during the run", {}, "run again");
  }
  return content;
}

}  // namespace v0
}  // namespace resumable
