// Calls that take a person's edit over, give it up or replace it, or adopt a folder, in a database:
// killed before any system call, and without power.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <signal.h>

#include "exports/verbs.hpp"
#include "sqlite/lost_power.hpp"
#include "sqlite/sample.hpp"
#include "sqlite/system_calls.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

class KilledSqliteVerb : public ::testing::TestWithParam<NamedVerb> {
 protected:
  KilledSqliteVerb() {
    expect_undisturbed(GetParam(), verb_);
    fs::create_directory(folder_ / "before");
    broken_.prepare(stores(folder_ / "before"));
  }
  [[nodiscard]] Stores stores(const fs::path& folder) const {
    return {folder.string(), *posix_, In::sqlite};
  }

  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  BrokenVerb verb_{GetParam().verb, In::sqlite};
  Broken broken_ = verb_.broken();
};

TEST_P(KilledSqliteVerb, AtAnyCallKeepsTheEditAndIsCompletedByTheNextOne) {
  Sample sample{4};
  int tried = 0;
  bool killed = true;
  for (int at = sample.step(); killed && !HasFailure(); at += sample.step(), ++tried) {
    const fs::path folder = folder_ / "killed";
    fs::remove_all(folder);
    fs::copy(folder_ / "before", folder, fs::copy_options::recursive);
    ChildProcess child{[&] {
      kill_before_call(at);
      broken_.call(stores(folder));
      return 0;
    }};
    const Ended ended = child.wait();
    killed = ended.signal == SIGKILL;
    ASSERT_TRUE(killed || ended == (Ended{0, 0})) << at;
    expect_completes(broken_, stores(folder), static_cast<std::uint64_t>(at));
  }
  RecordProperty("points", tried);
  EXPECT_GT(tried, 5);
}

TEST_P(KilledSqliteVerb, WithoutPowerAtAnyChangeKeepsTheEditAndIsCompletedByTheNextOne) {
  expect_survives_power_losses(
      folder_ / "before", CrossRename::with_both_folders, 4,
      [&] { broken_.call(stores(folder_ / "before")); },
      [&](const fs::path& left, int changes) {
        expect_completes(broken_, stores(left), static_cast<std::uint64_t>(changes));
      });
}

INSTANTIATE_TEST_SUITE_P(Verbs, KilledSqliteVerb, ::testing::ValuesIn(verbs_of_durable_edits()),
                         [](const auto& test) { return std::string{test.param.name}; });

}  // namespace
}  // namespace resumable::test
