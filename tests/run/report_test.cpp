// What a report, its events and a run's state tell a host.
#include <stop_token>

#include <nlohmann/json.hpp>

#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Four pages, of which those in `bad` fail; each is tried twice.
struct Chapters {
  explicit Chapters(const Strings& bad, const Strings& names = {"a", "b", "c", "d"}) {
    const auto list = pipeline.input("names", names);
    pages.emplace(pipeline.stage(
        {.name = "pages", .retry = {.attempts = 2, .initial_delay = std::chrono::milliseconds{0}}},
        inputs(each(list)), [bad](Context& ctx, const std::string& name) {
          ctx.spend({.usd = 0.5});
          if (std::ranges::count(bad, name) > 0) throw Retryable("no " + name);
          return "page " + name;
        }));
  }
  Pipeline pipeline{"p"};
  std::optional<FanOut<std::string>> pages;
};

TEST(ReportOfItems, GivesOutcomeErrorAndAttemptsOfEachItem) {
  MemoryStore store;
  const ManualTime time;
  ASSERT_FALSE(resume(Chapters{{"b"}, {"a"}}.pipeline, store, {.run = "r"}).error());
  Chapters pages{{"b", "d"}};
  const Report report = resume(pages.pipeline, store, {.run = "r", .keep_going = true});
  const std::vector<ItemReport> items = report.items(*pages.pages);
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items[0].outcome, StageOutcome::skipped);
  EXPECT_EQ(items[0].attempts, 0U);
  EXPECT_EQ(items[1].outcome, StageOutcome::failed);
  EXPECT_EQ(items[1].attempts, 2U);
  EXPECT_EQ(items[1].message, "no b");
  ASSERT_TRUE(items[1].error);
  EXPECT_THROW(std::rethrow_exception(items[1].error), Retryable);
  EXPECT_EQ(items[1].cost.usd, 1.0) << "both attempts were paid";
  EXPECT_EQ(items[2].outcome, StageOutcome::ran);
  EXPECT_EQ(items[2].attempts, 1U);
  EXPECT_EQ(items[2].cost.usd, 0.5);
  EXPECT_EQ(items[3].message, "no d") << "not only the first failure is told";
  EXPECT_EQ(report.stage("pages").items_failed, 2U);
  EXPECT_EQ(report.stage("pages").items_run, 1U);
}

TEST(ReportOfItems, SaysWhichWereNotStarted) {
  MemoryStore store;
  const ManualTime time;
  Chapters pages{{"b"}};
  const Report report = resume(pages.pipeline, store, {.run = "r"});
  std::string outcomes;
  for (const ItemReport& item : report.items("pages")) {
    outcomes += item.key + " " + std::string{to_string(item.outcome)} + ", ";
  }
  EXPECT_EQ(outcomes, "a ran, b failed, c not_started, d not_started, ");
  EXPECT_THROW(static_cast<void>(report.items("nobody")), Error);
}

TEST(ReportText, NamesEachFailedItemAndWhatToDo) {
  MemoryStore store;
  const ManualTime time;
  Chapters pages{{"b", "d"}};
  const Report report = resume(pages.pipeline, store, {.run = "r", .keep_going = true});
  EXPECT_THAT(
      report.text(),
      HasSubstr("2 of 4 items of stage 'pages' failed\nalso failed: pages/d: no d (2 attempts)\n"));
  EXPECT_THAT(report.text(), HasSubstr("next"));
  EXPECT_EQ(report.summary(), "") << "there was nothing to resume from";
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json.at("exit"), 1);
  EXPECT_EQ(json.at("error").at("code"), "stage_failed");
  const auto& stage = json.at("stages").at(0);
  EXPECT_EQ(stage.at("items"), nlohmann::json::parse(R"({"total":4,"run":2,"kept":0,"failed":2})"));
  EXPECT_EQ(stage.at("failed").at(1),
            nlohmann::json::parse(R"({"item":"d","attempts":2,"message":"no d"})"));
}

TEST(ReportText, SaysWhatResumingHasSaved) {
  MemoryStore store;
  const ManualTime time;
  ASSERT_TRUE(resume(Chapters{{}}.pipeline, store, {.run = "r"}));
  const Report report = resume(Chapters{{}}.pipeline, store, {.run = "r"});
  EXPECT_EQ(report.text(), "");
  EXPECT_EQ(report.summary(), "resumed: 1 of 1 stages skipped, saving 0 ms and $2.00");
}

class EventSink final : public Observer {
 public:
  explicit EventSink(std::function<void(const Event&)> call) : call_(std::move(call)) {}
  void on_event(const Event& event) override { call_(event); }

