// The offline writer: length, terms, and that equal tasks get equal answers.
#include <regex>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/prose.hpp"
#include "corpus/tasks.hpp"
#include "corpus_run.hpp"

namespace corpus::testing {
namespace {

using ::testing::HasSubstr;

const City city = invent_city("Yorkbori");

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
      EXPECT_LE(count_words(text), 2060U) << name;
      for (const std::string& term : heading.terms) {
        EXPECT_NE(text.find(term), std::string::npos) << name << ": " << term;
      }
      EXPECT_EQ(text.find_first_of("{}"), std::string::npos) << "a slot is left open in " << name;
      EXPECT_TRUE(texts.insert(text).second) << name;
    }
  }
}

/// The sentences and headings of a text, by its line feeds and full stops.
std::vector<std::string> sentences(const std::string& text) {
  std::vector<std::string> found{""};
  for (const char c : text) {
    if (c == '.' || c == '\n')
      found.emplace_back();
    else
      found.back() += c;
  }
  return found;
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
    EXPECT_TRUE(top.starts_with("> Placeholder text, made without a model: ")) << name;
  }
  EXPECT_EQ(pages, 128U);
  for (std::size_t at = 0; (at = whole.find("\n\n> Placeholder text", at)) != whole.npos; ++at) {
    --pages;
  }
  EXPECT_EQ(pages, 0U) << "each section of city_corpus.txt says so";
}

TEST(OfflineWriter, NamesNoTermInWhatHappenedInAYear) {
  const std::string text =
      written(section("Trade: Prices", {"Communist Party", "mill race"}, 5000));
  const std::regex year{"\\b(1[0-9]|20)[0-9][0-9]\\b"};
  std::size_t events = 0;
  for (const std::string& sentence : sentences(text)) {
    if (!std::regex_search(sentence, year) || sentence.find("have a part") != sentence.npos)
      continue;
    ++events;
    EXPECT_EQ(sentence.find("“"), std::string::npos) << sentence;
  }
  EXPECT_GT(events, 50U);
}

TEST(OfflineWriter, GivesEqualTasksEqualAnswers) {
  const Piece piece = section("Trade: Prices", {"weir", "mill race"}, 300);
  EXPECT_EQ(written(piece), written(piece));
  // Written down once: another machine, or another year, must not give another text.
  EXPECT_THAT(written(section("Trade: Prices", {"weir"}, 1)), HasSubstr("“weir”"));
  EXPECT_EQ(invent_city("").name, "Halminster");
  EXPECT_EQ(city.founded, invent_city("Yorkbori").founded);
}

TEST(OfflineWriter, WritesAboutASubjectWithoutTerms) {
  EXPECT_THAT(written(section("Trade: Prices", {}, 50)), HasSubstr("“Trade: Prices”"));
}

TEST(OfflineWriter, PlansEachSectionByItself) {
  OfflineWriter writer;
  const model::Call call{writer, {}, {}};
  Domain domain{"Trade", {{"Prices", {"weir"}}, {"Tariffs", {"mill race", "lock"}}}, 2};
  const auto before = ask_expansion(call, expand_task(city, domain), domain);
  domain.headings[0].terms.emplace_back("sluice");
  const auto after = ask_expansion(call, expand_task(city, domain), domain);
  EXPECT_NE(before.at(0), after.at(0));
  EXPECT_EQ(before.at(1), after.at(1));
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
