// What a reader could expect of the answers about nineteen data sets, counted apart from the
// program (answerable.json); and the cache of the tools' results.
#include "insights/answerable.hpp"
#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using ::testing::HasSubstr;

class Answers : public InsightsTest {
 protected:
  /// The facts that the answers about a data set do not state, and how many there are.
  std::pair<std::vector<std::string>, std::size_t> missed(const std::string& set) const {
    const auto data = resumable::test::source_folder() / "examples/data" / set;
    std::pair<std::vector<std::string>, std::size_t> result;
    const auto ask = [&](const Json& request, const std::filesystem::path& tables) {
      const Said said = insights({"request", "--data", tables.string()}, request.dump());
      EXPECT_EQ(said.code, 0) << said.out;
      EXPECT_EQ(said.json().at("metadata").at("outcome"), "answered");
      return said.json().at("insights").at("rawText").get<std::string>();
    };
    for (const Answered& one : answered(data, ask)) {
      result.second += one.facts;
      result.first.insert(result.first.end(), one.missed.begin(), one.missed.end());
    }
    return result;
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

TEST_F(Answers, StateWhatTheScalesOfHivesShow) {
  const auto [missing, all] = missed("insights-hives");
  EXPECT_EQ(all, 21U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheTicketsOfAHelpDeskShow) {
  const auto [missing, all] = missed("insights-helpdesk");
  EXPECT_EQ(all, 20U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatAWideTableOfBranchesShows) {
  const auto [missing, all] = missed("insights-branches");
  EXPECT_EQ(all, 21U);
  // Takings and staff are two tables without common days.
  EXPECT_THAT(missing, ::testing::ElementsAre("the branch"));
}

TEST_F(Answers, StateWhatTheDeparturesOfBusesShow) {
  const auto [missing, all] = missed("insights-buses");
  EXPECT_EQ(all, 21U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheBookingsOfAWarehouseShow) {
  const auto [missing, all] = missed("insights-warehouse");
  EXPECT_EQ(all, 20U);
  EXPECT_THAT(missing, ::testing::ElementsAre("since when"));
}

TEST_F(Answers, StateWhatTheCallOutsForLiftsShow) {
  const auto [missing, all] = missed("insights-liftcalls");
  EXPECT_EQ(all, 18U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheListsOfAFoodBankShow) {
  const auto [missing, all] = missed("insights-pantry");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 2U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheLogOfASalmonFarmShows) {
  const auto [missing, all] = missed("insights-seapens");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 1U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheCallOutsOfFirstRespondersShow) {
  const auto [missing, all] = missed("insights-firstresponders");
  EXPECT_EQ(all, 18U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheCallOutsOfALiftFirmShow) {
  const auto [missing, all] = missed("insights-liftcallouts");
  EXPECT_EQ(all, 18U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST_F(Answers, StateWhatTheListsOfACiderPressShow) {
  const auto [missing, all] = missed("insights-ciderpress");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 3U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheGaugeOfARiverShows) {
  const auto [missing, all] = missed("insights-rowingriver");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 1U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheLogOfAFerryShows) {
  const auto [missing, all] = missed("insights-ferry");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 7U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheJobsOfAnInterpreterShow) {
  const auto [missing, all] = missed("insights-interpreter");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 6U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheWeighbridgeOfAQuarryShows) {
  const auto [missing, all] = missed("insights-quarry");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 2U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheTemperaturesOfAServerRoomShow) {
  const auto [missing, all] = missed("insights-serverroom");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 2U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheProbesOfAWineCellarShow) {
  const auto [missing, all] = missed("insights-cave");
  EXPECT_EQ(all, 16U);
  EXPECT_LE(missing.size(), 5U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheHeatsOfAFoundryShow) {
  const auto [missing, all] = missed("insights-foundry");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 2U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheListOfALostPropertyOfficeShows) {
  const auto [missing, all] = missed("insights-fundbuero");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 3U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheTillOfARecordShopShows) {
  const auto [missing, all] = missed("insights-vinyl");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 1U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheLogOfAnIceRinkShows) {
  const auto [missing, all] = missed("insights-icerink");
  EXPECT_EQ(all, 16U);
  EXPECT_LE(missing.size(), 0U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheBooksOfABakeryShow) {
  const auto [missing, all] = missed("insights-bakery");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 1U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheTicketsOfACarParkShow) {
  const auto [missing, all] = missed("insights-parking");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 4U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheMeasuringBookOfATreeNurseryShows) {
  const auto [missing, all] = missed("insights-nursery");
  EXPECT_EQ(all, 17U);
  EXPECT_LE(missing.size(), 4U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheSalesOfATheatreShow) {
  const auto [missing, all] = missed("insights-boxoffice");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 8U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheLogOfACompressorShows) {
  const auto [missing, all] = missed("insights-compressor");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 4U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheTripsOfATaxiShow) {
  const auto [missing, all] = missed("insights-taxi");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 8U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheFlightsOfAGlidingClubShow) {
  const auto [missing, all] = missed("insights-gliding");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 13U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheGerminationTestsOfASeedBankShow) {
  const auto [missing, all] = missed("insights-seedbank");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 4U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheRegisterOfAChoirShows) {
  const auto [missing, all] = missed("insights-choir");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 10U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheLogOfAGrowingRoomShows) {
  const auto [missing, all] = missed("insights-mushroom");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 5U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheJobsOfABicycleShopShow) {
  const auto [missing, all] = missed("insights-bikejobs");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 7U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheReadingsOfAWaterworksShow) {
  const auto [missing, all] = missed("insights-waterworks");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 7U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheTrapsOfAForestShow) {
  const auto [missing, all] = missed("insights-beetles");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 4U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheBookingsOfAHostelShow) {
  const auto [missing, all] = missed("insights-hostel");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 4U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheMetersOfAHouseholdShow) {
  const auto [missing, all] = missed("insights-meters");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 5U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheCasesOfAVetShow) {
  const auto [missing, all] = missed("insights-vet");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 7U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheReadingsOfAMillShow) {
  const auto [missing, all] = missed("insights-millturbine");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 1U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheJobBookOfAPrintShopShows) {
  const auto [missing, all] = missed("insights-printshop");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 2U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, StateWhatTheLoansOfAToolLibraryShow) {
  const auto [missing, all] = missed("insights-toollibrary");
  EXPECT_EQ(all, 18U);
  EXPECT_LE(missing.size(), 7U) << ::testing::PrintToString(missing);
}

TEST_F(Answers, BeginWithFindingsAndEndWithFigures) {
  const std::string text = uninterrupted().at("rawText").get<std::string>();
  const auto findings = text.find("\nFindings\n- precipitation: 54.1 on 2015-12-08 is unusually");
  const auto figures =
      text.find("\nFigures\n- precipitation: 284.5 in all (the lowest reading 0 on ");
  EXPECT_LT(figures, text.find("; temp_max: 8.381 on average"));
  ASSERT_NE(findings, text.npos) << text;
  ASSERT_NE(figures, text.npos) << text;
  EXPECT_LT(findings, figures);
}

TEST_F(Answers, SayNothingOfATrendWhereALevelHasChanged) {
  const auto data = resumable::test::source_folder() / "examples/data/insights-coop";
  const auto text = [&](const char* prompt) {
    const Json request{{"systemId", "sales"}, {"contextWindowDays", 61}, {"customPrompt", prompt}};
    return insights({"request", "--data", data.string()}, request.dump())
        .json()
        .at("insights")
        .at("rawText")
        .get<std::string>();
  };
  const std::string wine = text("Is there a trend in the takings of Wine?");
  EXPECT_THAT(wine, HasSubstr("takings (Wine) rose on 2025-06-09"));
  EXPECT_THAT(wine, ::testing::Not(HasSubstr("takings (Wine): no trend")));
  const std::string wrong = text("Is anything wrong with the record?");
  EXPECT_LT(wrong.find("is there twice"), wrong.find("by shop ("));
  EXPECT_LT(wrong.find("below zero"), wrong.find("EUR in all"));
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
