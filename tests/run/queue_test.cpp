// Growing queues: items that enqueue items, committed with the item that did.
#include <csignal>

#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Page {
  std::string name;
  int depth = 0;
  friend std::string resumable_key(const Page& page) { return page.name; }
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Page, name, depth)
};

/// A tree: each page above the last depth enqueues `width` more.
struct Tree {
  Tree(
      int depth, int width, std::function<void(const Page&)> visit = [](const Page&) {},
      std::uint32_t revision = 1) {
    const auto roots = pipeline.input("roots", std::vector<Page>{{"r", 0}});
    pages.emplace(
        pipeline.queue({.name = "pages", .revision = revision}, inputs(each(roots)),
                       [=](Context& ctx, const Page& page) {
                         for (int i = 0; page.depth < depth && i < width; ++i) {
                           ctx.enqueue(Page{page.name + std::to_string(i), page.depth + 1});
                         }
                         visit(page);
                         return "text of " + page.name;
                       }));
    pipeline.artifact(*pages, "pages/{item}.txt", [](const std::string& text) { return text; });
    whole.emplace(pipeline.stage("whole", inputs(*pages), [](const std::vector<std::string>& all) {
      std::string text;
      for (const std::string& one : all) text += one + "\n";
      return text;
    }));
    pipeline.artifact(*whole, "whole.txt");
  }
  Pipeline pipeline{"p"};
  std::optional<FanOut<std::string>> pages;
  std::optional<Stage<std::string>> whole;
};

std::map<std::string, std::string> uninterrupted(int depth, int width, std::string& whole) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Tree tree{depth, width};
  const Report report = resume(tree.pipeline, store, {.run = "r"});
  whole = report ? report[*tree.whole] : "";
  return artifacts(folder / "store/r");
}

TEST(Queues, RunEveryItemOnceAndInOrder) {
  for (const unsigned concurrency : {1U, 4U}) {
    MemoryStore store;
    Calls calls;
    Tree tree{2, 2, [&](const Page& page) { calls(page.name); }};
    const Report report = resume(tree.pipeline, store, {.run = "r", .concurrency = concurrency});
    ASSERT_TRUE(report);
    EXPECT_EQ(calls.take(), "r, r0, r00, r01, r1, r10, r11");
    EXPECT_THAT(report[*tree.pages],
                ElementsAre("text of r", "text of r0", "text of r1", "text of r00", "text of r01",
                            "text of r10", "text of r11"));
    EXPECT_EQ(report.stage("pages").items, 7U);
    const auto items = report.items(*tree.pages);
    ASSERT_EQ(items.size(), 7U);
    EXPECT_THAT(items[0].parents, IsEmpty());
    EXPECT_EQ(items[4].key, "r01");
    EXPECT_THAT(items[4].parents, ElementsAre("r0"));
    const Report again = resume(tree.pipeline, store, {.run = "r"});
    EXPECT_EQ(outline(again), "pages skipped, whole skipped");
    EXPECT_EQ(again[*tree.pages].size(), 7U);
    EXPECT_EQ(calls.take(), "");
  }
}

TEST(Queues, LoseNoItemAndRunNoneTwiceWhereverTheyAreKilled) {
  std::string whole;
  const auto expected = uninterrupted(2, 3, whole);
  for (const bool before : {true, false}) {
    for (int at = 1; at <= 13; ++at) {
      const TempFolder folder;
      const Tally tally{folder / "tally"};
      ChildProcess child([&] {
        FileStore store{folder / "store"};
        int left = at;
        Log log;
        // Before the commit of the item, or right after it.
        Tree killed{2, 3, [&](const Page& page) {
                      if (before && --left == 0) ::raise(SIGKILL);
                      if (!before) tally(page.name);
                    }};
        log.on = [&](const Event& event) {
          if (before || event.kind != EventKind::committed || event.stage != "pages") return;
          if (--left == 0) ::raise(SIGKILL);
        };
        return resume(killed.pipeline, store, {.run = "r", .observers = {&log}}).exit_code();
      });
      ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
      FileStore store{folder / "store"};
      Tree tree{2, 3, [&](const Page& page) { tally(page.name); }};
      const Report report = resume(tree.pipeline, store, {.run = "r"});
      ASSERT_TRUE(report);
      EXPECT_EQ(report[*tree.whole], whole);
      EXPECT_EQ(artifacts(folder / "store/r"), expected);
      EXPECT_EQ(report.items_skipped(), static_cast<std::size_t>(before ? at - 1 : at));
      if (before) continue;
      for (const auto& [name, count] : tally.counts()) EXPECT_EQ(count, 1) << name;
      EXPECT_EQ(tally.counts().size(), 13U);
    }
  }
}

