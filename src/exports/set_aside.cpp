#include "exports/set_aside.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/key.hpp"
#include "core/remedy.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {
namespace {

constexpr int deepest = 64;  // deeper than any place of a record

class Listing {
 public:
  Listing(sys::FileSystem& system, const std::string& root) : system_(system), root_(root) {}

  std::vector<SetAside> list() {
    sys::File root;
    sys::File own;
    if (enter(root, "") && open(root, core::own_folder, own)) {
      for (const char* name : {"quarantine", "removed"}) {
        sys::File folder;
        record_ = std::string_view{name} == "quarantine";
        if (open(own, name, folder)) add(folder, std::string{core::own_folder} + "/" + name, 0);
      }
    }
    std::ranges::sort(found_, {}, &SetAside::path);
    return std::move(found_);
  }

 private:
  bool enter(sys::File& out, const std::string& path) {
    return is_there(system_.open_root(root_, out), path);
  }
  bool open(const sys::File& folder, std::string_view name, sys::File& out) {
    return is_there(system_.open(folder, std::string{name}, sys::Open::folder, out), name);
  }
  bool is_there(std::error_code error, std::string_view path) const {
    if (error == std::errc::no_such_file_or_directory) return false;
    if (error) unreadable(path, error);
    return true;
  }
  [[noreturn]] void unreadable(std::string_view path, std::error_code error) const {
    throw Error(Errc::unreadable,
                {.what = "what was set aside cannot be listed",
                 .file = root_ + "/" + std::string{path},
                 .kept = "nothing was changed",
                 .next = core::remedy(error, "fix the cause") + ", then try again",
                 .cause = error});
  }
  void add(const sys::File& folder, const std::string& path, int depth) {
    std::vector<sys::Entry> entries;
    if (const auto error = system_.list(folder, entries)) unreadable(path, error);
    for (const sys::Entry& entry : entries) {
      const std::string full = path + "/" + entry.name;
      sys::Stat stat;
      if (!is_there(system_.stat(folder, entry.name, stat), full)) continue;
      sys::File below;
      if (stat.kind == sys::Kind::file) {
        found_.push_back({full, record_, stat.size, stat.changed});
      } else if (stat.kind == sys::Kind::folder && depth < deepest &&
                 open(folder, entry.name, below)) {
        add(below, full, depth + 1);
      }
    }
  }

  sys::FileSystem& system_;
  const std::string& root_;
  bool record_ = false;
  std::vector<SetAside> found_;
};

}  // namespace

std::vector<SetAside> list_set_aside(sys::FileSystem& system, const std::string& run_folder) {
  return Listing{system, run_folder}.list();
}

SetAsideTotal total_set_aside(sys::FileSystem& system, const std::string& run_folder) {
  SetAsideTotal total;
  for (const SetAside& one : list_set_aside(system, run_folder)) {
    ++total.files;
    total.bytes += one.bytes;
  }
  return total;
}

bool remove_set_aside(sys::FileSystem& system, const std::string& run_folder, const SetAside& one) {
  sys::File folder;
  if (system.open_root(run_folder, folder)) return false;
  std::string_view path = one.path;
  for (std::size_t slash = 0; (slash = path.find('/')) != path.npos;) {
    sys::File next;
    if (system.open(folder, std::string{path.substr(0, slash)}, sys::Open::folder, next)) {
      return false;
    }
    folder = std::move(next);
    path.remove_prefix(slash + 1);
  }
  sys::Stat stat;
  const std::string name{path};
  if (system.stat(folder, name, stat) || stat.kind != sys::Kind::file) return false;
  if (stat.size != one.bytes || stat.changed != one.since) return false;
  return !system.unlink(folder, name);
}

}  // namespace resumable::exports
