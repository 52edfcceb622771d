// Several workers share the items of one run; here they are threads with one store in memory.
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "run/run_support.hpp"
#include "run/shared_task.hpp"
#include "store/offering.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Lets threads wait for something that another one says, a minute at most.
class Gate {
 public:
  void open() {
    const std::scoped_lock lock{guard_};
    open_ = true;
    changed_.notify_all();
  }
  void await() {
    std::unique_lock lock{guard_};
    if (!changed_.wait_for(lock, std::chrono::minutes{1}, [&] { return open_; })) std::abort();
  }
  /// Opens it with the last of `count` callers, and waits for that.
  void meet(int count) {
    {
      const std::scoped_lock lock{guard_};
      if (++met_ >= count) open_ = true;
      changed_.notify_all();
    }
    await();
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool open_ = false;
  int met_ = 0;
};

/// A queue whose items enqueue others, with a step each; what they make is appended to a file.
struct Crawl {
  using Visit = std::function<void(Context&, const std::string&)>;
  explicit Crawl(
      Visit visit = [](Context&, const std::string&) {}, Strings begin = {"a", "b"},
      std::size_t depth = 3) {
    const auto roots = pipeline.input("roots", std::move(begin));
    const auto sign = pipeline.stage("sign", inputs(), [] { return "!"s; });
    pages.emplace(
        pipeline.queue("pages", inputs(each(roots), sign),
                       [=, this](Context& ctx, const std::string& page, const std::string& end) {
                         const auto text = ctx.step("fetch", [&] {
                           calls("step " + page);
                           return "text of " + page;
                         });
                         if (page.size() < depth) {
                           for (const char* more : {"x", "y"}) ctx.enqueue(page + more);
                         }
                         visit(ctx, page);
                         calls(page);
                         return text + end;
                       }));
    pipeline.append(*pages, "all.txt", [](const std::string& text) { return text + "\n"; });
    whole.emplace(pipeline.stage("whole", inputs(*pages), [](const Strings& all) {
      std::string text;
      for (const std::string& one : all) text += one + ";";
      return text;
    }));
  }
  Calls calls;
  Pipeline pipeline{"crawl"};
  std::optional<FanOut<std::string>> pages;
  std::optional<Stage<std::string>> whole;
};

class SharedItems : public ::testing::Test {
 protected:
  [[nodiscard]] ResumeOptions options(bool share = true) const {
    ResumeOptions options{.run = "r", .share = share, .artifact_folder = folder.path()};
    return options;
  }
  TempFolder folder;
  MemoryStore store;
};

TEST_F(SharedItems, AreComputedByTheOwnerAloneAsWithoutSharing) {
  std::string text;
  std::string file;
  {
    const TempFolder plain;
    MemoryStore other;
    Crawl crawl;
    auto how = options(false);
    how.artifact_folder = plain.path();
    const Report report = resume(crawl.pipeline, other, how);
    text = report[*crawl.whole];
    file = read_file(plain / "all.txt");
  }
  Crawl crawl;
  const Report report = resume(crawl.pipeline, store, options());
  EXPECT_EQ(report.outcome(), Outcome::done);
  EXPECT_EQ(report[*crawl.whole], text);
  EXPECT_EQ(read_file(folder / "all.txt"), file);
  EXPECT_EQ(crawl.calls.of("axy"), 1);
  EXPECT_TRUE(ResumePlanner{store}.plan(crawl.pipeline, options()).complete());
  EXPECT_THAT(store.work("r"), IsEmpty());
  EXPECT_THAT(store.workers(), IsEmpty());
}

TEST_F(SharedItems, AreComputedByTheOwnerAndAWorkerAtTheSameTime) {
  Gate both;  // opened by two items that run at the same time
  Log log;
  Crawl crawl{[&](Context&, const std::string& page) {
    if (page.size() == 1) both.meet(2);
  }};
  std::stop_source end;
  WorkReport done;
  std::thread worker{
      [&] { done = work(crawl.pipeline, store, {.stop = end.get_token(), .observers = {&log}}); }};
  Log owner;
  auto how = options();
  how.observers = {&owner};
  const Report report = resume(crawl.pipeline, store, how);
  end.request_stop();
  worker.join();
  EXPECT_EQ(report.outcome(), Outcome::done);
  EXPECT_GE(done.committed, 1U);
  EXPECT_EQ(done.failed + done.lost, 0U);
  EXPECT_THAT(done.warnings, IsEmpty());
  for (const char* page : {"a", "b", "ax", "bxy"}) EXPECT_EQ(crawl.calls.of(page), 1) << page;
  EXPECT_THAT(log.lines(EventKind::committed), SizeIs(::testing::Ge(2U)));  // items and steps
  // The owner tells of every item, whoever has computed it.
  std::size_t items = 0;
  for (const Event& event : owner.events) {
    items += event.kind == EventKind::committed && event.stage == "pages" && event.step.empty();
  }
  EXPECT_EQ(items, 14U);
}

TEST_F(SharedItems, OfAnotherDeclarationAreLeftAlone) {
  Gate told;
  Crawl crawl{[&](Context&, const std::string&) { told.await(); }};
  Crawl other{[](Context&, const std::string&) {}, {"a", "b"}};
  static_cast<void>(other.pipeline.stage("more", inputs(), [] { return 1; }));
  std::stop_source end;
  std::thread owner{[&] { EXPECT_EQ(resume(crawl.pipeline, store, options()).exit_code(), 0); }};
  while (store.work("r").empty()) std::this_thread::yield();
  const WorkReport done = work(other.pipeline, store, {.idle = milliseconds{200}});
  EXPECT_EQ(done.committed, 0U);
  EXPECT_THAT(done.warnings, ElementsAre(HasSubstr("for another build of this program")));
  told.open();
  owner.join();
}

TEST_F(SharedItems, ThatAStoppedWorkerHasBegunAreGivenBackAtOnce) {
  thread_local bool is_worker = false;
  Log log;
  log.on = [](const Event&) { is_worker = true; };
  Gate begun;
  Crawl crawl{[&](Context& ctx, const std::string&) {
                if (!is_worker) return begun.await();
                begun.open();
                while (!ctx.stop_token().stop_requested()) std::this_thread::yield();
                throw std::runtime_error("stopped");
              },
              {"a", "b"},
              1};
  std::stop_source end;
  WorkReport done;
  std::thread worker{
      [&] { done = work(crawl.pipeline, store, {.stop = end.get_token(), .observers = {&log}}); }};
  std::thread owner{[&] { EXPECT_EQ(resume(crawl.pipeline, store, options()).exit_code(), 0); }};
  begun.await();
  end.request_stop();
  worker.join();
  owner.join();
  EXPECT_EQ(done.given_back, 1U);
  EXPECT_EQ(done.lost + done.failed + done.committed, 0U);
  EXPECT_EQ(crawl.calls.take(), "a, b, step a, step b");
}

/// A worker that claims an item and is never heard of again.
void lose(MemoryStore& store, const Pipeline& pipeline, const std::string& item) {
  const auto& graph = detail::graph_of(pipeline);
  const std::string program = run::program_of(graph, record::World{}.build());
  while (true) {
    const auto id = store.join({.host = "elsewhere", .pid = 7}, milliseconds{0});
    const Claimed found = store.claim(id, graph.pipeline, program, "r", 1);
    if (found.claims.empty()) continue;
    if (found.claims.front().task.item == item) return;
    store.give_back(found.claims.front());
  }
}

TEST_F(SharedItems, WhoseWorkersAreLostThreeTimesFail) {
  Gate failed;
  Gate begun;
  Crawl crawl{[&](Context&, const std::string& page) {
                if (page != "a") return;
                begun.open();
                failed.await();
              },
              {"a", "b"},
              1};
  Log log;
  log.on = [&](const Event& event) {
    if (event.kind == EventKind::failed) failed.open();
  };
  auto how = options();
  how.observers = {&log};
  std::optional<Report> report;
  std::thread owner{[&] { report = resume(crawl.pipeline, store, how); }};
  begun.await();
  for (int i = 0; i < 3; ++i) lose(store, crawl.pipeline, "b");
  owner.join();
  EXPECT_EQ(report->outcome(), Outcome::failed);
  ASSERT_NE(log.first(EventKind::failed), nullptr);
  EXPECT_EQ(log.first(EventKind::failed)->item, "b");
  EXPECT_THAT(log.first(EventKind::failed)->message,
              HasSubstr("its worker was lost 3 times (pid 7 on elsewhere, "));
  EXPECT_EQ(crawl.calls.of("b"), 0);
  // The next call has a new allowance.
  EXPECT_EQ(resume(crawl.pipeline, store, options()).outcome(), Outcome::done);
  EXPECT_EQ(crawl.calls.of("b"), 1);
  EXPECT_EQ(crawl.calls.of("a"), 1);
}

TEST_F(SharedItems, KeepTheStepsOfAWorkerThatWasLost) {
  // A worker has done the step of "b" and is lost: the next one does the rest.
  Gate begun;
  Gate lost;
  std::atomic<int> tries{0};
  Crawl crawl{[&](Context&, const std::string& page) {
                if (page == "b" && ++tries == 1) {
                  begun.open();
                  lost.await();
                }
              },
              {"b"},
              1};
  auto how = options();
  how.concurrency = 2;
  std::thread owner{[&] { EXPECT_EQ(resume(crawl.pipeline, store, how).exit_code(), 0); }};
  begun.await();
  // To the store it is as if the owner's own worker had been suspended for too long.
  for (const WorkerInfo& one : store.workers()) store.beat(one.id, milliseconds{0}, {});
  while (tries < 2) std::this_thread::yield();
  lost.open();
  owner.join();
  EXPECT_EQ(crawl.calls.of("step b"), 1);
}

TEST_F(SharedItems, AreNotSharedByAStoreThatCannot) {
  FileStore files{folder / "files"};
  Crawl crawl;
  const auto code = [&](const ResumeOptions& how, CheckpointStore& in) {
    try {
      static_cast<void>(resume(crawl.pipeline, in, how));
    } catch (const Error& error) {
      return error.errc();
    }
    return Errc::no_value;
  };
  EXPECT_EQ(code(options(), files), Errc::bad_option);
  auto queued = options();
  queued.durability = Durability::queued;
  EXPECT_EQ(code(queued, store), Errc::bad_option);
  auto elsewhere = options();
  elsewhere.executor = [](std::function<void()> work) { work(); };
  EXPECT_EQ(code(elsewhere, store), Errc::bad_option);
  EXPECT_THROW(static_cast<void>(work(crawl.pipeline, files)), Error);
  EXPECT_THAT(crawl.calls.take(), IsEmpty());
}

TEST_F(SharedItems, AreListedByTheStatusWithWhoHasThem) {
  Gate looked;
  Gate begun;
  Crawl crawl{[&](Context&, const std::string&) {
                begun.open();
                looked.await();
              },
              {"a"},
              1};
  std::thread owner{[&] { EXPECT_EQ(resume(crawl.pipeline, store, options()).exit_code(), 0); }};
  begun.await();
  const RunStatus now = status(crawl.pipeline, store, "r");
  ASSERT_THAT(now.workers, SizeIs(1));
  EXPECT_EQ(now.workers[0].pid, ::getpid());
  EXPECT_EQ(now.workers[0].slots, 1U);
  ASSERT_THAT(now.work, SizeIs(1));
  EXPECT_EQ(now.work[0].stage, "pages");
  EXPECT_EQ(now.work[0].item, "a");
  EXPECT_EQ(now.work[0].worker, now.workers[0].id);
  looked.open();
  owner.join();
}

TEST_F(SharedItems, TakeArgumentsOfEveryKind) {
  fs::create_directories(folder / "in");
  write_file(folder / "in/one.txt", "1");
  write_file(folder / "in/two.txt", "2");
  Pipeline p{"kinds"};
  const auto number = p.input("number", 3);
  const auto key = p.secret("key", "k"s);
  const auto files = p.files("files", folder / "in");
  const auto numbers = p.stage("numbers", inputs(number), [](int n) {
    return std::vector<int>{n, n + 1, n + 2};
  });
  const auto squares = p.stage("squares", inputs(each(numbers), key, number),
                               [](int one, const std::string& secret, int all) {
                                 return std::to_string(one * one + all) + secret;
                               });
  const auto joined =
      p.stage("joined", inputs(each(squares), matching(squares)),
              [](const std::string& one, const std::string& other) { return one + "=" + other; });
  const auto texts = p.stage("texts", inputs(each(files)),
                             [](const SourceFile& file) { return file.name + ":" + file.read(); });
  const auto all = p.stage("all", inputs(joined, texts), [](const Strings& a, const Strings& b) {
    std::string text;
    for (const std::string& one : a) text += one + " ";
    for (const std::string& one : b) text += one + " ";
    return text;
  });
  Log log;
  auto how = options();
  how.observers = {&log};
  const Report report = resume(p, store, how);
  ASSERT_TRUE(report) << report.error()->what();
  EXPECT_EQ(report[all], "12k=12k 19k=19k 28k=28k one.txt:1 two.txt:2 ");
  MemoryStore alone;
  const Report expected = resume(p, alone, options(false));
  EXPECT_EQ(report[all], expected[all]);
}

TEST_F(SharedItems, FailWaitAndAreTriedAgainAsWithoutSharing) {
  const auto story = [&](MemoryStore& in, bool share) {
    auto how = options(share);
    how.keep_going = true;
    how.artifact_folder.clear();
    bool bad = true;
    std::atomic<int> tries{0};
    Pipeline p{"p"};
    const auto names = p.input("names", Strings{"a", "b", "c"});
    p.stage({.name = "words", .retry = {.attempts = 2, .initial_delay = milliseconds{0}}},
            inputs(each(names)), [&](Context& ctx, const std::string& name) {
              if (name == "a" && ++tries == 1) throw Retryable("once");
              if (name == "b" && bad) throw std::runtime_error("bad luck");
              if (name == "c") ctx.require_approval("look at c");
              return name;
            });
    std::string text;
    const auto run = [&] {
      Log log;
      how.observers = {&log};
      const Report report = resume(p, in, how);
      text += std::string{to_string(report.outcome())} + "; ";
      if (const auto* error = report.error()) text += std::string{error->what()} + "; ";
      for (const StageReport& stage : report.stages()) {
        text += stage.stage + " " + std::to_string(stage.items_run) + " " + stage.message + "; ";
      }
      for (const Event& event : log.events) {
        if (event.kind == EventKind::retried) text += Log::line(event) + "; ";
      }
    };
    run();
    bad = false;
    approve(p, in, "r", "words/c", "me");
    run();
    return text + std::to_string(tries);
  };
  MemoryStore alone;
  const std::string expected = story(alone, false);
  EXPECT_THAT(expected, HasSubstr("item 'b' failed: bad luck"));
  EXPECT_EQ(story(store, true), expected);
}

TEST_F(SharedItems, AreComputedByAWorkerThatMayBeSilentForEver) {
  Gate both;
  std::atomic<std::size_t> alive = 0;
  Crawl crawl{[&](Context&, const std::string& page) {
    if (page.size() > 1) return;
    both.meet(2);
    alive = store.capability<WorkQueue>()->workers().size();
  }};
  std::stop_source end;
  WorkReport done;
  std::thread worker{[&] {
    done = work(crawl.pipeline, store, {.stop = end.get_token(), .ttl = milliseconds::max()});
  }};
  const Report report = resume(crawl.pipeline, store, options());
  end.request_stop();
  worker.join();
  EXPECT_EQ(report.outcome(), Outcome::done);
  EXPECT_EQ(alive, 2U) << "the owner and the worker";
  EXPECT_GE(done.committed, 1U);
  EXPECT_EQ(done.failed + done.lost, 0U);
}

/// A store that notes which threads ask for items.
class Asked final : public ForwardingStore {
 public:
  explicit Asked(MemoryStore& memory) : ForwardingStore(memory), queue_(*this, memory) {}
  std::vector<std::thread::id> threads() const {
    const std::scoped_lock lock{guard_};
    return threads_;
  }

