// A stage's limit above the call's has no effect, and that is capped.
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* capped =
    "stage 'pages' allows 4 items at a time, and the call 2: allow the call more";

struct CappedPages {
  explicit CappedPages(Strings names) {
    const auto list = pipeline.stage("list", [names] { return names; });
    pipeline.stage({.name = "pages", .concurrency = 4}, inputs(each(list)),
                   [](const std::string& name) { return name; });
  }
  Pipeline pipeline{"pages"};
};

Strings notes(const Plan& plan) {
  Strings all;
  for (const Cause& note : plan.notes()) all.push_back(note.text());
  return all;
}

TEST(ALimitAboveTheCalls, IsNamedOnceByPlanAndReport) {
  MemoryStore store;
  const CappedPages pages{{"a", "b", "c"}};
  const ResumeOptions two{.run = "r", .concurrency = 2};
  const Plan plan = ResumePlanner{store}.plan(pages.pipeline, two);
  ASSERT_THAT(notes(plan), ElementsAre(capped + " (ResumeOptions::concurrency)"s));
  EXPECT_EQ(plan.notes().front().reason, Reason::concurrency_limited);
  EXPECT_THAT(resume(pages.pipeline, store, two).warnings(), ElementsAre(capped));
  EXPECT_THAT(resume(pages.pipeline, store, two).warnings(), IsEmpty()) << "nothing runs";
}

TEST(ALimitAboveTheCalls, IsNotNamedWhereItMakesNoDifference) {
  MemoryStore store;
  const CappedPages pages{{"a", "b", "c"}};
  for (const unsigned concurrency : {4U, 9U, 0U}) {
    const ResumeOptions options{.run = "r", .concurrency = concurrency};
    EXPECT_THAT(notes(ResumePlanner{store}.plan(pages.pipeline, options)), IsEmpty());
  }
  const CappedPages few{{"a", "b"}};
  ASSERT_TRUE(resume(few.pipeline, store, {.run = "few", .concurrency = 4}));
  const ResumeOptions again{.run = "few", .redo = {"pages"}, .concurrency = 2};
  EXPECT_THAT(resume(few.pipeline, store, again).warnings(), IsEmpty());
}

}  // namespace
}  // namespace resumable::test