TEST(Queues, TellWhoEnqueuedWhat) {
  MemoryStore store;
  Tree tree{1, 2};
  Log log;
  ASSERT_TRUE(resume(tree.pipeline, store, {.run = "r", .observers = {&log}}));
  EXPECT_THAT(log.lines(EventKind::enqueued),
              ElementsAre("enqueued pages/r0", "enqueued pages/r1"));
  EXPECT_EQ(log.first(EventKind::enqueued)->message, "by r");
}

/// Items are numbers; `next` says which ones each enqueues.
struct NumberQueue {
  explicit NumberQueue(std::function<std::vector<int>(int)> next, std::vector<int> first = {1}) {
    const auto roots = pipeline.input("roots", std::move(first));
    all.emplace(pipeline.queue("numbers", inputs(each(roots)), [=](Context& ctx, int number) {
      for (const int one : next(number)) ctx.enqueue(one);
      return number;
    }));
  }
  Pipeline pipeline{"p"};
  std::optional<FanOut<int>> all;
};

TEST(Queues, HaveAnItemOnceHoweverManyEnqueueIt) {
  for (const unsigned concurrency : {1U, 4U}) {
    MemoryStore store;
    Calls calls;
    // A diamond, a loop, and the same twice by one.
    NumberQueue numbers{[&](int n) -> std::vector<int> {
      calls(std::to_string(n));
      switch (n) {
        case 1: return {2, 3, 2};
        case 2: return {4};
        case 3: return {4, 1};
        default: return {n};
      }
    }};
    const Report report = resume(numbers.pipeline, store, {.run = "r", .concurrency = concurrency});
    ASSERT_TRUE(report);
    EXPECT_EQ(calls.take(), "1, 2, 3, 4");
    EXPECT_THAT(report[*numbers.all], ElementsAre(1, 2, 3, 4));
    const auto items = report.items(*numbers.all);
    EXPECT_THAT(items[3].parents, ElementsAre("2", "3", "4")) << "all who enqueued it";
    EXPECT_THAT(items[0].parents, ElementsAre("3"));
  }
}

TEST(Queues, RefuseOneKeyWithDifferentContent) {
  MemoryStore store;
  Pipeline p{"p"};
  const auto roots = p.input("roots", std::vector<Page>{{"a", 0}, {"b", 0}});
  bool in_one = true;
  p.queue("pages", inputs(each(roots)), [&](Context& ctx, const Page& page) {
    if (page.depth == 0) ctx.enqueue(Page{"c", page.name == "a" ? 1 : 2});
    if (in_one) ctx.enqueue(Page{"c", 9});
    return 0;
  });
  EXPECT_FALSE(resume(p, store, {.run = "one", .keep_going = false}));
  in_one = false;
  const Report two = resume(p, store, {.run = "two"});
  EXPECT_EQ(two.exit_code(), 1);
  EXPECT_THAT(two.stage("pages").message, HasSubstr("item 'c'"));
  EXPECT_THAT(two.stage("pages").message, HasSubstr("'b'"));
}

TEST(Queues, ForgetWhatAFailedAttemptEnqueued) {
  MemoryStore store;
  Pipeline p{"p"};
  const auto roots = p.input("roots", std::vector<int>{1});
  int tries = 0;
  const auto numbers = p.queue(
      {.name = "numbers", .retry = {.attempts = 2, .initial_delay = std::chrono::milliseconds{0}}},
      inputs(each(roots)), [&](Context& ctx, int number) {
        if (number != 1) return number;
        ctx.enqueue(++tries == 1 ? 7 : 8);
        if (tries == 1) throw Retryable{"once more"};
        return number;
      });
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_THAT(report[numbers], ElementsAre(1, 8));
}

