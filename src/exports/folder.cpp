#include "exports/folder.hpp"

#include <memory>
#include <set>
#include <utility>

#include "core/key.hpp"

namespace resumable::exports {
namespace {

using core::own_folder;
/// Of the digest of the run's uid, in the names of files that are not in their places yet.
constexpr std::size_t run_digits = 16;

/// The name of a temporary file in the artifact's folder before it replaces the artifact.
std::string hidden_name(const std::string& temp) { return "." + temp; }
/// The artifact's name in the meantime if the two cannot be exchanged.
std::string old_name(const std::string& hidden) { return hidden + ".old"; }

Published failed(std::string operation, std::error_code cause) {
  return {Published::How::failed, cause, std::move(operation)};
}

/// Whether something that is not a file has the name; other errors do not say what is there.
bool is_odd(std::error_code error) {
  return error == std::errc::is_a_directory || error == std::errc::not_a_directory ||
         error == std::errc::too_many_symbolic_link_levels || error == std::errc::not_supported;
}

/// What was moved aside is not what was expected, or could not be read.
Published not_replaced(std::error_code looked) {
  if (looked && !is_odd(looked)) return failed("read", looked);
  return {Published::How::conflict, looked, "rename"};
}

}  // namespace

bool is_change(std::error_code error) {
  return is_odd(error) || error == std::errc::no_such_file_or_directory;
}

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
  for (std::size_t slash = 0; !error && (slash = path.find('/')) != path.npos;) {
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
  return digest_of(
      folder, name, [](const Digest&) { return false; }, out);
}

std::error_code Folder::digest_of(const sys::File& folder, const std::string& name, Expects expects,
                                  Digest& out) const {
  sys::File file;
  if (const auto error = system_.open(folder, name, sys::Open::read, file)) return error;
  // Not filled with zeros, which would cost more than reading a small file.
  constexpr std::size_t size = std::size_t{64} * 1024;
  const auto piece = std::make_unique_for_overwrite<char[]>(size);
  Digester digester;
  std::uint64_t at = 0;
  for (std::size_t got = 1; got > 0; at += got) {
    if (const auto error = sys::read_once(system_, file, at, {piece.get(), size}, got))
      return error;
    digester.add_raw({piece.get(), got});
    if (at == 0 && got < size && expects(digester.finish())) break;
  }
  out = digester.finish();
  return {};
}

Found Folder::look(std::string_view path) const {
  return Looks(*this).at(path, [](const Digest&) { return false; });
}

/// Opens the folders that are not still open from the last call, and leaves the last name in
/// `path`.
std::error_code Looks::enter(std::string_view& path) {
  if (!root_) {
    if (const auto error = folder_.open_root(root_)) return error;
  }
  std::size_t depth = 0;
  for (std::size_t slash = 0; (slash = path.find('/')) != path.npos; ++depth) {
    std::string name{path.substr(0, slash)};
    path.remove_prefix(slash + 1);
    if (depth < below_.size() && below_[depth].first == name) continue;
    below_.resize(depth);
    sys::File next;
    const auto error = folder_.system_.open(last(), name, sys::Open::folder, next);
    if (error) return error;
    below_.emplace_back(std::move(name), std::move(next));
  }
  below_.resize(depth);
  return {};
}

Found Looks::at(std::string_view path, Folder::Expects expects) {
  Found found;
  auto error = enter(path);
  if (!error) error = folder_.digest_of(last(), std::string{path}, expects, found.digest);
  if (error == std::errc::no_such_file_or_directory) return found;
  if (!error) {
    found.state = Found::State::file;
    return found;
  }
  const bool odd = is_odd(error);
  found.cause = error;
  found.state = odd ? Found::State::odd : Found::State::unreadable;
  found.problem = odd ? "something that is not a file is in its place (" + error.message() + ")"
                      : "it cannot be read (" + error.message() + ")";
  return found;
}

/// Another run may have the same folder: its process may be about to put such a file in place.
std::string Folder::temp_prefix() const {
  return "export-" + marks_.of().substr(0, run_digits) + "-";
}

/// A file with what `write` writes, synced, that is not in its place yet.
Published Folder::write_temp(sys::Open how, Write write, Temp& temp) {
  std::string name;
  if (const auto error = open_own("publish", temp.folder)) return failed("mkdir", error);
  if (const auto error = sys::random_name(random_, name)) return failed("getrandom", error);
  if (const auto error = temp.file.open(system_, temp.folder, temp_prefix() + name, how)) {
    return failed("open", error);
  }
  if (const auto error = write(temp.file)) return failed("write", error);
  if (const auto error = temp.file.sync()) return failed("fsync", error);
  if (const auto error = temp.file.close()) return failed("close", error);
  return {};
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
  Temp temp;
  // Not by Open::new_private: it becomes the artifact, which follows the umask.
  Published result = write_temp(
      sys::Open::new_public, [&](sys::UnnamedFile& file) { return file.write(0, bytes); }, temp);
  if (result.how == Published::How::done) result = take_place(place, temp, wanted, expected);
  if (result.how == Published::How::done) {
    if (const auto error = system_.sync_folder(place.folder)) result = failed("fsync", error);
  }
  return result;
}

Published Folder::publish(std::string_view path, std::string_view bytes,
                          const std::optional<Digest>& expected, std::string_view name,
                          std::uint64_t order) {
  Mark former;
  Mark mark{digest(bytes), order};
  if (const auto error = marks_.find(name, former)) return failed("read", error);
  if (const auto error = marks_.note(name, mark)) return failed("write", error);
  Published published = publish(path, bytes, expected);
  mark.placed = true;
  // After an error it is not known which of the two is there.
  const bool known = published.how != Published::How::failed;
  if (known) {
    const bool done = published.how == Published::How::done;
    static_cast<void>(marks_.note(name, done ? mark : former));
  }
  return published;
}

Published Folder::take_place(const Place& place, Temp& temp, const Digest& wanted,
                             const std::optional<Digest>& expected) {
  auto error = temp.file.take_free_name(place.folder, place.name);
  if (!error) return {};
  if (error != std::errc::file_exists) return failed("link", error);
  if (!expected) return {Published::How::conflict, error, "link"};
  const std::string fresh = hidden_name(temp.file.name());
  error = temp.file.take_free_name(place.folder, fresh);
  if (error) return failed("link", error);
  return replace(place, fresh, wanted, *expected);
}

/// Exchanges the artifact with `fresh`, and then checks what came out: no one can change it in
/// between.
Published Folder::replace(const Place& place, const std::string& fresh, const Digest& wanted,
                          const Digest& expected) {
  const auto exchange = [&] {
    return system_.rename(place.folder, fresh, place.folder, place.name, sys::Rename::exchange);
  };
  auto error = exchange();
  if (error == std::errc::invalid_argument || error == std::errc::function_not_supported) {
    return replace_in_two_moves(place, fresh, wanted, expected);
  }
  if (error) {
    static_cast<void>(system_.unlink(place.folder, fresh));
    return failed("rename", error);
  }
  Digest out;
  const auto looked = digest_of(place.folder, fresh, out);
  if (!looked && (out == expected || out == wanted)) {
    // While the old file is beside it, the export must not count as finished, or clean() would not
    // look.
    error = system_.unlink(place.folder, fresh);
    return error ? failed("unlink", error) : Published{};
  }
  // The hidden name now has a person's bytes. If they cannot be moved back they stay there, and
  // clean() keeps them.
  if (error = exchange(); error) return failed("rename", error);
  if (!digest_of(place.folder, fresh, out) && out == wanted) {
    static_cast<void>(system_.unlink(place.folder, fresh));
  }
  return not_replaced(looked);
}

/// For file systems that cannot exchange two files. The artifact is moved aside, whatever it is by
/// then, and nothing is replaced: a file that takes the free name in between stays. After a crash
/// in between the artifact is missing, and is exported again.
Published Folder::replace_in_two_moves(const Place& place, const std::string& fresh,
                                       const Digest& wanted, const Digest& expected) {
  const std::string old = old_name(fresh);
  const auto give_up = [&](Published result) {
    static_cast<void>(system_.unlink(place.folder, fresh));
    return result;
  };
  auto error = system_.rename(place.folder, place.name, place.folder, old, sys::Rename::replace);
  if (error) return give_up(failed("rename", error));
  Digest out;
  const auto looked = digest_of(place.folder, old, out);
  const bool ours = !looked && (out == expected || out == wanted);
  if (ours) {
    error = sys::rename_to_free(system_, place.folder, fresh, place.folder, place.name);
    if (!error) {
      error = system_.unlink(place.folder, old);
      return error ? failed("unlink", error) : Published{};
    }
    if (error == std::errc::file_exists) {
      static_cast<void>(system_.unlink(place.folder, old));
      return give_up({Published::How::conflict, error, "rename"});
    }
  }
  const auto back = sys::rename_to_free(system_, place.folder, old, place.folder, place.name);
  if (back) return failed("rename", back);  // clean() keeps what was moved aside
  return give_up(ours ? failed("rename", error) : not_replaced(looked));
}

std::error_code Folder::settle(std::string_view path) {
  Place place;
  const auto error = descend(path, false, place);
  return error ? error : system_.sync_folder(place.folder);
}

std::error_code Folder::sync(std::string_view path) {
  Place place;
  sys::File file;
  auto error = descend(path, false, place);
  if (!error) error = system_.open(place.folder, place.name, sys::Open::read, file);
  if (!error) error = system_.sync(file);
  return error ? error : system_.sync_folder(place.folder);
}

std::error_code Folder::read(std::string_view path, std::string& bytes) const {
  Place place;
  sys::File from;
  auto error = descend(path, false, place);
  if (!error) error = system_.open(place.folder, place.name, sys::Open::read, from);
  if (error) return error;
  return sys::read_pieces(system_, from, [&](std::string_view piece) {
    bytes += piece;
    return std::error_code{};
  });
}

std::error_code Folder::keep_copy(std::string_view path) {
  Place place;
  sys::File from;
  auto error = descend(path, false, place);
  if (!error) error = system_.open(place.folder, place.name, sys::Open::read, from);
  if (error) return error;
  return keep(place.name, [&](sys::UnnamedFile& to) {
    std::uint64_t at = 0;
    return sys::read_pieces(system_, from, [&](std::string_view piece) {
      const auto failure = to.write(at, piece);
      at += piece.size();
      return failure;
    });
  });
}

/// Keeps what `write` writes in .resumable/removed, durably.
std::error_code Folder::keep(const std::string& name, Write write) {
  sys::File removed;
  std::string free;
  Temp temp;
  auto error = open_removed(name, removed, free);
  if (!error) error = write_temp(sys::Open::new_private, write, temp).cause;
  if (!error) error = temp.file.take_free_name(removed, free);
  return error ? error : system_.sync_folder(removed);
}

/// Opens .resumable/removed; `free` is `name` with an end that nothing there has.
std::error_code Folder::open_removed(const std::string& name, sys::File& removed,
                                     std::string& free) const {
  std::string end;
  auto error = open_own("removed", removed);
  if (!error) error = sys::random_name(random_, end);
  free = name + "." + end.substr(0, 6);
  return error;
}

Published Folder::retire(std::string_view path, const Digest& expected) {
  Place place;
  Digest present;
  auto error = descend(path, false, place);
  if (!error) error = digest_of(place.folder, place.name, present);
  if (error) return failed("read", error);
  if (present != expected) return {Published::How::conflict, {}, "read"};
  sys::File removed;
  std::string free;
  if (error = open_removed(place.name, removed, free); error) return failed("mkdir", error);
  error = sys::rename_to_free(system_, place.folder, place.name, removed, free);
  if (error) return failed("rename", error);
  static_cast<void>(system_.sync_folder(removed));
  static_cast<void>(system_.sync_folder(place.folder));
  return {};
}

/// Deletes a file if its bytes are known, and otherwise moves it aside.
void Folder::dispose(const sys::File& folder, const std::string& name,
                     FunctionRef<bool(const Digest&)> is_known) {
  Digest content;
  if (digest_of(folder, name, content)) return;
  sys::File removed;
  if (is_known(content)) {
    static_cast<void>(system_.unlink(folder, name));
  } else if (!open_own("removed", removed)) {
    const std::string shown = name.starts_with('.') ? name.substr(1) : name;
    static_cast<void>(sys::rename_to_free(system_, folder, name, removed, shown));
    static_cast<void>(system_.sync_folder(removed));
  }
}

std::error_code Folder::list(std::string_view folder, std::vector<std::string>& files) const {
  Place place;
  std::vector<sys::Entry> entries;
  auto error = descend(std::string{folder} + "x", false, place);
  if (!error) error = system_.list(place.folder, entries);
  if (error == std::errc::no_such_file_or_directory) return {};
  for (const sys::Entry& entry : entries) {
    if (entry.name.starts_with('.') || entry.kind == sys::Kind::folder) continue;
    sys::Stat stat;  // some file systems do not say in the list what a name stands for
    const bool unknown = entry.kind == sys::Kind::unknown;
    if (unknown && !system_.stat(place.folder, entry.name, stat) &&
        stat.kind == sys::Kind::folder) {
      continue;
    }
    files.push_back(std::string{folder} + entry.name);
  }
  return error;
}

void Folder::clean(FunctionRef<bool(const Digest&)> is_known,
                   const std::vector<std::string>& paths) {
  const auto for_each_file = [&](std::string_view folder, std::string_view prefix, auto act) {
    Place place;
    std::vector<sys::Entry> entries;
    if (descend(std::string{folder} + "x", false, place)) return;
    if (system_.list(place.folder, entries)) return;
    for (const sys::Entry& entry : entries) {
      if (entry.name.starts_with(prefix)) act(place.folder, entry.name);
    }
  };
  std::set<std::string> folders;
  for (const std::string& path : paths) {
    const std::size_t slash = path.rfind('/');
    folders.insert(slash == path.npos ? std::string{} : path.substr(0, slash + 1));
  }
  for (const std::string& folder : folders) {
    for_each_file(
        folder, hidden_name(temp_prefix()),
        [&](const sys::File& in, const std::string& name) { dispose(in, name, is_known); });
  }
  // A person's file is never moved here: replace() exchanges it within its own folder, and keep()
  // copies it.
  for_each_file(std::string{own_folder} + "/publish/", temp_prefix(),
                [&](const sys::File& in, const std::string& name) {
                  static_cast<void>(system_.unlink(in, name));
                });
}

}  // namespace resumable::exports
