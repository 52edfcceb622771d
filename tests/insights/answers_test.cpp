// What a reader could expect of the answers about seven data sets, counted apart from the program
// (answerable.json); and the cache of the tools' results.
#include <cmath>
#include <regex>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::read_file;
using ::testing::HasSubstr;

/// The numbers of a line; 12,345.6 is one.
std::vector<double> numbers_in(const std::string& line) {
  static const std::regex number{R"(\d+(,\d{3})*(\.\d+)?)"};
  std::vector<double> all;
  for (std::sregex_iterator at{line.begin(), line.end(), number}, end; at != end; ++at) {
    std::string digits = at->str();
    std::erase(digits, ',');
    all.push_back(std::stod(digits));
  }
  return all;
}

/// Whether a line has all words of the fact, and of each list of numbers one, to half a per cent.
bool states(const std::string& line, const Json& fact) {
  for (const Json& word : fact.at("words")) {
    const std::regex wanted{word.get<std::string>(), std::regex::icase};
    if (!std::regex_search(line, wanted)) return false;
  }
  const std::vector<double> numbers = numbers_in(line);
  return std::ranges::all_of(fact.at("numbers"), [&](const Json& list) {
    return std::ranges::any_of(list, [&](const Json& wanted) {
      const double value = wanted.get<double>();
      return std::ranges::any_of(
          numbers, [&](double n) { return std::abs(n - value) <= 0.005 * std::abs(value); });
    });
  });
}

class Answers : public InsightsTest {
 protected:
  /// The facts that the answers about a data set do not state, and how many there are.
  std::pair<std::vector<std::string>, std::size_t> missed(const std::string& set) const {
    const auto data = resumable::test::source_folder() / "examples/data" / set;
    const Json asked = Json::parse(read_file(data / "answerable.json"));
    std::pair<std::vector<std::string>, std::size_t> result;
    for (const Json& question : asked.at("questions")) {
      const Json request{{"systemId", asked.at("systemId")},
                         {"contextWindowDays", asked.at("contextWindowDays")},
                         {"customPrompt", question.at("prompt")}};
      const Said said = insights({"request", "--data", data.string()}, request.dump());
      EXPECT_EQ(said.code, 0) << said.out;
      EXPECT_EQ(said.json().at("metadata").at("outcome"), "answered");
      std::istringstream text{said.json().at("insights").at("rawText").get<std::string>()};
      const std::vector<std::string> lines = lines_of(text);
      for (const Json& fact : question.at("facts")) {
        ++result.second;
        const bool is_told =
            std::ranges::any_of(lines, [&](const std::string& line) { return states(line, fact); });
        if (!is_told) result.first.push_back(fact.at("fact").get<std::string>());
      }
    }
    return result;
  }

 private:
  static std::vector<std::string> lines_of(std::istream& text) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
};

TEST_F(Answers, StateWhatASchoolsReadingsShow) {
  const auto [missing, all] = missed("insights-school");
  EXPECT_EQ(all, 12U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheSalesOfACoopShow) {
  const auto [missing, all] = missed("insights-coop");
  EXPECT_EQ(all, 17U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheLogOfABatteryShows) {
  const auto [missing, all] = missed("insights-battery");
  EXPECT_EQ(all, 16U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheLogOfAPoolShows) {
  const auto [missing, all] = missed("insights-pool");
  EXPECT_EQ(all, 15U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheAppointmentsOfAClinicShow) {
  const auto [missing, all] = missed("insights-clinic");
  EXPECT_EQ(all, 15U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheTurbinesOfAStationAndItsRiverShow) {
  const auto [missing, all] = missed("insights-hydro");
  EXPECT_EQ(all, 15U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheLoansAndVisitsOfALibraryShow) {
  const auto [missing, all] = missed("insights-loans");
  EXPECT_EQ(all, 16U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, BeginWithFindingsAndEndWithFigures) {
  const std::string text = uninterrupted().at("rawText").get<std::string>();
  const auto findings = text.find("\nFindings\n- precipitation: 54.1 on 2015-12-08 is unusually");
  const auto figures = text.find("\nFigures\n- temp_max: 8.381 on average");
  ASSERT_NE(findings, text.npos) << text;
  ASSERT_NE(figures, text.npos) << text;
  EXPECT_LT(findings, figures);
}

TEST_F(Answers, AreAboutTheColumnsThatTheQuestionNames) {
  Json request = december_request();
  request["customPrompt"] = "How strong was the wind?";
  const Json answer = ask("wind", {}, request).json();
  const std::string text = answer.at("insights").at("rawText").get<std::string>();
  EXPECT_THAT(text, HasSubstr("wind"));
  EXPECT_THAT(text.substr(0, text.find("Around the")),
              ::testing::Not(HasSubstr("- precipitation")));
}

TEST_F(Answers, ToolResultsAreTakenFromTheCacheOfAllJobs) {
  const auto hits = [](const Said& said) { return said.json().at("metadata").at("toolCacheHits"); };
  const Said first = ask("first");
  EXPECT_EQ(hits(first), 0);
  const Said second = ask("second");
  EXPECT_EQ(hits(second), tool_calls) << "the same of the same readings";
  EXPECT_EQ(second.json().at("insights"), first.json().at("insights"));
  Json other = december_request();
  other["contextWindowDays"] = 30;
  EXPECT_EQ(hits(ask("third", {}, other)), 0) << "other readings";
}

}  // namespace
}  // namespace insights::testing
