#include "memo/source.hpp"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/table.hpp"
#include "memo_run.hpp"

namespace memo {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_{fs::temp_directory_path() / ("memo_source_" + std::to_string(::getpid()))} {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{path_ / name} << text;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string message_of(const fs::path& folder) {
  try {
    load_sources(folder);
  } catch (const SourceError& error) {
    return error.what();
  }
  return {};
}

TEST(Sources, ComeInOrderOfTheirPathsWithTitles) {
  const Sources sources = testing::pack();
  EXPECT_EQ(sources.size(), 30U);
  EXPECT_TRUE(std::ranges::is_sorted(sources, {}, &Source::path));
  EXPECT_EQ(find_source(sources, "profile/cloudgov-team.md")->title, "The cloud.gov team");
  EXPECT_EQ(find_source(sources, "profile/support-packages.yml")->title, "Support packages");
}

TEST(Sources, ProvenanceIsNoSource) {
  EXPECT_EQ(find_source(testing::pack(), "PROVENANCE.md"), nullptr);
  EXPECT_EQ(find_source(testing::pack(), "index.json"), nullptr);
  EXPECT_FALSE(is_source("a/License.md"));
  EXPECT_TRUE(is_source("a/licensing.md"));
}

TEST(Sources, EmptyFolderIsAnErrorThatSaysWhatToDo) {
  const Folder folder;
  EXPECT_NE(message_of(folder.path()).find("no sources in"), std::string::npos);
  EXPECT_NE(message_of(folder.path()).find("--sources"), std::string::npos);
}

TEST(Sources, MissingFolderIsAnErrorThatNamesIt) {
  EXPECT_NE(message_of("/no/such/folder").find("/no/such/folder"), std::string::npos);
}

TEST(Sources, FileThatIsNotUtf8IsNamed) {
  const Folder folder;
  folder.write("good.md", "# Good\n");
  folder.write("bad.md", "# Bad\n\xC3\x28\n");
  EXPECT_NE(message_of(folder.path()).find("bad.md is not UTF-8 in line 2:"), std::string::npos);
}

TEST(Sources, ADeckIsWhatIsCalledSo) {
  const auto deck_of = [](const std::vector<std::string>& paths) {
    Sources sources;
    for (const auto& path : paths) sources.push_back(make_source(path, "# Title\n"));
    return default_deck(sources);
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(deck_of({"about.md", "deck.md", "news/2025-01-01-a.md"}), Paths{"deck.md"});
  EXPECT_EQ(deck_of({"2025-03-Pitch.md", "about.md"}), Paths{"2025-03-Pitch.md"});
  EXPECT_EQ(deck_of({"bedecked.md", "prices.csv", "news/2025-01-01-a.md"}), Paths{"bedecked.md"})
      << "without one: the pages that have no date";
}

TEST(Sources, ADateInAFilesNameIsNoTitle) {
  EXPECT_EQ(make_source("2024-11-letter-to-investors.txt", "Dear all,\n").title,
            "Letter to investors (2024-11)");
  EXPECT_EQ(make_source("visit_2025-07-02.txt", "We went.\n").title, "Visit (2025-07-02)");
  EXPECT_EQ(make_source("2025-07-02.txt", "We went.\n").title, "2025 07 02");
}

TEST(Sources, TheDateIsInTheNameOrInTheFirstShortLines) {
  const auto date = [](const std::string& path, const std::string& text) {
    return date_of(make_source(path, text));
  };
  EXPECT_EQ(date("news/2018-01-11-outage.md", "# N\n\n3 May 2024\n"), "2018-01-11");
  EXPECT_EQ(date("deck-2024-06.md", "# D\n"), "2024-06");
  EXPECT_EQ(date("figures-2023.md", "# F\n"), "") << "of the year, not from it";
  EXPECT_EQ(date("board 12 May 2025.md", "# B\n"), "2025-05-12");
  EXPECT_EQ(date("pitch_Nov-2024.md", "# P\n"), "2024-11");
  const std::string list =
      ", by video. Chair: Ada Byron. In attendance: the four bakers of the "
      "north and the miller, who kept the notes.\n";
  for (const std::string head : {"12 May 2025", "Date: 12 May 2025", "Held on 12 May 2025"}) {
    EXPECT_EQ(date("a.md", "# Notes\n\n" + head + list), "2025-05-12") << head;
  }
  EXPECT_EQ(date("a.md", "# Questions\n\n*Last edited in May 2024*\n"), "2024-05");
  EXPECT_EQ(date("a.md", "# A\n\nMay 2019\n\nThe list (last updated March 14, 2021) is long.\n"),
            "2021-03-14")
      << "no earlier than what it speaks of";
  EXPECT_EQ(date("a.txt", "From: X\nDate: 7 June 2024\nSubject: Y\n"), "2024-06-07");
  EXPECT_EQ(date("a.txt", "June 7, 2024\n\nDear all,\n"), "2024-06-07");
  EXPECT_EQ(date("terms.yml", "# Terms, version of 3 May 2024\nticket: 5\n"), "2024-05-03");
  EXPECT_EQ(date("terms.yml", "closing: 3 May 2024\n"), "") << "not of the paper";
  EXPECT_EQ(date("a.md",
                 "# A\n\nThe company was founded in June 2017 by two friends who had met "
                 "at a school for bakers, far from here.\n"),
            "");
}

TEST(Sources, DeckFileThatDoesNotExistIsAnErrorThatNamesIt) {
  EXPECT_THROW(only(testing::pack(), {"profile/none.md"}), SourceError);
}

TEST(Markdown, AQuestionInBoldIsAHeadingWhetherOrNotItsAnswerIsBesideIt) {
  for (const std::string text : {"# Answers\n\n**Who owns it?** The members do.\n",
                                 "# Answers\n\n**Who owns it?**\n\nThe members do.\n"}) {
    const auto all = blocks(text);
    EXPECT_EQ(all.back().heading, "Who owns it?") << text;
    EXPECT_EQ(all.back().text, "The members do.") << text;
  }
  const auto label = blocks("## Money\n\n- **Price:** €5 a month\n");
  EXPECT_EQ(label.back().heading, "Money: Price");
  EXPECT_EQ(label.back().text, "€5 a month");
}

TEST(Markdown, ALabelAloneIsNotThatOfWhatStandsBeforeIt) {
  const auto all = blocks("- **Flour:** rye\n- wheat\n\n**Ovens**:\n\n- two\n");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].text, "wheat");
  EXPECT_EQ(all[1].label, "");
}

TEST(Markdown, PlainKeepsTheWordsOfLinksAndDropsTheRest) {
  EXPECT_EQ(plain("See [the **docs**](https://x.org/a_(b)) now![^12]"), "See the docs now!");
  EXPECT_EQ(plain("![picture](a.png \"title\")text <!-- gone -->"), "text");
  EXPECT_EQ(plain("<h3><sup>$</sup>130 &#47; GB</h3>"), "$130/GB");
  EXPECT_EQ(plain("5 * 3 and snake_case and _it_ and `*.app`"),
            "5 * 3 and snake_case and it and *.app");
}

TEST(Markdown, LinkOverTwoLinesIsOneParagraph) {
  const auto found = blocks("We [moved\nhouse](https://x.org).\n\nNext.");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].text, "We moved house.");
}

