// Calls that take a person's edit over, give it up or replace it, adopt a folder, or choose what
// does not run again, in a database: killed before any system call, and without power.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <signal.h>

#include "exports/appended_verbs.hpp"
#include "exports/verbs.hpp"
#include "manage/choices.hpp"
#include "sqlite/lost_power.hpp"
#include "sqlite/sample.hpp"
#include "sqlite/system_calls.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

/// A call, broken in a folder in which all was prepared, at one of so many points.
class SqliteCall {
 public:
  explicit SqliteCall(Broken broken, int one_in) : broken_(std::move(broken)), one_in_(one_in) {
    fs::create_directory(before_);
    broken_.prepare(stores(before_));
  }

  void expect_survives_kills() const {
    Sample sample{one_in_};
    int tried = 0;
    bool killed = true;
    for (int at = sample.step(); killed && !::testing::Test::HasFailure();
         at += sample.step(), ++tried) {
      const fs::path folder = folder_ / "killed";
      fs::remove_all(folder);
      fs::copy(before_, folder, fs::copy_options::recursive);
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
    ::testing::Test::RecordProperty("points", tried);
    EXPECT_GT(tried, 20 / one_in_);
  }

  void expect_survives_power_losses() const {
    test::expect_survives_power_losses(
        before_, CrossRename::with_both_folders, one_in_, [&] { broken_.call(stores(before_)); },
        [&](const fs::path& left, int changes) {
          expect_completes(broken_, stores(left), static_cast<std::uint64_t>(changes));
        });
  }

 private:
  [[nodiscard]] Stores stores(const fs::path& folder) const {
    return {folder.string(), *posix_, In::sqlite};
  }

  TempFolder folder_;
  fs::path before_ = folder_ / "before";
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  Broken broken_;
  int one_in_;
};

const auto by_name = [](const auto& test) { return std::string{test.param.name}; };

class KilledSqliteVerb : public ::testing::TestWithParam<NamedVerb> {
 protected:
  KilledSqliteVerb() { expect_undisturbed(GetParam(), verb_); }
  BrokenVerb verb_{GetParam().verb, In::sqlite};
  SqliteCall call_{verb_.broken(), 4};
};

TEST_P(KilledSqliteVerb, AtAnyCallKeepsTheEditAndIsCompletedByTheNextOne) {
  call_.expect_survives_kills();
}

TEST_P(KilledSqliteVerb, WithoutPowerAtAnyChangeKeepsTheEditAndIsCompletedByTheNextOne) {
  call_.expect_survives_power_losses();
}

INSTANTIATE_TEST_SUITE_P(Verbs, KilledSqliteVerb, ::testing::ValuesIn(verbs_of_durable_edits()),
                         by_name);

class KilledSqliteAppending : public ::testing::TestWithParam<NamedAppendingVerb> {
 protected:
  BrokenAppending verb_{GetParam().verb, In::sqlite};
  SqliteCall call_{verb_.broken(), 8};
};

TEST_P(KilledSqliteAppending, AtAnyCallKeepsTheEditAndIsCompletedByTheNextOne) {
  EXPECT_EQ(verb_.file("numbers.txt"), GetParam().numbers);
  EXPECT_EQ(verb_.file("sum.txt"), GetParam().sum);
  call_.expect_survives_kills();
}

TEST_P(KilledSqliteAppending, WithoutPowerAtAnyChangeKeepsTheEditAndIsCompletedByTheNextOne) {
  if (!GetParam().verb.synced) GTEST_SKIP() << "all that is there before the call is durable";
  call_.expect_survives_power_losses();
}

INSTANTIATE_TEST_SUITE_P(Verbs, KilledSqliteAppending, ::testing::ValuesIn(all_appending_verbs()),
                         by_name);

class KilledSqliteChoice : public ::testing::TestWithParam<NamedChoice> {
 protected:
  BrokenChoice choice_{GetParam().before, GetParam().options, GetParam().ran, In::sqlite};
  SqliteCall call_{choice_.broken(), 8};
};

TEST_P(KilledSqliteChoice, AtAnyCallStandsOnceTheSameCallIsMadeAgain) {
  EXPECT_THAT(choice_.plan(), ::testing::HasSubstr(GetParam().plans));
  call_.expect_survives_kills();
}

TEST_P(KilledSqliteChoice, WithoutPowerAtAnyChangeStandsOnceTheSameCallIsMadeAgain) {
  call_.expect_survives_power_losses();
}

INSTANTIATE_TEST_SUITE_P(Choices, KilledSqliteChoice, ::testing::ValuesIn(all_choices()), by_name);

}  // namespace
}  // namespace resumable::test