 private:
  std::function<void(const Event&)> call_;
};

/// What a progress bar shows after each event: `pages 2/4`. It counts nothing itself.
class Bar final : public Observer {
 public:
  void on_event(const Event& event) override {
    if (event.kind == EventKind::planned) stages_ = event.counts.value();
    if (event.stage.empty() || !event.counts) return;
    last_ = *event.counts;
    lines.push_back(std::to_string(last_.done) + "/" + std::to_string(last_.total));
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  }
  Strings lines;
  Counts stages_;
  Counts last_;
};

TEST(ProgressBars, KnowHowManyItemsThereAreAndWhichAreKept) {
  MemoryStore store;
  ASSERT_TRUE(resume(Chapters{{}, {"a", "c"}}.pipeline, store, {.run = "r"}));
  Bar bar;
  ASSERT_TRUE(resume(Chapters{{}}.pipeline, store, {.run = "r", .observers = {&bar}}));
  EXPECT_EQ(bar.stages_, (Counts{.total = 1, .kept = 0, .to_run = 1}));
  EXPECT_THAT(bar.lines, ElementsAre("2/4", "3/4", "4/4"));
}

TEST(ProgressBars, KnowTheItemsOfAListThatAStageMakes) {
  MemoryStore store;
  Pipeline pipeline{"p"};
  const auto list = pipeline.stage("list", [] { return Strings{"a", "b"}; });
  pipeline.stage("pages", inputs(each(list)), [](const std::string& name) { return name; });
  Bar bar;
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .observers = {&bar}}));
  EXPECT_EQ(bar.stages_.total, 2U);
  EXPECT_THAT(bar.lines, ElementsAre("0/2", "1/2", "2/2"));
}

TEST(ProgressBars, SeeWhichItemsHaveFailed) {
  MemoryStore store;
  Bar bar;
  const Report report = resume(Chapters{{"b"}}.pipeline, store,
                               {.run = "r", .keep_going = true, .observers = {&bar}});
  EXPECT_FALSE(report);
  EXPECT_EQ(bar.last_, (Counts{.total = 4, .kept = 0, .to_run = 4, .done = 3, .failed = 1}));
}

TEST(ProgressBars, ThatRiseAlsoWhenItemsFinishAtTheSameTime) {
  MemoryStore store;
  Pipeline pipeline{"p"};
  std::vector<int> numbers(200);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto list = pipeline.input("list", numbers);
  pipeline.stage("pages", inputs(each(list)), [](int number) { return number; });
  Bar bar;
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .concurrency = 8, .observers = {&bar}}));
  Strings expected;
  for (int i = 0; i <= 200; ++i) expected.push_back(std::to_string(i) + "/200");
  EXPECT_EQ(bar.lines, expected);
}

TEST(ProgressBars, EndFullWhenItemsRepeatOthers) {
  MemoryStore store;
  Pipeline pipeline{"p"};
  const auto list = pipeline.input("list", Strings{"a", "b", "a"});
  pipeline.stage("pages", inputs(each(list)), [](const std::string& name) { return name; });
  Bar bar;
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .observers = {&bar}}));
  EXPECT_EQ(bar.lines.back(), "3/3");
}

TEST(ProgressBars, KnowAllStagesAndHowLongTheyTookTheLastTime) {
  MemoryStore store;
  ManualTime time;
  Pipeline pipeline{"p"};
  const auto a = pipeline.stage("a", [&] {
    time.clock.advance(std::chrono::seconds{90});
    return 1;
  });
  pipeline.stage("b", inputs(a), [](int number) { return number; });
  std::vector<PlannedStage> stages;
  EventSink sink{[&](const Event& event) {
    if (event.kind == EventKind::planned) stages = event.stages;
  }};
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .observers = {&sink}}));
  EXPECT_THAT(stages,
              ElementsAre(PlannedStage{"a", Action::run, {}}, PlannedStage{"b", Action::run, {}}));
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .redo = {"a"}, .observers = {&sink}}));
  EXPECT_THAT(stages, ElementsAre(PlannedStage{"a", Action::run, Seconds{90}},
                                  PlannedStage{"b", Action::decide, Seconds{0}}));
}

TEST(ProgressBars, GrowWithAQueue) {
  MemoryStore store;
  Pipeline pipeline{"p"};
  const auto first = pipeline.input("first", std::vector<int>{0});
  pipeline.queue("count", inputs(each(first)), [](Context& ctx, int number) {
    if (number < 2) ctx.enqueue(number + 1);
    return number;
  });
  Bar bar;
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .observers = {&bar}}));
  EXPECT_THAT(bar.lines, ElementsAre("0/1", "1/1", "1/2", "2/2", "2/3", "3/3"));
}

