// What is SQLite's own about the store: schema, views, chunks, joined commits, other programs'
// files.
#include "resumable/sqlite_store.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "sqlite/database.hpp"
#include "sqlite/records.hpp"
#include "sqlite/schema.hpp"
#include "sqlite/writer.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using testing::code_of;
using testing::commit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::payload;
using testing::scan;

class SqliteStoreTest : public ::testing::Test {
 protected:
  /// The first column of all rows.
  std::vector<std::string> select(const char* sql) const {
    sqlite::Connection connection{file_.string(), sqlite::Mode::read};
    sqlite::Statement rows = connection.prepare(sql);
    std::vector<std::string> found;
    while (rows.step()) found.emplace_back(rows.bytes(0));
    return found;
  }
  void change(const char* sql) const {
    sqlite::Connection{file_.string(), sqlite::Mode::write}.execute(sql);
  }

  TempFolder folder_;
  std::filesystem::path file_ = folder_ / "below/memo.db";
};

TEST_F(SqliteStoreTest, ReadingAStoreThatIsNotThereMakesNoFile) {
  SqliteStore store{file_};
  EXPECT_FALSE(store.exists());
  EXPECT_THAT(scan(store, "run"), IsEmpty());
  EXPECT_FALSE(store.owner("run"));
  EXPECT_FALSE(store.find("@cache/a"));
  EXPECT_EQ(code_of([&] { static_cast<void>(store.lease("run", {.create = Create::never})); }),
            Errc::unknown_run);
  EXPECT_EQ(code_of([&] { store.remove("run"); }), Errc::unknown_run);
  EXPECT_THAT(snapshot(folder_.path()), IsEmpty());
}

TEST_F(SqliteStoreTest, OthersMayNotReadTheDatabase) {
  SqliteStore store{file_};
  const auto lease = store.lease("run");
  EXPECT_EQ(mode_of(file_), 0600U);
  EXPECT_EQ(mode_of(file_.string() + "-wal"), 0600U);
  EXPECT_EQ(mode_of(file_.string() + "-leases"), 0700U);
}

TEST_F(SqliteStoreTest, ANewerSchemaIsRefusedByNameAndKept) {
  commit(*SqliteStore{file_}.lease("run"), "draft", 1, "x");
  change("PRAGMA user_version = 99");
  const std::string before = read_file(file_);
  SqliteStore store{file_};
  for (const auto& call :
       std::vector<std::function<void()>>{[&] { static_cast<void>(store.lease("run")); },
                                          [&] {
                                            static_cast<void>(store.get("run", {"draft", 1}));
                                          },
                                          [&] { static_cast<void>(store.exists()); }}) {
    try {
      call();
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::newer);
      EXPECT_THAT(error.explain(), HasSubstr("schema 99"));
    }
  }
  EXPECT_EQ(read_file(file_), before);
}

TEST_F(SqliteStoreTest, AnotherProgramsDatabaseOrFileIsRefusedAndKept) {
  std::filesystem::create_directories(file_.parent_path());
  write_file(file_, "");
  change("CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1)");
  const std::string before = read_file(file_);
  SqliteStore store{file_};
  EXPECT_EQ(code_of([&] { static_cast<void>(store.lease("run")); }), Errc::foreign);
  EXPECT_EQ(read_file(file_), before);
  write_file(file_, std::string(5000, 'x'));
  EXPECT_EQ(code_of([&] { static_cast<void>(SqliteStore{file_}.lease("run")); }), Errc::foreign);
  EXPECT_EQ(read_file(file_), std::string(5000, 'x'));
}

TEST_F(SqliteStoreTest, AnOlderSchemaIsReadAsItIsAndBroughtUpToDateByALease) {
  std::filesystem::create_directories(file_.parent_path());
  write_file(file_, "");
  {
    sqlite::Connection old{file_.string(), sqlite::Mode::write};
    migrate(old, 1);
    old.execute("INSERT INTO runs(id, run, twin, stamp) VALUES(1, 'run', 'run', 1)");
    const StringPayload bytes{"old"};
    insert_record(old, 1, {{"draft", 1}, {}, "{}", &bytes});
  }
  SqliteStore store{file_};
  EXPECT_EQ(payload(store, "run", {"draft", 1}), "old");
  EXPECT_THAT(store.work("run"), IsEmpty());
  EXPECT_THAT(store.workers(), IsEmpty());
  EXPECT_THAT(select("SELECT name FROM sqlite_master WHERE type = 'view'"), IsEmpty());
  commit(*store.lease("run"), "draft", 2, "new");
  EXPECT_THAT(select("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name"),
              ElementsAre("run_list", "stages"));
  EXPECT_THAT(scan(store, "run"), ElementsAre("draft.1", "draft.2"));
  EXPECT_THAT(select("SELECT count(*) FROM work"), ElementsAre("0"));
}

