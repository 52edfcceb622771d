// The outline is data of the field, not of a data set: counted on companies of other fields.
#include "memo/outline.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo/extractive.hpp"
#include "memo/prose.hpp"
#include "memo_run.hpp"
#include "memo_test.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string text_of(const fs::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// Words with a capital behind their first letter, as names and abbreviations have.
std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    const bool name =
        word.size() >= 3 && std::isalpha(static_cast<unsigned char>(word[0])) != 0 &&
        std::any_of(word.begin() + 1, word.end(), [](char d) { return d >= 'A' && d <= 'Z'; });
    if (name) names.insert(word);
    word.clear();
  }
  return names;
}

std::vector<fs::path> files_of_the_program() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{RESUMABLE_SOURCE_DIR "/examples/memo"}) {
    files.push_back(entry.path());
  }
  return files;
}

TEST(Outline, HoldsNoNameOfADataSet) {
  // Words of the field, and of programs.
  const std::set<std::string> general{
      "CEO", "CTO", "CFO", "COO",  "ARR", "MRR",  "API",      "PhD",    "SOC",     "ISO",
      "TAM", "SAM", "SOM", "GDPR", "RFC", "UTF8", "LinkedIn", "GitHub", "YouTube", "YAML",
      "URL", "CLI", "AND", "THE",  "NOT", "JSON", "HTML",     "CSV"};
  std::set<std::string> names;
  for (const Source& source : pack()) names.merge(names_in(source.text));
  ASSERT_GT(names.size(), 50U);
  for (const auto& file : files_of_the_program()) {
    const std::string text = text_of(file);
    for (const auto& name : names_in(text)) {
      EXPECT_TRUE(general.contains(name) || !names.contains(name))
          << name << " in " << file.filename();
    }
    for (const char* name : {"cloud.gov", "Cloudgov", "18F", "Tidewell"}) {
      EXPECT_FALSE(has_sign(text, name)) << name << " in " << file.filename();
    }
  }
}

TEST(Outline, OfAPersonReplacesTheOneOfTheProgram) {
  const std::string own = R"({"deck":["a.b"],"sections":[{"key":"a","title":"A","topics":[
      {"id":"a.b","heading":"B","question":"Does {company} leak?","query":"leak","signs":["leak*"]},
      {"id":"a.f","heading":"F","question":"?","query":"x","signs":[],"types":["fund"]}]}]})";
  const auto plans = outline({"Acme", "direct", "consider", own});
  ASSERT_EQ(plans.size(), 1U);
  ASSERT_EQ(plans[0].topics.size(), 1U) << "the other one is for funds";
  EXPECT_EQ(plans[0].topics[0].question, "Does Acme leak?");
  EXPECT_EQ(deck_topics({"Acme", "direct", "consider", own}).size(), 1U);
}

TEST(Outline, ThatCannotBeUsedIsRefusedWithTheReason) {
  for (const std::string json : {"{", "{}", R"({"sections":[]})", R"({"sections":[{"key":1}]})"}) {
    try {
      static_cast<void>(outline({"Acme", "direct", "consider", json}));
      ADD_FAILURE() << json;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr("the outline cannot be used: ")) << json;
    }
  }
}

TEST_F(MemoTest, AnOutlineFileIsPartOfTheRun) {
  const auto file = (folder / "outline.json").string();
  resumable::test::write_file(file, R"({"deck":[],"sections":[
      {"key":"cost","title":"Cost","topics":[{"id":"cost.price","heading":"Price",
       "question":"What does it cost?","query":"price cost","signs":["cost*"]}]}]})");
  EXPECT_EQ(run({"--outline", file, "--min-score", "0"}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "out/Cloudgov-v0.0.1/2-sections/01-cost.md"));
  fs::remove(file);
  EXPECT_EQ(memo({"resume", "Cloudgov", "--from", "draft"}).code, 0);
  EXPECT_EQ(run({"--outline", file}).code, 2) << "it is not there";
}

/// A company whose questions that the sources answer were counted by hand.
struct Company {
  const char* name;
  const char* folder;
  int at_least;  ///< per cent
};

void PrintTo(const Company& company, std::ostream* out) { *out << company.name; }

class Companies : public ::testing::TestWithParam<Company> {};

TEST_P(Companies, HaveMostOfTheirQuestionsAnswered) {
  const fs::path folder = fs::path{RESUMABLE_SOURCE_DIR "/examples/data"} / GetParam().folder;
  const auto answerable = nlohmann::json::parse(text_of(folder / "answerable.json"));
  ExtractiveProvider provider;
  const auto run = run_memo({provider, {}, {}}, {GetParam().name}, load_sources(folder));
  int answered = 0;
  for (const auto& entry : answerable.items()) {
    const std::string topic = entry.key();
    const std::string words = entry.value();
    const bool found = std::ranges::any_of(run.found.findings, [&](const Finding& finding) {
      return finding.topic == topic && finding.quote.find(words) != std::string::npos;
    });
    answered += found ? 1 : 0;
    if (!found) RecordProperty("unanswered_" + topic, words);
  }
  RecordProperty("answered", answered);
  RecordProperty("answerable", static_cast<int>(answerable.size()));
  EXPECT_GE(100 * answered, GetParam().at_least * static_cast<int>(answerable.size()))
      << answered << " of " << answerable.size();
  EXPECT_TRUE(run.validation.citation_validation->invalid.empty());
  EXPECT_EQ(run.validation.fact_check_results->supported,
            run.validation.fact_check_results->checked)
      << "no figure is invented";
}

INSTANTIATE_TEST_SUITE_P(OfOtherFields, Companies,
                         ::testing::Values(Company{"Tidewell", "memo-tidewell", 80}),
                         [](const auto& company) { return std::string{company.param.name}; });

}  // namespace
}  // namespace memo::testing
