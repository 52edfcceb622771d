// Users edit a file that all items of a fan-out are appended to.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "exports/memo.hpp"
#include "resumable/resumable.hpp"
#include "run/run_support.hpp"
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
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// Chapters, each below its title; lengths is made of each of them.
struct Novel {
  std::vector<std::string> titles{"a", "b", "c"};
  std::string body = "text\nmore\n";
  bool has_parse = true;
  bool has_own_files = false;
  std::function<void(const std::string&)> while_written = [](const std::string&) {};

  [[nodiscard]] Pipeline pipeline(const Journal& journal) const {
    Pipeline p{"book"};
    const auto list = p.input("titles", titles);
    const auto words = p.input("body", body);
    const auto chapters =
        p.stage("chapters", inputs(each(list), words),
                [*this, journal](const std::string& title, const std::string& text) {
                  while_written(title);
                  journal.note("chapters/" + title);
                  return Text{"# " + title + "\n" + text};
                });
    const auto lengths =
        p.stage("lengths", inputs(each(chapters)), [=](Context& ctx, const Text& chapter) {
          journal.note("lengths/" + ctx.item());
          return chapter.text.size();
        });
    static_cast<void>(lengths);
    const auto parse = [](const std::string& text) {
      if (!text.starts_with("# ")) throw std::invalid_argument("a chapter begins with '# '");
      if (text.find("\n# ") != text.npos) throw std::invalid_argument("these are two chapters");
      return Text{text};
    };
    if (has_own_files) p.artifact(chapters, "chapters/{item}.md");
    if (has_parse) {
      p.append(chapters, "book.md", &Text::text, parse);
    } else {
      p.append(chapters, "book.md", &Text::text);
    }
    return p;
  }
  [[nodiscard]] std::string text(const std::string& title) const {
    return "# " + title + "\n" + body;
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string& title : titles) all += text(title);
    return all;
  }
};

class AppendedEditsTest : public ::testing::Test {
 protected:
  Report run(ResumeOptions options = {}) {
    journal_.clear();
    options.run = "r";
    return resume(novel_.pipeline(journal_), store_, options);
  }
  Plan plan(ResumeOptions options = {}) {
    options.run = "r";
    return ResumePlanner{store_}.plan(novel_.pipeline(journal_), options);
  }
  [[nodiscard]] std::vector<std::string> causes() {
    const Plan planned = plan();
    std::vector<std::string> all;
    for (const Cause& cause : planned["chapters"].causes) all.push_back(cause.text());
    return all;
  }
  [[nodiscard]] std::string file() const { return read_file(file_); }
  void write(std::string_view text) { write_file(file_, text); }
  void edit(std::string_view from, std::string_view to) {
    std::string text = file();
    const std::size_t at = text.find(from);
    ASSERT_NE(at, text.npos);
    write(text.replace(at, from.size(), to));
  }
  [[nodiscard]] std::vector<std::string> removed() const { return removed_texts(run_); }
  void expect_refused(const std::string& text, const std::string& why) {
    write(text);
    const auto before = snapshot(run_);
    EXPECT_THAT(causes().front(), AllOf(HasSubstr("'book.md'"), HasSubstr(why)));
    const Report report = run();
    ASSERT_EQ(report.exit_code(), 3);
    EXPECT_THAT(report.error()->explain(), AllOf(HasSubstr("book.md"), HasSubstr(why)));
    EXPECT_THAT(journal_.lines(), IsEmpty());
    EXPECT_EQ(snapshot(run_), before);
  }

  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r";
  fs::path file_ = folder_ / "store/r/book.md";
  Novel novel_;
};

