// Files that a fan-out appends to, and values that have nothing to export.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/resumable.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Chapters of a book; those that begin with '-' have no text.
struct Book {
  explicit Book(
      std::vector<std::string> titles,
      std::function<std::string(const std::string&)> write = [](const std::string& t) {
        return "chapter " + t + "\n";
      }) {
    const auto list = pipeline.input("titles", std::move(titles));
    chapters.emplace(pipeline.stage("chapters", inputs(each(list)), write));
    const auto text = [](const std::string& chapter) -> std::optional<std::string> {
      return chapter.starts_with("chapter -") ? std::nullopt : std::optional{chapter};
    };
    pipeline.artifact(*chapters, "chapters/{item}.txt", text);
    pipeline.append(*chapters, "book.txt", text);
  }
  Pipeline pipeline{"p"};
  std::optional<FanOut<std::string>> chapters;
};

class AppendedTest : public ::testing::Test {
 protected:
  Report run(const Book& book, ResumeOptions options = {.run = "r"}) {
    return resume(book.pipeline, store_, options);
  }
  std::string book() { return read_file(run_ / "book.txt"); }

  TempFolder folder_;
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r";
};

TEST_F(AppendedTest, HoldsTheTextsInListOrderWhateverFinishedFirst) {
  for (const unsigned concurrency : {1U, 4U}) {
    const std::string id = "r" + std::to_string(concurrency);
    const Book book{{"c", "-", "a", "b", "a"}};
    ASSERT_TRUE(run(book, {.run = id, .concurrency = concurrency}));
    EXPECT_EQ(read_file(folder_ / "store" / id / "book.txt"), "chapter c\nchapter a\nchapter b\n");
    EXPECT_FALSE(fs::exists(folder_ / "store" / id / "chapters/-.txt")) << "it has no text";
    const Report again = run(book, {.run = id});
    EXPECT_EQ(outline(again.plan()), "chapters skip done");
  }
}

TEST_F(AppendedTest, IsTheSameWhereverTheRunIsKilled) {
  const std::vector<std::string> titles{"a", "b", "-", "c", "d"};
  for (int at = 1; at <= 5; ++at) {
    const std::string id = "r" + std::to_string(at);
    ChildProcess child([&] {
      int left = at;
      const Book killed{titles, [&](const std::string& title) {
                          if (--left == 0) ::raise(SIGKILL);
                          return "chapter " + title + "\n";
                        }};
      return run(killed, {.run = id}).exit_code();
    });
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    Calls calls;
    const Book book{titles, [&](const std::string& title) {
                      calls("one");
                      return "chapter " + title + "\n";
                    }};
    const Report report = run(book, {.run = id});
    ASSERT_TRUE(report);
    EXPECT_EQ(calls.of("one"), 6 - at);
    EXPECT_EQ(read_file(folder_ / "store" / id / "book.txt"),
              "chapter a\nchapter b\nchapter c\nchapter d\n");
    EXPECT_THAT(report.warnings(), IsEmpty());
  }
}

/// A run that failed in its third of four chapters, with the file as `change` leaves it.
#define FAILED_IN_THE_THIRD()                                              \
  const std::vector<std::string> titles{"a", "b", "c", "d"};               \
  {                                                                        \
    const Book failing{titles, [](const std::string& title) {              \
                         if (title == "c") throw std::runtime_error("no"); \
                         return "chapter " + title + "\n";                 \
                       }};                                                 \
    ASSERT_FALSE(run(failing));                                            \
    ASSERT_EQ(book(), "chapter a\nchapter b\n");                           \
  }

TEST_F(AppendedTest, LosesATornTailAndKeepsACopyOfWhatIsNotItsOwn) {
  FAILED_IN_THE_THIRD();
  write_file(run_ / "book.txt", book() + "chapter c\nchap");
  const Report torn = run(Book{titles});
  ASSERT_TRUE(torn);
  EXPECT_EQ(book(), "chapter a\nchapter b\nchapter c\nchapter d\n");
  EXPECT_EQ(torn.warnings().size(), 1U) << "c was not done: that text is not known to be ours";

  write_file(run_ / "book.txt", book() + "\0\0\0"s);
  const Report zeros = run(Book{titles});
  ASSERT_TRUE(zeros);
  EXPECT_EQ(book(), "chapter a\nchapter b\nchapter c\nchapter d\n");
  ASSERT_EQ(zeros.warnings().size(), 1U);
  EXPECT_THAT(zeros.warnings().front(), HasSubstr("kept in .resumable/removed"));
  std::vector<std::string> kept;
  for (const auto& entry : fs::directory_iterator(run_ / ".resumable/removed")) {
    kept.push_back(read_file(entry.path()));
  }
  EXPECT_THAT(kept, ::testing::UnorderedElementsAre("chapter c\nchap", "\0\0\0"s));
}

TEST_F(AppendedTest, IsRefusedWhenAPersonChangedIt) {
  FAILED_IN_THE_THIRD();
  for (const std::string& changed : {"Chapter a\nchapter b\n"s, "chapter a\n"s, ""s}) {
    write_file(run_ / "book.txt", changed);
    const Report report = run(Book{titles});
    EXPECT_EQ(report.exit_code(), 3);
    EXPECT_EQ(report.error()->errc(), Errc::edited);
    EXPECT_EQ(book(), changed) << "untouched";
  }
  fs::remove(run_ / "book.txt");
  EXPECT_THAT(outline(ResumePlanner{store_}.plan(Book{titles}.pipeline, {.run = "r"})),
              HasSubstr("chapters run"));
  ASSERT_TRUE(run(Book{titles}));
  EXPECT_EQ(book(), "chapter a\nchapter b\nchapter c\nchapter d\n");
}

