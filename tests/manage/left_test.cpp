// Records of stages and items that the pipeline does not have any more: they go by their age, and
// never with a person's work, a side effect or a tag.
#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "manage/story.hpp"
#include "support/manual_clock.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using Keys = std::vector<std::string>;

constexpr std::chrono::seconds day = 24h;

/// A page per day, from a step and, where it is so, a side effect.
struct Diary {
  Keys days{};
  std::string stage = "page";
  bool sends = false;
  bool fails = false;
  Calls* calls = nullptr;

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"diary"};
    const auto list = p.input("days", days);
    const auto page = p.stage(Name::checked(stage), inputs(each(list)),
                              [*this](Context& ctx, const std::string& of) {
                                if (calls != nullptr) (*calls)(of);
                                std::string text = ctx.step("words", [&] { return "on " + of; });
                                if (sends) {
                                  ctx.effect("send", with(of), [&](const std::string& key) {
                                    if (calls != nullptr) (*calls)("sent " + of);
                                    return key;
                                  });
                                }
                                return Text{std::move(text)};
                              });
    p.artifact(page, "pages/{item}.md");
    p.stage("book", inputs(page), [*this](const std::vector<Text>& of) {
      if (fails) throw std::runtime_error("no paper");
      return of.size();
    });
    return p;
  }
  Report run(CheckpointStore& store, ResumeOptions options = {}) const {
    const Pipeline p = pipeline();
    options.run = "r";
    return resume(p, store, options);
  }
};

std::vector<std::string> paths(const GarbageResult& result) {
  std::vector<std::string> of;
  for (const Garbage& one : result.removed) of.push_back(one.path);
  return of;
}

class LeftTest : public ::testing::Test {
 protected:
  /// What was collected of what left more than `age` ago.
  GarbageResult collect(std::chrono::seconds age) {
    return collect_garbage(store_, {.left_older_than = age});
  }
  [[nodiscard]] Keys records() const {
    Keys all;
    for (const auto& [name, content] : contents(store_, "r")) all.push_back(name);
    return all;
  }
  /// a and b; then c and d, `since` ago.
  void leave(std::chrono::seconds since) {
    diary_.days = {"a", "b"};
    ASSERT_TRUE(diary_.run(store_));
    clock_.advance(100 * day);
    diary_.days = {"c", "d"};
    ASSERT_TRUE(diary_.run(store_));
    calls_.take();
    clock_.advance(since);
  }

  ManualClock clock_;
  record::TestEnvironment environment_{{.clock = &clock_}};
  TempFolder folder_;
  FileStore store_{folder_ / "store"};
  Calls calls_;
  Diary diary_{.calls = &calls_};
};

TEST_F(LeftTest, StaysUnlessAskedForAndAsLongAsItLeftRecently) {
  leave(5 * day);
  const Keys before = records();
  EXPECT_THAT(paths(collect_garbage(store_)), IsEmpty());
  EXPECT_THAT(paths(collect(6 * day)), IsEmpty()) << "the time counts from when it left";
  EXPECT_EQ(records(), before);
}

TEST_F(LeftTest, GoesWithAllOfItsRecordsAfterADryRunThatSaysSo) {
  leave(5 * day);
  const auto dry = collect_garbage(store_, {.left_older_than = 4 * day, .dry_run = true});
  EXPECT_THAT(records(), Contains("page/a.1"));
  const auto done = collect(4 * day);
  EXPECT_EQ(paths(done), paths(dry));
  EXPECT_EQ(done.bytes, dry.bytes);
  EXPECT_THAT(paths(done), ::testing::UnorderedElementsAre("@step/page/a/words", "page/a",
                                                           "@step/page/b/words", "page/b"));
  for (const std::string& name : records()) {
    EXPECT_THAT(name, Not(HasSubstr("page/a"))) << name;
    EXPECT_THAT(name, Not(HasSubstr("page/b"))) << name;
  }
  EXPECT_TRUE(diary_.run(store_));
  EXPECT_EQ(calls_.take(), "") << "what is there does not run again";
  EXPECT_TRUE(verify_run(store_, "r").ok());
  EXPECT_THAT(paths(collect(4 * day)), IsEmpty());
}

TEST_F(LeftTest, RunsAgainIfItReturns) {
  leave(5 * day);
  collect(0s);
  diary_.days = {"a", "c"};
  ASSERT_TRUE(diary_.run(store_));
  EXPECT_EQ(calls_.take(), "a");
  EXPECT_EQ(read_file(folder_ / "store/r/pages/a.md"), "on a");
}

TEST_F(LeftTest, AStageOfAnotherNameGoesToo) {
  leave(0s);
  diary_.stage = "sheet";
  ASSERT_TRUE(diary_.run(store_));
  clock_.advance(2 * day);
  EXPECT_THAT(paths(collect(day)), Contains("page/c"));
  for (const std::string& name : records()) EXPECT_THAT(name, Not(HasSubstr("page/"))) << name;
}

TEST_F(LeftTest, KeepsSideEffectsWhichAnItemThatReturnsWouldRepeat) {
  diary_.sends = true;
  leave(5 * day);
  collect(0s);
  EXPECT_THAT(records(), Contains(HasSubstr("@effect/page/a/send")));
  diary_.days = {"a"};
  ASSERT_TRUE(diary_.run(store_));
  EXPECT_EQ(calls_.take(), "a") << "and nothing is sent";
}

