// Several runs, of several programs, may export to one folder at the same time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/run_support.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

class SharedFolder : public ::testing::TestWithParam<Op> {
 protected:
  /// In a store of its own, a run with this one artifact.
  int run(const std::string& name, const std::string& text) const {
    FileStore store{folder_ / ("store of " + name)};
    Pipeline p{"p"};
    const auto said = p.input("text", text);
    const auto stage =
        p.stage("stage", inputs(said), [](const std::string& of) { return Text{of}; });
    p.artifact(stage, name);
    return resume(p, store, {.run = "r", .artifact_folder = shared_}).exit_code();
  }

  TempFolder folder_;
  fs::path shared_ = folder_ / "shared";
};

/// One process is stopped before its file is in its place; another run begins, works and ends.
TEST_P(SharedFolder, ARunLeavesAloneWhatAnotherProcessIsAboutToExport) {
  ASSERT_EQ(run("a.txt", "one"), 0);
  const Signpost ready;
  const Signpost go;
  ChildProcess child([&] {
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files(*posix);
    bool waited = false;
    files.on_call([&](Op op, std::uint64_t, bool done) {
      const bool exporting = fs::exists(shared_) && op == GetParam() && !done;
      bool writes = false;
      for (const auto& one : fs::recursive_directory_iterator(shared_)) {
        writes = writes || one.path().filename().string().find("export-") == 0;
        writes = writes || one.path().filename().string().find(".export-") == 0;
      }
      if (!exporting || !writes || std::exchange(waited, true)) return;
      ready.say();
      go.await();
    });
    const record::TestEnvironment environment{{.file_system = &files}};
    return run("a.txt", "two");
  });
  ready.await();
  EXPECT_EQ(run("b.txt", "other"), 0);
  go.say();
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  EXPECT_EQ(read_file(shared_ / "a.txt"), "two");
  EXPECT_EQ(read_file(shared_ / "b.txt"), "other");
  EXPECT_TRUE(fs::is_empty(shared_ / ".resumable/publish"));
  EXPECT_FALSE(fs::exists(shared_ / ".resumable/removed"));
}

/// Before its bytes are synced, before it is linked beside the artifact, before it replaces it.
INSTANTIATE_TEST_SUITE_P(At, SharedFolder, ::testing::Values(Op::sync, Op::link, Op::rename));

}  // namespace
}  // namespace resumable::test