TEST(Queues, FollowTheNewListWhenAnItemIsRedone) {
  MemoryStore store;
  Calls calls;
  int width = 2;
  NumberQueue numbers{[&](int n) {
    calls(std::to_string(n));
    std::vector<int> next;
    for (int i = 0; n == 1 && i < width; ++i) next.push_back(10 + i);
    return next;
  }};
  ASSERT_TRUE(resume(numbers.pipeline, store, {.run = "r"}));
  calls.take();
  width = 3;
  const Report more = resume(numbers.pipeline, store, {.run = "r", .redo = {"numbers/1"}});
  ASSERT_TRUE(more);
  EXPECT_EQ(calls.take(), "1, 12") << "10 and 11 are as before";
  EXPECT_THAT(more[*numbers.all], ElementsAre(1, 10, 11, 12));
  width = 1;
  const Report less = resume(numbers.pipeline, store, {.run = "r", .redo = {"numbers/1"}});
  ASSERT_TRUE(less);
  EXPECT_EQ(calls.take(), "1");
  EXPECT_THAT(less[*numbers.all], ElementsAre(1, 10));
  EXPECT_THAT(ResumePlanner{store}.plan(numbers.pipeline, {.run = "r"}).text(true),
              HasSubstr("'numbers/11' is no longer in this pipeline"))
      << "an orphan now";
}

TEST(Queues, RerunAnItemWhoseChildrenAreDamagedOrGone) {
  for (const bool gone : {true, false}) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    Calls calls;
    NumberQueue numbers{[&](int n) {
      calls(std::to_string(n));
      return n < 3 ? std::vector<int>{n + 1} : std::vector<int>{};
    }};
    ASSERT_TRUE(resume(numbers.pipeline, store, {.run = "r"}));
    calls.take();
    // The record of what 2 has enqueued lies in one file with its value.
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder / "store/r/.resumable/checkpoints")) {
      if (!entry.is_regular_file()) continue;
      if (read_file(entry.path()).find("@queue/numbers/2") != std::string::npos) {
        files.push_back(entry.path());
      }
    }
    ASSERT_FALSE(files.empty());
    for (const auto& file : files) {
      if (gone) {
        std::filesystem::remove(file);
      } else {
        write_file(file, read_file(file).substr(0, 40));
      }
    }
    const Report report = resume(numbers.pipeline, store, {.run = "r"});
    ASSERT_TRUE(report);
    EXPECT_EQ(calls.take(), "2");
    EXPECT_THAT(report[*numbers.all], ElementsAre(1, 2, 3));
  }
}

/// All over the file that holds an item and what it has enqueued.
TEST(Queues, ThatAreDamagedAnywhereSayNothingWrongAndNothingIsRedoneInSilence) {
  std::string whole;
  const auto expected = uninterrupted(1, 1, whole);
  const TempFolder finished;
  {
    FileStore store{finished / "store"};
    Tree tree{1, 1};
    ASSERT_TRUE(resume(tree.pipeline, store, {.run = "r"}));
  }
  const std::filesystem::path batch = "r/.resumable/checkpoints/@batch/1-1.ckpt";
  const std::string bytes = read_file(finished / "store" / batch);
  ASSERT_THAT(bytes, HasSubstr("@queue/pages/r"));
  int redone = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 17) {
    const TempFolder folder;
    std::filesystem::copy(finished / "store", folder / "store",
                          std::filesystem::copy_options::recursive);
    std::string damaged = bytes;
    damaged[at] ^= 1;
    write_file(folder / "store" / batch, damaged);
    const auto go_on = [&](bool strict, Calls& calls, Log& log) {
      FileStore store{folder / "store"};
      Tree tree{1, 1, [&](const Page& page) { calls(page.name); }};
      return resume(tree.pipeline, store,
                    {.run = "r",
                     .on_damage = strict ? OnDamage::refuse : OnDamage::work_around,
                     .observers = {&log}})
          .exit_code();
    };
    Calls calls;
    Log log;
    const int strict = go_on(true, calls, log);
    ASSERT_EQ(calls.take(), "") << at;
    ASSERT_TRUE(strict == 0 || strict == 3) << at;
    ASSERT_EQ(go_on(false, calls, log), 0) << at;
    if (!calls.take().empty()) {
      ++redone;
      EXPECT_EQ(strict, 3) << at;
      EXPECT_NE(log.first(EventKind::quarantined), nullptr) << at;
    }
    ASSERT_EQ(artifacts(folder / "store/r"), expected) << at;
    if (HasFailure()) return;
  }
  EXPECT_GT(redone, 10);
}

