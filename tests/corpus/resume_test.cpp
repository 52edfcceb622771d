// Corpora that continue: longer targets, cached expansions, failures that last, starting again.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/standing.hpp"
#include "corpus_run.hpp"
#include "resumable/forwarding_store.hpp"
#include "support/child_process.hpp"

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

TEST_F(CorpusRun, WritesAgainOnlyWhatAChangedOutlineTouches) {
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
}

TEST_F(CorpusRun, WithALongerTargetTakesTheRestOfADomainFromTheCache) {
  Settings settings = small(folder);
  settings.target_words = 60;
  ASSERT_TRUE(place.generate(settings));
  EXPECT_THAT(place.said.str(), IsEmpty());
  settings.target_words = 80;
  ASSERT_TRUE(place.generate(settings));
  EXPECT_EQ(place.said.str(), "note: the expansion of Domain_1001 is in the cache\n");
}

TEST_F(CorpusRun, TakesExpansionsFromTheCacheAndSaysSo) {
  ASSERT_TRUE(place.generate(small(folder)));
  const auto before = place.files();
  place.asked.clear();
  ASSERT_TRUE(place.generate(small(folder), nullptr, {.run = run_id, .fresh = true}));
  EXPECT_THAT(place.questions("expand"), IsEmpty());
  EXPECT_THAT(place.questions("concept"), SizeIs(1)) << "everything else is done again";
  EXPECT_THAT(place.questions("write"), SizeIs(6));
  EXPECT_THAT(place.said.str(), HasSubstr("note: the expansion of Domain_1001 is in the cache\n"));
  EXPECT_EQ(place.files(), before);
}

TEST_F(CorpusRun, TakesExpansionsFromOtherRunsOfTheStore) {
  ASSERT_TRUE(place.generate(small(folder)));
  place.asked.clear();
  ASSERT_TRUE(place.generate(small(folder), nullptr, {.run = "another"}));
  EXPECT_THAT(place.questions("expand"), IsEmpty()) << "it invents a city of the same name";
  Settings settings = small(folder);
  settings.city = "Yorkbori";
  ASSERT_TRUE(place.generate(settings, nullptr, {.run = "yorkbori"}));
  EXPECT_THAT(place.questions("expand"), SizeIs(3)) << "another city is another question";
}

