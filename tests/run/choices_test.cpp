// What a user chooses about changes: to accept them once, to pin a stage, to ignore an input, the
// code or the age.
#include "manage/story.hpp"
#include "resumable/manage.hpp"
#include "run/run_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/manual_clock.hpp"

namespace resumable::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// company -> deck (a list) -> words (an item each; takes style as well) -> draft (takes style).
struct Choosing {
  std::string company = "Acme";
  std::string style = "plain";
  Strings lines{"team", "market"};
  std::uint32_t deck_revision = 1;
  std::uint32_t words_revision = 1;
  std::chrono::seconds max_age{0};
  Calls* calls = nullptr;

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"choosing"};
    const auto of = p.input("company", company);
    const auto how = p.input("style", style);
    const auto given = p.input("lines", lines);
    const auto deck = p.stage({.name = "deck", .revision = deck_revision, .max_age = max_age},
                              inputs(of, given), [*this](const std::string& c, Strings list) {
                                called("deck");
                                for (std::string& line : list) line += " of " + c;
                                return list;
                              });
    const auto words =
        p.stage({.name = "words", .revision = words_revision}, inputs(each(deck), how),
                [*this](Context& ctx, const std::string& line, const std::string& s) {
                  called("words/" + ctx.item());
                  return line + " " + s;
                });
    p.stage("draft", inputs(words, how), [*this](const Strings& all, const std::string& s) {
      called("draft");
      return std::to_string(all.size()) + s;
    });
    return p;
  }
  void called(const std::string& what) const {
    if (calls != nullptr) (*calls)(what);
  }
};

class ChoicesTest : public ::testing::Test {
 protected:
  ChoicesTest() {
    now.calls = &calls_;
    run();
  }
  /// What ran.
  std::string run(ResumeOptions options = {}) {
    const record::TestEnvironment environment{{.clock = &clock_}};
    const Pipeline p = now.pipeline();
    options.run = "r";
    const Report report = resume(p, store_, options);
    EXPECT_TRUE(report) << report.text();
    return calls_.take();
  }
  Plan plan(ResumeOptions options = {}) {
    const record::TestEnvironment environment{{.clock = &clock_}};
    const Pipeline p = now.pipeline();
    options.run = "r";
    return ResumePlanner{store_}.plan(p, options);
  }
  Strings causes(const std::string& stage, ResumeOptions options = {}) {
    Strings all;
    const Plan planned = plan(std::move(options));
    for (const Cause& cause : planned[stage].causes) all.push_back(cause.text());
    return all;
  }
  /// The error of a plan with these options.
  ErrorInfo refused(Errc errc, ResumeOptions options) {
    try {
      static_cast<void>(plan(std::move(options)));
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), errc) << error.explain();
      return error.info();
    }
    ADD_FAILURE() << "it is not refused";
    return {};
  }
  [[nodiscard]] std::size_t records() const { return contents(store_, "r").size(); }

  Choosing now;
  Calls calls_;
  ManualClock clock_;
  MemoryStore store_;
};

// ---- accept ------------------------------------------------------------------------------------

TEST_F(ChoicesTest, AnAcceptedChangeOfAnInputRunsNothingAndIsToldInEveryPlan) {
  now.company = "Fernstone";
  const auto told = ElementsAre("accepted: input 'company' changed: \"Acme\" -> \"Fernstone\"");
  EXPECT_EQ(plan({.accept = {"deck"}})["deck"].action, Action::skip);
  EXPECT_THAT(causes("deck", {.accept = {"deck"}}), told);
  EXPECT_TRUE(plan({.accept = {"deck"}}).complete());
  EXPECT_EQ(plan()["deck"].action, Action::run) << "planning writes nothing";
  EXPECT_EQ(run({.accept = {"deck"}}), "");
  EXPECT_THAT(causes("deck"), told);
  EXPECT_EQ(run(), "");
}