TEST_F(SqliteStoreTest, TheViewsShowRunsAndStages) {
  Pipeline pipeline{"memo"};
  const auto topics = pipeline.input("topics", std::vector<std::string>{"team", "risks"});
  const auto sections = pipeline.stage("sections", inputs(each(topics)),
                                       [](const std::string& topic) { return topic + "!"; });
  pipeline.stage("memo", inputs(sections),
                 [](const std::vector<std::string>& all) { return static_cast<int>(all.size()); });
  SqliteStore store{file_};
  ASSERT_TRUE(resume(pipeline, store, {.run = "a"}));
  EXPECT_THAT(select("SELECT run || ' ' || pipeline || ' ' || status FROM run_list"),
              ElementsAre("a memo done"));
  EXPECT_THAT(select("SELECT run || ' ' || stage || ' ' || coalesce(item, '-') || ' ' || generation"
                     " || ' ' || attempts FROM stages"),
              ElementsAre("a memo - 1 1", "a sections risks 1 1", "a sections team 1 1"));
  // Headers that are no JSON are shown without what they would say.
  commit(*store.lease("b"), "draft", 1, "x");
  change("UPDATE records SET header = 'x' WHERE path = 'draft'");
  EXPECT_THAT(select("SELECT stage FROM stages WHERE run = 'b' AND at IS NULL"),
              ElementsAre("draft"));
}

TEST_F(SqliteStoreTest, LargePayloadsAreReadInPiecesFromTheirSnapshot) {
  std::string large(3 * sqlite::chunk_bytes + 17, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 31 >> 7U);
  SqliteStore store{file_};
  {
    const auto lease = store.lease("run");
    commit(*lease, "large", 1, large);
    commit(*lease, "whole", 1, large.substr(0, sqlite::chunk_bytes));
    commit(*lease, "more", 1, large.substr(0, sqlite::chunk_bytes + 1));
  }
  EXPECT_THAT(select("SELECT count(*) || '' FROM chunks"), ElementsAre("6"));
  const auto stored = store.get("run", {"large", 1});
  store.remove("run");
  EXPECT_THAT(select("SELECT count(*) || '' FROM chunks"), ElementsAre("0"));
  for (const std::size_t at : {std::size_t{0}, sqlite::chunk_bytes - 1, sqlite::chunk_bytes,
                               2 * sqlite::chunk_bytes + 5, large.size() - 3, large.size()}) {
    std::string piece(sqlite::chunk_bytes + 2, '\0');
    piece.resize(stored->payload->read(at, piece));
    EXPECT_EQ(piece, large.substr(at, sqlite::chunk_bytes + 2)) << at;
  }
}

TEST_F(SqliteStoreTest, AChunkThatIsMissingIsUnreadable) {
  SqliteStore store{file_};
  commit(*store.lease("run"), "large", 1, std::string(3 * sqlite::chunk_bytes, 'x'));
  change("DELETE FROM chunks WHERE number = 1");
  const auto stored = store.get("run", {"large", 1});
  EXPECT_EQ(code_of([&] { static_cast<void>(read_all(*stored->payload)); }), Errc::unreadable);
}

TEST_F(SqliteStoreTest, ARowThatSomebodyChangedIsDamaged) {
  SqliteStore store{file_};
  commit(*store.lease("run"), "a", 1, "x");
  commit(*store.lease("run"), "b", 1, "x");
  change(
      "UPDATE records SET tag = x'00' WHERE path = 'a';"
      "UPDATE records SET payload = x'0000' WHERE path = 'b'");
  EXPECT_THAT(scan(store, "run"), ElementsAre("a.1!", "b.1"));
  EXPECT_EQ(code_of([&] { static_cast<void>(store.get("run", {"a", 1})); }), Errc::damaged);
  EXPECT_EQ(code_of([&] { static_cast<void>(store.get("run", {"b", 1})); }), Errc::damaged);
}

