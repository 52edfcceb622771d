// The cache across runs.
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;

/// A stage that expands a domain through the cache.
struct Expanding {
  Expanding(Calls& calls, const std::string& domain, std::chrono::seconds max_age = 0s) {
    const auto given = pipeline.input("domain", domain);
    result.emplace(pipeline.stage(
        "expand", inputs(given), [&calls, max_age](Context& ctx, const std::string& d) {
          return ctx.cached("expansion", with(d), {.max_age = max_age}, [&] {
            calls(d);
            return std::vector<std::string>{d + " 1", d + " 2"};
          });
        }));
  }
  Pipeline pipeline{"p"};
  std::optional<Stage<std::vector<std::string>>> result;
};

TEST(Cached, ValuesAreFoundByOtherRunsByContent) {
  const TempFolder folder;
  FileStore files{folder / "store"};
  MemoryStore memory;
  for (CheckpointStore* store :
       {static_cast<CheckpointStore*>(&files), static_cast<CheckpointStore*>(&memory)}) {
    Calls calls;
    for (const char* run : {"one", "two"}) {
      for (const char* domain : {"law", "trade"}) {
        Expanding program{calls, domain};
        const Report report = resume(program.pipeline, *store, {.run = std::string{run} + domain});
        ASSERT_TRUE(report);
        EXPECT_EQ(report[*program.result], (Strings{domain + " 1"s, domain + " 2"s}));
      }
    }
    EXPECT_EQ(calls.take(), "law, trade");
    Strings runs;
    store->runs("", [&](std::string_view run) {
      runs.emplace_back(run);
      return true;
    });
    EXPECT_EQ(runs.size(), 4U) << "the cache is nobody's run";
  }
}

TEST(Cached, ValuesAreComputedAgainWhenTheyAreTooOld) {
  MemoryStore store;
  ManualTime time;
  Calls calls;
  const auto run = [&](const std::string& id) {
    Expanding program{calls, "law", 60s};
    Log log;
    EXPECT_TRUE(resume(program.pipeline, store, {.run = id, .observers = {&log}}));
    return log.lines(EventKind::cache_missed).size();
  };
  EXPECT_EQ(run("1"), 0U) << "nothing is missed that never was";
  time.clock.advance(59s);
  EXPECT_EQ(run("2"), 0U);
  EXPECT_EQ(calls.take(), "law");
  time.clock.advance(2s);
  EXPECT_EQ(run("3"), 1U);
  EXPECT_EQ(calls.take(), "law");
  time.clock.advance(59s);
  EXPECT_EQ(run("4"), 0U) << "it is a minute old, not two";
  EXPECT_EQ(calls.take(), "");
}

TEST(Cached, ValuesThatAreDamagedAreReportedAndComputedAgain) {
  for (const bool torn : {true, false}) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    Calls calls;
    const auto run = [&](const std::string& id) {
      Expanding program{calls, "law"};
      Log log;
      EXPECT_TRUE(resume(program.pipeline, store, {.run = id, .observers = {&log}}));
      return log.lines(EventKind::cache_missed).size();
    };
    run("1");
    std::filesystem::path entry;
    for (const auto& one : std::filesystem::recursive_directory_iterator(folder / "store")) {
      const bool ours = one.path().string().find("expansion") != std::string::npos;
      if (ours && one.is_regular_file()) entry = one.path();
    }
    ASSERT_FALSE(entry.empty());
    std::string bytes = read_file(entry);
    if (torn) {
      bytes.resize(bytes.size() / 2);
    } else {
      bytes[bytes.size() - 4] ^= 1;
    }
    write_file(entry, bytes);
    EXPECT_EQ(run("2"), 1U);
    EXPECT_EQ(calls.take(), "law x2");
    EXPECT_EQ(run("3"), 0U);
    EXPECT_EQ(calls.take(), "");
  }
}

TEST(Cached, ValuesAreGivenEvenIfTheyCannotBeKept) {
  MemoryStore store;
  const auto other = store.lease("@cache");
  std::stop_source stop;
  Pipeline p{"p"};
  const auto stage = p.stage("s", [&](Context& ctx) {
    return ctx.cached("answer", with(1), [&] {
      stop.request_stop();  // which ends the waiting for the other owner
      return 42;
    });
  });
  Log log;
  const Report report =
      resume(p, store, {.run = "r", .stop = stop.get_token(), .observers = {&log}});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[stage], 42);
  EXPECT_EQ(log.lines(EventKind::cache_missed), Strings{"cache_missed s:answer"});
  EXPECT_THAT(log.first(EventKind::cache_missed)->message,
              ::testing::StartsWith("step 'answer' is not kept in the cache: "));
}

TEST(Cached, NoRunHasANameOfTheLibrarys) {
  MemoryStore store;
  Calls calls;
  Expanding program{calls, "law"};
  EXPECT_EQ(code_of([&] { static_cast<void>(resume(program.pipeline, store, {.run = "@cache"})); }),
            Errc::bad_name);
}

}  // namespace
}  // namespace resumable::test