TEST_F(ChoicesTest, AfterAnAcceptALaterChangeRunsTheStage) {
  now.company = "Fernstone";
  ASSERT_EQ(run({.accept = {"deck"}}), "");
  now.company = "Cloudgov";
  EXPECT_THAT(causes("deck"), ElementsAre(HasSubstr("\"Acme\" -> \"Cloudgov\"")));
  EXPECT_THAT(run(), HasSubstr("deck"));
  now.company = "Fernstone";
  EXPECT_THAT(run(), HasSubstr("deck")) << "the value that was accepted is not this one";
}

TEST_F(ChoicesTest, AnAcceptedValueIsKeptForWhatItWasMadeFromAsWell) {
  now.company = "Fernstone";
  ASSERT_EQ(run({.accept = {"deck"}}), "");
  now.company = "Acme";
  EXPECT_THAT(causes("deck"), ElementsAre(HasSubstr("done")));
}

TEST_F(ChoicesTest, AcceptingLeavesTheRecordAsItWasMade) {
  const auto before = contents(store_, "r").at("deck.1");
  now.company = "Fernstone";
  ASSERT_EQ(run({.accept = {"deck"}}), "");
  EXPECT_EQ(contents(store_, "r").at("deck.1"), before);
  EXPECT_FALSE(contents(store_, "r").contains("deck.2"));
}

TEST_F(ChoicesTest, AnAcceptedRevisionRunsNothingUntilTheNextOne) {
  now.deck_revision = 2;
  EXPECT_EQ(run({.accept = {"deck"}}), "");
  EXPECT_THAT(causes("deck"), ElementsAre("accepted: code 1 -> 2"));
  now.deck_revision = 3;
  EXPECT_THAT(run(), HasSubstr("deck"));
}

TEST_F(ChoicesTest, AnAcceptedAgeCountsFromNowOn) {
  now.max_age = std::chrono::hours{1};
  clock_.advance(std::chrono::hours{2});
  ASSERT_EQ(plan()["deck"].action, Action::run);
  EXPECT_EQ(run({.accept = {"deck"}}), "");
  EXPECT_THAT(causes("deck"), ElementsAre(HasSubstr("accepted: too old")));
  clock_.advance(std::chrono::minutes{59});
  EXPECT_EQ(plan()["deck"].action, Action::skip);
  clock_.advance(std::chrono::minutes{2});
  EXPECT_EQ(plan()["deck"].action, Action::run);
}

TEST_F(ChoicesTest, AcceptingAStageAcceptsItsItemsAndOneItemOnlyThat) {
  now.style = "grand";
  EXPECT_EQ(run({.accept = {"words/team of Acme"}}), "draft, words/market of Acme");
  now.style = "short";
  EXPECT_EQ(run({.accept = {"words", "draft"}}), "");
  EXPECT_THAT(causes("words"), Contains(HasSubstr("accepted: input 'style' changed")));
  EXPECT_EQ(run(), "");
}

TEST_F(ChoicesTest, AcceptingTwiceAddsAndWritesNothingThatIsThere) {
  now.style = "grand";
  ASSERT_EQ(run({.accept = {"words/team of Acme"}, .pin = {"draft"}}), "words/market of Acme");
  const std::size_t before = records();
  EXPECT_EQ(run({.accept = {"words/team of Acme"}}), "");
  EXPECT_EQ(records(), before);
  now.style = "short";
  EXPECT_EQ(run({.accept = {"words/market of Acme", "words/team of Acme"}}), "");
  EXPECT_EQ(run(), "");
}

TEST_F(ChoicesTest, AcceptingNewCodeOfAStageWithItemsKeepsItsList) {
  now.words_revision = 2;
  EXPECT_EQ(run({.accept = {"words"}}), "");
  EXPECT_TRUE(plan().complete());
  EXPECT_EQ(run(), "");
}

TEST_F(ChoicesTest, WhatAnInputWillBeCannotBeAcceptedYet) {
  now.company = "Fernstone";
  now.style = "grand";
  const ErrorInfo info = refused(Errc::bad_option, {.accept = {"words"}});
  EXPECT_THAT(info.what, HasSubstr("'deck', which it takes"));
  EXPECT_EQ(info.advice.front(), (Advice{.option = Option::accept, .selector = "deck"}));
  EXPECT_EQ(run({.accept = {"words", "deck", "draft"}}), "") << "the advice works";
}

