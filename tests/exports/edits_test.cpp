// A user edits exported files: the edit becomes the stage's value, is told field by field, and
// reruns what depends on it.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "exports/memo.hpp"
#include "resumable/error.hpp"
#include "support/child_process.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

std::vector<std::string> texts(const Decision& decision) {
  std::vector<std::string> all;
  for (const Cause& cause : decision.causes) all.push_back(cause.text());
  return all;
}

/// Asks for a stop once a stage is done.
class StopAfter final : public Observer {
 public:
  explicit StopAfter(std::string stage) : stage_(std::move(stage)) {}
  void on_event(const Event& event) override {
    if (event.kind == EventKind::stage_finished && event.stage == stage_) source_.request_stop();
  }
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::string stage_;
  std::stop_source source_;
};

class EditsTest : public ::testing::Test {
 protected:
  Report run(ResumeOptions options = {}) {
    journal_.clear();
    return memo_.run(store_, journal_, std::move(options));
  }
  Plan plan(ResumeOptions options = {.run = "r1"}) {
    return ResumePlanner{store_}.plan(memo_.pipeline(journal_), options);
  }
  void edit(const fs::path& file, std::string_view from, std::string_view to) {
    write_file(file, replaced(read_file(file), from, to));
  }
  [[nodiscard]] std::vector<std::string> removed() const { return removed_texts(run_); }

  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r1";
  fs::path team_ = folder_ / "store/r1/sections/02-team.md";
  fs::path outline_ = folder_ / "store/r1/outline.json";
  Memo memo_;
};

TEST_F(EditsTest, AnEditedFieldIsNamedWithItsOldAndNewValueAndBecomesTheValue) {
  memo_.outlined = true;
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "Fernstone", "Fernstone Ltd");
  const std::string edited = read_file(outline_);
  const Plan planned = plan();
  EXPECT_EQ(planned["outline"].action, Action::skip);
  EXPECT_THAT(texts(planned["outline"]),
              ElementsAre("your edit: /title: \"Fernstone\" -> \"Fernstone Ltd\""));
  EXPECT_EQ(planned["listed"].action, Action::run);
  EXPECT_EQ(read_file(outline_), edited) << "planning writes nothing";
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(journal_.lines(), ElementsAre("listed"));
  EXPECT_EQ(read_file(outline_), edited);
  EXPECT_TRUE(plan().complete());
  EXPECT_THAT(texts(plan()["outline"]), ElementsAre(HasSubstr("done")));
}

TEST_F(EditsTest, AnEditedItemRerunsItsDependentsAndTakesNoOtherItemAlong) {
  memo_.charts_are_a_view = false;
  ASSERT_EQ(run().exit_code(), 0);
  write_file(team_, "My team.\n");
  EXPECT_THAT(plan().text(), HasSubstr("* adopt     charts        item 'team': your edit"));
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(journal_.lines(), ElementsAre("memo")) << "the last stage of the chain owns the file";
  EXPECT_THAT(read_file(run_ / "memo.md"), HasSubstr("My team.\n"));
  EXPECT_EQ(read_file(team_), "My team.\n");
}

TEST_F(EditsTest, AnEditBetweenTwoStagesOfAChainIsTakenOverOnceAndLaterStagesRun) {
  memo_.charts_are_a_view = false;
  StopAfter stop{"links"};
  ASSERT_EQ(run({.run = "r1", .stop = stop.token(), .observers = {&stop}}).exit_code(), 75);
  write_file(team_, "My team.\n");
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(journal_.lines(),
              UnorderedElementsAre("charts/intro", "charts/team", "charts/market", "memo"));
  EXPECT_EQ(read_file(team_), "My team.\n+ charts\n");
  EXPECT_THAT(removed(), Contains("My team.\n"));
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(EditsTest, MadeWhileANewValueIsMadeItIsMergedWithThatByTheNextCall) {
  ASSERT_EQ(run().exit_code(), 0);
  memo_.company = "Cloudgov";
  EventLog log([&](const Event& event) {
    if (event.kind == EventKind::committed && event.stage == "outline") {
      edit(outline_, "\"market\"", "\"market\",\n    \"outlook\"");
    }
  });
  const Report report = run({.run = "r1", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr(outline_.string())));
  const std::string mine = read_file(outline_);
  EXPECT_THAT(mine, AllOf(HasSubstr("Fernstone"), HasSubstr("outlook")));
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(read_file(outline_), AllOf(HasSubstr("Cloudgov"), HasSubstr("outlook")));
  EXPECT_THAT(removed(), Contains(mine));
}

TEST_F(EditsTest, ThePlanIsWhatThenRuns) {
  memo_.outlined = true;
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "\"team\"", "\"people\"");
  const Plan planned = plan();
  EXPECT_EQ(run({.run = "r1"}).plan().digest(), planned.digest());
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("listed", "draft/people", "links/people",
                                                     "charts/people", "memo"));
}

