// What throws inside a run: stages, helpers of the host, values that cannot be saved.
#include <latch>
#include <limits>

#include "run/run_support.hpp"

namespace resumable::test {
struct NotAnError {};

/// Its JSON cannot be made when `text` says so.
struct Odd {
  std::string text;
};
inline void to_json(Json& json, const Odd& odd) {
  if (odd.text == "std") throw std::runtime_error("no JSON for you");
  if (odd.text == "int") throw 42;
  json = Json{{"text", odd.text}};
}
inline void from_json(const Json& json, Odd& odd) { json.at("text").get_to(odd.text); }

struct Score {
  std::string name;
  std::vector<double> values;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Score, name, values)

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Failures, NothingNewStartsAndWhatRunsIsKept) {
  MemoryStore store;
  Log log;
  Calls calls;
  std::latch b_runs{1};
  std::latch a_failed{1};
  log.on = [&](const Event& event) {
    if (event.kind == EventKind::failed) a_failed.count_down();
  };
  Pipeline memo{"memo"};
  const auto names = memo.input("names", Strings{"a", "b", "c", "d"});
  const auto pages = memo.stage("pages", inputs(each(names)), [&](const std::string& n) {
    calls(n);
    if (n == "a") {
      b_runs.wait();
      throw std::runtime_error("a is bad");
    }
    b_runs.count_down();
    a_failed.wait();
    return n;
  });
  memo.stage("other", inputs(pages), [](const Strings&) { return 1; });
  const Report report = resume(memo, store, {.run = "r", .concurrency = 2, .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_EQ(calls.take(), "a, b");
  EXPECT_EQ(outline(report), "pages failed, other not_started");
  EXPECT_EQ(report.stage("pages").message, "a is bad");
  EXPECT_THROW(std::rethrow_exception(report.stage("pages").error), std::runtime_error);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->errc(), Errc::stage_failed);
  EXPECT_STREQ(report.error()->what(), "stage 'pages', item 'a' failed: a is bad");
  EXPECT_THAT(log.lines(EventKind::committed), ElementsAre("committed pages/b"));
  EXPECT_EQ(ResumePlanner{store}.plan(memo, {.run = "r"})["pages"].skipped, 1U);
}

TEST(Failures, KeepGoingGoesOnWithWhatDoesNotDependOnIt) {
  MemoryStore store;
  Calls calls;
  Pipeline memo{"memo"};
  const auto bad = memo.stage("bad", []() -> int { throw std::runtime_error("first"); });
  memo.stage("follows", inputs(bad), [](int n) { return n; });
  const auto names = memo.input("names", Strings{"a", "b", "c"});
  memo.stage("pages", inputs(each(names)), [&](const std::string& n) {
    calls(n);
    if (n == "a") throw std::runtime_error("second");
    return n;
  });
  memo.stage("free", [&] {
    calls("free");
    return 1;
  });
  const Report report = resume(memo, store, {.run = "r", .keep_going = true});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_EQ(calls.take(), "a, b, c, free");
  EXPECT_EQ(outline(report), "bad failed, follows not_started, pages failed, free ran");
  EXPECT_STREQ(report.error()->what(),
               "stage 'bad' failed: first; stage 'pages' also failed: second");
  EXPECT_EQ(report.stage("pages").items_run, 2U);
}

TEST(Failures, OfAnyKindAreKeptInside) {
  const std::vector<std::pair<std::function<int()>, std::string>> bodies{
      {[]() -> int { throw std::runtime_error("plain"); }, "plain"},
      {[]() -> int { throw 42; }, "an exception of type int was thrown"},
      {[]() -> int { throw NotAnError{}; },
       "an exception of type resumable::test::NotAnError was thrown"},
      {[]() -> int {
         try {
           throw std::runtime_error("inner");
         } catch (...) {
           std::throw_with_nested(std::runtime_error("outer"));
         }
       },
       "outer: inner"},
      {[]() -> int {
         try {
           throw 1;
         } catch (...) {
           std::throw_with_nested(std::runtime_error("outer"));
         }
       },
       "outer: an exception of type int was thrown"}};
  for (const auto& [body, message] : bodies) {
    for (const unsigned concurrency : {1U, 2U}) {
      MemoryStore store;
      Pipeline memo{"memo"};
      memo.stage("draft", body);
      const Report report = resume(memo, store, {.run = "r", .concurrency = concurrency});
      EXPECT_EQ(report.exit_code(), 1);
      EXPECT_EQ(report.stage("draft").message, message);
    }
  }
}

TEST(Failures, OfTheHostsOwnHelpersAreKeptInside) {
  for (const unsigned concurrency : {1U, 2U}) {
    const auto failing = [&](const std::function<void(Pipeline&)>& declare) {
      MemoryStore store;
      TempFolder folder;
      Pipeline memo{"memo"};
      declare(memo);
      const Report report = resume(
          memo, store, {.run = "r", .concurrency = concurrency, .artifact_folder = folder.path()});
      EXPECT_EQ(report.exit_code(), 1);
      return std::string{report.error() != nullptr ? report.error()->what() : "no error"};
    };
    const auto key = [](int how) {
      return [how](Pipeline& memo) {
        memo.stage("pages",
                   inputs(each(memo.input("list", std::vector<int>{1}),
                               [how](int) {
                                 if (how == 1) throw std::runtime_error("no key");
                                 throw 42;
                                 return std::string{};
                               })),
                   [](int n) { return n; });
      };
    };
    EXPECT_THAT(failing(key(1)), HasSubstr("no key"));
    EXPECT_THAT(failing(key(2)), HasSubstr("an exception of type int was thrown"));
    const auto json = [](std::string how) {
      return [how](Pipeline& memo) { memo.stage("odd", [how] { return Odd{how}; }); };
    };
    EXPECT_THAT(failing(json("std")), HasSubstr("no JSON for you"));
    EXPECT_THAT(failing(json("int")), HasSubstr("an exception of type int was thrown"));
    const auto render = [](int how) {
      return [how](Pipeline& memo) {
        memo.artifact(memo.stage("text", [] { return "x"s; }), "x.md",
                      [how](const std::string& text) {
                        if (how == 1) throw std::runtime_error("no text");
                        if (how == 2) throw 42;
                        return text;
                      });
      };
    };
    EXPECT_THAT(failing(render(1)), HasSubstr("no text"));
    EXPECT_THAT(failing(render(2)), HasSubstr("an exception of type int was thrown"));
  }
}

TEST(Failures, AValueThatCannotBeSavedNamesItsPlaceAndIsNotTriedAgain) {
  MemoryStore store;
  Calls calls;
  Pipeline memo{"memo"};
  memo.stage({.name = "score", .retry = {.attempts = 3}}, [&](Context& ctx) {
    calls("score");
    ctx.spend({.usd = 2});
    return Score{"x", {1, std::numeric_limits<double>::quiet_NaN()}};
  });
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 1);
  ASSERT_EQ(code_of(report), Errc::not_encodable);
  EXPECT_EQ(report.error()->info().path, "/values/1");
  EXPECT_EQ(report.error()->info().stage, "score");
  EXPECT_EQ(calls.take(), "score");
  const Plan plan = ResumePlanner{store}.plan(memo, {.run = "r"});
  EXPECT_EQ(plan["score"].causes.front().text(),
            "failed after 1 attempt: stage 'score': JSON has no NaN (/values/1)");

  Pipeline fixed{"memo"};
  fixed.stage("score", [](Context& ctx) {
    EXPECT_EQ(ctx.attempt_number(), 2U);
    return Score{"x", {1}};
  });
  EXPECT_TRUE(resume(fixed, store, {.run = "r"}));
  EXPECT_EQ(resume(fixed, store, {.run = "r"}).savings().cost, Cost{2})
      << "what failed was paid, too";
}