TEST(RunStates, TellHowTheLastCallEnded) {
  MemoryStore store;
  const ManualTime time;
  EXPECT_EQ(run_state(store, "r"), std::nullopt);
  static_cast<void>(store.lease("r"));
  EXPECT_EQ(run_state(store, "r"), RunState::not_begun);
  static_cast<void>(resume(Chapters{{"a"}}.pipeline, store, {.run = "r"}));
  EXPECT_EQ(run_state(store, "r"), RunState::failed);
  std::stop_source source;
  source.request_stop();
  static_cast<void>(resume(Chapters{{}}.pipeline, store, {.run = "r", .stop = source.get_token()}));
  EXPECT_EQ(run_state(store, "r"), RunState::interrupted);
  ASSERT_TRUE(resume(Chapters{{}}.pipeline, store, {.run = "r"}));
  EXPECT_EQ(run_state(store, "r"), RunState::done);
  const auto lease = store.lease("r");
  EXPECT_EQ(run_state(store, "r"), RunState::running);
  lease->manifest(R"({"status":"running"})");
  EXPECT_EQ(status(Chapters{{}}.pipeline, store, "r").state, RunState::running);
}

TEST(WhatCannotBeMeant, IsRefusedBeforeAnythingIsWritten) {
  MemoryStore store;
  const auto refused = [&](const Pipeline& pipeline, const ResumeOptions& options) {
    try {
      static_cast<void>(resume(pipeline, store, options));
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::bad_option);
      return error.info().what;
    }
    return std::string{};
  };
  const Pipeline empty{"empty"};
  EXPECT_EQ(refused(empty, {.run = "r"}), "pipeline 'empty' declares nothing");
  EXPECT_EQ(refused(Chapters{{}}.pipeline, {.run = "r", .observers = {nullptr}}),
            "an observer is a null pointer");
  EXPECT_EQ(run_state(store, "r"), std::nullopt);
}

TEST(WhatCannotBeMeant, ANameThatIsDeclaredTwiceIsNamedOnce) {
  Pipeline p{"p"};
  p.stage("a", [] { return 1; });
  try {
    p.stage("a", [] { return 2; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.info().what, "'a' is declared twice in pipeline p");
  }
}

/// Values that cannot be loaded while memory is lacking: of the library's codec and of one's own.
struct Large {
  static inline bool lacks_memory = false;
  static Large made_of(std::string text) {
    if (lacks_memory) throw std::bad_alloc{};
    return {std::move(text)};
  }
  std::string text;
};
struct LargeInJson : Large {
  friend void to_json(Json& json, const LargeInJson& value) { json = value.text; }
  friend void from_json(const Json& json, LargeInJson& value) {
    value.text = made_of(json.get<std::string>()).text;
  }
};
struct LargeWithACodec : Large {};

template <class T>
class ReportsOf : public ::testing::Test {};
using LargeValues = ::testing::Types<LargeInJson, LargeWithACodec>;

}  // namespace
}  // namespace resumable::test

template <>
struct resumable::Codec<resumable::test::LargeWithACodec> {
  static constexpr CodecId id{64};
  static std::string encode(const test::LargeWithACodec& value) { return value.text; }
  static test::LargeWithACodec decode(std::string_view bytes) {
    return {test::Large::made_of(std::string{bytes})};
  }
};

namespace resumable::test {
namespace {

TYPED_TEST_SUITE(ReportsOf, LargeValues);

TYPED_TEST(ReportsOf, ValuesThatMemoryIsLackingForAreNotDamaged) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline p{"p"};
  const auto stage = p.stage("large", [] {
    TypeParam value;
    value.text = "a text";
    return value;
  });
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_EQ(report.stages_skipped(), 1U);
  Large::lacks_memory = true;
  EXPECT_THROW(static_cast<void>(report[stage]), std::bad_alloc);
  Large::lacks_memory = false;
  EXPECT_EQ(report[stage].text, "a text") << "the same report can be asked again";
  EXPECT_EQ(outline(resume(p, store, {.run = "r"})), "large skipped");
}

TEST(RunStates, AKillIsWhatIsLeftOfARunningCall) {
  MemoryStore store;
  store.lease("r")->manifest(R"({"status":"running"})");
  EXPECT_EQ(run_state(store, "r"), RunState::killed);
}

}  // namespace
}  // namespace resumable::test