TEST_F(EditsTest, OnlyAnotherLayoutOfTheSameValueRerunsNothing) {
  ASSERT_EQ(run().exit_code(), 0);
  write_file(outline_, R"({"sections":["intro","team","market"],"title":"Fernstone"})");
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(read_file(outline_)[0], '{');
  EXPECT_EQ(run().exit_code(), 0);
}

TEST_F(EditsTest, BrokenJsonIsRefusedWithItsLineAndColumnAndStays) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string broken = "{\n  \"title\": Fernstone\n}\n";
  write_file(outline_, broken);
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 3);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_THAT(report.error()->explain(), HasSubstr("line 2, column 12"));
  EXPECT_EQ(report.error()->info().file, outline_.string());
  EXPECT_EQ(report.plan()["outline"].causes.front().reason, Reason::invalid_edit);
  EXPECT_EQ(read_file(outline_), broken);
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(EditsTest, ACallThatRunsTheStageAnewDiscardsAnEditThatCannotBeUsed) {
  for (const ResumeOptions& again : {ResumeOptions{.run = "r1", .fresh = true},
                                     ResumeOptions{.run = "r1", .redo = {"outline"}}}) {
    ASSERT_EQ(run().exit_code(), 0);
    const std::string before = read_file(run_ / "outline.json");
    const std::string half = before.substr(0, before.size() / 2);
    write_file(run_ / "outline.json", half);
    ASSERT_EQ(run().exit_code(), 3);
    ASSERT_EQ(run(again).exit_code(), 0);
    EXPECT_EQ(read_file(run_ / "outline.json"), before);
    EXPECT_THAT(removed_texts(run_), Contains(half));
    fs::remove_all(run_);
  }
}

TEST_F(EditsTest, AFieldThatTheTypeDoesNotHaveIsRefusedWithItsPlace) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "\"title\"", "\"author\": \"me\",\n  \"title\"");
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(report.error()->explain(), AllOf(HasSubstr("/author"), HasSubstr("line ")));
}

TEST_F(EditsTest, RejectedTheStagesOwnValueComesBackAndACopyIsKept) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string ours = read_file(outline_);
  write_file(outline_, "no JSON at all");
  const Report report = run({.run = "r1", .reject = {"outline"}});
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_EQ(read_file(outline_), ours);
  EXPECT_THAT(removed(), ElementsAre("no JSON at all"));
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(EditsTest, AnEditThatWasTakenOverCanStillBeRejected) {
  memo_.outlined = true;
  ASSERT_EQ(run().exit_code(), 0);
  const std::string ours = read_file(outline_);
  edit(outline_, "\"team\"", "\"people\"");
  const std::string mine = read_file(outline_);
  ASSERT_EQ(run().exit_code(), 0);
  const Report report = run({.run = "r1", .reject = {"outline"}});
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_EQ(read_file(outline_), ours);
  EXPECT_THAT(removed(), Contains(mine));
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("listed", "memo"));
}

