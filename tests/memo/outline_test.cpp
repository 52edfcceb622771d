// The outline is data of the field, not of a data set: counted on companies of other fields.
#include "memo/outline.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "memo/extractive.hpp"
#include "memo/gathering.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo_test.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

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

/// Whether `word` stands in `text` with its capitals, and not as a part of another.
bool has_exactly(const std::string& text, const std::string& word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool head = at == 0 || !is_word(text[at - 1]);
    if (head && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

std::vector<fs::path> files_of_the_program() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{RESUMABLE_SOURCE_DIR "/examples/memo"}) {
    files.push_back(entry.path());
  }
  return files;
}

/// Words of five letters and more with a capital that stand inside a sentence: names.
std::set<std::string> proper_names_in(const std::string& text) {
  std::set<std::string> names;
  const auto is_lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 2; at < text.size(); ++at) {
    const bool inside = text[at - 1] == ' ' && (is_lower(text[at - 2]) || text[at - 2] == ',');
    if (!inside || std::isupper(static_cast<unsigned char>(text[at])) == 0) continue;
    const auto end =
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), is_lower);
    const std::string name{text.begin() + static_cast<std::ptrdiff_t>(at), end};
    if (name.size() >= 5) names.insert(name);
  }
  return names;
}

std::vector<fs::path> data_sets() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator{RESUMABLE_SOURCE_DIR "/examples/data"}) {
    if (entry.path().filename().string().starts_with("memo")) folders.push_back(entry.path());
  }
  return folders;
}

TEST(Outline, HoldsNoNameOfADataSet) {
  // Words of the field, of programs, and of places and days that many texts name.
  const std::set<std::string> general{
      "CEO",     "CTO",  "CFO",       "COO", "ARR",   "MRR",   "API",    "PhD",      "SOC",
      "ISO",     "TAM",  "SAM",       "SOM", "GDPR",  "RFC",   "UTF8",   "LinkedIn", "GitHub",
      "YouTube", "YAML", "URL",       "CLI", "AND",   "THE",   "NOT",    "JSON",     "HTML",
      "CSV",     "PDF",  "Executive", "EUR", "SEK",   "NOK",   "DKK",    "CHF",      "PLN",
      "GBP",     "USD",  "EBITDA",    "FDA", "HACCP", "Italy", "Monday", "ApS",      "German",
      "GmbH",    "IRR",  "COP",       "KES", "MXN",   "PHP",   "VAT",    "CAD",      "Canada"};
  std::set<std::string> names;
  std::string texts;
  ASSERT_GE(data_sets().size(), 5U);
  for (const auto& folder : data_sets()) {
    for (const Source& source : load_sources(folder)) {
      names.merge(names_in(source.text));
      names.merge(proper_names_in(source.text));
      texts += source.text;
    }
  }
  std::erase_if(names, [&](const auto& word) { return has_exactly(texts, to_lower(word)); });
  ASSERT_GT(names.size(), 200U);
  for (const auto& file : files_of_the_program()) {
    const std::string text = text_of(file);
    for (const auto& word : names) {
      if (general.contains(word) || text.find(word) == std::string::npos) continue;
      EXPECT_FALSE(has_exactly(text, word)) << word << " in " << file.filename();
    }
    for (const char* name : {"cloud.gov", "18F"}) {
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

/// What is said of an outline with one section of one question.
std::string refusal_of(const std::string& outline_text) {
  try {
    static_cast<void>(outline({"Acme", "direct", "consider", outline_text}));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(Outline, ARefusalNamesTheQuestionAndTheKey) {
  EXPECT_THAT(refusal_of("{\n\"sections\": [,"), HasSubstr("it is not JSON in line 2"));
  EXPECT_THAT(refusal_of(R"({"sections":[{"key":"a"}]})"),
              HasSubstr("section 'a' lacks the key 'title', a text"));
  const auto with = [](const std::string& topic, const std::string& more = {}) {
    return R"({"sections":[{"key":"a","title":"A","topics":[)" + topic + "]}]" + more + "}";
  };
  EXPECT_THAT(refusal_of(with(R"({"heading":"B"})")),
              HasSubstr("question 1 of section 'a' lacks the key 'id', a text"));
  EXPECT_THAT(refusal_of(with(R"({"id":"a.b","heading":"B","question":"Who?"})")),
              HasSubstr("question 'a.b' lacks the key 'signs', a list of texts"));
  const std::string whole = R"({"id":"a.b","heading":"B","question":"Who?","signs":["who"]})";
  EXPECT_THAT(refusal_of(with(whole + ',' + whole)),
              HasSubstr("there are two questions of the id 'a.b'"));
  EXPECT_THAT(refusal_of(with(whole, R"(,"deck":["c"])")),
              HasSubstr("'deck' names 'c', but no question has that id"));
  EXPECT_EQ(refusal_of(with(whole)), "");
}

TEST(Outline, WhatItDoesNotSayIsAsInTheProgramsOwn) {
  const Request request{"Acme", "direct", "consider",
                        R"({"sections":[{"key":"a","title":"A","topics":[{"id":"a.b",
      "heading":"B","question":"Who leaves?","signs":["churn"]}]}]})"};
  EXPECT_EQ(deck_topics(request).size(), 1U) << "all";
  EXPECT_EQ(all_topics(request)[0].query, "Who leaves?");
  EXPECT_THAT(all_topics(request)[0].signs, ::testing::Contains("attrition"));
  EXPECT_FALSE(measures(request).empty());
}