TEST_F(AppendedTest, IsRefusedWhenItsPlaceIsTaken) {
  fs::create_directories(run_);
  write_file(run_ / "book.txt", "mine");
  Calls calls;
  const Report report = run(Book{{"a"}, [&](const std::string&) {
                                   calls("ran");
                                   return "chapter a\n"s;
                                 }});
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_EQ(book(), "mine");
  EXPECT_EQ(calls.take(), "") << "nothing ran";
}

TEST_F(AppendedTest, ComesBackWhenItIsMissing) {
  ASSERT_TRUE(run(Book{{"a", "b"}}));
  fs::remove(run_ / "book.txt");
  EXPECT_EQ(outline(ResumePlanner{store_}.plan(Book{{"a", "b"}}.pipeline, {.run = "r"})),
            "chapters skip done restored");
  Calls calls;
  ASSERT_TRUE(run(Book{{"a", "b"}, [&](const std::string&) {
                         calls("ran");
                         return ""s;
                       }}));
  EXPECT_EQ(calls.take(), "");
  EXPECT_EQ(book(), "chapter a\nchapter b\n");
}

TEST_F(AppendedTest, IsWrittenAgainWhenItsItemsChange) {
  ASSERT_TRUE(run(Book{{"a", "b", "c"}}));
  ASSERT_TRUE(run(Book{{"a", "x", "b", "c"}}));
  EXPECT_EQ(book(), "chapter a\nchapter x\nchapter b\nchapter c\n") << "one came in between";
  ASSERT_TRUE(run(Book{{"a", "x"}}));
  EXPECT_EQ(book(), "chapter a\nchapter x\n") << "some are gone";
  const Book other{{"a", "x"}, [](const std::string& title) { return "new " + title + "\n"; }};
  ASSERT_TRUE(run(other, {.run = "r", .redo = {"chapters/a"}}));
  EXPECT_EQ(book(), "new a\nchapter x\n");
  ASSERT_TRUE(run(other, {.run = "r", .redo = {"chapters/a"}})) << "the same again";
  EXPECT_EQ(book(), "new a\nchapter x\n");
}

TEST_F(AppendedTest, IsNotRewrittenOverAnEditThatIsMadeWhileTheRunGoes) {
  ASSERT_TRUE(run(Book{{"a", "b"}}));
  const Report report = run(Book{{"x", "a", "b"}, [&](const std::string& title) {
                                   write_file(run_ / "book.txt", "mine");
                                   return "chapter " + title + "\n";
                                 }});
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr("was edited during the run")));
  EXPECT_EQ(book(), "mine");
  const Report next = run(Book{{"x", "a", "b"}});
  EXPECT_EQ(next.exit_code(), 3);
  EXPECT_EQ(next.error()->errc(), Errc::edited);
  EXPECT_EQ(book(), "mine");
}

TEST_F(AppendedTest, FollowsTheOrderOfAQueue) {
  for (const unsigned concurrency : {1U, 4U}) {
    Pipeline p{"p"};
    const auto roots = p.input("roots", std::vector<std::string>{"1"});
    const auto queue =
        p.queue("queue", inputs(each(roots)), [](Context& ctx, const std::string& item) {
          for (const char* next : {"a", "b"}) {
            if (item.size() < 4) ctx.enqueue(item + next);
          }
          return item + " ";
        });
    p.append(queue, "all.txt", [](const std::string& text) { return text; });
    const std::string id = "r" + std::to_string(concurrency);
    ASSERT_TRUE(resume(p, store_, {.run = id, .concurrency = concurrency}));
    EXPECT_EQ(read_file(folder_ / "store" / id / "all.txt"),
              "1 1a 1b 1aa 1ab 1ba 1bb 1aaa 1aab 1aba 1abb 1baa 1bab 1bba 1bbb ");
  }
}

TEST_F(AppendedTest, MovesTheFileOfAValueThatHasNoTextAnyMore) {
  std::string text = "chapter a\n";
  const Book book{{"a"}, [&](const std::string&) { return text; }};
  ASSERT_TRUE(run(book));
  ASSERT_TRUE(fs::exists(run_ / "chapters/a.txt"));
  text = "chapter -\n";
  ASSERT_TRUE(run(book, {.run = "r", .redo = {"chapters"}}));
  EXPECT_FALSE(fs::exists(run_ / "chapters/a.txt"));
  EXPECT_EQ(this->book(), "");
  EXPECT_EQ(outline(run(book).plan()), "chapters skip done");
  text = "chapter a\n";
  ASSERT_TRUE(run(book, {.run = "r", .redo = {"chapters"}}));
  EXPECT_EQ(read_file(run_ / "chapters/a.txt"), text);
}

TEST(Appended, IsRefusedAtDeclarationWhereItCannotBe) {
  EXPECT_EQ(code_of([] {
              Book book{{"a"}};
              book.pipeline.append(*book.chapters, "{item}.txt",
                                   [](const std::string& t) { return t; });
            }),
            Errc::bad_name);
  EXPECT_EQ(code_of([] {
              Book book{{"a"}};
              book.pipeline.append(*book.chapters, "book.txt",
                                   [](const std::string& t) { return t; });
            }),
            Errc::path_conflict);
}

}  // namespace
}  // namespace resumable::test