TEST_F(LeftTest, KeepsWhatAPersonHasEdited) {
  diary_.days = {"a", "b"};
  ASSERT_TRUE(diary_.run(store_));
  write_file(folder_ / "store/r/pages/a.md", "mine");
  ASSERT_TRUE(diary_.run(store_));
  leave(5 * day);
  collect(0s);
  EXPECT_THAT(records(), Contains("page/a.2"));
  EXPECT_THAT(records(), Not(Contains("page/b.1")));
  EXPECT_EQ(read_file(folder_ / "store/r/pages/a.md"), "mine");
}

TEST_F(LeftTest, KeepsAllOfARunThatHasATag) {
  leave(5 * day);
  tag_run(store_, "r", "good");
  const Keys before = records();
  const auto result = collect(0s);
  EXPECT_THAT(paths(result), IsEmpty());
  ASSERT_THAT(result.skipped, SizeIs(1));
  EXPECT_THAT(result.skipped.front().why, HasSubstr("it has a tag"));
  ASSERT_TRUE(diary_.run(store_, {.left_older_than = 0s}));
  EXPECT_THAT(records(), IsSupersetOf(before));
}

TEST_F(LeftTest, KeepsAllWhileWorkThatBeganSinceIsNotDone) {
  leave(5 * day);
  diary_.days = {"a", "c", "d"};
  diary_.fails = true;
  ASSERT_FALSE(diary_.run(store_));
  const auto result = collect(0s);
  EXPECT_THAT(paths(result), IsEmpty());
  EXPECT_THAT(result.skipped.front().why, HasSubstr("has not ended as done"));
  diary_.fails = false;
  ASSERT_TRUE(diary_.run(store_));
  EXPECT_EQ(calls_.take(), "") << "'a' was kept, and was used again";
  EXPECT_THAT(paths(collect(0s)), Contains("page/b"));
  EXPECT_THAT(records(), Contains("page/a.1"));
}

TEST_F(LeftTest, ARunWhoseItemsChangeDailyDoesNotGrow) {
  std::size_t size = 0;
  for (int today = 0; today < 40; ++today) {
    diary_.days.clear();
    for (int i = 0; i < 10; ++i) diary_.days.push_back("day-" + std::to_string(today + i));
    ASSERT_TRUE(diary_.run(store_, {.left_older_than = 3 * day}));
    clock_.advance(day);
    if (today == 20) size = records().size();
  }
  EXPECT_EQ(records().size(), size);
}

RC_GTEST_PROP(Left, AnItemThatWasThereInTheCallBeforeNeverRunsAgain, ()) {
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  MemoryStore store;
  Calls calls;
  Diary diary{.calls = &calls};
  std::set<std::string> before;
  for (int round = 0; round < 6; ++round) {
    diary.days.clear();
    for (const char* item : {"a", "b", "c", "d", "e"}) {
      if (*rc::gen::arbitrary<bool>()) diary.days.emplace_back(item);
    }
    const std::chrono::seconds age{*rc::gen::inRange(0, 3 * 86'400)};
    RC_ASSERT(diary.run(store, *rc::gen::arbitrary<bool>() ? ResumeOptions{.left_older_than = age}
                                                           : ResumeOptions{}));
    for (const std::string& item : diary.days) {
      RC_ASSERT(!before.contains(item) || calls.of(item) == 0);
    }
    calls.take();
    before = {diary.days.begin(), diary.days.end()};
    clock.advance(std::chrono::hours{*rc::gen::inRange(0, 48)});
    if (*rc::gen::arbitrary<bool>()) collect_garbage(store, {.left_older_than = age});
  }
}

TEST(KilledLeft, RemovingWhatLeftIsDoneOrNotAndTheNextCallFinishesIt) {
  const auto run = [](const Stores& stores, const Keys& days, ResumeOptions options = {}) {
    const record::TestEnvironment environment{{.file_system = &stores.files()}};
    const auto store = stores.open("s");
    ASSERT_TRUE((Diary{.days = days}.run(*store, std::move(options))));
  };
  const Broken broken{
      .prepare =
          [&](const Stores& stores) {
            run(stores, {"a", "b"});
          },
      .call = [&](const Stores& stores) { run(stores, {"c"}, {.left_older_than = -1s}); },
      .check_after_break =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            const auto all = contents(*store, "r");
            for (const std::string item : {"a", "b"}) {
              if (all.contains("page/" + item + ".1")) continue;
              EXPECT_FALSE(all.contains("@step/page/" + item + "/words.1"))
                  << "nothing shows that it is left to remove";
            }
            EXPECT_TRUE(verify_run(*store, "r").ok());
          },
      .check_when_done =
          [](const Stores& stores) {
            for (const auto& [name, content] : contents(*stores.open("s"), "r")) {
              EXPECT_THAT(name, AllOf(Not(HasSubstr("page/a")), Not(HasSubstr("page/b"))));
            }
          }};
  expect_survives_kills(broken, 10);
}

}  // namespace
}  // namespace resumable::test
