#include "memo/stages.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo/extractive.hpp"
#include "memo/figures.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/ranking.hpp"
#include "memo/statements.hpp"
#include "memo/table.hpp"
#include "memo_run.hpp"

namespace memo {
namespace {

/// Letters and figures of a text, without tags and link targets. A second way to compare, which
/// shares no code with the one that is tested.
std::string letters(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "](") == 0) at = std::min(text.find(')', at), text.size() - 1);
    if (text[at] == '<') at = std::min(text.find('>', at), text.size() - 1);
    if (std::isalnum(static_cast<unsigned char>(text[at])) != 0) out += text[at];
  }
  return out;
}

/// Letters and figures of a text with HTML entities, in lower case: keys of YAML are.
std::string plain(const std::string& text) {
  static const std::regex entity{"&#?[a-z0-9]+;"};
  std::string out = letters(std::regex_replace(text, entity, ""));
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words{text};
  return {std::istream_iterator<std::string>{words}, {}};
}

/// Whether a statement was made of the cells of a row.
bool is_row(const Source& source, const std::string& text) {
  return std::ranges::any_of(raw_tables_in(source), [&](const Table& table) {
    return std::ranges::count(row_statements(table), text) > 0;
  });
}

const testing::MemoRun& offline() {
  static ExtractiveProvider provider;
  static const auto run = testing::run_memo({provider, {}, {}}, {"cloud.gov"}, testing::pack());
  return run;
}

