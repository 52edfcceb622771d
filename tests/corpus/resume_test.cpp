// Going on: longer targets, the cache of expansions, failures that last, starting anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "corpus_run.hpp"

namespace corpus::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class CorpusRun : public ::testing::Test {
 protected:
  TempFolder folder;
  Place place{folder};
};

/// An outline of three domains with two sections each.
Settings small(const TempFolder& folder) {
  Settings settings = brief_settings();
  settings.outline = folder / "outline.json";
  if (!std::filesystem::exists(*settings.outline)) {
    write_file(*settings.outline, outline_of(3, 2));
  }
  return settings;
}

TEST_F(CorpusRun, EndsTheQueueWhenEnoughWordsArePlanned) {
  Settings settings = small(folder);
  settings.target_words = 60;
  ASSERT_TRUE(place.generate(settings));
  EXPECT_THAT(names_in(place.files(), "sections"),
              ElementsAre("Domain_1000__Part_1000.md", "Domain_1000__Part_1001.md",
                          "Domain_1001__Part_1000.md", "_CONCEPT.md"));
  EXPECT_EQ(place.metadata().at("completed"), 4);
  EXPECT_GE(place.metadata().at("word_count"), 60);
}

TEST_F(CorpusRun, WithALongerTargetAsksOnlyForWhatIsNew) {
  Settings settings = small(folder);
  settings.target_words = 60;
  ASSERT_TRUE(place.generate(settings));
  place.asked.clear();
  settings.target_words = 0;
  ASSERT_TRUE(place.generate(settings));
  EXPECT_THAT(place.questions("concept"), IsEmpty());
  EXPECT_THAT(place.questions("expand"), ElementsAre("Domain 1002"));
  EXPECT_THAT(
      place.questions("write"),
      ElementsAre("Domain_1001__Part_1001", "Domain_1002__Part_1000", "Domain_1002__Part_1001"));
  const TempFolder other;
  Place at_once{other};
  settings.outline = folder / "outline.json";
  ASSERT_TRUE(at_once.generate(settings));
  EXPECT_EQ(place.files(), at_once.files());
}

TEST_F(CorpusRun, WithAShorterTargetLeavesOutWhatIsBehindIt) {
  Settings settings = small(folder);
  ASSERT_TRUE(place.generate(settings));
  settings.target_words = 60;
  ASSERT_TRUE(place.generate(settings));
  EXPECT_EQ(place.metadata().at("completed"), 4);
  EXPECT_THAT(place.files().at("city_corpus.txt"), Not(HasSubstr("Domain 1002")));
  const auto before = place.files();
  ASSERT_TRUE(place.generate(settings));
  EXPECT_EQ(place.files(), before) << "records that no section needs are not counted";
}

TEST_F(CorpusRun, WritesAnewOnlyWhatAChangedOutlineTouches) {
  Settings settings = small(folder);
  ASSERT_TRUE(place.generate(settings));
  place.asked.clear();
  auto outline = nlohmann::json::parse(read_file(*settings.outline));
  outline["domains"][1]["microthesauri"][0]["concepts"].push_back("sluice");
  write_file(*settings.outline, outline.dump());
  ASSERT_TRUE(place.generate(settings));
  EXPECT_THAT(place.questions("concept"), IsEmpty());
  EXPECT_THAT(place.questions("expand"), ElementsAre("Domain 1001"));
  EXPECT_THAT(place.questions("write"), ElementsAre("Domain_1001__Part_1000"));
  EXPECT_THAT(place.said.str(), HasSubstr("answers another question"));
}

TEST_F(CorpusRun, TakesExpansionsFromTheCacheAndSaysSo) {
  ASSERT_TRUE(place.generate(small(folder)));
  const auto before = place.files();
  place.asked.clear();
  ASSERT_TRUE(place.generate(small(folder), nullptr, {.run = run_id, .fresh = true}));
  EXPECT_THAT(place.questions("expand"), IsEmpty());
  EXPECT_THAT(place.questions("concept"), SizeIs(1)) << "all else is done anew";
  EXPECT_THAT(place.questions("write"), SizeIs(6));
  EXPECT_THAT(place.said.str(), HasSubstr("the expansion of Domain 1001 is in the cache"));
  EXPECT_EQ(place.files(), before);
}

TEST_F(CorpusRun, KeepsExpansionsInFilesThatPeopleCanRead) {
  ASSERT_TRUE(place.generate(small(folder)));
  const auto entry = nlohmann::json::parse(place.files().at("expansion_cache/Domain_1001.json"));
  EXPECT_EQ(entry.at("domain"), "Domain 1001");
  EXPECT_EQ(entry.at("sections").at(1).at("name"), "Domain 1001: Part 1001");
  EXPECT_THAT(entry.at("sections").at(1).at("prompt").get<std::string>(), HasSubstr("mill race"));
}

TEST_F(CorpusRun, ReportsADamagedCacheEntryAsAMissAndKeepsIt) {
  ASSERT_TRUE(place.generate(small(folder)));
  const auto before = place.files();
  const auto entry = place.run_folder() / "expansion_cache/Domain_1001.json";
  const std::string whole = read_file(entry);
  std::string changed = whole;
  changed.replace(changed.find("mill race"), 9, "windmills");
  for (const std::string& damaged :
       {whole.substr(0, 40), std::string{}, std::string{"{}"}, changed}) {
    write_file(entry, damaged);
    place.asked.clear();
    place.said.str("");
    ASSERT_TRUE(place.generate(small(folder), nullptr, {.run = run_id, .fresh = true}));
    EXPECT_THAT(place.questions("expand"), ElementsAre("Domain 1001"));
    EXPECT_THAT(place.said.str(), HasSubstr("Domain_1001.json is damaged"));
    EXPECT_EQ(read_file(entry), whole);
  }
  auto files = place.files();
  EXPECT_EQ(files.at("expansion_cache/Domain_1001.json.damaged"), whole.substr(0, 40));
  EXPECT_EQ(files.at("expansion_cache/Domain_1001.json.damaged-4"), changed);
  std::erase_if(files,
                [](const auto& file) { return file.first.find(".damaged") != file.first.npos; });
  EXPECT_EQ(files, before);
}