TEST(Markdown, UnderlinedHeadingIsAHeading) {
  const auto found = blocks("Next steps\n----------\n\nWe go on.");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, Block::Kind::heading);
  EXPECT_EQ(found[1].heading, "Next steps");
}

TEST(Markdown, BoldLabelIsNotPartOfTheSentence) {
  EXPECT_EQ(blocks("1. **Compliance** - Applications gain much.")[0].text,
            "Applications gain much.");
}

TEST(Prose, AbbreviationsAndNamesEndNoSentence) {
  const std::vector<std::string> expected{"The U.S. General Office uses cloud.gov, e.g. Today.",
                                          "cloud.gov is good."};
  EXPECT_EQ(sentences("The U.S. General Office uses cloud.gov, e.g. Today. cloud.gov is good."),
            expected);
}

TEST(Prose, AFigureWithADecimalMayEndASentence) {
  EXPECT_EQ(sentences("It takes 4.1. Losses are 1.8 in 100.").size(), 2U);
}

TEST(Prose, QuotationEndsWithItsSentence) {
  EXPECT_EQ(sentences("“We plan to go on.” Then we went.").size(), 2U);
}

TEST(Prose, SentenceThatLeansOnAnotherDoesNotStandAlone) {
  EXPECT_TRUE(stands_alone("The platform scales every application by itself."));
  EXPECT_TRUE(stands_alone("There are 41 of us in two towns."));
  EXPECT_FALSE(stands_alone("There are 41 of them in two towns."));
  EXPECT_FALSE(stands_alone("There are 41 pages that you need to understand."));
  EXPECT_FALSE(stands_alone("There the platform scales every application."));
  EXPECT_FALSE(stands_alone("However, the platform scales every application by itself."));
  EXPECT_TRUE(follows_on("However, the platform scales every application by itself."));
  EXPECT_FALSE(stands_alone("Does the platform scale every application by itself?"));
  EXPECT_FALSE(stands_alone("An unfinished (sentence has no place in any memo."));
}

TEST(Prose, NumbersAreNormalised) {
  const std::vector<std::string> expected{"1550", "85", "1.2"};
  EXPECT_EQ(numbers("$1,550.00 and 85% and $1.2 million, not 18F"), expected);
}

TEST(Table, PricesComeFromTheRecords) {
  const Sources sources = testing::pack();
  const auto tables = tables_in(*find_source(sources, "profile/pricing.yml"));
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].columns.front(), "Package name");
  ASSERT_EQ(tables[0].rows.size(), 4U);
  EXPECT_EQ(tables[0].rows[1][1], "$1550/month for entire organization");
}

TEST(Table, MarkdownTableIsRead) {
  const auto tables = tables_in(make_source("a.md", "# A\n\n## Fees\n\nP | Q\n-- | --\n1 | 2 |\n"));
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].caption, "Fees");
  EXPECT_EQ(render(tables[0]), "| P | Q |\n| --- | --- |\n| 1 | 2 |\n");
}

}  // namespace
}  // namespace memo
