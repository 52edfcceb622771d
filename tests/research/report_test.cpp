// What is asked of the pages, what is quoted, and what a model may say.
#include <nlohmann/json.hpp>

#include "model/quoting.hpp"
#include "research/phases.hpp"
#include "research/research_run.hpp"
#include "resumable/records.hpp"
#include "support/fake_openai.hpp"

namespace research::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

/// Answers each task with a text that the test made.
class Scripted final : public model::Provider {
 public:
  explicit Scripted(std::map<std::string, std::string> answers) : answers_{std::move(answers)} {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token&) override {
    return {answers_.at(task.name), {}};
  }
  std::string do_name() const override { return "scripted"; }
  std::map<std::string, std::string> answers_;
};

/// Pages of a mill, each with its passages.
Scrape mill(const std::map<std::string, std::vector<std::string>>& pages) {
  Scrape scrape{"The mill", {}, {}, {}};
  for (const auto& [title, passages] : pages) {
    Page& page =
        scrape.pages.emplace_back(Page{"/" + title, "http://mill/" + title, title, "", {}});
    for (const auto& text : passages) page.passages.push_back({text, title, page.path, 1});
  }
  return scrape;
}

Synthesis research_on(model::Provider& provider, const std::string& topic, const Scrape& scrape,
                      const Limits& limits = {}) {
  const model::Call call{provider, {}, {}};
  const Roles roles = make_roles(call, topic, scrape);
  std::vector<StepResult> results;
  for (const Step& step : make_plan(provider.name(), limits, find_goals(roles), scrape)) {
    results.push_back(execute(call, step));
  }
  return synthesize(call, roles, results, scrape);
}

Synthesis quoted_on(const std::string& topic, const Scrape& scrape, const Limits& limits = {}) {
  model::QuotingProvider provider;
  return research_on(provider, topic, scrape, limits);
}

std::vector<std::string> texts_of(const Synthesis& made) {
  std::vector<std::string> texts;
  for (const StepResult& section : made.sections) {
    for (const Statement& one : section.statements) texts.push_back(one.text);
  }
  return texts;
}

TEST_F(ResearchTest, EveryLineOfAReportIsAPassageOfThePageThatItCites) {
  ASSERT_EQ(go_on({"--site", server.url(), "--topic", "open source policy"}).code, 0);
  const auto scrape = rs::Records{rs::FileStore{out()}, batch}.stage<Scrape>("phase0")->value;
  const auto made = rs::Records{rs::FileStore{out()}, batch}.stage<Synthesis>("phase4")->value;
  std::size_t quotes = 0;
  for (const StepResult& section : made.sections) {
    for (const Statement& one : section.statements) {
      ASSERT_EQ(one.cited.size(), 1U);
      EXPECT_EQ(one.text, one.cited[0].text);
      const auto page = std::ranges::find(scrape.pages, one.cited[0].page, &Page::path);
      EXPECT_THAT(page->passages, Contains(one.cited[0]));
      EXPECT_THAT(made.sources, Contains(::testing::Field(&Source::path, page->path)));
      ++quotes;
    }
  }
  EXPECT_GE(quotes, 10U);
  const std::string text = read_file(report());
  EXPECT_THAT(text, HasSubstr("No model wrote this"));
  EXPECT_THAT(text, HasSubstr("[1]\n"));
  EXPECT_THAT(text, HasSubstr("\n1. "));
  EXPECT_THAT(text, HasSubstr("<https://18f.gsa.gov/"));
}

TEST(Report, APageWhoseTitleIsTheTopicIsAlwaysLookedAt) {
  std::map<std::string, std::vector<std::string>> pages{
      {"The Wheels", {"It is of oak.", "Water turns it.", "It was made in 1712."}}};
  for (int i = 0; i < 20; ++i) {
    pages["Tale " + std::to_string(i)] = {"The wheel of tale " + std::to_string(i) + " turned."};
  }
  const auto texts = texts_of(quoted_on("wheel", mill(pages), {.words = 20}));
  EXPECT_THAT(
      texts, ::testing::IsSupersetOf({"It is of oak.", "Water turns it.", "It was made in 1712."}));
  Scripted model{{{"roles", R"({"roles":[{"name":"A","question":"How old?","search":"age"}]})"},
                  {"answer", R"({"answers":[{"question":0,"found":false,"statements":[]}]})"}}};
  const Synthesis made = research_on(model, "wheel", mill(pages));
  EXPECT_THAT(made.silent, ElementsAre("How old?", "The Wheels"));
}

