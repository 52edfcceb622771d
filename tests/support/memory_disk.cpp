#include "support/memory_disk.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <type_traits>
#include <utility>

namespace resumable::test {
namespace {

constexpr std::uint64_t root = 1;

std::error_code error(std::errc code) { return std::make_error_code(code); }

}  // namespace

MemoryDisk::MemoryDisk(CrossRename cross) : cross_(cross) {
  now_[root] =
      durable_[root] = {.folder = true, .mode = 0755, .bytes = {}, .entries = {}, .changed = 0};
}

std::size_t MemoryDisk::pending() const {
  const std::scoped_lock guard{guard_};
  return pending_.size();
}

std::size_t MemoryDisk::contents_hash() const {
  const std::scoped_lock guard{guard_};
  std::size_t hash = 0;
  const auto add = [&hash](const auto& value) {
    hash = hash * 0x100000001b3 + std::hash<std::remove_cvref_t<decltype(value)>>{}(value);
  };
  for (const auto& [id, inode] : now_) {
    add(id);
    add(inode.mode);
    add(inode.changed);
    add(inode.bytes);
    for (const auto& [name, target] : inode.entries) {
      add(name);
      add(target);
    }
  }
  return hash;
}

std::unique_ptr<MemoryDisk> MemoryDisk::after_power_loss(
    const std::function<bool(std::size_t)>& keep, std::size_t torn) const {
  const std::scoped_lock guard{guard_};
  auto disk = std::make_unique<MemoryDisk>(cross_);
  disk->durable_ = durable_;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (keep(i)) apply(pending_[i], disk->durable_, torn);
  }
  disk->now_ = disk->durable_;
  disk->last_ = last_;
  disk->time_ = time_;
  return disk;
}

std::map<std::string, std::string> MemoryDisk::artifacts(const std::string& folder) const {
  const std::scoped_lock guard{guard_};
  Id id = root;
  for (const auto& part : std::filesystem::path{folder}.relative_path()) id = find(id, part);
  std::map<std::string, std::string> files;
  if (id != 0) collect(id, "", files);
  return files;
}

void MemoryDisk::collect(Id folder, const std::string& path,
                         std::map<std::string, std::string>& into) const {
  for (const auto& [name, id] : now_.at(folder).entries) {
    if (name == ".resumable") continue;
    const Inode& inode = now_.at(id);
    into[path + name + (inode.folder ? "/" : "")] = inode.bytes;
    if (inode.folder) collect(id, path + name + "/", into);
  }
}

void MemoryDisk::apply(const Piece& piece, Inodes& inodes, std::size_t torn) {
  for (const Entry& entry : piece.entries) {
    auto& entries = inodes[entry.folder].entries;
    if (entry.target == 0) entries.erase(entry.name);
    if (entry.target != 0) entries[entry.name] = entry.target;
  }
  if (piece.file == 0) return;
  std::string& bytes = inodes[piece.file].bytes;
  if (piece.resize) return bytes.resize(piece.at);
  // The size may have grown to all of it; what was not written reads as zeros.
  bytes.resize(std::max(bytes.size(), piece.at + piece.bytes.size()));
  const std::size_t count = torn == 0 ? piece.bytes.size() : std::min(torn, piece.bytes.size());
  std::copy_n(piece.bytes.begin(), count, bytes.begin() + static_cast<std::ptrdiff_t>(piece.at));
}

/// Before the lock is taken: whoever is called may look at the disk.
void MemoryDisk::change() {
  std::uint64_t number = 0;
  {
    const std::scoped_lock guard{guard_};
    number = ++changes_;
  }
  if (on_change_) on_change_(number);
}

void MemoryDisk::add(Piece piece) {
  apply(piece, now_, 0);
  ++time_;
  if (piece.file != 0) now_.at(piece.file).changed = time_;
  for (const Entry& entry : piece.entries) {
    now_.at(entry.folder).changed = time_;
    if (entry.target != 0) now_.at(entry.target).changed = time_;
  }
  pending_.push_back(std::move(piece));
}

MemoryDisk::Id MemoryDisk::find(Id folder, const std::string& name) const {
  const auto inode = now_.find(folder);
  if (inode == now_.end()) return 0;
  const auto entry = inode->second.entries.find(name);
  return entry == inode->second.entries.end() ? 0 : entry->second;
}

std::error_code MemoryDisk::open_root(const std::string& path, sys::File& out) {
  const std::scoped_lock guard{guard_};
  Id id = root;
  for (const auto& part : std::filesystem::path{path}.relative_path()) {
    id = find(id, part);
    if (id == 0) return error(std::errc::no_such_file_or_directory);
    if (!now_.at(id).folder) return error(std::errc::not_a_directory);
  }
  open_[++next_descriptor_] = id;
  out = sys::File(*this, next_descriptor_);
  return {};
}

std::error_code MemoryDisk::make(const sys::File& parent, const std::string& name, Inode inode,
                                 Id& made) {
  const Id folder = at(parent);
  if (find(folder, name) != 0) return error(std::errc::file_exists);
  made = ++last_;
  durable_[made] = inode;
  now_[made] = std::move(inode);
  add({.bytes = {}, .entries = {{folder, name, made}}});
  return {};
}

