// The offline writer: length, terms, and that equal tasks get equal answers.
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/tasks.hpp"
#include "corpus_run.hpp"

namespace corpus::testing {
namespace {

using ::testing::HasSubstr;

const City city{"Yorkbori", 1240, "Sample", {"Northgate", "Southgate"}};

Piece section(const std::string& name, std::vector<std::string> terms, std::size_t words) {
  Piece piece;
  piece.kind = Kind::section;
  piece.name = name;
  piece.city = city;
  piece.terms = std::move(terms);
  piece.words = words;
  return piece;
}

std::string written(const Piece& piece) {
  OfflineWriter writer;
  return ask_section({writer, {}, {}}, write_task(piece));
}

TEST(OfflineWriter, WritesAboutAsManyWordsAsAskedForAndSpeaksOfEveryTerm) {
  std::set<std::string> texts;
  for (const Domain& domain : read_outline(read_file(eurovoc()), "")) {
    for (const Heading& heading : domain.headings) {
      const std::string name = section_name(domain.label, heading.title);
      const std::string text = written(section(name, heading.terms, 2000));
      EXPECT_GE(count_words(text), 2000U) << name;
      EXPECT_LE(count_words(text), 2400U) << name << ": the terms of one alone have 1300";
      for (const std::string& term : heading.terms) {
        EXPECT_NE(text.find(term), std::string::npos) << name << ": " << term;
      }
      EXPECT_TRUE(texts.insert(text).second) << name;
    }
  }
}

TEST(OfflineWriter, SaysAtTheTopOfEveryPageThatItIsFiller) {
  const TempFolder folder;
  Place place{folder};
  ASSERT_TRUE(place.generate(brief_settings()));
  std::size_t pages = 0;
  std::string whole;
  for (const auto& [name, text] : place.files()) {
    if (name == "city_corpus.txt") whole = text;
    if (!name.ends_with(".md")) continue;
    ++pages;
    const std::string top = text.substr(text.find("\n\n") + 2);
    EXPECT_TRUE(top.starts_with("Filler text: a model writes this page")) << name;
  }
  EXPECT_EQ(pages, 128U);
  for (std::size_t at = 0; (at = whole.find("\n\nFiller text", at)) != whole.npos; ++at) {
    --pages;
  }
  EXPECT_EQ(pages, 0U) << "each section of city_corpus.txt says so";
}

TEST(OfflineWriter, GivesEqualTasksEqualAnswers) {
  const Piece piece = section("Trade: Prices", {"weir", "mill race"}, 300);
  EXPECT_EQ(written(piece), written(piece));
  EXPECT_THAT(written(section("Trade: Prices", {"weir"}, 1)), HasSubstr("records of weir"));
}

/// Answers every task with the same words.
class Parrot final : public model::Provider {
 public:
  explicit Parrot(std::string answer) : answer_(std::move(answer)) {}

 private:
  model::Answer do_ask(const model::Task&, const std::stop_token&) override {
    return {answer_, {}};
  }
  std::string do_name() const override { return "parrot"; }
  std::string answer_;
};

TEST(Answers, ThatDoNotFitAreWorthAnotherTry) {
  const Domain domain{"Trade", {{"Prices", {}}, {"Tariffs", {}}}, 2};
  const auto misfit = [](const std::string& answer, auto ask) {
    Parrot parrot{answer};
    try {
      ask(model::Call{parrot, {}, {}});
    } catch (const model::ProviderError& error) {
      EXPECT_TRUE(error.retryable());
      return std::string{error.what()};
    }
    return std::string{"it fits"};
  };
  const auto as_section = [](const model::Call& call) {
    static_cast<void>(ask_section(call, write_task(section("a", {}, 1))));
  };
  const auto as_expansion = [&](const model::Call& call) {
    static_cast<void>(ask_expansion(call, expand_task(city, domain), domain));
  };
  const auto as_concept = [](const model::Call& call) {
    static_cast<void>(ask_concept(call, concept_task("Yorkbori", 5)));
  };
  EXPECT_THAT(misfit("{", as_section), HasSubstr("it is not whole JSON; it begins with “{”"));
  EXPECT_THAT(misfit(R"({"text":" \n"})", as_section),
              HasSubstr(R"(an empty text; it begins with “{"text":" \n"}”)"));
  EXPECT_THAT(misfit(R"({"text":7})", as_section), HasSubstr("does not fit"));
  EXPECT_THAT(misfit(R"({"sections":[{"title":"Prices","prompt":"p"}]})", as_expansion),
              HasSubstr("a section is missing"));
  EXPECT_THAT(misfit(R"({"sections":[{"title":"Taxes","prompt":"p"}]})", as_expansion),
              HasSubstr("was not asked for"));
  EXPECT_THAT(
      misfit(R"({"city":{"name":"X","founded":1,"river":"r","districts":["d"]},"text":"t"})",
             as_concept),
      HasSubstr("another name"));
}

}  // namespace
}  // namespace corpus::testing