TEST_F(AppendedEditsTest, AnEditWithinOneItemsTextIsThatItemsValueAndNoOthers) {
  ASSERT_EQ(run().exit_code(), 0);
  edit("# b\ntext", "# b\nmine");
  const std::string edited = file();
  EXPECT_THAT(causes(), ElementsAre("your edit: line 2: text -> mine: item 'b'"));
  EXPECT_EQ(plan()["chapters"].action, Action::skip);
  EXPECT_EQ(file(), edited) << "planning writes nothing";
  EventLog events;
  ASSERT_EQ(run({.observers = {&events}}).exit_code(), 0);
  EXPECT_THAT(events.of(EventKind::edited), ElementsAre("chapters/b"));
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/b"));
  EXPECT_EQ(file(), edited);
  EXPECT_TRUE(plan().complete());
  EXPECT_THAT(removed(), IsEmpty()) << "the file is as the user left it";
  std::string records;
  for (const auto& [name, bytes] : snapshot(run_ / ".resumable/checkpoints")) records += bytes;
  EXPECT_THAT(records, HasSubstr("\"edited_by\""));
}

TEST_F(AppendedEditsTest, EditsOfSeveralItemsAreTakenOverTogether) {
  novel_.has_own_files = true;
  ASSERT_EQ(run().exit_code(), 0);
  write("# a\nfirst\nmore\n# b\nsecond\n# c\ntext\nmore\n");
  const std::string edited = file();
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("lengths/a", "lengths/b"));
  EXPECT_EQ(file(), edited);
  EXPECT_EQ(read_file(run_ / "chapters/b.md"), "# b\nsecond\n");
  EXPECT_EQ(read_file(run_ / "chapters/c.md"), novel_.text("c"));
  EXPECT_TRUE(plan().complete());
}

TEST_F(AppendedEditsTest, WhatIsAddedBetweenItemsIsOfTheOneWhoseParseAcceptsIt) {
  ASSERT_EQ(run().exit_code(), 0);
  edit("# b\n", "added\n# b\n");
  EXPECT_THAT(causes(), ElementsAre(AllOf(HasSubstr("added"), HasSubstr("item 'a'"))));
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/a"));
}

TEST_F(AppendedEditsTest, WhatIsAddedAtTheEndIsOfTheLastItem) {
  ASSERT_EQ(run().exit_code(), 0);
  write(file() + "the end\n");
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/c"));
  EXPECT_EQ(file(), novel_.text() + "the end\n");
  EXPECT_THAT(removed(), IsEmpty());
}

TEST_F(AppendedEditsTest, AnEditedItemCanBeEditedAgainAndMoreIsAppendedBehindIt) {
  ASSERT_EQ(run().exit_code(), 0);
  for (const std::string to : {"one", "two"}) {
    edit(to == "one" ? "text" : "one", to);
    ASSERT_EQ(run().exit_code(), 0);
    EXPECT_THAT(journal_.lines(), ElementsAre("lengths/a"));
  }
  const std::string edited = file();
  novel_.titles.push_back("d");
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_EQ(file(), edited + novel_.text("d"));
  EXPECT_THAT(removed(), IsEmpty());
}

TEST_F(AppendedEditsTest, WhatCannotBeAssignedIsRefusedAndStays) {
  ASSERT_EQ(run().exit_code(), 0);
  expect_refused("quite another\ntext\n", "cannot be assigned to items");
  expect_refused(novel_.text("a") + "b without its title\n" + novel_.text("c"),
                 "item 'b': a chapter begins with '# '");
  ASSERT_EQ(run({.reject = {"chapters"}}).exit_code(), 0);
  EXPECT_EQ(file(), novel_.text());
  EXPECT_THAT(removed(), ElementsAre(HasSubstr("b without its title")));
  EXPECT_TRUE(plan().complete());
}

