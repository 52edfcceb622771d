// What the report says, and who may say it.
#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "research/crawl.hpp"
#include "research/extractive.hpp"
#include "research/phases.hpp"
#include "research/report.hpp"
#include "research/research_run.hpp"
#include "research/text.hpp"
#include "support/fake_openai.hpp"

namespace research::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Scrape scrape_of(const Site& site) {
  return crawl("http://site", [&](const std::string& path) {
    const auto page = site.pages.find(path);
    return page == site.pages.end() ? Response{404, "", ""}
                                    : Response{200, "text/html", page->second};
  });
}

Synthesis research_on(const model::Call& call, const std::string& topic, const Scrape& scrape) {
  const Roles roles = make_roles(call, topic, scrape);
  const auto goals = find_goals(call, roles);
  std::vector<StepResult> results;
  for (const Step& step : make_plan(call, roles, goals)) {
    results.push_back(execute(call, step));
  }
  return synthesize(call, roles, goals, results);
}

/// Answers as the extractive provider would, for FakeOpenAi.
std::string extractive_reply(const std::string& message) {
  const auto json = nlohmann::json::parse(message);
  ExtractiveProvider provider;
  return provider.ask({json.at("task").get<std::string>(), "", json.at("input").dump(), ""}, {})
      .json;
}

/// Answers with a text that the test made.
class Scripted final : public model::Provider {
 public:
  explicit Scripted(std::string json) : json_(std::move(json)) {}

 private:
  model::Answer do_ask(const model::Task&, const std::stop_token&) override { return {json_, {}}; }
  std::string do_name() const override { return "scripted"; }
  std::string json_;
};

TEST(Extractive, EveryStatementIsASentenceOfThePageThatItCites) {
  const Scrape scrape = scrape_of(load_site(pages));
  std::map<std::string, std::set<std::string>> said;
  std::map<std::string, std::string> whole;
  for (const Page& page : scrape.pages) {
    for (const Passage& passage : page.passages) {
      const auto all = sentences(passage.text);
      said[page.url].insert(all.begin(), all.end());
      if (all.empty()) said[page.url].insert(passage.text);  // an item of a list
      whole[page.url] += passage.text + "\n";
    }
  }
  const auto is_said = [&](const Finding& finding) {
    const auto all = sentences(finding.quote);
    if (all.empty()) return said[finding.url].contains(finding.quote);
    return std::ranges::all_of(all,
                               [&](const auto& one) { return said[finding.url].contains(one); });
  };
  ExtractiveProvider provider;
  for (const char* topic : {"", "security compliance", "open source"}) {
    const Synthesis made = research_on({provider, {}, {}}, topic, scrape);
    std::set<std::string> quotes;
    const auto check = [&](const std::vector<Statement>& statements) {
      for (const Statement& one : statements) {
        EXPECT_EQ(one.text, one.finding.quote);
        EXPECT_TRUE(is_said(one.finding)) << one.finding.quote;
        EXPECT_THAT(whole[one.finding.url], HasSubstr(one.finding.quote));
        EXPECT_TRUE(quotes.insert(one.finding.quote).second) << "twice: " << one.finding.quote;
      }
    };
    check(made.lead);
    for (const Section& section : made.sections) {
      for (const Paragraph& paragraph : section.paragraphs) check(paragraph.statements);
    }
    EXPECT_GE(quotes.size(), 20U) << topic;
    EXPECT_GE(made.sections.size(), 3U) << topic;
  }
}

TEST(Extractive, EveryNumberInTheReportHasASource) {
  ExtractiveProvider provider;
  const std::string text =
      markdown(research_on({provider, {}, {}}, "", scrape_of(load_site(pages))));
  const std::string sources = text.substr(text.find("## Sources"));
  for (int number = 1; text.find(" [" + std::to_string(number) + "]\n") != text.npos; ++number) {
    EXPECT_THAT(sources, HasSubstr("\n" + std::to_string(number) + ". "));
  }
  EXPECT_THAT(text, HasSubstr(" [9]\n"));
  EXPECT_THAT(sources, HasSubstr("<https://18f.gsa.gov/"));
  EXPECT_THAT(text, HasSubstr("No model wrote this"));
}

TEST(Extractive, AnUnknownTaskIsAnError) {
  ExtractiveProvider provider;
  EXPECT_THROW(static_cast<void>(provider.ask({"poem", "", "{}", ""}, {})), model::ProviderError);
}

