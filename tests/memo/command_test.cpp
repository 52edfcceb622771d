// The program memo, driven in process: what it says, its exit codes, what it leaves alone.
#include <sstream>

#include "memo/memo_test.hpp"
#include "resumable/file_store.hpp"

namespace memo::testing {
namespace {

using resumable::test::read_file;
using resumable::test::snapshot;
using ::testing::HasSubstr;

using MemoCommand = MemoTest;

TEST_F(MemoCommand, RunsFromTheSourcesToTheMemo) {
  const Said said = run();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("Aldermere-v0.0.1/4-final-draft.md"));
  EXPECT_THAT(said.out, HasSubstr(" of 10; questions open: "));
  EXPECT_THAT(read_file(folder / "out/Aldermere-v0.0.1/4-final-draft.md"),
              HasSubstr("## Citations"));
  EXPECT_THAT(memo({"resume", "Aldermere"}).out, HasSubstr("resumed: 13 of 13 stages skipped"));
  for (const char* file :
       {"0-deck-analysis.json", "1-research.json", "1-section-research.json", "header.md",
        "2-sections/04-team.md", "3-validation.json", "state.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "out/Aldermere-v0.0.1" / file)) << file;
  }
}

TEST_F(MemoCommand, NothingThereExitsWithTheCommandToType) {
  for (const char* word : {"resume", "plan", "status", "approve"}) {
    const Said said = memo({word, "Acme"});
    EXPECT_EQ(said.code, 2) << word;
    EXPECT_THAT(said.err, HasSubstr("memo run Acme")) << word;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "looking creates nothing";
}

TEST_F(MemoCommand, BadInputChangesNothing) {
  std::filesystem::create_directories(folder / "empty");
  const std::string empty = (folder / "empty").string();
  const auto refused = [&](std::vector<std::string> words, const char* sentence) {
    const Said said = memo(std::move(words));
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_THAT(said.err, HasSubstr(sentence));
  };
  refused({"run", "Aldermere", "--sources", "/nonexistent"}, "cannot be read");
  refused({"run", "Aldermere", "--sources", empty}, "no text is among the sources");
  refused({"run", "Aldermere", "--sources", made_folder().string(), "--budget", "-3s"},
          "a time is not negative");
  refused({"run", "../x/..", "--sources", empty}, "no text is among the sources");
  refused({"run", "///", "--sources", empty}, "name");
  refused({"run", "Aldermere", "--sources", made_folder().string(), "--type", "x"}, "type");
  refused({"run", "Aldermere", "--sources", made_folder().string(), "--deck", "no.md"}, "no.md");
  refused({"run", "Aldermere"}, "--sources");
  refused({"walk"}, "");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(MemoCommand, ReadsSourcesBehindLinks) {
  const auto sources = folder / "sources";
  std::filesystem::create_directories(sources);
  std::filesystem::create_directory_symlink(made_folder(), sources / "data");
  std::filesystem::create_directory_symlink(sources, sources / "data2");  // has no end
  const Said said = memo({"run", "Aldermere", "--sources", sources.string()});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(read_file(folder / "out/Aldermere-v0.0.1/4-final-draft.md"), HasSubstr("data/"));
}

TEST_F(MemoCommand, ListShowsEachMemoOrThoseOfOneCompany) {
  ASSERT_EQ(run().code, 0);
  rs::FileStore store{folder / "out"};
  static_cast<void>(store.lease("Acme-v0.0.1", {.create = rs::Create::must}));
  const Said all = memo({"list"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, ::testing::AllOf(HasSubstr("Aldermere-v0.0.1 "), HasSubstr(" done "),
                                        HasSubstr("Acme-v0.0.1 ")));
  const Said one = memo({"list", "Aldermere"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out,
              ::testing::AllOf(HasSubstr("Aldermere-v0.0.1 "), ::testing::Not(HasSubstr("Acme"))));
}

TEST_F(MemoCommand, ADamagedInputIsRepairedByTheFlagThatGivesIt) {
  ASSERT_EQ(run().code, 0);
  const auto checkpoints = folder / "out/Aldermere-v0.0.1/.resumable/checkpoints/@input";
  for (const auto& [input, flags] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"request", {"--type", "direct"}},
           {"deck", {"--deck", "-"}},
           {"min_score", {"--min-score", "0"}}}) {
    for (const auto& entry : std::filesystem::directory_iterator{checkpoints}) {
      const bool is_it = entry.path().filename().string().starts_with(input + ".");
      if (is_it) resumable::test::write_file(entry.path(), "");
    }
    std::vector<std::string> words{"resume", "Aldermere"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Said said = memo(words);
    EXPECT_EQ(said.code, 0) << input << said.err;
  }
}

TEST_F(MemoCommand, AFundHasOtherTitlesAndQuestionsThanACompany) {
  const Said said = run({"--min-score", "0", "--type", "fund", "--mode", "justify"});
  ASSERT_EQ(said.code, 0) << said.err;
  const std::string text = read_file(folder / "out/Aldermere-v0.0.1/4-final-draft.md");
  EXPECT_THAT(text, HasSubstr("## Fund Strategy"));
  EXPECT_THAT(text, HasSubstr("## Justification"));
  EXPECT_THAT(text, HasSubstr("fund investment, to justify a decision."));
}

TEST_F(MemoCommand, AnOutlineOfOnesOwnIsAskedAndOneThatIsNoneIsNamed) {
  const auto outline = folder / "mine.json";
  resumable::test::write_file(outline, R"({"sections": [{"key": "price", "title": "Price",
    "questions": [{"id": "p", "heading": "By day", "question": "What does a Crane cost per day?"}]}]})");
  ASSERT_EQ(run({"--min-score", "0", "--outline", outline.string()}).code, 0);
  EXPECT_THAT(read_file(folder / "out/Aldermere-v0.0.1/2-sections/01-price.md"), HasSubstr("€690"));
  resumable::test::write_file(outline, R"({"sections": [{"key": "price", "title": "Price"}]})");
  const Said said = run({"--outline", outline.string()});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("section 'price' lacks the key 'questions'"));
}

}  // namespace
}  // namespace memo::testing