TEST_F(EditsTest, ARejectedMistakeBringsTheEditsBackThatWereTakenOverBefore) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string ours = read_file(outline_);
  edit(outline_, "Fernstone", "Fern");
  const std::string agreed = read_file(outline_);
  ASSERT_EQ(run().exit_code(), 0);
  write_file(outline_, "no JSON at all");
  EXPECT_THAT(run().error()->info().next, HasSubstr("the previous content comes back"));
  const ResumeOptions reject{.run = "r1", .reject = {"outline"}};
  EXPECT_THAT(texts(plan(reject)["outline"]),
              Contains(AllOf(HasSubstr("discarded"), HasSubstr("its previous content"))));
  ASSERT_EQ(run(reject).exit_code(), 0);
  EXPECT_EQ(read_file(outline_), agreed);
  EXPECT_THAT(removed(), ElementsAre("no JSON at all"));
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_THAT(texts(plan(reject)["outline"]), Contains(HasSubstr("the stage's own value")));
  ASSERT_EQ(run(reject).exit_code(), 0);
  EXPECT_EQ(read_file(outline_), ours) << "rejected again, no edit is left";
  EXPECT_THAT(removed(), Contains(agreed));
}

TEST_F(EditsTest, ARejectedMistakeInOneItemLeavesTheEditsOfOtherItems) {
  memo_.charts_are_a_view = false;
  ASSERT_EQ(run().exit_code(), 0);
  const fs::path intro = run_ / "sections/01-intro.md";
  edit(intro, "+ charts", "+ CHARTS");
  const std::string agreed = read_file(intro);
  ASSERT_EQ(run().exit_code(), 0);
  const std::string ours = read_file(team_);
  write_file(team_, "My team.\n");
  ASSERT_EQ(run({.run = "r1", .reject = {"charts"}}).exit_code(), 0);
  EXPECT_EQ(read_file(team_), ours);
  EXPECT_EQ(read_file(intro), agreed);
}

TEST_F(EditsTest, AFileThatIsAddedBesideTheItemsIsNamedAndStays) {
  ASSERT_EQ(run().exit_code(), 0);
  const fs::path mine = run_ / "sections/04-outlook.md";
  write_file(mine, "mine");
  write_file(run_ / "sections/notes.txt", "no section's name");
  const Plan planned = plan();
  ASSERT_THAT(planned.notes(), SizeIs(1));
  EXPECT_EQ(planned.notes().front().text(),
            "'sections/04-outlook.md' belongs to no item: it stays as it is, and 'charts' does not "
            "read it");
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_THAT(report.warnings(),
              Contains(HasSubstr("'sections/04-outlook.md' belongs to no item")));
  EXPECT_EQ(read_file(mine), "mine");
}

TEST_F(EditsTest, AnItemsFileThatIsDeletedIsExportedAgainAsThePlanSays) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string text = read_file(team_);
  fs::remove(team_);
  const Plan planned = plan();
  EXPECT_THAT(texts(planned.item("charts", "team").value()),
              Contains("'sections/02-team.md' is exported again"));
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(read_file(team_), text);
}

TEST_F(EditsTest, AnEditOfAViewStaysAndIsCopiedBeforeANewValueReplacesIt) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(team_, "+ charts", "+ CHARTS");
  const std::string mine = read_file(team_);
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty()) << "the text is not read back";
  EXPECT_EQ(read_file(team_), mine);
  memo_.charts = "new charts";
  memo_.charts_revision = 2;
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_EQ(read_file(team_), section_text(memo_, "team"));
  EXPECT_THAT(removed(), Contains(mine));
}

TEST_F(EditsTest, AChangedInputAndAnEditAreMergedWhereTheyDoNotCollide) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "\"market\"", "\"market\",\n    \"outlook\"");
  const std::string mine = read_file(outline_);
  memo_.company = "Cloudgov";
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(read_file(outline_), AllOf(HasSubstr("Cloudgov"), HasSubstr("outlook")));
  EXPECT_THAT(removed(), Contains(mine)) << "the file is not replaced without a copy";
}

TEST_F(EditsTest, ANewValueThatIsAsTheOldOneKeepsTheEditAndWhatWasMadeOfIt) {
  memo_.charts_are_a_view = false;
  ASSERT_EQ(run().exit_code(), 0);
  edit(team_, "+ charts", "+ CHARTS");
  const std::string mine = read_file(team_);
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("memo"));
  memo_.charts_revision = 2;
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(),
              UnorderedElementsAre("charts/intro", "charts/team", "charts/market"));
  EXPECT_EQ(read_file(team_), mine);
}