TEST_F(ChoicesTest, WithoutAValueNothingIsAcceptedOrPinned) {
  const Pipeline p = now.pipeline();
  for (const ResumeOptions& options : {ResumeOptions{.run = "new", .accept = {"deck"}},
                                       ResumeOptions{.run = "new", .pin = {"deck"}},
                                       ResumeOptions{.run = "new", .pin = {"words"}}}) {
    EXPECT_EQ(code_of([&] { static_cast<void>(ResumePlanner{store_}.plan(p, options)); }),
              Errc::no_value);
  }
}

TEST_F(ChoicesTest, ARedoIsNotAcceptedAway) {
  EXPECT_EQ(run({.redo = {"draft"}, .accept = {"draft"}}), "draft");
}

TEST_F(ChoicesTest, AnEditOfAnAcceptedStageStaysUpToDate) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto once = [&](const std::string& title, ResumeOptions options = {}) {
    Pipeline p{"p"};
    const auto given = p.input("title", title);
    const auto outline = p.stage("outline", inputs(given), [&](const std::string& t) {
      calls_("outline");
      return std::map<std::string, std::string>{{"title", t}};
    });
    p.artifact(outline, "outline.json");
    options.run = "r";
    EXPECT_TRUE(resume(p, store, options));
    return calls_.take();
  };
  ASSERT_EQ(once("Acme"), "outline");
  ASSERT_EQ(once("Fernstone", {.accept = {"outline"}}), "");
  write_file(folder / "store/r/outline.json", R"({"title": "Mine"})");
  EXPECT_EQ(once("Fernstone"), "");
  EXPECT_EQ(read_file(folder / "store/r/outline.json"), R"({"title": "Mine"})");
}

// ---- pin ---------------------------------------------------------------------------------------

TEST_F(ChoicesTest, APinnedStageStaysWhateverChangesAndSaysWhatItIsSpared) {
  now.company = "Fernstone";
  now.deck_revision = 2;
  EXPECT_EQ(run({.pin = {"deck"}}), "");
  EXPECT_THAT(causes("deck"),
              ElementsAre("pinned: it would run: code 1 -> 2; input 'company' changed: \"Acme\" -> "
                          "\"Fernstone\""));
  EXPECT_EQ(run(), "") << "it is recorded";
  now.company = "Acme";
  now.deck_revision = 1;
  EXPECT_THAT(causes("deck"), ElementsAre("pinned")) << "in every plan";
  now.company = "Cloudgov";
  EXPECT_EQ(run(), "");
  EXPECT_THAT(run({.unpin = {"deck"}}), HasSubstr("deck"));
  EXPECT_THAT(causes("deck"), ElementsAre(HasSubstr("done")));
}

TEST_F(ChoicesTest, APinnedStageDoesNotWaitForWhatComesBeforeIt) {
  now.style = "grand";
  now.company = "Fernstone";
  EXPECT_THAT(run({.pin = {"draft"}}), Not(HasSubstr("draft")));
  EXPECT_THAT(causes("draft"), ElementsAre(HasSubstr("pinned: it would run: input")));
}

TEST_F(ChoicesTest, APinnedStageThatWouldOnlyWaitSaysForWhat) {
  now.company = "Fernstone";
  EXPECT_THAT(causes("draft", {.pin = {"draft"}}),
              ElementsAre("pinned: it would wait for 'words'"));
}

TEST_F(ChoicesTest, APinnedStageWithItemsKeepsThoseThatItHasAndRunsNewOnes) {
  now.style = "grand";
  now.lines.push_back("risk");
  EXPECT_EQ(run({.pin = {"words"}}), "deck, draft, words/risk of Acme");
  EXPECT_THAT(causes("words"), Contains(HasSubstr("pinned")));
  EXPECT_EQ(run(), "");
}

TEST_F(ChoicesTest, OneItemCanBePinned) {
  now.style = "grand";
  EXPECT_EQ(run({.pin = {"words/team of Acme"}}), "draft, words/market of Acme");
  EXPECT_THAT(causes("words"), Contains(HasSubstr("pinned")));
  EXPECT_EQ(run(), "");
  EXPECT_EQ(run({.unpin = {"words/team of Acme"}}), "draft, words/team of Acme");
}