TEST(Phases, WhatWasNotOfferedCannotBeChosen) {
  const Scrape scrape = scrape_of(load_site(pages));
  for (const char* answer :
       {R"({"roles":[{"candidate":999,"name":"x"}]})", R"({"roles":[]})", R"({"roles":3})", "[",
        R"({"roles":[{"candidate":-1,"name":"x"}]})", R"({})"}) {
    Scripted provider{answer};
    try {
      static_cast<void>(make_roles({provider, {}, {}}, "", scrape));
      ADD_FAILURE() << answer;
    } catch (const model::ProviderError& error) {
      EXPECT_TRUE(error.retryable()) << answer;
    }
  }
}

TEST_F(ResearchTest, AModelStandsInForTheOfflineProvider) {
  resumable::test::FakeOpenAi model{extractive_reply, {resumable::test::status(503)}};
  const Said said =
      go_on({"--site", server.url(), "--provider", "openai:some-model@" + model.base_url()});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(model.requests(), 1U + 11U)
      << "one refused; four phases, and seven steps with evidence";
  EXPECT_THAT(read_file(report()), HasSubstr("Worded by openai:some-model"));
  const auto after = [](const std::string& text) { return text.substr(text.find("## In short")); };
  EXPECT_EQ(after(read_file(report())), after(uninterrupted()));
}

TEST_F(ResearchTest, PricesGiveWhatWasSpentAndWhatAResumeSaved) {
  resumable::test::FakeOpenAi model{extractive_reply,
                                    {resumable::test::answer(), resumable::test::status(401)}};
  const Said failed = go_on({"--site", server.url(), "--provider", "openai:m@" + model.base_url(),
                             "--price-in", "150", "--price-out", "600"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr(" --price-in 150 --price-out 600\n"));
  const Said said = research({"resume", batch, "--json", "--price-in", "150"});
  EXPECT_EQ(said.code, 0) << said.err;
  const auto report = nlohmann::json::parse(said.out);
  EXPECT_GT(report.at("cost").at("usd"), 0.0) << said.out;
  EXPECT_GT(report.at("saved").at("cost").at("usd"), 0.0) << said.out;
  EXPECT_THAT(research({"status", batch}).out, HasSubstr("  $"));
  EXPECT_EQ(go_on({"--price-in", "-1"}).code, 2);
}

TEST_F(ResearchTest, WhatUselessAnswersCostIsToldInTextStatusAndReport) {
  const resumable::test::FakeOpenAi model{[](const std::string&) { return "I am sorry."; }};
  Settings given = settings();
  given.provider = "openai:m@" + model.base_url();
  given.retry_first = std::chrono::milliseconds{1};
  given.terms = {.usd_per_million_input = 1, .usd_per_million_output = 4};
  rs::FileStore store{out()};
  const rs::Report failed = rs::resume(ResearchPipeline{given}.pipeline(), store, {.run = batch});
  EXPECT_EQ(failed.exit_code(), 1);
  const double paid = failed.cost().usd;
  EXPECT_GT(paid, 0);
  EXPECT_THAT(failed.text(), HasSubstr("cost of this call: $0."));
  const Said status = research({"status", batch});
  EXPECT_THAT(status.out, ContainsRegex(" .0[.][0-9]+ spent"));
  EXPECT_THAT(status.out, HasSubstr("failed 4 times: the answer to 'roles'"));
  const auto json = nlohmann::json::parse(research({"status", batch, "--json"}).out);
  EXPECT_DOUBLE_EQ(json.at("cost").at("usd"), paid);
}

TEST(Text, SentencesEndWhereTheyEnd) {
  EXPECT_THAT(
      sentences("The U.S. has e.g. Mr. Smith. “Next!” she said. It’s 3.5 percent? (Yes.)"),
      ElementsAre("The U.S. has e.g. Mr. Smith.", "“Next!” she said.", "It’s 3.5 percent? (Yes.)"));
  EXPECT_THAT(sentences("a text. no capital. Then one. And a colon:"),
              ElementsAre("a text. no capital.", "Then one."));
}

TEST(Text, TermsAreStemsWithoutStopWords) {
  EXPECT_THAT(terms("The agency’s policies are OPEN; don’t use it"),
              ElementsAre("agenc", "polici", "open"));
}

}  // namespace
}  // namespace research::testing