TEST_F(EditsTest, WhereBothChangedOnePlaceTheUserIsAskedWithBothSides) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "Fernstone", "Fern");
  const std::string mine = read_file(outline_);
  memo_.company = "Cloudgov";
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_THAT(report.stage("outline").message,
              AllOf(HasSubstr("/title"), HasSubstr("Fern"), HasSubstr("Cloudgov")));
  EXPECT_THAT(
      report.text(),
      HasSubstr("  next  choose one, or edit the file again (.accept = {\"outline\"} to keep "
                "your edit, .reject = {\"outline\"} to take the new value)\n"));
  EXPECT_EQ(read_file(outline_), mine);
  const Report again = run();
  EXPECT_EQ(again.exit_code(), 75) << "it asks again, and runs nothing";
  EXPECT_EQ(again.stage("outline").message, report.stage("outline").message);
  EXPECT_THAT(journal_.lines(), Not(Contains("outline")));
  const Report kept = run({.run = "r1", .accept = {"outline"}});
  EXPECT_EQ(kept.exit_code(), 0) << kept.text();
  EXPECT_EQ(read_file(outline_), mine);
  EXPECT_THAT(journal_.lines(), Not(Contains("outline")));
}

TEST_F(EditsTest, WhereBothChangedOnePlaceTheNewValueCanBeTaken) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "Fernstone", "Fern");
  const std::string mine = read_file(outline_);
  memo_.company = "Cloudgov";
  ASSERT_EQ(run().exit_code(), 75);
  const Report taken = run({.run = "r1", .reject = {"outline"}});
  EXPECT_EQ(taken.exit_code(), 0) << taken.text();
  EXPECT_THAT(read_file(outline_), HasSubstr("Cloudgov"));
  EXPECT_THAT(removed(), Contains(mine));
  EXPECT_TRUE(plan().complete());
}

TEST_F(EditsTest, ARequestToRunAgainKeepsTheEditAndThePlanNamesIt) {
  const std::vector<ResumeOptions> requests{{.run = "r1", .redo = {"outline"}},
                                            {.run = "r1", .from = {"outline"}},
                                            {.run = "r1", .fresh = true}};
  for (const bool adopted : {false, true}) {
    for (const ResumeOptions& request : requests) {
      fs::remove_all(run_);
      ASSERT_EQ(run().exit_code(), 0);
      edit(outline_, "Fernstone", "Fern");
      const std::string mine = read_file(outline_);
      if (adopted) {
        ASSERT_EQ(run().exit_code(), 0);
      }
      EXPECT_THAT(plan(request).text(true), HasSubstr("you edited it: it is merged into a new"));
      const Report report = run(request);
      EXPECT_EQ(report.exit_code(), 0) << report.text();
      EXPECT_EQ(read_file(outline_), mine);
    }
  }
}

TEST_F(EditsTest, ARequestToRunAgainWhoseValueCollidesWithTheEditAsks) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "Fernstone", "Fern");
  ASSERT_EQ(run().exit_code(), 0);
  memo_.company = "Cloudgov";
  EXPECT_EQ(run({.run = "r1", .from = {"outline"}}).exit_code(), 75);
  const Report report = run({.run = "r1", .reject = {"outline"}});
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(read_file(outline_), HasSubstr("Cloudgov"));
}

TEST_F(EditsTest, TheUserAndTheChangesAreInTheEventsAndInTheRecord) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "Fernstone", "Fern");
  std::vector<std::string> told;
  EventLog log([&](const Event& event) {
    if (event.kind == EventKind::edited) told.push_back(event.stage + ": " + event.message);
  });
  ASSERT_EQ(run({.run = "r1", .observers = {&log}}).exit_code(), 0);
  EXPECT_THAT(told, ElementsAre("outline: your edit: /title: \"Fernstone\" -> \"Fern\""));
  EXPECT_THAT(read_file(run_ / ".resumable/checkpoints/outline.2.ckpt"),
              HasSubstr("\"edited_by\""));
}

