// A run as one file: what is exported is imported whole, and nothing else is.
#include "resumable/bundle.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bundle/bundle_store.hpp"
#include "manage/story.hpp"
#include "support/memory.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class BundleTest : public ::testing::Test {
 protected:
  BundleTest() { EXPECT_TRUE(Story{}.run(store_)); }

  void export_it() { export_bundle(store_, "r", file_); }
  /// Imports the file after its bytes were changed.
  [[nodiscard]] Errc imported(const std::string& bytes) const {
    const fs::path changed = folder_ / "changed.tar";
    write_file(changed, bytes);
    MemoryStore to;
    const Errc code = errc_of([&] { import_bundle(changed, to, "r"); });
    if (code != Errc{}) {
      EXPECT_THAT(runs(to), IsEmpty()) << "nothing is visible";
    }
    return code;
  }

  TempFolder folder_;
  FileStore store_{folder_ / "store"};
  fs::path file_ = folder_ / "run.tar";
};

TEST_F(BundleTest, IsTheSameRunInAnotherStore) {
  const CopyResult written = export_bundle(store_, "r", file_);
  EXPECT_EQ(written.records, contents(store_, "r").size());
  FileStore to{folder_ / "to"};
  import_bundle(file_, to, "");
  EXPECT_EQ(contents(to, "r"), contents(store_, "r"));
  Calls calls;
  ASSERT_TRUE((Story{.calls = &calls}.run(to)));
  EXPECT_EQ(calls.take(), "");
  EXPECT_EQ(artifacts(folder_ / "to/r"), artifacts(folder_ / "store/r"));
}

TEST_F(BundleTest, IsListedByTar) {
  if (std::system("tar --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no tar here";
  export_it();
  const fs::path list = folder_ / "list";
  const std::string command = "tar tf " + file_.string() + " >" + list.string() + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_file(list);
  EXPECT_THAT(read_file(list), HasSubstr("manifest.json\n"));
  EXPECT_THAT(read_file(list), HasSubstr("records/parts/a%20sea.1\n"));
}

TEST_F(BundleTest, OfOneRunIsTheSameBytesEachTime) {
  export_it();
  export_bundle(store_, "r", folder_ / "again.tar");
  EXPECT_EQ(digest(read_file(file_)), digest(read_file(folder_ / "again.tar")));
}

TEST_F(BundleTest, NeverReplacesAFile) {
  write_file(file_, "mine");
  EXPECT_NE(errc_of([&] { export_it(); }), Errc{});
  EXPECT_EQ(read_file(file_), "mine");
  fs::remove(file_);
  export_it();
  EXPECT_TRUE(export_bundle(store_, "r", file_).existed) << "the same call again";
  const std::string before = read_file(file_);
  ASSERT_TRUE((Story{.topic = "sky"}.run(store_)));
  EXPECT_EQ(errc_of([&] { export_it(); }), Errc::duplicate_name) << "another state";
  EXPECT_EQ(read_file(file_), before);
}

TEST_F(BundleTest, OfADryRunIsNoFileAndRefusesTheSame) {
  const CopyResult tried = export_bundle(store_, "r", file_, {.dry_run = true});
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_EQ(export_bundle(store_, "r", file_).records, tried.records);
  EXPECT_TRUE(export_bundle(store_, "r", file_, {.dry_run = true}).existed);
  MemoryStore to;
  EXPECT_EQ(import_bundle(file_, to, "r", {.dry_run = true}).records, tried.records);
  EXPECT_THAT(runs(to), IsEmpty());
  ASSERT_TRUE(Story{}.run(store_, "other"));
  EXPECT_EQ(errc_of([&] { export_bundle(store_, "other", file_, {.dry_run = true}); }),
            Errc::duplicate_name);
}

TEST_F(BundleTest, IsVerifiedAndNamesTheDamagedRecord) {
  export_it();
  EXPECT_TRUE(verify_bundle(file_).ok());
  std::string bytes = read_file(file_);
  bytes[bytes.find("notes on sea")] ^= 1;
  write_file(file_, bytes);
  const auto problems = verify_bundle(file_).problems;
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].key, "notes");
  EXPECT_EQ(problems[0].file, file_.string() + ": records/notes.1");
  MemoryStore to;
  EXPECT_EQ(errc_of([&] { import_bundle(file_, to, "r"); }), Errc::damaged);
  EXPECT_THAT(runs(to), IsEmpty());
  EXPECT_EQ(errc_of([&] { import_bundle(folder_ / "none.tar", to, "r"); }), Errc::unreadable);
}