TEST(Outline, OneSignAnswersAQuestionOfAShortOutline) {
  const auto topic = [](const std::string& id, const std::string& sign) {
    return R"({"id":")" + id + R"(","heading":"H","question":"What is said of it?","signs":[")" +
           sign + "\"]}";
  };
  const Request request{"Acme", "direct", "consider",
                        R"({"sections":[{"key":"a","title":"A","topics":[)" +
                            topic("a.staff", "employees") + ',' + topic("a.cash", "runway") + ',' +
                            topic("a.leaving", "churn") + "]}]}"};
  ExtractiveProvider provider;
  const auto run = run_memo({provider, {}, {}}, request,
                            {make_source("facts.yml", "employees: 23\nrunway_months: 17\n"),
                             make_source("a.csv", "Figure,2024,2025\nChurn,4 %,3 %\n")});
  EXPECT_THAT(run.found.silent, ::testing::IsEmpty());
}

TEST_F(MemoTest, AnOutlineThatLacksAKeyIsRefusedBeforeTheRunBegins) {
  const auto file = (folder / "mine.json").string();
  resumable::test::write_file(file, R"({"sections":[{"key":"a","title":"A","topics":[
      {"id":"a.b","heading":"B","question":"Who?"}]}]})");
  const Said said = run({"--outline", file});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err,
              HasSubstr("mine.json cannot be used: question 'a.b' lacks the key 'signs'"));
  EXPECT_THAT(said.err, HasSubstr("docs/memo.md"));
  EXPECT_FALSE(fs::exists(folder / "out/Cloudgov-v0.0.1"));
}

TEST_F(MemoTest, AnOutlineThatIsEmptyOrNotThereIsSaidToBeThat) {
  const auto file = (folder / "mine.json").string();
  EXPECT_THAT(run({"--outline", file}).err, HasSubstr("mine.json cannot be read\n"));
  EXPECT_THAT(run({"--outline", folder.path().string()}).err, HasSubstr(" cannot be read\n"));
  resumable::test::write_file(file, "");
  EXPECT_THAT(run({"--outline", file}).err, HasSubstr("mine.json is empty\n"));
}