TEST_F(EditsTest, KilledAtAnyEventTheNextCallFinishesAndTheEditIsThere) {
  for (int at = 0;; ++at) {
    fs::remove_all(run_);
    memo_.company = "Fernstone";
    ASSERT_EQ(run().exit_code(), 0);
    edit(outline_, "\"market\"", "\"market\",\n    \"outlook\"");
    const std::string mine = read_file(outline_);
    memo_.company = "Cloudgov";
    int seen = 0;
    EventLog stop([&](const Event&) {
      if (seen++ == at) ::raise(SIGKILL);
    });
    ChildProcess child([&] {
      FileStore store{folder_ / "store"};
      return memo_.run(store, journal_, {.run = "r1", .observers = {&stop}}).exit_code();
    });
    const bool killed = child.wait().signal == SIGKILL;
    const Report report = run();
    ASSERT_EQ(report.exit_code(), 0) << at << report.text();
    EXPECT_THAT(read_file(outline_), AllOf(HasSubstr("Cloudgov"), HasSubstr("outlook"))) << at;
    EXPECT_THAT(removed(), Contains(mine)) << at;
    if (!killed) break;
  }
}

TEST_F(EditsTest, WhoseRecordIsDamagedIsTakenOverAgainFromTheFile) {
  ASSERT_EQ(run().exit_code(), 0);
  edit(outline_, "Fernstone", "Fern");
  const std::string mine = read_file(outline_);
  ASSERT_EQ(run().exit_code(), 0);
  const fs::path record = run_ / ".resumable/checkpoints/outline.2.ckpt";
  std::string bytes = read_file(record);
  bytes[100] ^= 1;
  write_file(record, bytes);
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_EQ(report.plan()["outline"].causes.front().reason, Reason::edited);
  EXPECT_EQ(read_file(outline_), mine);
  EXPECT_EQ(run({.run = "r1", .reject = {"outline"}}).exit_code(), 0);
  EXPECT_THAT(removed(), Contains(mine));
}

TEST_F(EditsTest, AValidatorRefusesAnEditAndFailsAResult) {
  const auto report = [&](const std::string& made) {
    Pipeline p{"p"};
    const auto title = p.stage("title", [&] { return made; });
    p.validate(title, [](const std::string& text) {
      return text.size() < 4 ? std::string{"a title has four letters or more"} : std::string{};
    });
    p.artifact(title, "title.txt");
    return resume(p, store_, {.run = "v"});
  };
  EXPECT_EQ(report("abc").exit_code(), 1);
  ASSERT_EQ(report("abcd").exit_code(), 0);
  write_file(folder_ / "store/v/title.txt", "\"ab\"");
  const Report refused = report("abcd");
  EXPECT_EQ(refused.exit_code(), 3);
  EXPECT_THAT(refused.error()->explain(), HasSubstr("a title has four letters or more"));
}

TEST_F(EditsTest, AParserMakesARenderedFileEditable) {
  struct Rows {
    static std::string render(const std::vector<int>& all) {
      std::string text;
      for (const int one : all) text += std::to_string(one) + "\n";
      return text;
    }
    static std::vector<int> parse(const std::string& text) {
      std::vector<int> all;
      std::istringstream in{text};
      for (std::string line; std::getline(in, line);) all.push_back(std::stoi(line));
      return all;
    }
  };
  int sums = 0;
  const auto once = [&] {
    Pipeline p{"p"};
    const auto rows = p.stage("rows", [] { return std::vector<int>{1, 2, 3}; });
    const auto sum = p.stage("sum", inputs(rows), [&](const std::vector<int>& all) {
      ++sums;
      int result = 0;
      for (const int one : all) result += one;
      return result;
    });
    p.artifact(rows, "rows.txt", &Rows::render, &Rows::parse);
    p.artifact(sum, "sum.json");
    return resume(p, store_, {.run = "rows"});
  };
  ASSERT_EQ(once().exit_code(), 0);
  write_file(folder_ / "store/rows/rows.txt", "1\n2\n4\n");
  const Report report = once();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(texts(report.plan()["rows"]), ElementsAre("your edit: /2: 3 -> 4"));
  EXPECT_EQ(read_file(folder_ / "store/rows/sum.json"), "7\n");
  EXPECT_EQ(sums, 2);
}

}  // namespace
}  // namespace resumable::test