TEST_F(CorpusRun, GoesOnWithoutACacheThatCannotBeWritten) {
  std::filesystem::create_directories(place.run_folder());
  write_file(place.run_folder() / "expansion_cache", "a file in its place");
  ASSERT_TRUE(place.generate(small(folder)));
  EXPECT_THAT(place.said.str(), HasSubstr("the expansion of Domain 1000 cannot be cached"));
  EXPECT_EQ(place.metadata().at("phase"), "done");
}

/// Fails as often as it is told to, each time at one section.
class FailingWriter final : public model::Provider {
 public:
  FailingWriter(std::string section, std::shared_ptr<int> left)
      : section_(std::move(section)), left_(std::move(left)) {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    if (task.input.find(section_) != std::string::npos && (*left_)-- > 0) {
      throw model::ProviderError(
          "HTTP 503", {.retryable = true, .retry_after = std::nullopt, .http_status = 503});
    }
    return writer_.ask(task, stop);
  }
  std::string do_name() const override { return "failing"; }

  std::string section_;
  std::shared_ptr<int> left_;
  OfflineWriter writer_;
};

Settings failing(const TempFolder& folder, int times) {
  Settings settings = small(folder);
  settings.retry_first = std::chrono::milliseconds{0};
  settings.offline = [left = std::make_shared<int>(times)] {
    return std::make_unique<FailingWriter>("Domain 1001: Part 1001", left);
  };
  return settings;
}

TEST_F(CorpusRun, TriesAFailedSectionThreeTimes) {
  resumable::test::EventLog log;
  ASSERT_TRUE(place.generate(failing(folder, 2), &log));
  EXPECT_THAT(log.of(rs::EventKind::retried),
              ElementsAre("pieces/Domain_1001__Part_1001", "pieces/Domain_1001__Part_1001"));
}

TEST_F(CorpusRun, ThatFailsThreeTimesIsSavedAndGoesOnNextTime) {
  const rs::Report failed = place.generate(failing(folder, 3));
  EXPECT_EQ(failed.exit_code(), 1);
  EXPECT_THAT(failed.stage("pieces").message, HasSubstr("HTTP 503"));
  EXPECT_THAT(names_in(place.files(), "sections"), SizeIs(4)) << "the concept and three sections";
  EXPECT_EQ(place.metadata().at("phase"), "generating");
  EXPECT_EQ(place.metadata().at("completed"), 4);

  ASSERT_TRUE(place.generate(small(folder)));
  EXPECT_THAT(
      place.questions("write"),
      ElementsAre("Domain_1001__Part_1001", "Domain_1002__Part_1000", "Domain_1002__Part_1001"));
  EXPECT_EQ(place.metadata().at("phase"), "done");
  EXPECT_EQ(place.metadata().at("completed"), 7);
  const TempFolder other;
  Place at_once{other};
  ASSERT_TRUE(at_once.generate(small(folder)));
  EXPECT_EQ(place.files(), at_once.files());
}

TEST_F(CorpusRun, CountsWhatItKeepsWhileTheListIsNotKnownYet) {
  Settings settings = failing(folder, 3);
  settings.target_words = 60;
  ASSERT_TRUE(place.generate(settings));
  settings.target_words = 0;
  ASSERT_EQ(place.generate(settings).exit_code(), 1);
  EXPECT_EQ(place.metadata().at("phase"), "generating");
  EXPECT_EQ(place.metadata().at("completed"), 4);
}

TEST_F(CorpusRun, CountsFromTheBeginningWhenItIsWrittenAnew) {
  ASSERT_TRUE(place.generate(small(folder)));
  const auto before = place.metadata();
  const rs::ResumeOptions anew{.run = run_id, .fresh = true};
  ASSERT_EQ(place.generate(failing(folder, 3), nullptr, anew).exit_code(), 1);
  EXPECT_EQ(place.metadata().at("completed"), 4);
  ASSERT_TRUE(place.generate(small(folder)));
  EXPECT_EQ(place.metadata(), before);
  ASSERT_TRUE(place.generate(small(folder), nullptr, {.run = run_id, .redo = {"scope"}}));
  EXPECT_EQ(place.metadata(), before) << "nothing but the outline was looked at again";
}

TEST_F(CorpusRun, MakesItsMetadataAnewFromWhatIsCommitted) {
  ASSERT_EQ(place.generate(failing(folder, 3)).exit_code(), 1);
  const auto before = place.metadata();
  std::size_t words = 0;
  for (const auto& [name, text] : place.files()) {
    if (!name.starts_with("sections/")) continue;
    std::istringstream all{text};
    std::string heading;
    std::getline(all, heading);
    for (std::string word; all >> word;) ++words;
  }
  EXPECT_EQ(before.at("word_count"), words);
  write_file(place.run_folder() / "corpus_metadata.json", "{\"word_count\":1}");
  ASSERT_EQ(place.generate(failing(folder, 3)).exit_code(), 1);
  EXPECT_EQ(place.metadata(), before) << "the view is never read";
}

}  // namespace
}  // namespace corpus::testing