TEST_F(SqliteStoreTest, ALeaseThatWasTakenAwayWritesNoMore) {
  SqliteStore store{file_};
  const auto lease = store.lease("run");
  change("UPDATE runs SET fence = fence + 1");
  EXPECT_EQ(code_of([&] { commit(*lease, "a", 1, "x"); }), Errc::fenced);
  EXPECT_THAT(scan(store, "run"), IsEmpty());
}

TEST_F(SqliteStoreTest, AChildOfTheProcessMayNotUseIt) {
  SqliteStore store{file_};
  const auto lease = store.lease("run");
  commit(*lease, "a", 1, "x");
  ChildProcess child{[&] {
    const bool refused = code_of([&] { commit(*lease, "b", 1, "x"); }) == Errc::forked &&
                         code_of([&] {
                           static_cast<void>(store.get("run", {"a", 1}));
                         }) == Errc::forked;
    return refused ? 0 : 1;
  }};
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  commit(*lease, "b", 1, "x");
  EXPECT_THAT(scan(store, "run"), ElementsAre("a.1", "b.1"));
}

TEST_F(SqliteStoreTest, CommitsOfSeveralThreadsAndRunsJoin) {
  commit(*SqliteStore{file_}.lease("run"), "a", 1, "x");
  sqlite::Writer writer{file_.string()};
  std::atomic<int> joined{0};
  std::atomic<int> done{0};
  const auto write = [&] {
    for (int i = 0; i < 100'000 && joined == 0; ++i) {
      const auto caller = std::this_thread::get_id();
      writer.run([&](sqlite::Connection&) {
        if (std::this_thread::get_id() != caller) ++joined;
      });
      ++done;
    }
  };
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) writers.emplace_back(write);
  for (std::thread& one : writers) one.join();
  EXPECT_GT(joined, 0) << "no thread wrote for another in " << done << " transactions";
}

TEST_F(SqliteStoreTest, OneThatFailsTakesNothingOfTheOthersWithIt) {
  SqliteStore store{file_};
  const auto lease = store.lease("run");
  commit(*lease, "taken", 1, "x");
  std::atomic<int> refused{0};
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        commit(*lease, "t" + std::to_string(t), static_cast<std::uint64_t>(i) + 1, "x");
        if (code_of([&] { commit(*lease, "taken", 1, "y"); }) == Errc::fenced) ++refused;
      }
    });
  }
  for (std::thread& one : writers) one.join();
  EXPECT_EQ(refused, 80);
  EXPECT_EQ(scan(store, "run").size(), 81U);
  EXPECT_EQ(payload(store, "run", {"taken", 1}), "x");
}

TEST_F(SqliteStoreTest, TheUrlNamesTheFile) {
  commit(*SqliteStore{file_}.lease("run"), "a", 1, "x");
  const std::string url = "sqlite:" + file_.string();
  const auto store = open_sqlite_store(url);
  EXPECT_EQ(store->url(), url);
  EXPECT_EQ(payload(*store, "run", {"a", 1}), "x");
  EXPECT_THAT(store->locate("run", {"a", 1}), HasSubstr("memo.db: records of run, a 1"));
  EXPECT_EQ(code_of([] { static_cast<void>(open_sqlite_store("sqlite:")); }), Errc::bad_option);
  EXPECT_EQ(code_of([&] {
              static_cast<void>(open_sqlite_store(url + "?shared=yes", CreateStore::if_absent));
            }),
            Errc::bad_option)
      << "its processes share memory";
  const std::string missing = "sqlite:" + (folder_ / "missing.db").string();
  EXPECT_EQ(code_of([&] { static_cast<void>(open_sqlite_store(missing)); }), Errc::bad_option);
  EXPECT_TRUE(open_sqlite_store(missing, CreateStore::if_absent));
}

TEST_F(SqliteStoreTest, OddNamesOfFilesAreNoUris) {
  for (const char* name : {"a?mode=memory", "50%", "x#y", "file:z"}) {
    const auto file = folder_ / name;
    commit(*SqliteStore{file}.lease("run"), "a", 1, "x");
    EXPECT_TRUE(std::filesystem::exists(file)) << name;
    EXPECT_EQ(payload(SqliteStore{file}, "run", {"a", 1}), "x") << name;
  }
}

}  // namespace
}  // namespace resumable::test
