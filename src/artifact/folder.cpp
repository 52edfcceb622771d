#include "artifact/folder.hpp"

#include <array>
#include <vector>

namespace resumable::inline v0::artifact {
namespace {

constexpr const char* own_folder = ".resumable";

Published failed(std::string operation, std::error_code cause) {
  return {Published::How::failed, cause, std::move(operation)};
}

}  // namespace

std::string Folder::full(std::string_view path) const { return root_ + "/" + std::string{path}; }

std::error_code Folder::open_root(sys::File& out) const { return system_.open_root(root_, out); }

/// Opens the folder that holds the last component, following no links.
std::error_code Folder::descend(std::string_view path, bool make, Place& out) const {
  std::error_code error;
  if (make) {
    error = sys::open_or_make_root(system_, root_, out.folder);
  } else {
    error = open_root(out.folder);
  }
  for (std::size_t slash; !error && (slash = path.find('/')) != path.npos;) {
    const std::string name{path.substr(0, slash)};
    path.remove_prefix(slash + 1);
    sys::File next;
    error = system_.open(out.folder, name, sys::Open::folder, next);
    if (make && error == std::errc::no_such_file_or_directory) {
      const auto access = name == own_folder ? sys::Access::owner_only : sys::Access::by_umask;
      error = system_.make_folder(out.folder, name, access);
      if (error == std::errc::file_exists) error.clear();  // another worker made it just now
      if (!error) error = system_.sync_folder(out.folder);
      if (!error) error = system_.open(out.folder, name, sys::Open::folder, next);
    }
    if (!error) out.folder = std::move(next);
  }
  out.name = std::string{path};
  return error;
}

/// A folder of our own below .resumable, made where missing.
std::error_code Folder::open_own(std::string_view name, sys::File& out) const {
  Place place;
  if (const auto error = descend(std::string{own_folder} + "/x", true, place)) return error;
  const std::string wanted{name};
  auto error = system_.open(place.folder, wanted, sys::Open::folder, out);
  if (error != std::errc::no_such_file_or_directory) return error;
  error = system_.make_folder(place.folder, wanted, sys::Access::owner_only);
  if (error == std::errc::file_exists) error.clear();
  if (!error) error = system_.sync_folder(place.folder);
  return error ? error : system_.open(place.folder, wanted, sys::Open::folder, out);
}

std::error_code Folder::digest_of(const sys::File& folder, const std::string& name,
                                  Digest& out) const {
  sys::File file;
  if (const auto error = system_.open(folder, name, sys::Open::read, file)) return error;
  Digester digester;
  std::vector<char> piece(256 * 1024);
  for (std::uint64_t at = 0;;) {
    std::size_t got = 0;
    if (const auto error = sys::read_fully(system_, file, at, piece, got)) return error;
    if (got == 0) break;
    digester.add_raw({piece.data(), got});
    at += got;
  }
  out = digester.finish();
  return {};
}

Found Folder::look(std::string_view path) const {
  Place place;
  Found found;
  auto error = descend(path, false, place);
  if (!error) error = digest_of(place.folder, place.name, found.digest);
  if (error == std::errc::no_such_file_or_directory) return found;
  if (!error) {
    found.state = Found::State::file;
    return found;
  }
  const bool odd = error == std::errc::is_a_directory || error == std::errc::not_a_directory ||
                   error == std::errc::too_many_symbolic_link_levels ||
                   error == std::errc::not_supported;
  found.cause = error;
  found.state = odd ? Found::State::odd : Found::State::unreadable;
  found.problem = odd ? "something that is no file is in its place (" + error.message() + ")"
                      : "it cannot be read (" + error.message() + ")";
  return found;
}

Published Folder::write_temp(std::string_view bytes, sys::File& folder, std::string& name) {
  if (const auto error = open_own("publish", folder)) return failed("mkdir", error);
  if (const auto error = sys::random_name(random_, name)) return failed("getrandom", error);
  name = "export-" + name;
  sys::File file;
  // Not by Open::new_private: it becomes the artifact, which follows the umask.
  if (const auto error = system_.open(folder, name, sys::Open::new_public, file)) {
    return failed("open", error);
  }
  auto error = sys::write_fully(system_, file, 0, bytes);
  std::string operation = "write";
  if (!error) {
    error = system_.sync(file);
    operation = "fsync";
  }
  if (!error) {
    error = file.close();
    operation = "close";
  }
  if (!error) return {};
  static_cast<void>(system_.unlink(folder, name));
  return failed(operation, error);
}

Published Folder::publish(std::string_view path, std::string_view bytes,
                          const std::optional<Digest>& expected) {
  Place place;
  if (const auto error = descend(path, true, place)) {
    const bool odd =
        error == std::errc::not_a_directory || error == std::errc::too_many_symbolic_link_levels;
    return odd ? Published{Published::How::conflict, error, "open"} : failed("open", error);
  }
  const Digest wanted = digest(bytes);
  Digest present;
  const auto looked = digest_of(place.folder, place.name, present);
  if (!looked && present == wanted) {
    const auto error = system_.sync_folder(place.folder);
    return error ? failed("fsync", error) : Published{};
  }
  sys::File temps;
  std::string temp;
  if (Published result = write_temp(bytes, temps, temp); result.how != Published::How::done) {
    return result;
  }
  return swap_in(place, temps, temp, wanted, expected);
}

Published Folder::swap_in(const Place& place, const sys::File& temps, const std::string& temp,
                          const Digest& wanted, const std::optional<Digest>& expected) {
  const auto give_up = [&](Published result) {
    static_cast<void>(system_.unlink(temps, temp));
    return result;
  };
  auto error = sys::rename_to_free(system_, temps, temp, place.folder, place.name);
  if (error == std::errc::file_exists) {
    if (!expected) return give_up({Published::How::conflict, error, "rename"});
    error = system_.rename(temps, temp, place.folder, place.name, sys::Rename::exchange);
    if (error) return give_up(failed("rename", error));
    Digest out;
    const auto looked = digest_of(temps, temp, out);
    if (looked || (out != *expected && out != wanted)) {
      error = system_.rename(temps, temp, place.folder, place.name, sys::Rename::exchange);
      // The temp has a person's bytes then: it stays, and clean() keeps it.
      if (error) return failed("rename", error);
      return give_up({Published::How::conflict, looked, "rename"});
    }
    static_cast<void>(system_.unlink(temps, temp));
  } else if (error) {
    return give_up(failed("rename", error));
  }
  error = system_.sync_folder(place.folder);
  return error ? failed("fsync", error) : Published{};
}

bool Folder::retire(std::string_view path, const Digest& expected) {
  Place place;
  Digest present;
  if (descend(path, false, place) || digest_of(place.folder, place.name, present)) return false;
  if (present != expected) return false;
  sys::File removed;
  std::string name;
  if (open_own("removed", removed) || sys::random_name(random_, name)) return false;
  name = place.name + "." + name.substr(0, 6);
  if (sys::rename_to_free(system_, place.folder, place.name, removed, name)) return false;
  static_cast<void>(system_.sync_folder(removed));
  static_cast<void>(system_.sync_folder(place.folder));
  return true;
}

void Folder::clean(FunctionRef<bool(const Digest&)> is_known) {
  sys::File temps;
  sys::File own;
  Place place;
  if (descend(std::string{own_folder} + "/publish/x", false, place)) return;
  std::vector<sys::Entry> entries;
  if (system_.list(place.folder, entries)) return;
  for (const sys::Entry& entry : entries) {
    if (!entry.name.starts_with("export-")) continue;
    Digest content;
    if (digest_of(place.folder, entry.name, content)) continue;
    if (is_known(content)) {
      static_cast<void>(system_.unlink(place.folder, entry.name));
    } else if (!open_own("removed", own)) {
      static_cast<void>(sys::rename_to_free(system_, place.folder, entry.name, own, entry.name));
    }
  }
}

}  // namespace resumable::inline v0::artifact