TEST_F(AppendedEditsTest, WhatMayBeOfSeveralItemsIsRefusedAndNamesThem) {
  novel_.titles = {"a", "a2"};
  const auto make = [] {
    Pipeline p{"p"};
    const auto list = p.input("list", std::vector<std::string>{"a", "b"});
    const auto lines = p.stage("lines", inputs(each(list)),
                               [](const std::string& item) { return Text{item + "\n"}; });
    p.append(lines, "all.txt", &Text::text, [](const std::string& text) { return Text{text}; });
    return p;
  };
  ASSERT_EQ(resume(make(), store_, {.run = "r"}).exit_code(), 0);
  write_file(run_ / "all.txt", "a\nnew\nb\n");
  const Report report = resume(make(), store_, {.run = "r"});
  ASSERT_EQ(report.exit_code(), 3);
  EXPECT_THAT(report.error()->explain(), AllOf(HasSubstr("item 'a'"), HasSubstr("item 'b'")));
  EXPECT_EQ(read_file(run_ / "all.txt"), "a\nnew\nb\n");
}

TEST_F(AppendedEditsTest, WithoutAParseItIsRefusedAndCanBeRejected) {
  novel_.has_parse = false;
  ASSERT_EQ(run().exit_code(), 0);
  expect_refused("# A" + novel_.text().substr(3), "declared without a parse");
  ASSERT_EQ(run({.reject = {"chapters"}}).exit_code(), 0);
  EXPECT_EQ(file(), novel_.text());
  EXPECT_THAT(removed(), ElementsAre(HasSubstr("# A")));
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(AppendedEditsTest, ACallThatRunsTheStageAnewDiscardsWhatCannotBeReadBack) {
  novel_.has_parse = false;
  for (const ResumeOptions& again :
       {ResumeOptions{.fresh = true}, ResumeOptions{.redo = {"chapters"}},
        ResumeOptions{.from = {"chapters"}}}) {
    ASSERT_EQ(run().exit_code(), 0);
    write("# a\nte");
    const Report refused = run();
    ASSERT_EQ(refused.exit_code(), 3);
    EXPECT_THAT(refused.error()->explain(), HasSubstr(R"(reject = {"chapters"})"));
    EXPECT_FALSE(plan(again).refused()) << plan(again).text();
    EXPECT_THAT(plan(again).text(true), HasSubstr("your change of 'book.md' is discarded"));
    ASSERT_EQ(run(again).exit_code(), 0);
    EXPECT_EQ(file(), novel_.text());
    EXPECT_THAT(removed(), Contains("# a\nte"));
    fs::remove_all(run_);
  }
}

TEST_F(AppendedEditsTest, AParseThatIsAddedLaterReadsEditsAfterTheNextCall) {
  novel_.has_parse = false;
  ASSERT_EQ(run().exit_code(), 0);
  novel_.has_parse = true;
  ASSERT_EQ(run().exit_code(), 0);
  edit("text", "mine");
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/a"));
}

TEST_F(AppendedEditsTest, OneItemsEditCanBeRejectedAndAnothersKept) {
  ASSERT_EQ(run().exit_code(), 0);
  write("# a\nfirst\nmore\n# b\nsecond\nmore\n# c\ntext\nmore\n");
  ASSERT_EQ(run({.reject = {"chapters/a"}}).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/b"));
  EXPECT_EQ(file(), novel_.text("a") + "# b\nsecond\nmore\n" + novel_.text("c"));
  EXPECT_THAT(removed(), ElementsAre(HasSubstr("first")));
  EXPECT_TRUE(plan().complete());
}

TEST_F(AppendedEditsTest, AnEditThatWasTakenOverCanStillBeRejected) {
  ASSERT_EQ(run().exit_code(), 0);
  edit("# b\ntext", "# b\nmine");
  const std::string edited = file();
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(plan({.reject = {"chapters"}}).text(), HasSubstr("discarded"));
  ASSERT_EQ(run({.reject = {"chapters"}}).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/b"));
  EXPECT_EQ(file(), novel_.text());
  EXPECT_THAT(removed(), ElementsAre(edited));
}

TEST_F(AppendedEditsTest, ARejectedMistakeKeepsTheEditsThatWereTakenOver) {
  ASSERT_EQ(run().exit_code(), 0);
  edit("# b\ntext", "# b\nmine");
  const std::string agreed = file();
  ASSERT_EQ(run().exit_code(), 0);
  expect_refused("quite another\ntext\n", "cannot be assigned to items");
  ASSERT_EQ(run({.reject = {"chapters"}}).exit_code(), 0);
  EXPECT_EQ(file(), agreed);
  EXPECT_THAT(removed(), ElementsAre("quite another\ntext\n"));
  EXPECT_TRUE(plan().complete());
}

TEST_F(AppendedEditsTest, AnItemsTextThatIsDeletedComesBackAndACopyIsKept) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string edited = novel_.text("a") + novel_.text("c");
  write(edited);
  EXPECT_THAT(causes(), ElementsAre(AllOf(HasSubstr("exported again"), HasSubstr("item 'b'"))));
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(file(), novel_.text());
  EXPECT_THAT(removed(), ElementsAre(edited));
}

TEST_F(AppendedEditsTest, RedoKeepsTheEdit) {
  ASSERT_EQ(run().exit_code(), 0);
  edit("# b\ntext", "# b\nmine");
  const std::string edited = file();
  ASSERT_EQ(run({.redo = {"chapters/b"}}).exit_code(), 0);
  EXPECT_EQ(file(), edited);
}

TEST_F(AppendedEditsTest, AChangedInputAndAnEditAreMergedOrAsked) {
  ASSERT_EQ(run().exit_code(), 0);
  edit("# b\ntext\nmore", "# b\nmine\nmore");
  const std::string edited = file();
  novel_.body = "text\nmore\nand more\n";
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_EQ(file(), novel_.text("a") + "# b\nmine\nmore\nand more\n" + novel_.text("c"));
  EXPECT_THAT(removed(), ElementsAre(edited));
  novel_.body = "other\nmore\nand more\n";
  EXPECT_EQ(run().outcome(), Outcome::waiting);
  EXPECT_THAT(plan().text(), AllOf(HasSubstr("mine"), HasSubstr("other")));
  ASSERT_EQ(run({.reject = {"chapters/b"}}).exit_code(), 0);
  EXPECT_EQ(file(), novel_.text());
}

TEST_F(AppendedEditsTest, TwoFilesThatShowOneItemCannotBothBeEdited) {
  novel_.has_own_files = true;
  ASSERT_EQ(run().exit_code(), 0);
  write_file(run_ / "chapters/b.md", "# b\nhere\n");
  expect_refused("# a\ntext\nmore\n# b\nthere\nmore\n# c\ntext\nmore\n", "another file");
}

TEST_F(AppendedEditsTest, AValueThatRendersToAnotherTextIsWrittenOnceACopyIsKept) {
  const auto make = [] {
    Pipeline p{"p"};
    const auto list = p.input("list", std::vector<int>{1, 2, 3});
    const auto squares = p.stage("squares", inputs(each(list)), [](int n) { return n * n; });
    p.append(
        squares, "all.txt", [](int n) { return std::to_string(n) + "\n"; },
        [](const std::string& text) { return std::stoi(text); });
    return p;
  };
  ASSERT_EQ(resume(make(), store_, {.run = "r"}).exit_code(), 0);
  write_file(run_ / "all.txt", "1\n  5  \n9\n");
  ASSERT_EQ(resume(make(), store_, {.run = "r"}).exit_code(), 0);
  EXPECT_EQ(read_file(run_ / "all.txt"), "1\n5\n9\n");
  EXPECT_THAT(removed(), ElementsAre("1\n  5  \n9\n"));
}

TEST_F(AppendedEditsTest, MadeWhileTheRunGoesOnItStaysAndTheNextCallTakesItOver) {
  for (const bool by_rename : {false, true}) {
    SCOPED_TRACE(by_rename ? "another file of the same length" : "another length");
    const std::string edited =
        "# a\nmine\nmore\n# b\n" + std::string{by_rename ? "MINE" : "quite mine"} + "\nmore\n";
    fs::remove_all(run_);
    novel_.while_written = [&](const std::string& title) {
      if (title != "c") return;
      write_file(by_rename ? run_ / "new" : file_, edited);
      if (by_rename) fs::rename(run_ / "new", file_);
    };
    const Report first = run();
    EXPECT_EQ(first.exit_code(), 0);
    EXPECT_THAT(first.warnings(), ElementsAre(HasSubstr("was edited during the run")));
    EXPECT_EQ(file(), edited);
    novel_.while_written = [](const std::string&) {};
    ASSERT_EQ(run().exit_code(), 0);
    EXPECT_THAT(journal_.lines(), UnorderedElementsAre("lengths/a", "lengths/b"));
    EXPECT_EQ(file(), edited + novel_.text("c"));
    EXPECT_TRUE(plan().complete());
  }
}

TEST_F(AppendedEditsTest, OfTheSameLengthWhileTheRunGoesOnTheNextCallTakesItOver) {
  novel_.while_written = [&](const std::string& title) {
    if (title == "c") edit("text", "mine");
  };
  ASSERT_EQ(run().exit_code(), 0);
  novel_.while_written = [](const std::string&) {};
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/a"));
  EXPECT_THAT(file(), HasSubstr("# a\nmine\nmore\n# b\ntext"));
}

TEST_F(AppendedEditsTest, MadeWhileItsItemsRunAgainItIsMergedByTheNextCall) {
  ASSERT_EQ(run().exit_code(), 0);
  novel_.body = "text\nmore\nand more\n";
  novel_.while_written = [&](const std::string& title) {
    if (title == "c") edit("# b\ntext", "# b\nmine");
  };
  const Report first = run();
  EXPECT_EQ(first.exit_code(), 0);
  EXPECT_THAT(file(), HasSubstr("# b\nmine\nmore\n# c"));
  novel_.while_written = [](const std::string&) {};
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_EQ(file(), novel_.text("a") + "# b\nmine\nmore\nand more\n" + novel_.text("c"));
  EXPECT_THAT(journal_.lines(), ElementsAre("lengths/b"));
}

TEST_F(AppendedEditsTest, AFolderThatIsAdoptedGetsTheFileOnceACopyIsKept) {
  novel_.has_own_files = true;
  ASSERT_EQ(run().exit_code(), 0);
  for (const bool edited : {false, true}) {
    if (edited) edit("text", "mine");
    const std::string before = file();
    fs::remove_all(run_ / ".resumable");
    ASSERT_EQ(run({.adopt = true}).exit_code(), 0);
    EXPECT_EQ(file(), novel_.text());
    if (edited) {
      EXPECT_THAT(removed(), ElementsAre(before));
    } else {
      EXPECT_THAT(removed(), IsEmpty());
    }
  }
}

/// What stands in the file is one text per item, whatever was edited.
RC_GTEST_PROP(AppendedEdits, AnyEditOfAnyItemsBelowTheirTitlesGoesToThoseItems, ()) {
  const auto bodies = *rc::gen::container<std::vector<std::string>>(
      4, rc::gen::map(rc::gen::string<std::string>(), [](std::string text) {
        std::erase_if(text, [](char c) { return c < ' ' || c == '#'; });
        return text.substr(0, 8) + "\n";
      }));
  TempFolder folder;
  const Journal journal{folder / "journal"};
  FileStore store{folder / "store"};
  const Novel book{.titles = {"a", "b", "c", "d"}};
  RC_ASSERT(resume(book.pipeline(journal), store, {.run = "r"}).exit_code() == 0);
  journal.clear();
  std::string edited;
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool stays = bodies[i].size() % 2 == 0;
    edited += stays ? book.text(book.titles[i]) : "# " + book.titles[i] + "\n" + bodies[i];
    if (!stays) changed.push_back("lengths/" + book.titles[i]);
  }
  write_file(folder / "store/r/book.md", edited);
  const Report report = resume(book.pipeline(journal), store, {.run = "r"});
  RC_ASSERT(report.exit_code() == 0);
  RC_ASSERT(journal.lines() == changed);
  RC_ASSERT(read_file(folder / "store/r/book.md") == edited);
}

}  // namespace
}  // namespace resumable::test