TEST(Queues, AreFannedOutOverByTheirDependents) {
  MemoryStore store;
  Calls calls;
  Pipeline p{"p"};
  const auto roots = p.input("roots", std::vector<int>{1});
  const auto numbers = p.queue("numbers", inputs(each(roots)), [](Context& ctx, int number) {
    if (number < 4) ctx.enqueue(number + 1);
    return number;
  });
  const auto squares = p.stage("squares", inputs(each(numbers)), [&](int number) {
    calls("square");
    return number * number;
  });
  const Plan plan = ResumePlanner{store}.plan(p, {.run = "r"});
  EXPECT_EQ(outline(plan), "numbers run first_run, squares decide upstream");
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_THAT(report[squares], ElementsAre(1, 4, 9, 16));
  calls.take();
  EXPECT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_EQ(calls.take(), "");
}

TEST(Queues, RefuseToEnqueueWhereThereIsNone) {
  MemoryStore store;
  Pipeline p{"p"};
  const auto list = p.input("list", std::vector<int>{1});
  p.stage("items", inputs(each(list)), [](Context& ctx, int n) {
    ctx.enqueue(n + 1);
    return n;
  });
  const Report report = resume(p, store, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_THAT(report.stage("items").message, HasSubstr("is not a queue"));
  Pipeline other{"p"};
  const auto numbers = other.input("list", std::vector<int>{1});
  other.queue("items", inputs(each(numbers)), [](Context& ctx, int n) {
    ctx.enqueue(std::to_string(n));
    return n;
  });
  EXPECT_THAT(resume(other, store, {.run = "o"}).stage("items").message,
              HasSubstr("an element of another type"));
  EXPECT_EQ(code_of([] {
              Pipeline wrong{"p"};
              const auto roots = wrong.input("roots", std::vector<int>{1});
              const auto items = wrong.stage("items", inputs(each(roots)), [](int n) { return n; });
              wrong.queue("queue", inputs(each(items)), [](int n) { return n; });
            }),
            Errc::bad_option);
  EXPECT_EQ(code_of([] {
              Pipeline wrong{"p"};
              const auto roots = wrong.input("roots", std::vector<std::string>{"a"});
              const auto queue = wrong.queue("queue", inputs(each(roots)),
                                             [](const std::string& text) { return text; });
              wrong.artifact(queue, "{position}.txt", [](const std::string& text) { return text; });
            }),
            Errc::bad_name);
}

TEST(Queues, RefuseTwoItemsThatExportToOnePath) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline p{"p"};
  const auto roots = p.input("roots", std::vector<std::string>{"start"});
  const auto queue =
      p.queue("queue", inputs(each(roots)), [](Context& ctx, const std::string& text) {
        if (text == "start") {
          ctx.enqueue("A b"s);
          ctx.enqueue("a-B"s);
        }
        return text;
      });
  p.artifact(queue, "{item:slug}.txt", [](const std::string& text) { return text; });
  const Report report = resume(p, store, {.run = "r"});
  EXPECT_FALSE(report);
  EXPECT_THAT(report.stage("queue").message, HasSubstr("both export 'a-b.txt'"));
  EXPECT_EQ(artifacts(folder / "store/r").size(), 1U) << "none of the two has run";
}

}  // namespace
}  // namespace resumable::test
