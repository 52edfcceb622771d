/// @file
/// A call is made, and then each state is visited that a loss of power before one of its changes
/// may leave, whoever makes them: SQLite, too.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sqlite/sample.hpp"
#include "sqlite/system_calls.hpp"
#include "support/memory_disk.hpp"
#include "support/power_loss.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

/// A folder as it is on a disk that may lose power.
class WatchedFolder {
 public:
  /// With what is in `folder`, all of it durable.
  WatchedFolder(const std::filesystem::path& folder, CrossRename cross) : disk_(cross) {
    namespace fs = std::filesystem;
    for (const auto& entry : fs::recursive_directory_iterator{folder}) {
      const std::string path = fs::relative(entry.path(), folder).string();
      if (entry.is_directory()) {
        make({Change::Kind::make_folder, path});
        continue;
      }
      make({Change::Kind::create, path});
      make({Change::Kind::write, path, "", 0, read_file(entry.path())});
      make({Change::Kind::sync, path});
    }
    make({Change::Kind::sync, ""});
    for (const auto& entry : fs::recursive_directory_iterator{folder}) {
      if (!entry.is_directory()) continue;
      make({Change::Kind::sync, fs::relative(entry.path(), folder).string()});
    }
  }

  void make(const Change& change) {
    using Kind = Change::Kind;
    const std::error_code error = [&] {
      const auto [folder, name] = place(change.path);
      sys::File file;
      switch (change.kind) {
        case Kind::create: return disk_.open(folder, name, sys::Open::new_public, file);
        case Kind::unlink: return disk_.unlink(folder, name);
        case Kind::make_folder: return disk_.make_folder(folder, name, sys::Access::by_umask);
        case Kind::remove_folder: return disk_.remove_folder(folder, name);
        case Kind::link: {
          const auto [to, new_name] = place(change.to);
          return disk_.link(folder, name, to, new_name);
        }
        case Kind::rename:
        case Kind::exchange: {
          const auto [to, new_name] = place(change.to);
          const bool exchange = change.kind == Kind::exchange;
          return disk_.rename(folder, name, to, new_name,
                              exchange ? sys::Rename::exchange : sys::Rename::replace);
        }
        default: return change_file(change, folder, name);
      }
    }();
    EXPECT_FALSE(error) << change.path << ' ' << static_cast<int>(change.kind) << ' '
                        << error.message();
  }

  /// Writes what is on this disk into a folder.
  static void copy(MemoryDisk& disk, const std::string& path, const std::filesystem::path& to) {
    std::filesystem::create_directories(to);
    sys::File folder;
    std::vector<sys::Entry> entries;
    EXPECT_FALSE(disk.open_root(path, folder));
    EXPECT_FALSE(disk.list(folder, entries));
    for (const sys::Entry& entry : entries) {
      if (entry.kind == sys::Kind::folder) {
        copy(disk, path + "/" + entry.name, to / entry.name);
        continue;
      }
      sys::File file;
      std::string text;
      EXPECT_FALSE(disk.open(folder, entry.name, sys::Open::read, file));
      EXPECT_FALSE(sys::read_pieces(disk, file, [&](std::string_view piece) {
        text += piece;
        return std::error_code{};
      }));
      write_file(to / entry.name, text);
    }
  }
  [[nodiscard]] MemoryDisk& disk() noexcept { return disk_; }

 private:
  std::pair<sys::File, std::string> place(const std::string& path) {
    const std::filesystem::path whole = "/" + path;
    sys::File folder;
    EXPECT_FALSE(disk_.open_root(whole.parent_path().string(), folder)) << path;
    return {std::move(folder), whole.filename().string()};
  }
  std::error_code change_file(const Change& change, const sys::File& folder,
                              const std::string& name) {
    sys::File file;
    if (change.kind == Change::Kind::sync) {
      sys::Stat stat;
      const bool is_folder =
          name.empty() || (!disk_.stat(folder, name, stat) && stat.kind == sys::Kind::folder);
      if (is_folder && !disk_.open_root("/" + change.path, file)) return disk_.sync_folder(file);
    }
    if (const auto error = disk_.open(folder, name, sys::Open::read_write, file)) return error;
    if (change.kind == Change::Kind::sync) return disk_.sync(file);
    if (change.kind == Change::Kind::truncate) return disk_.truncate(file, change.at);
    return sys::write_fully(disk_, file, change.at, change.bytes);
  }

  MemoryDisk disk_;
};

/// Makes the call in `folder`, then visits what may be left of the folder. `check` is given the
/// number of changes before the loss, one in `one_in` of them unless all are wanted. Of the file
/// `notes`, which is elsewhere, each state has as `journal` what was in it by then.
inline void expect_survives_power_losses(
    const std::filesystem::path& folder, CrossRename cross, int one_in,
    const std::function<void()>& call,
    const std::function<void(const std::filesystem::path& left, int changes)>& check,
    const std::filesystem::path& notes = {}) {
  namespace fs = std::filesystem;
  WatchedFolder watched{folder, cross};
  std::vector<Change> changes;
  std::vector<std::string> noted;
  const auto note = [&] { noted.push_back(fs::exists(notes) ? read_file(notes) : std::string{}); };
  watch_changes(folder.string(), [&](Change change) {
    // Nothing of this index survives a loss of power: whoever opens the database makes it again.
    if (change.path.ends_with("-shm")) return;
    changes.push_back(std::move(change));
    note();
  });
  call();
  watch_changes({}, {});
  note();
  Sample sample{one_in};
  std::mt19937 random{20261129};
  int states = 0;
  std::size_t next = static_cast<std::size_t>(sample.step()) - 1;
  for (std::size_t made = 0; made <= changes.size(); ++made) {
    if (made == next) {
      next += static_cast<std::size_t>(sample.step());
      for (const auto& disk : losses(watched.disk(), random, false)) {
        const TempFolder left;
        WatchedFolder::copy(*disk, "", left.path());
        if (!notes.empty()) write_file(left / "journal", noted[made]);
        SCOPED_TRACE("after " + std::to_string(made) + " changes");
        check(left.path(), static_cast<int>(made));
        if (::testing::Test::HasFailure()) return;
        ++states;
      }
    }
    if (made < changes.size()) watched.make(changes[made]);
  }
  const TempFolder all;
  WatchedFolder::copy(watched.disk(), "", all.path());
  EXPECT_EQ(snapshot(all.path()), snapshot(folder)) << "every change was seen";
  std::cout << states << " states\n";
  ::testing::Test::RecordProperty("states", states);
}

}  // namespace resumable::test
