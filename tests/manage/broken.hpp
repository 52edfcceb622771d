/// @file
/// Breaks a call that changes stores at every change: by SIGKILL on a real disk, by a loss of power
/// on one in memory.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/environment.hpp"
#include "resumable/resumable.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_disk.hpp"
#include "support/power_loss.hpp"
#include "support/store_in.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

/// Stores on one disk.
class Stores {
 public:
  Stores(std::string folder, sys::FileSystem& files, In in = In::files)
      : folder_(std::move(folder)), files_(files), in_(in) {}

  [[nodiscard]] std::unique_ptr<CheckpointStore> open(const std::string& name) const {
    return open_store(in_, folder_ + "/" + name, &files_);
  }
  /// Where a run's files are, for stores that have no folder for them.
  [[nodiscard]] std::string artifact_folder(const std::string& run) const {
    return in_ == In::sqlite ? folder_ + "/" + run : std::string{};
  }
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  [[nodiscard]] sys::FileSystem& files() const noexcept { return files_; }

 private:
  std::string folder_;
  sys::FileSystem& files_;
  In in_;
};

/// A call to be broken.
struct Broken {
  std::function<void(const Stores&)> prepare;
  std::function<void(const Stores&)> call;
  std::function<void(const Stores&)> check_after_break;  ///< nothing is lost
  std::function<void(const Stores&)> check_when_done;    ///< after the same call again
  In in = In::files;
};

/// The rest of a test once the call was broken at this change.
inline void expect_completes(const Broken& broken, const Stores& stores, std::uint64_t at) {
  SCOPED_TRACE("change " + std::to_string(at));
  try {
    if (broken.check_after_break) broken.check_after_break(stores);
    if (::testing::Test::HasFailure()) return;
    broken.call(stores);
    broken.check_when_done(stores);
  } catch (const Error& error) {
    ADD_FAILURE() << error.explain();
  }
}

inline void expect_survives_kills(const Broken& broken, std::uint64_t at_least) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  const auto prepared = folder / "prepared";
  std::filesystem::create_directory(prepared);
  broken.prepare(Stores{prepared.string(), *posix, broken.in});
  std::uint64_t at = 1;
  for (bool again = true; again && !::testing::Test::HasFailure(); ++at) {
    const auto path = folder / ("at-" + std::to_string(at));
    std::filesystem::copy(prepared, path, std::filesystem::copy_options::recursive);
    ChildProcess child([&] {
      FaultyFileSystem files{*posix};
      std::uint64_t changes = 0;
      files.on_call([&](Op op, std::uint64_t, bool done) {
        if (!done && writing_ops().contains(op) && ++changes == at) ::raise(SIGKILL);
      });
      broken.call(Stores{path.string(), files, broken.in});
      return 0;
    });
    const Ended ended = child.wait();
    again = ended.signal == SIGKILL;
    if (!again) {
      EXPECT_EQ(ended.exit_code, 0) << "undisturbed";
    }
    expect_completes(broken, Stores{path.string(), *posix, broken.in}, at);
    std::filesystem::remove_all(path);
  }
  EXPECT_GT(at, at_least);
  ::testing::Test::RecordProperty("points", static_cast<int>(at));
}

inline void expect_survives_power_losses(const Broken& broken, std::uint64_t at_least) {
  MemoryDisk disk;
  const Stores stores{"/disk", disk, broken.in};
  broken.prepare(stores);
  std::mt19937 random{20261122};
  std::uint64_t states = 0;
  disk.on_change([&](std::uint64_t at) {
    if (::testing::Test::HasFailure()) return;
    std::vector<std::unique_ptr<MemoryDisk>> all;
    all.push_back(disk.after_power_loss([](std::size_t) { return false; }));
    all.push_back(disk.after_power_loss([](std::size_t) { return true; }, 512));
    for (int i = 0; i < 3; ++i) {
      all.push_back(disk.after_power_loss([&](std::size_t) { return random() % 2 == 0; }));
    }
    for (const auto& after : distinct(std::move(all))) {
      ++states;
      expect_completes(broken, Stores{"/disk", *after, broken.in}, at);
    }
  });
  broken.call(stores);
  disk.on_change({});
  broken.check_when_done(stores);
  EXPECT_GT(states, at_least);
  ::testing::Test::RecordProperty("states", static_cast<int>(states));
}

}  // namespace resumable::test
