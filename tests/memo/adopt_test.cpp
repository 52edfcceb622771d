// A memo's folder that never had checkpoints: `memo adopt` continues it at the right stage.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/commands.hpp"
#include "memo/memo_run.hpp"
#include "memo/pipeline.hpp"
#include "resumable/file_store.hpp"
#include "resumable/resume.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {
namespace {

namespace fs = std::filesystem;
namespace rs = resumable;
using resumable::test::read_file;
using resumable::test::TempFolder;
using resumable::test::write_file;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* adopted_run = "Aldermere-v0.0.1";

/// The stages whose functions were called; asks for a stop after one of them.
class Watch final : public rs::Observer {
 public:
  explicit Watch(std::string last = {}) : last_(std::move(last)) {}
  void on_event(const rs::Event& event) override {
    const bool adopted = std::ranges::count(event.reasons, rs::Reason::adopted) > 0;
    if (event.kind == rs::EventKind::committed && event.step.empty()) {
      (adopted ? adopts : called).insert(event.stage);
    }
    if (event.kind == rs::EventKind::stage_finished && event.stage == last_) {
      source_.request_stop();
    }
  }
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  std::set<std::string> called;
  std::set<std::string> adopts;

 private:
  std::string last_;
  std::stop_source source_;
};

class AdoptMemo : public ::testing::Test {
 protected:
  /// What a program without checkpoints would have left after this stage.
  void files_after(const std::string& stage) {
    fs::remove_all(folder_ / "store");
    rs::FileStore store{folder_ / "store"};
    Watch watch{stage};
    const MemoPipeline memo{made_settings()};
    static_cast<void>(
        rs::resume(memo.pipeline(), store,
                   {.run = adopted_run, .stop = watch.token(), .observers = {&watch}}));
    ASSERT_TRUE(watch.called.contains(stage));
    fs::remove_all(run_ / ".resumable");
  }
  rs::Plan plan() {
    rs::FileStore store{folder_ / "store"};
    return rs::ResumePlanner{store}.plan(memo_.pipeline(), {.run = adopted_run, .adopt = true});
  }
  rs::Report adopt() {
    watch_ = std::make_unique<Watch>();
    rs::FileStore store{folder_ / "store"};
    return rs::resume(memo_.pipeline(), store,
                      {.run = adopted_run, .adopt = true, .observers = {watch_.get()}});
  }

  [[nodiscard]] double score() const {
    return nlohmann::json::parse(read_file(run_ / "3-validation.json")).at("overall_score");
  }

  double whole_score_ = 0;
  TempFolder folder_;
  fs::path run_ = folder_ / "store" / adopted_run;
  MemoPipeline memo_{made_settings()};
  std::unique_ptr<Watch> watch_;
};

TEST_F(AdoptMemo, AfterEachOfThe13StagesItContinuesWithTheNextOne) {
  files_after("finalize");
  whole_score_ = score();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    SCOPED_TRACE(stages[i]);
    files_after(stages[i]);
    const rs::Plan planned = plan();
    const rs::Report report = adopt();
    EXPECT_EQ(report.exit_code(), 0) << report.text();
    EXPECT_EQ(score(), whole_score_) << "nothing of the program's own is judged as a statement";
    for (std::size_t j = 0; j < stages.size(); ++j) {
      EXPECT_EQ(watch_->called.contains(stages[j]), j > i) << stages[j];
      EXPECT_EQ(watch_->adopts.contains(stages[j]), j <= i) << stages[j];
      const bool says = planned[stages[j]].causes.front().reason == rs::Reason::adopted;
      EXPECT_EQ(says, j <= i) << planned.text();
    }
    rs::FileStore store{folder_ / "store"};
    EXPECT_TRUE(rs::ResumePlanner{store}.plan(memo_.pipeline(), {.run = adopted_run}).complete());
  }
}

TEST_F(AdoptMemo, ATruncatedFileIsNamedAndItsStageRunsTheOthersDoNot) {
  files_after("enrich_trademark");
  const std::string name = "1-research.json";
  const std::string whole = read_file(run_ / name);
  write_file(run_ / name, whole.substr(0, whole.size() / 2));
  const rs::Plan planned = plan();
  EXPECT_THAT(planned["research"].causes.front().text(),
              AllOf(HasSubstr("'1-research.json' cannot be adopted"), HasSubstr("line ")));
  const rs::Report report = adopt();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_TRUE(watch_->called.contains("research"));
  for (const char* kept : {"deck_analyst", "section_research", "draft", "enrich_trademark"}) {
    EXPECT_TRUE(watch_->adopts.contains(kept)) << kept;
  }
  EXPECT_EQ(read_file(run_ / name), whole);
}

TEST_F(AdoptMemo, OfSevenSectionsThreeAreWrittenAndSevenAdopted) {
  files_after("draft");
  std::size_t removed = 0;
  for (const auto& entry : fs::directory_iterator{run_ / "2-sections"}) {
    if (removed < 3) removed += fs::remove(entry.path()) ? 1U : 0U;
  }
  const rs::Report report = adopt();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_EQ(report.stage("draft").items_skipped, 7U);
  EXPECT_EQ(report.stage("draft").items_run, 3U);
}

TEST_F(AdoptMemo, TheCommandShowsThePlanFirstAndFinishesTheMemo) {
  files_after("cite");
  const std::string draft = read_file(run_ / "2-sections/01-summary.md");
  const auto in_store = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--out", (folder_ / "store").string()});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    std::ostringstream err;
    rs::cli::Console console{out, err};
    const int code = command(static_cast<int>(argv.size()), argv.data(), console);
    return std::tuple{code, out.str(), err.str()};
  };
  const auto memo = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"memo", "adopt", "Aldermere", "--sources", made_folder().string(),
                                 "--min-score", "0"});
    return in_store(std::move(words));
  };
  EXPECT_THAT(std::get<2>(in_store({"memo", "resume", "Aldermere"})),
              HasSubstr("memo adopt Aldermere --out"));
  const auto [shown, plan_text, none] = memo({"--dry-run"});
  EXPECT_EQ(shown, 0) << none;
  EXPECT_THAT(plan_text, AllOf(HasSubstr("* adopt     cite"), HasSubstr("9 adopt")));
  EXPECT_FALSE(fs::exists(run_ / ".resumable"));
  const auto [code, out, err] = memo({});
  EXPECT_EQ(code, 0) << err;
  EXPECT_LT(err.find("9 adopt"), err.find("start    run=Aldermere-v0.0.1"));
  EXPECT_THAT(out, HasSubstr("memo: "));
  EXPECT_EQ(read_file(run_ / "2-sections/01-summary.md"), draft);
  const auto [again, nothing, why] = memo({});
  EXPECT_EQ(again, 2) << "there is no folder without checkpoints any more";
  EXPECT_THAT(why, HasSubstr("memo run Aldermere"));
}

}  // namespace
}  // namespace memo::testing