TEST(Failures, AnInputThatCannotBeSavedIsRefused) {
  MemoryStore store;
  Pipeline memo{"memo"};
  memo.input("limit", std::numeric_limits<double>::infinity());
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(code_of(report), Errc::not_encodable);
  EXPECT_EQ(report.outcome(), Outcome::refused);
  EXPECT_THAT(report.error()->what(), HasSubstr("input 'limit'"));
}

TEST(Failures, AnObserverThatThrowsIsDetachedWithAWarning) {
  MemoryStore store;
  Log first;
  Log second;
  first.on = [](const Event& event) {
    if (event.seq == 2) throw std::runtime_error("disk full");
  };
  Log third;
  third.on = [](const Event& event) {
    if (event.seq == 3) throw 42;
  };
  Pipeline memo{"memo"};
  memo.stage("draft", [] { return 1; });
  const Report report = resume(memo, store, {.run = "r", .observers = {&first, &third, &second}});
  EXPECT_TRUE(report);
  EXPECT_EQ(first.events.size(), 2U);
  EXPECT_EQ(third.events.size(), 3U);
  EXPECT_EQ(second.events.back().kind, EventKind::run_finished);
  ASSERT_EQ(report.warnings().size(), 2U);
  EXPECT_THAT(report.warnings()[0], HasSubstr("detached: disk full"));
}

}  // namespace
}  // namespace resumable::test