std::error_code MemoryDisk::open(const sys::File& folder, const std::string& name, sys::Open how,
                                 sys::File& out) {
  const bool is_new = how == sys::Open::new_private || how == sys::Open::new_public;
  if (is_new) change();
  const std::scoped_lock guard{guard_};
  Id id = find(at(folder), name);
  if (is_new) {
    const std::uint32_t mode = how == sys::Open::new_private ? 0600 : 0644;
    if (const auto failed =
            make(folder, name,
                 {.folder = false, .mode = mode, .bytes = {}, .entries = {}, .changed = 0}, id)) {
      return failed;
    }
  }
  if (id == 0) return error(std::errc::no_such_file_or_directory);
  const bool want_folder = how == sys::Open::folder;
  if (now_.at(id).folder != want_folder) {
    return error(want_folder ? std::errc::not_a_directory : std::errc::is_a_directory);
  }
  open_[++next_descriptor_] = id;
  out = sys::File(*this, next_descriptor_);
  return {};
}

std::error_code MemoryDisk::close(int descriptor) noexcept {
  const std::scoped_lock guard{guard_};
  const auto found = open_.find(descriptor);
  if (found == open_.end()) return error(std::errc::bad_file_descriptor);
  const auto locked = locks_.find(found->second);
  if (locked != locks_.end() && locked->second == descriptor) locks_.erase(locked);
  open_.erase(found);
  return {};
}

std::error_code MemoryDisk::make_folder(const sys::File& parent, const std::string& name,
                                        sys::Access access) {
  change();
  const std::scoped_lock guard{guard_};
  const std::uint32_t mode = access == sys::Access::owner_only ? 0700 : 0755;
  Id made = 0;
  return make(parent, name,
              {.folder = true, .mode = mode, .bytes = {}, .entries = {}, .changed = 0}, made);
}

void MemoryDisk::fill(Id id, sys::Stat& out) const {
  const Inode& inode = now_.at(id);
  std::uint64_t links = id == root ? 1 : 0;
  for (const auto& [_, folder] : now_) {
    for (const auto& [name, target] : folder.entries) links += target == id ? 1U : 0U;
  }
  out = {.kind = inode.folder ? sys::Kind::folder : sys::Kind::file,
         .size = inode.bytes.size(),
         .device = 1,
         .inode = id,
         .links = links,
         .mode = inode.mode,
         .user = user_,
         .modified = std::chrono::nanoseconds(inode.changed),
         .changed = std::chrono::nanoseconds(inode.changed)};
}

std::error_code MemoryDisk::stat(const sys::File& folder, const std::string& name, sys::Stat& out) {
  const std::scoped_lock guard{guard_};
  const Id id = find(at(folder), name);
  if (id == 0) return error(std::errc::no_such_file_or_directory);
  fill(id, out);
  return {};
}

std::error_code MemoryDisk::stat(const sys::File& file, sys::Stat& out) {
  const std::scoped_lock guard{guard_};
  fill(at(file), out);
  return {};
}

std::error_code MemoryDisk::list(const sys::File& folder, std::vector<sys::Entry>& out) {
  const std::scoped_lock guard{guard_};
  for (const auto& [name, id] : now_.at(at(folder)).entries) {
    out.push_back({name, now_.at(id).folder ? sys::Kind::folder : sys::Kind::file});
  }
  return {};
}

std::error_code MemoryDisk::volume(const sys::File& folder, sys::Volume& out) {
  static_cast<void>(folder);
  out = {.shared = false, .type = "memory"};
  return {};
}

std::error_code MemoryDisk::read(const sys::File& file, std::uint64_t at, std::span<char> to,
                                 std::size_t& count) {
  const std::scoped_lock guard{guard_};
  const std::string& bytes = now_.at(this->at(file)).bytes;
  count = at >= bytes.size() ? 0 : std::min(to.size(), bytes.size() - at);
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(at, bytes.size())),
              count, to.begin());
  return {};
}

std::error_code MemoryDisk::write(const sys::File& file, std::uint64_t at, std::string_view bytes,
                                  std::size_t& count) {
  change();
  const std::scoped_lock guard{guard_};
  add({.file = this->at(file), .at = at, .bytes = std::string{bytes}, .entries = {}});
  count = bytes.size();
  return {};
}

std::error_code MemoryDisk::truncate(const sys::File& file, std::uint64_t size) {
  change();
  const std::scoped_lock guard{guard_};
  add({.file = at(file), .at = size, .bytes = {}, .resize = true, .entries = {}});
  return {};
}

std::error_code MemoryDisk::sync(const sys::File& file) {
  change();
  const std::scoped_lock guard{guard_};
  const Id id = at(file);
  durable_[id].bytes = now_.at(id).bytes;
  durable_[id].changed = now_.at(id).changed;
  std::erase_if(pending_, [&](const Piece& piece) { return piece.file == id; });
  return {};
}