TEST_F(ChoicesTest, ARedoOfAPinnedStageIsRefusedAndTheAdviceWorks) {
  ASSERT_EQ(run({.pin = {"deck"}}), "");
  const ErrorInfo info = refused(Errc::bad_option, {.redo = {"deck"}});
  EXPECT_EQ(info.advice.front(), (Advice{.option = Option::unpin, .selector = "deck"}));
  EXPECT_EQ(run({.redo = {"deck"}, .unpin = {"deck"}}), "deck");
}

TEST_F(ChoicesTest, FreshLeavesAPinnedStageOut) {
  ASSERT_EQ(run({.pin = {"deck"}}), "");
  EXPECT_EQ(run({.fresh = true}), "draft, words/market of Acme, words/team of Acme");
  EXPECT_THAT(causes("deck"), ElementsAre("pinned: it would run: requested"));
  EXPECT_EQ(run({.fresh = true}), "draft, words/market of Acme, words/team of Acme")
      << "the first one is met";
}

TEST_F(ChoicesTest, PinningOrUnpinningTwiceWritesOnce) {
  ASSERT_EQ(run({.pin = {"deck"}}), "");
  const std::size_t before = records();
  ASSERT_EQ(run({.pin = {"deck"}}), "");
  ASSERT_EQ(run({.unpin = {"draft"}}), "");
  EXPECT_EQ(records(), before);
}

TEST_F(ChoicesTest, WhereNothingCanBeWrittenAPinIsRefusedRatherThanForgotten) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  FileStore store{folder / "store", {.files = &files}};
  const Pipeline p = now.pipeline();
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  files.fail(Fault{.ops = {Op::make_folder, Op::write, Op::truncate, Op::sync, Op::sync_data,
                           Op::sync_folder, Op::rename, Op::link, Op::unlink},
                   .at = 1,
                   .error = std::errc::read_only_file_system,
                   .sticky = true});
  const Report finished = resume(p, store, {.run = "r"});
  EXPECT_TRUE(finished) << finished.text();
  const Report report = resume(p, store, {.run = "r", .pin = {"deck"}});
  EXPECT_EQ(report.exit_code(), 1);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->info().cause, std::errc::read_only_file_system);
}

// ---- ignore ------------------------------------------------------------------------------------

TEST_F(ChoicesTest, AnIgnoredInputMakesNothingStaleUntilItIsHeededAgain) {
  now.style = "grand";
  EXPECT_EQ(run({.ignore = {"words:style", "draft:style"}}), "");
  EXPECT_THAT(causes("draft"),
              ElementsAre("ignored: input 'style' changed: \"plain\" -> \"grand\""));
  now.style = "short";
  EXPECT_EQ(run(), "");
  EXPECT_EQ(run({.unignore = {"draft:style"}}), "draft");
  EXPECT_EQ(run(), "");
}

TEST_F(ChoicesTest, WhatIsIgnoredIsToldInEveryPlan) {
  ASSERT_EQ(run({.ignore = {"draft:style", "deck:code"}}), "");
  EXPECT_THAT(causes("draft"), ElementsAre(HasSubstr("done"), "ignored: changes of input 'style'"));
  EXPECT_THAT(causes("deck"), ElementsAre(HasSubstr("done"), "ignored: changes of its code"));
}

TEST_F(ChoicesTest, AnotherInputStillRunsTheStageWithTheIgnoredOneAsItIs) {
  now.style = "grand";
  ASSERT_EQ(run({.ignore = {"words:style"}}), "draft");
  now.company = "Fernstone";
  EXPECT_EQ(run(), "deck, draft, words/market of Fernstone, words/team of Fernstone");
  EXPECT_EQ(run({.unignore = {"words:style"}}), "") << "made with the style as it is";
}

