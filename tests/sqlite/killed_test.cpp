// Runs and commands killed before any of their system calls, from before the database exists; and
// databases and logs with damage.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "resumable/bundle.hpp"
#include "resumable/cli.hpp"
#include "resumable/error.hpp"
#include "resumable/inspector.hpp"
#include "resumable/manage.hpp"
#include "resumable/resumable.hpp"
#include "resumable/sqlite_store.hpp"
#include "sqlite/essay.hpp"
#include "sqlite/lost_power.hpp"
#include "sqlite/sample.hpp"
#include "sqlite/system_calls.hpp"
#include "support/child_process.hpp"
#include "support/run_log.hpp"
#include "support/temp_folder.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using testing::payload;
using testing::runs;

// ---- runs --------------------------------------------------------------------------------------

class KilledSqliteRun : public ::testing::TestWithParam<std::tuple<const char*, Durability>> {};

TEST_P(KilledSqliteRun, AtAnyCallAndOnceMoreIsResumedToTheSameEnd) {
  const Essay essay{.durability = std::get<1>(GetParam())};
  const TempFolder undisturbed;
  ASSERT_EQ(essay.run(undisturbed.path()), 0);
  const auto expected = artifacts(undisturbed / "out");
  Sample sample{12};
  int tried = 0;
  bool killed = true;
  for (int at = sample.step(); killed; at += sample.step()) {
    const TempFolder folder;
    const auto killed_at = [&](int call) {
      ChildProcess child{[&] {
        kill_before_call(call);
        return essay.run(folder.path());
      }};
      const Ended ended = child.wait();
      EXPECT_TRUE(ended == (Ended{-1, SIGKILL}) || ended == (Ended{0, 0})) << at;
      return ended.signal == SIGKILL;
    };
    killed = killed_at(at);
    killed_at(1 + static_cast<int>(sample.below(60)));
    std::string said;
    ASSERT_EQ(essay.run(folder.path(), &said), 0) << at << said;
    ASSERT_EQ(artifacts(folder / "out"), expected) << at;
    if (essay.durability != Durability::queued) {
      ASSERT_EQ(ran_twice(folder.path()), "")
          << at << ::testing::PrintToString(Journal{folder / "journal"}.lines()) << said;
    }
    ASSERT_TRUE(verify_run(SqliteStore{folder / "db/s.db"}, "r1").ok()) << at;
    ++tried;
  }
  std::cout << tried << " points\n";
  RecordProperty("points", tried);
  EXPECT_GT(tried, 10);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, KilledSqliteRun,
                         ::testing::Values(std::tuple{"Full", Durability::full},
                                           std::tuple{"Data", Durability::data},
                                           std::tuple{"Queued", Durability::queued}),
                         [](const auto& test) { return std::string{std::get<0>(test.param)}; });

// ---- commands ----------------------------------------------------------------------------------

/// Runs to their records, with generation, and the digest of each.
using Contents = std::map<std::string, std::map<std::string, std::string>>;

Contents contents_of(const fs::path& database) {
  Contents all;
  const SqliteStore store{database};
  for (const std::string& run : runs(store)) {
    for (const std::string& record : testing::scan(store, run)) {
      const std::size_t dot = record.rfind('.');
      const RecordId id{std::string_view{record}.substr(0, dot),
                        std::stoull(record.substr(dot + 1))};
      all[run][record] = digest(payload(store, run, id).value_or("")).hex();
    }
  }
  return all;
}

/// The names alone: the bytes of a new record differ from call to call.
std::map<std::string, std::set<std::string>> names_of(const Contents& contents) {
  std::map<std::string, std::set<std::string>> names;
  for (const auto& [run, records] : contents) {
    for (const auto& [name, digest] : records) names[run].insert(name);
  }
  return names;
}

/// topic -> outline -> draft.
void write_small(CheckpointStore& store, const std::string& topic) {
  Pipeline p{"small"};
  const auto of = p.input("topic", topic);
  const auto outline = p.stage("outline", inputs(of),
                               [](const std::string& what) { return Text{"outline of " + what}; });
  p.stage("draft", inputs(outline), [](const Text& what) { return Text{"draft of " + what.text}; });
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
}