 private:
  struct Queue final : store::Sharing {
    Queue(Asked& of, MemoryStore& memory) : Sharing(memory, memory), of_(of) {}
    Claimed claim(std::uint64_t worker, std::string_view pipeline, std::string_view program,
                  std::string_view run, std::size_t most) override {
      {
        const std::scoped_lock lock{of_.guard_};
        of_.threads_.push_back(std::this_thread::get_id());
      }
      return Sharing::claim(worker, pipeline, program, run, most);
    }
    Asked& of_;
  };
  CheckpointStore* do_capability() noexcept override { return &queue_; }

  mutable std::mutex guard_;
  std::vector<std::thread::id> threads_;
  Queue queue_;
};

TEST_F(SharedItems, AreLookedForByOneThreadOfAProcessThatHasNone) {
  constexpr int slots = 4;
  Asked asked{store};
  Gate all;
  Strings pages;
  for (int i = 0; i <= slots; ++i) pages.push_back(std::to_string(i));
  Crawl crawl{[&](Context&, const std::string&) { all.meet(slots + 1); }, pages, 1};
  std::stop_source end;
  WorkReport done;
  std::thread worker{
      [&] { done = work(crawl.pipeline, asked, {.slots = slots, .stop = end.get_token()}); }};
  while (asked.threads().size() < 2U * slots + 10) std::this_thread::yield();
  const auto threads = asked.threads();
  EXPECT_EQ(std::set<std::thread::id>(threads.end() - 10, threads.end()).size(), 1U);
  // Once there are some, all of them compute at the same time.
  auto how = options();
  how.concurrency = 1;
  EXPECT_EQ(resume(crawl.pipeline, store, how).outcome(), Outcome::done);
  end.request_stop();
  worker.join();
  EXPECT_EQ(done.committed, std::size_t{slots});
}

TEST_F(SharedItems, MayCloseTheirFanOut) {
  Gate both;
  Pipeline p{"p"};
  std::vector<int> list(40);
  std::iota(list.begin(), list.end(), 0);
  const auto numbers = p.input("numbers", list);
  const auto samples = p.stage("samples", inputs(each(numbers)), [&](Context& ctx, int number) {
    if (number < 2) {
      both.meet(2);
      ctx.close("enough");
    }
    return number;
  });
  const auto count =
      p.stage("count", inputs(samples), [](const std::vector<int>& all) { return all.size(); });
  auto how = options();
  how.concurrency = 2;
  const Report report = resume(p, store, how);
  ASSERT_TRUE(report) << report.error()->what();
  EXPECT_GE(report[count], 2U);
  EXPECT_LT(report[count], 20U);
  EXPECT_TRUE(ResumePlanner{store}.plan(p, options()).complete());
}

TEST_F(SharedItems, MayBeClosedByTheOwnerAndAWorkerAtOnce) {
  Gate both;
  Calls calls;
  Pipeline p{"p"};
  const auto numbers = p.input("numbers", std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto samples = p.stage("samples", inputs(each(numbers)), [&](Context& ctx, int number) {
    calls(std::to_string(number));
    both.meet(2);
    ctx.close("enough");
    return number;
  });
  const auto count =
      p.stage("count", inputs(samples), [](const std::vector<int>& all) { return all.size(); });
  std::stop_source end;
  WorkReport done;
  std::thread worker{[&] { done = work(p, store, {.stop = end.get_token()}); }};
  const Report report = resume(p, store, options());
  end.request_stop();
  worker.join();
  ASSERT_TRUE(report) << report.error()->what();
  EXPECT_GE(report[count], 2U) << "what both have made counts";
  EXPECT_EQ(done.failed + done.lost + done.given_back, 0U);
  for (int number = 0; number < 10; ++number) {
    EXPECT_LE(calls.of(std::to_string(number)), 1) << number;
  }
  EXPECT_TRUE(ResumePlanner{store}.plan(p, options()).complete());
}

}  // namespace
}  // namespace resumable::test