TEST_F(BundleTest, WithAnyByteChangedIsRefusedOrTheSameRun) {
  export_it();
  const std::string whole = read_file(file_);
  for (std::size_t at = 0; at < whole.size(); at += 37) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
    static_cast<void>(imported(bytes));
  }
}

TEST_F(BundleTest, CutAnywhereIsRefused) {
  export_it();
  const std::string whole = read_file(file_);
  const std::size_t end = whole.find_last_not_of('\0');
  for (std::size_t size = 0; size < end; size += 997) {
    ASSERT_NE(imported(whole.substr(0, size)), Errc{}) << size;
  }
}

/// A tar by the system's own, of files in a folder.
std::string tar_of(const fs::path& folder, const std::string& options) {
  const fs::path file = folder.string() + ".tar";
  const std::string command =
      "cd " + folder.string() + " && tar cf " + file.string() + " " + options + " 2>/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return read_file(file);
}

TEST_F(BundleTest, WithForeignNamesLinksOrSizesIsRefused) {
  if (std::system("tar --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no tar here";
  const fs::path evil = folder_ / "evil";
  fs::create_directories(evil / "records");
  write_file(evil / "manifest.json", "{}");
  write_file(evil / "end", "");
  EXPECT_EQ(imported(tar_of(evil, "manifest.json end")), Errc::damaged);
  write_file(folder_ / "outside", "x");
  EXPECT_EQ(imported(tar_of(evil, "-P manifest.json ../outside end")), Errc::damaged);
  fs::create_symlink("/etc/passwd", evil / "link");
  EXPECT_EQ(imported(tar_of(evil, "manifest.json link end")), Errc::damaged);
  fs::create_hard_link(evil / "manifest.json", evil / "hard");
  EXPECT_EQ(imported(tar_of(evil, "manifest.json hard end")), Errc::damaged);
  const fs::path hole = evil / "hole";
  write_file(hole, "");
  fs::resize_file(hole, std::uintmax_t{1} << 40U);
  EXPECT_EQ(imported(tar_of(evil, "-S manifest.json hole end")), Errc::damaged);
  EXPECT_EQ(imported(""), Errc::damaged);
  EXPECT_EQ(imported("not a tar at all"), Errc::damaged);
}

TEST_F(BundleTest, HoldsNoLargeValueInMemory) {
  Pipeline p{"large"};
  p.stage("large", [] { return Text{std::string(64'000'000, 'x')}; });
  ASSERT_TRUE(resume(p, store_, {.run = "large"}));
  export_bundle(store_, "large", file_);
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  FileStore to{folder_ / "to", {.files = &files}};
  const std::size_t before = allocated_bytes();
  std::size_t most = 0;
  files.on_call([&](Op, std::uint64_t, bool) { most = std::max(most, allocated_bytes()); });
  import_bundle(file_, to, "large");
  files.on_call({});
  EXPECT_LT(most - before, 16'000'000U);
}

Broken importing(In in) {
  return {.prepare =
              [](const Stores& stores) {
                MemoryStore store;
                ASSERT_TRUE(Story{}.run(store));
                export_bundle(store, "r", stores.folder() + "/run.tar");
              },
          .call =
              [](const Stores& stores) {
                import_bundle(stores.folder() + "/run.tar", *stores.open("s"), "r");
              },
          .check_after_break =
              [](const Stores& stores) {
                const auto found = contents(*stores.open("s"), "r");
                EXPECT_TRUE(found.empty() || found.contains("whole.1"));
              },
          .check_when_done =
              [](const Stores& stores) {
                const auto store = stores.open("s");
                EXPECT_TRUE(contents(*store, "r").contains("whole.1"));
                EXPECT_TRUE(verify_run(*store, "r").ok());
              },
          .in = in};
}

class ImportBundle : public ::testing::TestWithParam<In> {};

TEST_P(ImportBundle, KilledAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_kills(importing(GetParam()), 15);
}

TEST_P(ImportBundle, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  const TempFolder folder;  // the bundle is on another disk
  const fs::path file = folder / "run.tar";
  MemoryStore store;
  ASSERT_TRUE(Story{}.run(store));
  export_bundle(store, "r", file);
  Broken broken = importing(GetParam());
  broken.prepare = [](const Stores&) {};
  broken.call = [&](const Stores& stores) { import_bundle(file, *stores.open("s"), "r"); };
  expect_survives_power_losses(broken, 50);
}

INSTANTIATE_TEST_SUITE_P(Stores, ImportBundle, ::testing::Values(In::files, In::journal),
                         [](const auto& test) {
                           return std::string{test.param == In::files ? "Files" : "Journal"};
                         });

Broken exporting() {
  const auto bundle = [](const Stores& stores) {
    return bundle::BundleStore{stores.folder() + "/run.tar", &stores.files()};
  };
  return {.prepare =
              [](const Stores& stores) {
                ASSERT_TRUE(Story{}.run(*stores.open("s"), "r", &stores.files()));
              },
          .call =
              [=](const Stores& stores) {
                auto to = bundle(stores);
                copy_run(*stores.open("s"), "r", to, "r");
              },
          .check_after_break =
              [=](const Stores& stores) {
                const auto to = bundle(stores);  // throws where it is not whole
                EXPECT_TRUE(to.run().empty() || verify_run(to, "r").ok());
                EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
              },
          .check_when_done =
              [=](const Stores& stores) {
                EXPECT_EQ(contents(bundle(stores), "r"), contents(*stores.open("s"), "r"));
              }};
}

TEST(ExportBundle, KilledAtEveryChangeLeavesNoHalfOfAFileAndCompletesWhenCalledAgain) {
  expect_survives_kills(exporting(), 5);
}

TEST(ExportBundle, WithoutPowerAtEveryChangeLeavesNoHalfOfAFileAndCompletesWhenCalledAgain) {
  expect_survives_power_losses(exporting(), 25);
}

/// Kills its process when so many records were read.
class DeadlyReads final : public ForwardingStore {
 public:
  DeadlyReads(CheckpointStore& store, int survives) : ForwardingStore(store), left_(survives) {}

 private:
  void do_restore(std::string_view, RecordId, StoredRecord&) const override {
    if (left_-- == 0) ::raise(SIGKILL);
  }
  mutable int left_;
};

TEST_F(BundleTest, KilledAtEveryRecordAnExportHasNoNameThatAnybodyReadsAndCompletesAgain) {
  int begun = 0;
  int survives = 0;
  for (bool killed = true; killed; ++survives) {
    const fs::path folder = folder_ / ("at-" + std::to_string(survives));
    fs::create_directory(folder);
    ChildProcess child([&] {
      DeadlyReads deadly{store_, survives};
      export_bundle(deadly, "r", folder / "run.tar");
      return 0;
    });
    killed = child.wait().signal == SIGKILL;
    ASSERT_EQ(fs::exists(folder / "run.tar"), !killed) << survives;
    begun += killed && !fs::is_empty(folder) ? 1 : 0;
    EXPECT_EQ(export_bundle(store_, "r", folder / "run.tar").existed, !killed);
    ASSERT_TRUE(verify_bundle(folder / "run.tar").ok());
  }
  EXPECT_GT(begun, 5) << "killed while it was written";
  EXPECT_GT(survives, 20);
}

}  // namespace
}  // namespace resumable::test