/// The first ```json block of a page.
std::string json_in(const std::string& page) {
  const std::string mark = "```json\n";
  const auto begin = page.find(mark) + mark.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(Outline, TheOneOfItsPageIsAnswered) {
  const std::string text = json_in(text_of(RESUMABLE_SOURCE_DIR "/docs/memo.md"));
  ExtractiveProvider provider;
  const auto run = run_memo({provider, {}, {}}, {"Tidewell", "direct", "consider", text},
                            load_sources(RESUMABLE_SOURCE_DIR "/examples/data/memo-tidewell"));
  EXPECT_EQ(run.found.asked.size(), 5U);
  EXPECT_THAT(run.found.silent, ::testing::IsEmpty());
  EXPECT_GE(*run.validation.overall_score, 8.0) << "its questions have no learned words";
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

TEST(Outline, KnowsAShareOfferAsARound) {
  const Corpus corpus{{make_source("a.md", "The share offer closed in May at £900,000.\n")}};
  const auto topics = all_topics({"Acme", "direct"});
  const auto round = std::ranges::find(topics, "funding.rounds", &Topic::id);
  EXPECT_GE(Ranking(corpus, topics).best(*round, 1).at(0).score, least_fit);
}

/// A company whose questions that the sources answer were counted by hand.
struct Company {
  const char* name;
  const char* folder;
  int at_least;    ///< per cent, in the notes to the question
  int stated;      ///< per cent, anywhere in the finished memo
  int superseded;  ///< figures that are stated, though a later document corrects them, and not
                   ///< marked as earlier right behind the later one
};

void PrintTo(const Company& company, std::ostream* out) { *out << company.name; }

class Companies : public ::testing::TestWithParam<Company> {};

TEST_P(Companies, HaveMostOfTheirQuestionsAnswered) {
  const fs::path folder = fs::path{RESUMABLE_SOURCE_DIR "/examples/data"} / GetParam().folder;
  const auto answerable = nlohmann::json::parse(text_of(folder / "answerable.json"));
  ExtractiveProvider provider;
  const Request request{GetParam().name, type_in(folder)};
  const auto run = run_memo({provider, {}, {}}, request, load_sources(folder));
  int answered = 0;
  for (const auto& entry : answerable.items()) {
    const std::string topic = entry.key();
    const auto phrases = phrases_in(entry.value());
    const bool silent = std::ranges::count(run.found.silent, topic) > 0;
    const bool elsewhere =
        !silent && std::ranges::count(run.found.findings, topic, &Finding::topic) == 0;
    const bool found = std::ranges::any_of(run.found.findings, [&](const Finding& finding) {
      return (elsewhere || finding.topic == topic) && holds_one(finding.quote, phrases);
    });
    answered += found ? 1 : 0;
    if (!found) RecordProperty("unanswered_" + topic, phrases.front());
  }
  RecordProperty("answered", answered);
  RecordProperty("answerable", static_cast<int>(answerable.size()));
  EXPECT_GE(100 * answered, GetParam().at_least * static_cast<int>(answerable.size()))
      << answered << " of " << answerable.size();
  EXPECT_TRUE(run.validation.citation_validation->invalid.empty());
  EXPECT_EQ(run.validation.fact_check_results->supported,
            run.validation.fact_check_results->checked)
      << "no figure is invented";
  const Answers said = answers_of(run, folder);
  RecordProperty("own", static_cast<int>(said.strict()));
  RecordProperty("stated", static_cast<int>(said.anywhere()));
  EXPECT_GE(100 * said.anywhere(), GetParam().stated * std::ssize(said.all)) << said.anywhere();
  EXPECT_LE(std::ssize(said.superseded), GetParam().superseded);
  EXPECT_LT(said.words * 100, said.source_words * 86) << "it is no copy of its sources";
}

// The first six were used while the outline and the ranking were written, Brackwater and Sunnhild
// to check the ranking that is used now. The last four were counted when it was finished: of their
// 104 questions the memo answered 54 under the question itself and 92 anywhere, and it stated 7
// figures that a later document corrects. Then Corrander and Kelmora were read, and currencies were
// added. Vardlink, Argilaine and Heronsight were written before the search for restated figures,
// and counted before and after it: of their 78 questions the memo answered 48 both times under the
// question itself and 62, then 64, anywhere, and it stated 5, then 3, corrected figures. After
// that, passages that show no sign of an answer were ruled out again: now 49, 64 and 3. Tarnock,
// Verbalto and Lumbrera, whose later documents correct 36 figures in words of their own, were
// written and used while the comparison of figures was (Likeness): before it the memo stated 24 of
// Tarnock's and Verbalto's as current. Ashgarth, Skirrow and Orsel were written by somebody who
// knew nothing of the program, and counted when it was finished: of their 84 questions the memo
// answered 37 under the question itself and 66 anywhere, both before and after the comparison of
// figures, and stated 12, then 11, of 15 corrected figures as current. They are among those that
// the weights of the comparison are learned from. Barivo, Kuusava and Tepozal were written in the
// same way and counted once (docs/memo.md) before they were used, and so were Ellerbeck, Holmreed
// and Pinzet.
// Andarova, Kooriv and Somnirail, too: they were counted before they were used. Hobnell, Quernstead
// and Tanneck were read after their first count, and so were Wexcombe, Lantmark and Brindlow. The
// table of words was then learned from all of them: a limit is about two answers below what was
// reached. The last four have not been used; since the use of funds is asked for, one figure more
// of Habitant stands without its correction (decision 262). The limits of Malthea and Ossalia are
// what was counted first.
INSTANTIATE_TEST_SUITE_P(OfOtherFields, Companies,
                         ::testing::Values(Company{"Tidewell", "memo-tidewell", 93, 88, 0},
                                           Company{"Kelpworks", "memo-kelpworks", 93, 93, 0},
                                           Company{"Parcelbay", "memo-parcelbay", 85, 85, 0},
                                           Company{"Dentora", "memo-dentora", 89, 93, 0},
                                           Company{"Orrinstead", "memo-orrinstead", 93, 93, 0},
                                           Company{"Halvorsen", "memo-halvorsen", 89, 85, 0},
                                           Company{"Brackwater", "memo-brackwater", 85, 77, 0},
                                           Company{"Sunnhild", "memo-sunnhild", 81, 81, 0},
                                           Company{"Corrander", "memo-corrander", 73, 90, 0},
                                           Company{"Kelmora", "memo-kelmora", 81, 85, 0},
                                           Company{"Otelva", "memo-otelva", 77, 89, 0},
                                           Company{"Rodevang", "memo-rodevang", 81, 93, 0},
                                           Company{"Vardlink", "memo-vardlink", 93, 89, 0},
                                           Company{"Argilaine", "memo-argilaine", 73, 85, 0},
                                           Company{"Heronsight", "memo-heronsight", 93, 93, 0},
                                           Company{"Tarnock", "memo-tarnock", 79, 90, 0},
                                           Company{"Verbalto", "memo-verbalto", 83, 80, 3},
                                           Company{"Lumbrera", "memo-lumbrera", 59, 78, 1},
                                           Company{"Ashgarth", "memo-ashgarth", 78, 89, 2},
                                           Company{"Skirrow", "memo-skirrow", 68, 78, 3},
                                           Company{"Orsel", "memo-orsel", 71, 82, 1},
                                           Company{"Barivo", "memo-barivo", 89, 89, 1},
                                           Company{"Kuusava", "memo-kuusava", 77, 86, 0},
                                           Company{"Tepozal", "memo-tepozal", 79, 89, 2},
                                           Company{"Ellerbeck", "memo-ellerbeck", 75, 90, 1},
                                           Company{"Holmreed", "memo-holmreed", 89, 98, 0},
                                           Company{"Pinzet", "memo-pinzet", 83, 95, 0},
                                           Company{"Andarova", "memo-andarova", 89, 93, 1},
                                           Company{"Kooriv", "memo-kooriv", 89, 93, 0},
                                           Company{"Somnirail", "memo-somnirail", 86, 90, 0},
                                           Company{"Hobnell", "memo-hobnell", 73, 90, 1},
                                           Company{"Quernstead", "memo-quernstead", 86, 96, 2},
                                           Company{"Tanneck", "memo-tanneck", 76, 93, 0},
                                           Company{"Wexcombe", "memo-wexcombe", 93, 93, 2},
                                           Company{"Lantmark", "memo-lantmark", 77, 87, 1},
                                           Company{"Brindlow", "memo-brindlow", 74, 89, 2},
                                           Company{"Malthea", "memo-malthea", 66, 78, 2},
                                           Company{"Ossalia", "memo-ossalia", 75, 90, 3},
                                           Company{"Hushpipe", "memo-hushpipe", 80, 87, 0},
                                           Company{"Habitant", "memo-habitant", 65, 80, 3}),
                         [](const auto& company) { return std::string{company.param.name}; });

}  // namespace
}  // namespace memo::testing