TEST(Report, NoPassageIsQuotedTwice) {
  const auto texts = texts_of(
      quoted_on("mill wheel", mill({{"A", {"The mill wheel is old.", "The mill is new."}},
                                    {"B", {"The mill wheel is old.", "A wheel of oak."}}})));
  EXPECT_THAT(texts, ::testing::UnorderedElementsAre("The mill wheel is old.", "The mill is new.",
                                                     "A wheel of oak."));
}

TEST(Report, AWordThatNoPageHasIsNamedAndATopicWithoutAnyFails) {
  const Scrape scrape =
      mill({{"A", {"The wheel is old.", "The stones are new.", "Rye is ground."}}});
  const std::string text = markdown(quoted_on("wheel xylophone", scrape));
  EXPECT_THAT(text, HasSubstr("## Not found\n\nNothing was found for:\n\n- “xylophone”\n\n"));
  EXPECT_THROW(static_cast<void>(quoted_on("xylophone", scrape)), OffTopic);
}

TEST(Report, ASourceWithoutAnAddressIsItsFileAndTextStaysText) {
  Scrape scrape = mill({{"A*b", {"The *wheel* of <b>."}}});
  scrape.pages[0].url = "/home/a.html";
  const std::string text = markdown(quoted_on("wheel", scrape));
  EXPECT_THAT(text, HasSubstr("1. A\\*b: `/home/a.html`\n"));
  EXPECT_THAT(text, HasSubstr("“The \\*wheel\\* of \\<b>.” [1]\n"));
}

constexpr const char* one_role =
    R"({"roles":[{"name":"Miller","question":"How old is the wheel?","search":"built year"}]})";

TEST(Report, WhatAModelSaysIsCitedAndAnInventedFigureIsLeftOut) {
  Scripted model{{{"roles", one_role},
                  {"answer", R"({"answers":[{"question":0,"found":true,"statements":[
                      {"text":"It is from 1712.","passages":[0]},
                      {"text":"It is from 1999.","passages":[0]}]}]})"},
                  {"lead", R"({"lead":[{"text":"Built in 1712.","statements":[0]},
                                       {"text":"Built in 1850.","statements":[0]}]})"}}};
  const std::string text = markdown(
      research_on(model, "wheel", mill({{"A", {"The wheel was built in 1712.", "Rye."}}})));
  EXPECT_THAT(text, HasSubstr("Written by scripted"));
  EXPECT_THAT(text, HasSubstr("## In short\n\n- Built in 1712. [1]\n\n"));
  EXPECT_THAT(text, HasSubstr("## How old is the wheel?\n\n- It is from 1712. [1]\n\n"));
  EXPECT_THAT(text, HasSubstr("2 statements of the model left out"));
  EXPECT_THAT(text, Not(HasSubstr("1999")));
  EXPECT_THAT(text, Not(HasSubstr("1850")));
}

TEST(Report, AnAnswerThatDoesNotFitIsWorthAnotherTry) {
  const Scrape scrape = mill({{"A", {"The wheel was built in 1712."}}});
  for (const char* roles : {"[", "{}", R"({"roles":[]})", R"({"roles":[{"name":"x"}]})"}) {
    Scripted model{{{"roles", roles}}};
    try {
      static_cast<void>(research_on(model, "wheel", scrape));
      ADD_FAILURE() << roles;
    } catch (const model::ProviderError& error) {
      EXPECT_TRUE(error.retryable()) << roles;
    }
  }
}

TEST_F(ResearchTest, AServerIsAskedAgainAfterARefusalAndItsCostIsTold) {
  const auto reply = [](const std::string& message) -> std::string {
    const Json json = Json::parse(message);
    if (json.at("task") == "roles") return one_role;
    if (json.at("task") == "lead") return R"({"lead":[]})";
    model::QuotingProvider provider;
    return provider.ask({"answer", "", json.at("input").dump(), ""}, {}).json;
  };
  resumable::test::FakeOpenAi model{
      reply,
      {resumable::test::status(503), resumable::test::answer(), resumable::test::status(401)}};
  const Said failed = go_on({"--site", server.url(), "--provider", "openai", "--model", "m",
                             "--base-url", model.base_url(), "--price-in", "150"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr(" --price-in 150\n"));
  const Said said = research({"resume", batch, "--json", "--price-in", "150"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(model.requests(), 5U) << "two refused; roles, an answer and the lead";
  EXPECT_GT(Json::parse(said.out).at("saved").at("cost").at("usd"), 0.0) << said.out;
  EXPECT_THAT(read_file(report()), HasSubstr("Written by openai:m"));
  EXPECT_THAT(research({"status", batch}).out, HasSubstr("  $"));
}

}  // namespace
}  // namespace research::testing
