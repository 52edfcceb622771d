// What an editor adds to a text on its own is no change: a byte order mark, other line ends, a line
// feed at the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/file_store.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "resumable/text.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

const std::string mark = "\xEF\xBB\xBF";

struct Note {
  std::string text;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Note, text)

/// A text, and a note whose file has its text only; what depends on each counts its calls.
class Editors : public ::testing::TestWithParam<std::string> {
 protected:
  Report run(const std::string& exported) {
    Pipeline p{"p"};
    const auto text = p.stage("text", [=] { return Text{exported}; });
    const auto note = p.stage("note", [=] { return Note{exported}; });
    p.artifact(text, "text.md");
    p.artifact(note, "note.md", &Note::text,
               [](const std::string& read, const Note&) { return Note{read}; });
    p.stage("after", inputs(text, note), [this](const Text& t, const Note& n) {
      ++calls_;
      last_ = {t.text, n.text};
      return 1;
    });
    return resume(p, store_, {.run = "r"});
  }
  void save(const std::string& text) {
    write_file(folder_ / "store/r/text.md", text);
    write_file(folder_ / "store/r/note.md", text);
  }

  TempFolder folder_;
  FileStore store_{folder_ / "store"};
  int calls_ = 0;
  std::pair<std::string, std::string> last_;
};

TEST_P(Editors, ChangeNothingByWhatTheyAdd) {
  const std::string& exported = GetParam();
  ASSERT_TRUE(run(exported));
  ASSERT_EQ(calls_, 1);
  std::string crlf;
  for (const char c : exported) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& saved : {mark + exported, crlf, mark + crlf}) {
    save(saved);
    const Report report = run(exported);
    ASSERT_TRUE(report) << report.text();
    EXPECT_EQ(calls_, 1) << report.plan().text(true);
    EXPECT_EQ(read_file(folder_ / "store/r/text.md"), saved) << "it is the user's file";
  }
}
INSTANTIATE_TEST_SUITE_P(Texts, Editors, ::testing::Values("a\nb\n", "a\n\nb", "one line", "x\n"));

TEST_F(Editors, AddALineFeedAtTheEndWithoutAChange) {
  ASSERT_TRUE(run("a\nb"));
  save("a\nb\n");
  ASSERT_TRUE(run("a\nb"));
  EXPECT_EQ(calls_, 1);
  save("a\nb\n\n");
  ASSERT_TRUE(run("a\nb"));
  EXPECT_EQ(calls_, 2) << "one more is the user's";
}

TEST_F(Editors, MayChangeTheTextAsWell) {
  ASSERT_TRUE(run("a\nb\n"));
  save(mark + "a\r\nc\r\n");
  ASSERT_TRUE(run("a\nb\n"));
  EXPECT_EQ(calls_, 2);
  EXPECT_EQ(last_, (std::pair<std::string, std::string>{"a\nc\n", "a\nc\n"}));
}

TEST_F(Editors, LeaveWhatTheExportedTextHas) {
  ASSERT_TRUE(run(mark + "a\r\nb\n"));
  save(mark + "a\r\nc\n");
  ASSERT_TRUE(run(mark + "a\r\nb\n"));
  EXPECT_EQ(last_.first, mark + "a\r\nc\n");
  EXPECT_EQ(last_.second, mark + "a\r\nc\n");
}

}  // namespace
}  // namespace resumable::test