TEST_F(ChoicesTest, CodeAndAgeCanBeIgnored) {
  now.max_age = std::chrono::hours{1};
  now.deck_revision = 2;
  now.words_revision = 2;
  clock_.advance(std::chrono::hours{2});
  EXPECT_EQ(run({.ignore = {"deck:code", "deck:age", "words:code"}}), "");
  EXPECT_THAT(causes("deck"),
              ElementsAre("ignored: code 1 -> 2", HasSubstr("ignored: too old: saved ")));
  EXPECT_EQ(run({.unignore = {"deck:age"}}), "deck");
}

TEST_F(ChoicesTest, AnUnknownStageOrTriggerIsRefusedWithWhatWasMeant) {
  EXPECT_THAT(refused(Errc::bad_option, {.ignore = {"draft:stile"}}).what,
              HasSubstr("Did you mean 'style'?"));
  EXPECT_THAT(refused(Errc::bad_option, {.unignore = {"draft:stile"}}).what,
              HasSubstr("Did you mean 'style'?"));
  EXPECT_THAT(refused(Errc::bad_option, {.ignore = {"draft"}}).next,
              HasSubstr("draft:TRIGGER with one of words, style, code, age"));
  EXPECT_THAT(refused(Errc::unknown_stage, {.ignore = {"daft:style"}}).what,
              HasSubstr("Did you mean 'draft'?"));
  EXPECT_THAT(refused(Errc::unknown_stage, {.pin = {"daft"}}).what,
              HasSubstr("Did you mean 'draft'?"));
  EXPECT_THAT(refused(Errc::unknown_stage, {.unpin = {"daft"}}).what,
              HasSubstr("Did you mean 'draft'?"));
  EXPECT_THAT(refused(Errc::unknown_stage, {.pin = {"words/tea of Acme"}}).what,
              HasSubstr("Did you mean 'team of Acme'?"));
}

// ---- told --------------------------------------------------------------------------------------

TEST_F(ChoicesTest, EventsAndTheReportGiveTheReason) {
  now.company = "Fernstone";
  Log log;
  ASSERT_EQ(run({.accept = {"deck"}, .pin = {"draft"}, .observers = {&log}}), "");
  std::map<std::string, std::vector<Reason>> reasons;
  for (const Event& event : log.events) {
    if (event.kind == EventKind::skipped) reasons[event.stage] = event.reasons;
  }
  EXPECT_THAT(reasons["deck"], ElementsAre(Reason::accepted));
  EXPECT_THAT(reasons["draft"], ElementsAre(Reason::pinned));
  EXPECT_THAT(plan().json(), HasSubstr(R"("reason":"accepted","subject":"company")"));
  EXPECT_THAT(plan().text(), HasSubstr("= keep      draft         pinned"));
}

TEST_F(ChoicesTest, AForkKeepsThem) {
  now.company = "Fernstone";
  ASSERT_EQ(run({.accept = {"deck"}, .pin = {"draft"}}), "");
  fork_run(store_, "r", "other");
  const Pipeline p = now.pipeline();
  const Plan forked = ResumePlanner{store_}.plan(p, {.run = "other"});
  EXPECT_TRUE(forked.complete()) << forked.text(true);
  EXPECT_EQ(forked["draft"].causes.front().reason, Reason::pinned);
}

TEST_F(ChoicesTest, ItemsThatAQueueHasEnqueuedStayWithAnAcceptedItem) {
  const auto once = [&](const std::string& style, ResumeOptions options = {}) {
    Pipeline p{"queue"};
    const auto how = p.input("style", style);
    const auto roots = p.input("roots", Strings{"a"});
    const auto pages = p.queue("pages", inputs(each(roots), how),
                               [&](Context& ctx, const std::string& page, const std::string&) {
                                 calls_("pages/" + ctx.item());
                                 if (page.size() < 3) ctx.enqueue(page + "a");
                                 return page;
                               });
    static_cast<void>(pages);
    options.run = "q";
    EXPECT_TRUE(resume(p, store_, options));
    return calls_.take();
  };
  ASSERT_EQ(once("plain"), "pages/a, pages/aa, pages/aaa");
  EXPECT_EQ(once("grand", {.accept = {"pages"}}), "");
  EXPECT_EQ(once("grand"), "");
  EXPECT_EQ(once("short", {.pin = {"pages"}}), "");
}

}  // namespace
}  // namespace resumable::test