TEST_F(CorpusRun, ExportsExpansionsAsFilesThatPeopleCanRead) {
  Settings settings = small(folder);
  settings.target_words = 60;
  ASSERT_TRUE(place.generate(settings));
  const auto files = place.files();
  EXPECT_THAT(names_in(files, "expansion_cache"),
              ElementsAre("Domain_1000.json", "Domain_1001.json"));
  const std::string& text = files.at("expansion_cache/Domain_1001.json");
  EXPECT_THAT(text, ::testing::StartsWith(R"({
  "domain": "Domain 1001",
  "sections": [
    {
      "name": "Domain 1001: Part 1000",
      "prompt": "What Halminster has of Part 1000.")"));
  const auto sections = nlohmann::json::parse(text).at("sections");
  ASSERT_EQ(sections.size(), 2U) << "also those that the target leaves out";
  EXPECT_THAT(sections.at(1).at("prompt").get<std::string>(), HasSubstr("Part 1001"));
}

/// Kills its process when the first answer is in the cache, before its item is committed.
class CacheKiller final : public rs::ForwardingStore, public rs::ContentCache {
 public:
  using ForwardingStore::ForwardingStore;

  std::optional<rs::StoredRecord> do_find(std::string_view path,
                                          const rs::Wait& wait) const override {
    return next().capability<rs::ContentCache>()->find(path, wait);
  }
  bool do_put_if_absent(const rs::Put& put, const rs::Wait& wait) override {
    const bool stored = next().capability<rs::ContentCache>()->put_if_absent(put, wait);
    static_cast<void>(::raise(SIGKILL));
    return stored;
  }
  void do_replace(const rs::Put& put, const rs::Wait& wait) override {
    next().capability<rs::ContentCache>()->replace(put, wait);
  }

 private:
  rs::CheckpointStore* do_capability() noexcept override { return this; }
};

TEST_F(CorpusRun, KilledWhenAnAnswerIsInTheCacheDoesNotAskForItAgain) {
  const Settings settings = small(folder);
  resumable::test::ChildProcess child([&] {
    CacheKiller store{place.store};
    return place
        .generate(settings, nullptr, {.run = run_id, .artifact_folder = place.run_folder()}, &store)
        .exit_code();
  });
  ASSERT_EQ(child.wait(), (resumable::test::Ended{-1, SIGKILL}));
  ASSERT_TRUE(place.generate(settings));
  EXPECT_THAT(place.questions("expand"), ElementsAre("Domain 1000", "Domain 1001", "Domain 1002"));
  EXPECT_EQ(place.said.str(), "note: the expansion of Domain_1000 is in the cache\n");
}

TEST_F(CorpusRun, DamagedAnywhereIsToldMendedAndNeverMiscounted) {
  const Settings settings = small(folder);
  ASSERT_TRUE(place.generate(settings));
  const auto expected = place.files();
  const auto batches = place.run_folder() / ".resumable/checkpoints/@batch";
  for (const auto& entry : std::filesystem::directory_iterator(batches)) {
    std::string bytes = read_file(entry.path());
    const auto words = bytes.rfind("\"words\":");
    if (words == std::string::npos) continue;
    bytes[words + 8] = '9';
    write_file(entry.path(), bytes);
  }
  const rs::Plan plan = rs::ResumePlanner{place.store}.plan(
      place.generation->pipeline(), {.run = run_id, .artifact_folder = place.run_folder()});
  EXPECT_EQ(standing_of(place.store, run_id, plan).word_count(), 0U) << "nothing of it is whole";
  ASSERT_TRUE(place.generate(
      settings, nullptr,
      {.run = run_id, .verify_payloads = true, .artifact_folder = place.run_folder()}));
  EXPECT_EQ(place.files(), expected);
}

/// Fails as often as it is told to, each time at one question; an answer costs ten tokens.
class FailingWriter final : public model::Provider {
 public:
  FailingWriter(std::string question, std::shared_ptr<int> left)
      : question_(std::move(question)), left_(std::move(left)) {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    if (task.input.find(question_) != std::string::npos && (*left_)-- > 0) {
      throw model::ProviderError(
          "HTTP 503", {.retryable = true, .retry_after = std::nullopt, .http_status = 503});
    }
    model::Answer answer = writer_.ask(task, stop);
    answer.spent.tokens = 10;
    return answer;
  }
  std::string do_name() const override { return "failing"; }

  std::string question_;
  std::shared_ptr<int> left_;
  OfflineWriter writer_;
};

Settings failing(const TempFolder& folder, int times,
                 const std::string& question = R"("section":"Domain 1001: Part 1001")") {
  Settings settings = small(folder);
  settings.retry_first = std::chrono::milliseconds{0};
  settings.offline = [question, left = std::make_shared<int>(times)] {
    return std::make_unique<FailingWriter>(question, left);
  };
  return settings;
}

TEST_F(CorpusRun, TriesAFailedSectionThreeTimes) {
  resumable::test::EventLog log;
  ASSERT_TRUE(place.generate(failing(folder, 2), &log));
  EXPECT_THAT(log.of(rs::EventKind::retried),
              ElementsAre("pieces/Domain_1001__Part_1001", "pieces/Domain_1001__Part_1001"));
}

TEST_F(CorpusRun, TriesAFailedExpansionThreeTimesAndPaysForItsAnswerOnce) {
  const Settings settings = failing(folder, 2, R"("domain":"Domain 1001")");
  resumable::test::EventLog log;
  const rs::Report first = place.generate(settings, &log);
  ASSERT_TRUE(first);
  EXPECT_THAT(log.of(rs::EventKind::retried),
              ElementsAre("pieces/Domain_1001", "pieces/Domain_1001"));
  EXPECT_THAT(log.of(rs::EventKind::cache_missed), IsEmpty()) << "what never was is not missed";
  EXPECT_EQ(first.cost().tokens, 10U * (1 + 3 + 6));
  const rs::Report fresh = place.generate(settings, nullptr, {.run = run_id, .fresh = true});
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh.cost().tokens, 10U * (1 + 6)) << "the cache has the expansions";
}

/// Writes prose in place of JSON until it is told that an answer could not be used.
class ChattyWriter final : public model::Provider {
 public:
  explicit ChattyWriter(std::shared_ptr<std::vector<std::string>> told) : told_(std::move(told)) {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    const auto complaint = task.instructions.find("Your last answer could not be used: ");
    if (complaint == std::string::npos) return {"Certainly! Here it is.", {}};
    told_->push_back(task.instructions.substr(complaint));
    return writer_.ask(task, stop);
  }
  std::string do_name() const override { return "chatty"; }

  std::shared_ptr<std::vector<std::string>> told_;
  OfflineWriter writer_;
};

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

TEST_F(CorpusRun, CountsFromTheBeginningWhenItIsWrittenAgain) {
  ASSERT_TRUE(place.generate(small(folder)));
  const auto before = place.metadata();
  const rs::ResumeOptions fresh{.run = run_id, .fresh = true};
  ASSERT_EQ(place.generate(failing(folder, 3), nullptr, fresh).exit_code(), 1);
  EXPECT_EQ(place.metadata().at("completed"), 4);
  ASSERT_TRUE(place.generate(small(folder)));
  EXPECT_EQ(place.metadata(), before);
  ASSERT_TRUE(place.generate(small(folder), nullptr, {.run = run_id, .redo = {"scope"}}));
  EXPECT_EQ(place.metadata(), before) << "nothing but the outline was looked at again";
}

TEST_F(CorpusRun, MakesItsMetadataAgainFromWhatIsCommitted) {
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