class KilledSqliteCommand
    : public ::testing::TestWithParam<std::tuple<const char*, std::vector<std::string>>> {
 protected:
  KilledSqliteCommand() {
    SqliteStore store{folder_ / "before/s.db"};
    write_small(store, "sea");
    write_small(store, "sky");
    tag_run(store, "r", "old");
    fork_run(store, "r", "part", {.from_stage = "draft"});
    FileStore files{folder_ / "files"};
    write_small(files, "moon");
    type(folder_ / "before", {"export", "r", "FOLDER/r.bundle"});
    before_ = contents(folder_ / "before");
    const fs::path undisturbed = copy_to("undisturbed");
    std::string said;
    EXPECT_EQ(type(undisturbed, words_, &said), 0) << said;
    after_ = contents(undisturbed);
  }

  /// `resumable --store` with the database in `folder`.
  static int type(const fs::path& folder, std::vector<std::string> words,
                  std::string* said = nullptr) {
    InspectorOptions options;
    options.stores["sqlite"] = open_sqlite_store;
    options.export_bundle = export_bundle;
    options.import_bundle = import_bundle;
    std::ostringstream out;
    cli::Console console{out, out};
    options.console = &console;
    std::vector<std::string> all{"resumable", "--store", "sqlite:" + (folder / "s.db").string()};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<const char*> argv;
    for (std::string& word : all) {
      const std::size_t at = word.find("FOLDER");
      if (at != std::string::npos) word.replace(at, 6, folder.string());
      argv.push_back(word.c_str());
    }
    const int code = inspect(static_cast<int>(argv.size()), argv.data(), options);
    if (said != nullptr) *said = out.str();
    return code;
  }
  /// The store of the command, and the one that it copies to.
  static Contents contents(const fs::path& folder) {
    Contents all = contents_of(folder / "s.db");
    for (auto& [run, records] : contents_of(folder / "t/t.db")) all["to " + run] = records;
    return all;
  }
  [[nodiscard]] fs::path copy_to(const std::string& name) const {
    fs::remove_all(folder_ / name);
    fs::copy(folder_ / "before", folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  /// What the command leaves alone is there, and typed again it ends as an undisturbed one.
  void expect_completed(const fs::path& folder, int at) const {
    const Contents left = contents(folder);
    for (const auto& [run, records] : before_) {
      for (const auto& [record, digest] : records) {
        if (!after_.contains(run) || !after_.at(run).contains(record)) continue;
        ASSERT_TRUE(left.contains(run) && left.at(run).contains(record)) << at << run << record;
        ASSERT_EQ(left.at(run).at(record), digest) << at << run << record;
      }
    }
    const bool gone = words_.front() == "remove" && !left.contains(words_[1]);
    std::string said;
    const int code = type(folder, words_, &said);
    ASSERT_TRUE(code == 0 || (gone && code == 2)) << at << said;
    ASSERT_EQ(names_of(contents(folder)), names_of(after_)) << at;
    for (const fs::path& database : {folder / "s.db", folder / "t/t.db"}) {
      const SqliteStore store{database};
      for (const std::string& run : runs(store)) ASSERT_TRUE(verify_run(store, run).ok()) << at;
    }
  }

  TempFolder folder_;
  std::vector<std::string> words_ = std::get<1>(GetParam());
  Contents before_;
  Contents after_;
};

TEST_P(KilledSqliteCommand, AtAnyCallIsCompletedWhenTypedAgain) {
  Sample sample{4};
  int tried = 0;
  bool killed = true;
  for (int at = sample.step(); killed; at += sample.step()) {
    const fs::path folder = copy_to("killed");
    ChildProcess child{[&] {
      kill_before_call(at);
      return type(folder, words_);
    }};
    const Ended ended = child.wait();
    killed = ended.signal == SIGKILL;
    ASSERT_TRUE(killed || ended == (Ended{0, 0})) << at;
    expect_completed(folder, at);
    if (HasFatalFailure()) return;
    ++tried;
  }
  std::cout << tried << " points\n";
  RecordProperty("points", tried);
}

TEST_P(KilledSqliteCommand, WithoutPowerAtAnyChangeIsCompletedWhenTypedAgain) {
  const fs::path folder = copy_to("powerless");
  expect_survives_power_losses(
      folder, CrossRename::with_both_folders, 4, [&] { type(folder, words_); },
      [&](const fs::path& left, int at) { expect_completed(left, at); });
}

INSTANTIATE_TEST_SUITE_P(
    Writing, KilledSqliteCommand,
    ::testing::Values(
        std::tuple{"Tag", std::vector<std::string>{"tag", "r", "new"}},
        std::tuple{"Untag", std::vector<std::string>{"tag", "r", "old", "--remove"}},
        std::tuple{"Fork", std::vector<std::string>{"fork", "r", "f", "--from", "draft"}},
        std::tuple{"RollBack",
                   std::vector<std::string>{"rollback", "r", "outline", "--generation", "1"}},
        std::tuple{"Merge", std::vector<std::string>{"merge", "r", "part"}},
        std::tuple{"Copy", std::vector<std::string>{"copy", "r", "--to", "sqlite:FOLDER/t/t.db"}},
        std::tuple{"BackUp",
                   std::vector<std::string>{"copy", "--all", "--to", "sqlite:FOLDER/t/t.db"}},
        std::tuple{"Import", std::vector<std::string>{"import", "FOLDER/r.bundle", "new"}},
        std::tuple{"Collect", std::vector<std::string>{"gc", "--keep", "1", "--yes"}},
        std::tuple{"Migrate",
                   std::vector<std::string>{"migrate", "--backup", "sqlite:FOLDER/t/t.db"}},
        std::tuple{"Remove", std::vector<std::string>{"remove", "part", "--yes"}}),
    [](const auto& test) { return std::string{std::get<0>(test.param)}; });

// ---- damage ------------------------------------------------------------------------------------

/// A run whose database, or whose log, has one bit flipped or is cut.
class DamagedSqliteRun : public ::testing::Test {
 protected:
  /// What is read back is the right value, or nothing: never another one, never a crash.
  void expect_right_or_refused(const char* name) {
    const auto whole = read_file(made_ / "db" / name);
    Sample sample{1};
    int refused = 0;
    const int points = std::getenv("RESUMABLE_TEST_SOAK") != nullptr ? 3000 : 120;
    for (int point = 0; point < points; ++point) {
      const TempFolder folder;
      fs::copy(made_.path(), folder.path(), fs::copy_options::recursive);
      auto bytes = whole;
      const std::size_t at = sample.below(bytes.size());
      if (point % 4 == 3) {
        bytes.resize(at);
      } else {
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << (point % 8)));
      }
      write_file(folder / "db" / name, bytes);
      ChildProcess child{[&] { return resumed(folder.path()); }};
      const Ended ended = child.wait();
      ASSERT_EQ(ended.signal, 0) << at << ' ' << point;
      ASSERT_NE(ended.exit_code, 100) << "another value: " << at << ' ' << point;
      refused += ended.exit_code != 0 ? 1 : 0;
    }
    std::cout << points << " points, " << refused << " refused\n";
  }
  /// Resumes until it is done, or is refused twice; 100: the value is another one.
  int resumed(const fs::path& folder) const {
    int code = 0;
    for (int call = 0; call < 3; ++call) {
      SqliteStore store{folder / "db/s.db"};
      std::optional<Stage<Text>> polish;
      const Pipeline p = essay_.pipeline(Journal{folder / "journal"}, &polish);
      const Report report = resume(p, store, {.run = "r1"});
      code = report.exit_code();
      if (code != 0) continue;
      return report[*polish].text == "a!\nb!\nc!\nPolished.\n" ? 0 : 100;
    }
    return code;
  }

  Essay essay_{.durability = Durability::full, .exports = false};
  TempFolder made_;
};

TEST_F(DamagedSqliteRun, OfWhichTheDatabaseIsDamagedIsRightOrRefused) {
  ASSERT_EQ(essay_.run(made_.path()), 0);
  expect_right_or_refused("s.db");
}

TEST_F(DamagedSqliteRun, OfWhichTheLogIsDamagedIsRightOrRefused) {
  ChildProcess child{[&] {
    kill_before_call(120);
    return essay_.run(made_.path());
  }};
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  ASSERT_GT(fs::file_size(made_ / "db/s.db-wal"), 0U);
  expect_right_or_refused("s.db-wal");
}

}  // namespace
}  // namespace resumable::test