const Section& section(const std::string& key) {
  return *std::ranges::find(offline().sections, key, &Section::key);
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(Outline, HasTenSectionsAndTheTeamIsTheFourth) {
  for (const std::string type : {"direct", "fund"}) {
    const auto plans = outline({"cloud.gov", type, "justify"});
    ASSERT_EQ(plans.size(), 10U);
    EXPECT_EQ(plans[3].key, "team");
  }
}

TEST(Outline, UnknownTypeAndModeAreErrors) {
  EXPECT_THROW(outline({"cloud.gov", "loan", "consider"}), std::invalid_argument);
  EXPECT_THROW(outline({"cloud.gov", "direct", "hope"}), std::invalid_argument);
}

TEST(Memo, EveryCitedSentenceIsWordForWordInItsSource) {
  const Sources sources = testing::pack();
  const auto cited = citations(offline().state.final_memo);
  int checked = 0;
  int rows = 0;
  for (const auto& statement : statements(offline().draft.markdown)) {
    if (statement.citations.empty() || !statement.cells.empty()) continue;
    const auto citation = std::ranges::find(cited, statement.citations[0], &Citation::number);
    ASSERT_NE(citation, cited.end());
    const Source* source = find_source(sources, citation->source);
    ASSERT_NE(source, nullptr) << citation->source;
    if (is_row(*source, statement.text)) {
      for (const std::string& word : words_of(statement.text)) {
        EXPECT_TRUE(says(plain(source->text), plain(word))) << word << " in " << statement.text;
      }
      ++rows;
      continue;
    }
    if (says(statement.text, ": github.com") || says(statement.text, ": cloudgov.")) continue;
    EXPECT_TRUE(says(letters(source->text), letters(statement.text))) << statement.text;
    ++checked;
  }
  EXPECT_GT(checked, 60);
  EXPECT_GT(rows, 0);
}

TEST(Memo, EverySentenceIsCitedOrTheMemosOwnRemark) {
  EXPECT_TRUE(offline().validation.citation_validation->uncited.empty());
  EXPECT_TRUE(offline().validation.citation_validation->invalid.empty());
}

TEST(Memo, SaysWhatIsNotAnsweredAndNotThatTheSourcesAreSilent) {
  EXPECT_TRUE(says(section("market").markdown, "**Not answered:** market size"));
  EXPECT_TRUE(says(section("funding").markdown, "**Not answered:** funding rounds"));
  EXPECT_TRUE(says(section("summary").markdown, "It leaves open: "));
  EXPECT_FALSE(says(offline().state.final_memo, "ot in the sources"));
  EXPECT_FALSE(says(offline().state.final_memo, "o statement was found"));
  EXPECT_FALSE(says(section("team").markdown, "linkedin.com"));
}

TEST(Memo, CountsAnswersInOneWay) {
  const auto& sections = offline().plan.sections;
  int open = 0;
  for (const auto& brief : sections) open += static_cast<int>(brief.silent.size());
  const int given = answered(sections);
  EXPECT_EQ(given + open, std::ssize(offline().found.asked));
  const std::string counts = std::to_string(given) + " of ";
  EXPECT_TRUE(says(section("summary").markdown, "The memo answers " + counts));
  EXPECT_TRUE(says(offline().validation.remarks[0], "Questions answered: " + counts));
}

TEST(Memo, SaysNothingOfTermsThatWereFound) {
  EXPECT_FALSE(says(section("recommendation").markdown, "terms"));
}

TEST(Memo, RecommendationAsksForWhatIsMissing) {
  EXPECT_TRUE(says(section("recommendation").markdown, "- How large is the market"));
}

TEST(Memo, IsTheSameTwice) {
  ExtractiveProvider provider;
  const auto again = testing::run_memo({provider, {}, {}}, {"cloud.gov"}, testing::pack());
  EXPECT_EQ(nlohmann::json(again.state).dump(), nlohmann::json(offline().state).dump());
}

TEST(Memo, HasNoMarkupDebris) {
  const auto all = statements(offline().draft.markdown);
  for (const auto& statement : all) {
    EXPECT_FALSE(says(statement.text, "](") || says(statement.text, "**")) << statement.text;
    EXPECT_FALSE(says(statement.text, "&#") || says(statement.text, "<")) << statement.text;
    EXPECT_FALSE(says(statement.text, "  ")) << statement.text;
  }
}

TEST(Memo, OnlyTheSummaryRepeatsASentence) {
  std::vector<std::string> seen;
  for (const auto& part : offline().drafted) {
    if (part.key == "summary") continue;
    for (const auto& claim : part.claims) {
      EXPECT_EQ(std::ranges::find(seen, claim.quote), seen.end()) << claim.quote;
      seen.push_back(claim.quote);
    }
  }
}

TEST(SectionResearch, BriefDoesNotDependOnOtherSectionsOrTheirOrder) {
  ExtractiveProvider provider;
  const model::Call call{provider, {}, {}};
  auto plans = outline({"cloud.gov"});
  std::ranges::reverse(plans);
  plans.push_back({"extra", "Extra", {{"extra.x", "Outages", "Any?", "outage", {"outage"}}}, {}});
  const auto other =
      research_sections(call, {"cloud.gov"}, plans, offline().found, testing::pack());
  for (const auto& brief : offline().plan.sections) {
    EXPECT_EQ(*std::ranges::find(other.sections, brief.key, &SectionBrief::key), brief);
  }
}

TEST(Draft, WhatDoesNotEndAsASentenceRunsIntoNoOther) {
  ExtractiveProvider provider;
  const SectionBrief brief{"team",
                           "Team",
                           {{"Leadership",
                             "Who leads it?",
                             {{"team", "Eva Marsh ran a depot, 60 drivers", "a.md"},
                              {"team", "Iolo Firth leads the sales.", "b.md"},
                              {"team", "Una Bell keeps the books.", "b.md"}}}},
                           {},
                           {}};
  const std::string text = draft_section({provider, {}, {}}, brief).markdown;
  EXPECT_TRUE(says(text, "60 drivers\n\nIolo Firth leads the sales. Una Bell")) << text;
}

TEST(EnrichSocials, LeavesOtherSectionsAlone) {
  ExtractiveProvider provider;
  const Section& risks = offline().drafted[7];
  EXPECT_EQ(enrich_socials({provider, {}, {}}, risks, {"cloud.gov"}, testing::pack()), risks);
}

TEST(EnrichSocials, AddsProfilesThatTheSourcesLinkTo) {
  ExtractiveProvider provider;
  const Sources sources{make_source("a.md", "# A\n\nAsk [Ada](https://linkedin.com/in/ada).\n")};
  const Section team{"team", "Team", "## Team\n", {}, {}};
  const Section after = enrich_socials({provider, {}, {}}, team, {"A"}, sources);
  EXPECT_TRUE(says(after.markdown, "- LinkedIn: [Ada](https://linkedin.com/in/ada)"));
}

TEST(EnrichLinks, LinksTheFirstMentionOnlyAndKeepsTheWords) {
  ExtractiveProvider provider;
  const Sources sources{make_source("a.md", "# A\n\nOn [Cloud Foundry](https://cf.org).\n")};
  const Section before{"x", "X", "## Cloud Foundry\n\nCloud Foundry is Cloud Foundry.\n", {}, {}};
  EXPECT_EQ(enrich_links({provider, {}, {}}, before, {"A"}, sources).markdown,
            "## Cloud Foundry\n\n[Cloud Foundry](https://cf.org) is Cloud Foundry.\n");
}

TEST(EnrichVisualizations, PricesAreATableBehindAMarker) {
  EXPECT_TRUE(says(section("funding").markdown, "<!-- viz:table -->\n**Table: Pricing**"));
  EXPECT_TRUE(says(section("funding").markdown, "**Table: Access fees**"));
  EXPECT_FALSE(says(section("business").markdown, "**Table: Access fees**")) << "twice";
  EXPECT_TRUE(says(section("funding").markdown, "| FISMA Moderate | $9300/month"));
}

TEST(EnrichTrademark, SaysHowManyDocumentsAreQuotedAndThatNoModelWas) {
  ExtractiveProvider provider;
  const auto header = [&](std::size_t count) {
    Sources sources;
    for (std::size_t i = 0; i < count; ++i) {
      sources.push_back(make_source(std::to_string(i) + ".md", "# A\n\nText.\n"));
    }
    return nlohmann::json(enrich_trademark({provider, {}, {}}, {"A"}, sources)).dump();
  };
  EXPECT_TRUE(says(header(1), "Quoted from one document; no model was used."));
  EXPECT_TRUE(says(header(4), "Quoted from four documents; no model was used."));
  EXPECT_TRUE(says(header(13), "Quoted from 13 documents; no model was used."));
}

TEST(EnrichVisualizations, WithoutTablesInTheSourcesItAddsNothing) {
  ExtractiveProvider provider;
  const Section before{"business", "B", "## B\n", {}, {}};
  const Section after = enrich_visualizations({provider, {}, {}}, before, {"A"},
                                              {make_source("a.md", "# A\n\nText.\n")});
  EXPECT_EQ(after, before);
}

TEST(Cite, FindsASentenceThatAPersonAdded) {
  ExtractiveProvider provider;
  const Section edited =
      edited_section(section("market"),
                     "## Market\n\nThe potential economy of scale is huge. This is my guess.\n");
  EXPECT_TRUE(edited.claims.empty());
  const auto draft = cite({provider, {}, {}}, offline().header, {edited}, testing::pack());
  EXPECT_TRUE(says(draft.markdown, "scale is huge.[^2] This is my guess.\n"));
}

TEST(ValidateCitations, FindsAnAlteredSentence) {
  ExtractiveProvider provider;
  const std::string memo =
      replace_all(offline().draft.markdown, "$1.2 million of annual", "$1.3 million of annual");
  const auto checked =
      validate_citations({provider, {}, {}}, edited_draft(offline().draft, memo), testing::pack());
  ASSERT_FALSE(checked.citation_validation->invalid.empty());
  EXPECT_EQ(checked.citation_validation->invalid[0].reason, "not in the source");
}

TEST(ValidateCitations, FindsAnAlteredCell) {
  ExtractiveProvider provider;
  const std::string memo = replace_all(offline().draft.markdown, "| $9300/month", "| $930/month");
  const auto checked =
      validate_citations({provider, {}, {}}, edited_draft(offline().draft, memo), testing::pack());
  ASSERT_EQ(checked.citation_validation->invalid.size(), 1U);
  EXPECT_EQ(checked.citation_validation->invalid[0].reason, "a cell is not in the source");
}

TEST(FactCheck, FindsAFigureThatIsNotInTheSource) {
  ExtractiveProvider provider;
  const std::string memo =
      replace_all(offline().draft.markdown, "$1.2 million of annual", "$1.3 million of annual");
  const auto checked =
      fact_check({provider, {}, {}}, {}, edited_draft(offline().draft, memo), testing::pack());
  EXPECT_LT(checked.fact_check_results->supported, checked.fact_check_results->checked);
}

TEST(FactCheck, ReportsSourcesThatDisagree) {
  ExtractiveProvider provider;
  const auto run = testing::run_memo(
      {provider, {}, {}}, {"Acme"},
      {make_source("rules.md",
                   "# Rules\n\nAcme is certified for the 325 security controls that such "
                   "systems need.\n"),
       make_source("posts.md",
                   "# Posts\n\nOf the 261 security controls that apply, the auditors "
                   "approved sixty percent in one week.\n")});
  const auto& conflicts = run.validation.fact_check_results->conflicts;
  ASSERT_EQ(conflicts.size(), 1U) << run.draft.markdown;
  EXPECT_EQ(conflicts[0].thing, "security controls");
}

TEST(FactCheck, AScaleIsNothingThatFiguresCount) {
  EXPECT_TRUE(figures("The hall cost 3 million euros in all.").empty());
  EXPECT_EQ(figures("The hall has 3 brick ovens now.").size(), 1U);
}

TEST(Validate, ScoreFallsWithWhatIsMissing) {
  const auto all = offline().validation;
  auto none = all;
  none.citation_validation->valid = 0;
  none.fact_check_results->supported = 0;
  const auto scored = validate(none, offline().plan, offline().sections);
  EXPECT_LT(*scored.overall_score, *all.overall_score - 4.0);
}

/// Adds a figure to everything that it writes, or to nothing but a heading, and stands by it.
class InventingProvider final : public model::Provider {
 public:
  explicit InventingProvider(std::string addition = " Revenue is $999 million.")
      : addition_(std::move(addition)) {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    model::Answer answer = extractive_.ask(task, stop);
    auto json = nlohmann::json::parse(answer.json);
    if (task.name == "write" && !json["paragraphs"].empty()) {
      if (addition_.empty()) json["paragraphs"][0]["heading"] = "Revenue is $999 million";
      auto& text = json["paragraphs"][0]["statements"][0]["text"];
      text = text.get<std::string>() + addition_;
    }
    if (task.name == "judge") {
      for (auto& verdict : json["verdicts"]) verdict["supported"] = true;
    }
    return {json.dump(), {}};
  }
  std::string do_name() const override { return "inventing"; }
  std::string addition_;
  ExtractiveProvider extractive_;
};

TEST(Validate, InventedFiguresKeepTheScoreBelowTheMarkAndAreListed) {
  InventingProvider provider;
  const auto run = testing::run_memo({provider, {}, {}}, {"cloud.gov"}, testing::pack());
  EXPECT_LT(*run.validation.overall_score, 8.0);
  EXPECT_TRUE(says(nlohmann::json(run.validation).at("remarks").dump(), "999"));
  EXPECT_TRUE(says(run.state.final_memo, "figures not in the source: "));
  for (const auto& conflict : run.validation.fact_check_results->conflicts) {
    EXPECT_NE(conflict.first_source, "") << conflict.thing;
  }
}

TEST(Validate, InventedFiguresAreSeenWhateverLineTheyStandIn) {
  for (const char* line :
       {"\n\n**Not answered:** revenue is $999 million.", "\n# Revenue is $999 million.",
        "\n\n**Nearest to “revenue”:** “Revenue is $999 million.” in `deck.md`.",
        " Revenue of $999 million is not in the sources.", "\n| $999 million of revenue |"}) {
    InventingProvider provider{line};
    const auto run = testing::run_memo({provider, {}, {}}, {"cloud.gov"}, testing::pack());
    EXPECT_LT(*run.validation.overall_score, 8.0) << line;
    EXPECT_TRUE(says(nlohmann::json(run.validation).at("remarks").dump(), "999")) << line;
  }
}

TEST(Validate, AnInventedFigureCannotBeAHeading) {
  InventingProvider provider{""};
  const auto run = testing::run_memo({provider, {}, {}}, {"cloud.gov"}, testing::pack());
  EXPECT_FALSE(says(run.state.final_memo, "999"));
}

TEST(Validate, OneInventedFigureIsEnoughForAPersonToLook) {
  ExtractiveProvider provider;
  const std::string memo =
      replace_all(offline().draft.markdown, "$1.2 million of annual", "$1.3 million of annual");
  const auto checked = fact_check({provider, {}, {}}, offline().validation,
                                  edited_draft(offline().draft, memo), testing::pack());
  EXPECT_GE(*offline().validation.overall_score, 8.0);
  EXPECT_LT(*validate(checked, offline().plan, offline().sections).overall_score, 8.0);
}

TEST(Validate, AShortDeckThatIsHonestIsNotPunishedForItsLength) {
  ExtractiveProvider provider;
  auto plan = offline().plan;
  int kept = 0;
  for (auto& brief : plan.sections) {  // two of five questions are answered
    while (!brief.parts.empty() && (kept + 1) * 5 > 2 * 32) {
      brief.silent.push_back(brief.parts.back().heading);
      brief.parts.pop_back();
    }
    kept += static_cast<int>(brief.parts.size());
  }
  EXPECT_GE(*validate(offline().validation, plan, offline().sections).overall_score, 8.0);
}

TEST(Validate, ACitationWithoutASourceDoesNotHold) {
  ExtractiveProvider provider;
  std::string memo = offline().draft.markdown;
  const auto at = memo.find("[^1]: ");
  ASSERT_NE(at, std::string::npos);
  memo.replace(at, memo.find('\n', at) - at, "[^1]: (``)");
  const auto checked =
      validate_citations({provider, {}, {}}, edited_draft(offline().draft, memo), testing::pack());
  EXPECT_FALSE(checked.citation_validation->invalid.empty());
}

TEST(Validate, ExplainsEveryTermOfTheScore) {
  const auto& remarks = offline().validation.remarks;
  double points = 0;
  for (const auto& remark : remarks) {
    const auto at = remark.rfind('(');
    if (remark.ends_with(" point)") || remark.ends_with(" points)")) {
      points += std::stod(remark.substr(at + 1));
    }
  }
  EXPECT_NEAR(points, *offline().validation.overall_score, 0.1);
  const auto json = nlohmann::json(offline().validation);
  double sum = 0;
  for (const auto& term : json.at("terms")) {
    EXPECT_NEAR(term.at("points").get<double>(),
                term.at("weight").get<double>() * term.at("value").get<double>(), 1e-9)
        << term;
    EXPECT_THAT(remarks, ::testing::Contains(::testing::HasSubstr(
                             term.at("name").get<std::string>() + ": " + term.at("part").dump() +
                             " of " + term.at("whole").dump())));
    sum += term.at("points").get<double>();
  }
  EXPECT_EQ(json.at("terms").size(), 7U);
  EXPECT_NEAR(sum, *offline().validation.overall_score, 0.1);
  EXPECT_FALSE(json.contains("caps"));
  EXPECT_EQ(json.get<Validation>(), offline().validation);
}

TEST(Validate, NothingScoresZeroAndZeroIsAScore) {
  const auto scored = validate(Validation{}, {}, {});
  ASSERT_TRUE(scored.overall_score.has_value());
  EXPECT_EQ(*scored.overall_score, 0.0);
}

TEST(Memo, OfAnUnknownCompanyInSilentSourcesIsStillWhole) {
  ExtractiveProvider provider;
  const Sources sources{make_source("a.md", "# A\n\nNothing is said here.\n")};
  const auto run = testing::run_memo({provider, {}, {}}, {"Fernstone"}, sources);
  EXPECT_EQ(run.sections.size(), 10U);
  EXPECT_EQ(run.found.findings.size(), 0U);
  EXPECT_TRUE(says(run.state.final_memo, "## Citations"));
  EXPECT_LT(*run.validation.overall_score, 5.0);
}

}  // namespace
}  // namespace memo