std::error_code MemoryDisk::sync_folder(const sys::File& folder) {
  change();
  const std::scoped_lock guard{guard_};
  const Id id = at(folder);
  const auto settle = [&](std::size_t i) {
    const Piece piece = pending_[i];
    apply(piece, durable_, 0);
    pending_[i] = {};
    forget_older(piece, i);
  };
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Piece& piece = pending_[i];
    if (piece.entries.empty() || piece.entries.front().folder != id) continue;
    piece.synced = true;
    if (piece.pair == 0) {
      settle(i);
      continue;
    }
    for (std::size_t other = 0; other < pending_.size(); ++other) {
      if (other == i || pending_[other].pair != piece.pair || !pending_[other].synced) continue;
      settle(std::min(i, other));
      settle(std::max(i, other));
      break;
    }
  }
  std::erase_if(pending_,
                [](const Piece& piece) { return piece.file == 0 && piece.entries.empty(); });
  return {};
}

/// What a folder is synced with decides about its names, whatever was pending for them before.
void MemoryDisk::forget_older(const Piece& piece, std::size_t before) {
  for (std::size_t i = 0; i < before; ++i) {
    std::erase_if(pending_[i].entries, [&](const Entry& old) {
      return std::any_of(piece.entries.begin(), piece.entries.end(), [&](const Entry& now) {
        return old.folder == now.folder && old.name == now.name;
      });
    });
  }
}

std::error_code MemoryDisk::rename(const sys::File& from_folder, const std::string& from,
                                   const sys::File& to_folder, const std::string& to,
                                   sys::Rename how) {
  change();
  const std::scoped_lock guard{guard_};
  const Id source = at(from_folder);
  const Id target = at(to_folder);
  const Id moved = find(source, from);
  const Id there = find(target, to);
  if (moved == 0) return error(std::errc::no_such_file_or_directory);
  if (how == sys::Rename::if_free && there != 0) return error(std::errc::file_exists);
  if (how == sys::Rename::exchange && there == 0) {
    return error(std::errc::no_such_file_or_directory);
  }
  if (how == sys::Rename::replace && there != 0 && now_.at(there).folder) {
    return error(std::errc::is_a_directory);
  }
  const Entry left{source, from, how == sys::Rename::exchange ? there : 0};
  const Entry arrived{target, to, moved};
  if (source == target) {
    add({.bytes = {}, .entries = {left, arrived}});
  } else {
    const std::uint64_t pair = cross_ == CrossRename::with_both_folders ? ++last_ : 0;
    add({.bytes = {}, .entries = {arrived}, .pair = pair});
    add({.bytes = {}, .entries = {left}, .pair = pair});
  }
  return {};
}

std::error_code MemoryDisk::link(const sys::File& from_folder, const std::string& from,
                                 const sys::File& to_folder, const std::string& to) {
  change();
  const std::scoped_lock guard{guard_};
  const Id id = find(at(from_folder), from);
  if (id == 0) return error(std::errc::no_such_file_or_directory);
  if (find(at(to_folder), to) != 0) return error(std::errc::file_exists);
  add({.bytes = {}, .entries = {{at(to_folder), to, id}}});
  return {};
}

std::error_code MemoryDisk::unlink(const sys::File& folder, const std::string& name) {
  change();
  const std::scoped_lock guard{guard_};
  const Id id = find(at(folder), name);
  if (id == 0) return error(std::errc::no_such_file_or_directory);
  if (now_.at(id).folder) return error(std::errc::is_a_directory);
  add({.bytes = {}, .entries = {{at(folder), name, 0}}});
  return {};
}

std::error_code MemoryDisk::remove_folder(const sys::File& parent, const std::string& name) {
  change();
  const std::scoped_lock guard{guard_};
  const Id id = find(at(parent), name);
  if (id == 0) return error(std::errc::no_such_file_or_directory);
  if (!now_.at(id).folder) return error(std::errc::not_a_directory);
  if (!now_.at(id).entries.empty()) return error(std::errc::directory_not_empty);
  add({.bytes = {}, .entries = {{at(parent), name, 0}}});
  return {};
}

std::error_code MemoryDisk::lock(const sys::File& file) {
  const std::scoped_lock guard{guard_};
  const auto [held, fresh] = locks_.try_emplace(at(file), file.descriptor());
  return fresh || held->second == file.descriptor()
             ? std::error_code{}
             : error(std::errc::resource_unavailable_try_again);
}

std::error_code MemoryDisk::unlock(const sys::File& file) {
  const std::scoped_lock guard{guard_};
  const auto held = locks_.find(at(file));
  if (held != locks_.end() && held->second == file.descriptor()) locks_.erase(held);
  return {};
}

std::error_code MemoryDisk::is_locked(const sys::File& file, bool& out) {
  const std::scoped_lock guard{guard_};
  const auto held = locks_.find(at(file));
  out = held != locks_.end() && held->second != file.descriptor();
  return {};
}

}  // namespace resumable::test
