// Damaged sessions: which commands say so, what fixes them, what is not a session at all.
#include <map>

#include <nlohmann/json.hpp>

#include "research/research_run.hpp"

namespace research::testing {
namespace {

using ::testing::HasSubstr;

class DamagedSession : public ResearchTest {
 protected:
  std::filesystem::path records() const { return out() / batch / ".resumable/checkpoints"; }
  static void flip(const std::filesystem::path& record) {
    std::string bytes = read_file(record);
    bytes[bytes.size() - 3] ^= 1;
    resumable::test::write_file(record, bytes);
  }
};

TEST_F(DamagedSession, ADamagedInputIsAnErrorForBothAndHidesNoOtherSession) {
  ASSERT_EQ(begin().code, 0);
  ASSERT_EQ(research({"continue", "other", "--site", server.url()}).code, 0);
  for (const char* input : {"batch", "site"}) {
    const TempFolder copies;
    std::filesystem::copy(records() / "@input", copies / "whole");
    for (const char* generation : {".1.ckpt", ".2.ckpt"}) {  // each input is recorded twice
      resumable::test::write_file(records() / "@input" / (std::string{input} + generation), "torn");
    }
    EXPECT_EQ(begin().code, 3) << input;
    EXPECT_EQ(research({"resume", batch}).code, 3) << input;
    EXPECT_EQ(research({"continue", "other"}).code, 0) << input;
    const Said list = research({"list"});
    EXPECT_THAT(list.out, HasSubstr("damaged")) << input;
    EXPECT_THAT(list.out, HasSubstr("completed")) << input;
    std::filesystem::remove_all(records() / "@input");
    std::filesystem::copy(copies / "whole", records() / "@input");
  }
}

// Whatever is damaged, the command that the error names fixes it: then `continue` works.
TEST_F(DamagedSession, WhateverIsDamagedOfAFinishedOneTheAdviceOfContinueFixesIt) {
  ASSERT_EQ(begin().code, 0);
  ASSERT_EQ(research({"resume", batch, "--step", "10", "--force"}).code, 0)
      << "a second generation";
  const TempFolder copies;
  std::filesystem::copy(out(), copies / "whole", std::filesystem::copy_options::recursive);
  std::map<std::string, std::filesystem::path> files;  // of many pages one
  for (const auto& entry : std::filesystem::recursive_directory_iterator{records()}) {
    const auto file = std::filesystem::relative(entry, records());
    if (!entry.is_regular_file() || file.string().starts_with("@input/")) continue;
    const bool page = file.string().starts_with("@step/");
    files.emplace(page ? file.parent_path().string() : file.string(), file);
  }
  int refused = 0;
  for (const auto& [place, file] : files) {
    std::filesystem::remove_all(out());
    std::filesystem::copy(copies / "whole", out(), std::filesystem::copy_options::recursive);
    flip(records() / file);
    const Said said = go_on();
    if (said.code == 0) continue;
    ++refused;
    EXPECT_EQ(said.code, 3) << file << said.err;
    EXPECT_THAT(said.err, HasSubstr("research resume 20251117_072443 --out")) << file;
    EXPECT_EQ(research({"resume", batch}).code, 0) << file;
    const Said after = go_on();
    EXPECT_EQ(after.code, 0) << file << after.err;
    EXPECT_EQ(read_file(report()), uninterrupted()) << file;
  }
  EXPECT_GE(refused, 4 + 10 + 2) << "of phases 0 to 2, ten steps, phase 4, the run's own";
}

TEST_F(DamagedSession, ListStatusAndPlanSayWhatContinueSays) {
  ASSERT_EQ(begin().code, 0);
  flip(records() / "phase3/step-4.1.ckpt");
  ASSERT_EQ(go_on().code, 3);
  const auto before = snapshot(out());
  EXPECT_THAT(research({"list"}).out, HasSubstr("  damaged  "));
  const Said status = research({"status", batch, "--exit-code"});
  EXPECT_EQ(status.code, 5);
  EXPECT_THAT(status.err, HasSubstr("warning: session 20251117_072443: its checkpoint is damaged"));
  EXPECT_THAT(status.err, HasSubstr("research resume 20251117_072443 --out"));
  EXPECT_THAT(research({"plan", batch}).out, HasSubstr("9 of 10 items kept"));
  EXPECT_EQ(snapshot(out()), before);
  ASSERT_EQ(research({"resume", batch}).code, 0);
  EXPECT_THAT(research({"list"}).out, HasSubstr("  completed  "));
}

/// As the first version of the program recorded its pages.
struct FirstScrape {
  std::string title;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FirstScrape, title)

}  // namespace
}  // namespace research::testing

template <>
struct resumable::Schema<research::testing::FirstScrape> {
  static constexpr std::string_view name = "N8research6ScrapeE";
  static constexpr Migrations<0> migrations{};
};

namespace research::testing {
namespace {

TEST_F(DamagedSession, OneOfTheFirstVersionIsToldAndReadAgainWhenAskedFor) {
  rs::Pipeline first{"research"};
  const auto site = first.input("site", server.url());
  first.input("batch", batch);
  first.input("created_at", "");
  first.input("topic", "");
  first.input("provider", "extractive");
  first.input("limits", Limits{});
  first.stage("phase0", inputs(site), [](const std::string&) { return FirstScrape{"T"}; });
  rs::FileStore store{out()};
  ASSERT_TRUE(rs::resume(first, store, {.run = batch}));
  EXPECT_THAT(research({"list"}).out, HasSubstr("of an earlier version"));
  for (const Said& said : {go_on(), research({"resume", batch})}) {
    EXPECT_EQ(said.code, 3);
    EXPECT_THAT(said.err, HasSubstr("was made by an earlier version of research"));
    EXPECT_THAT(said.err, HasSubstr("--phase 0 --force   reads the site again"));
  }
  EXPECT_EQ(research({"resume", batch, "--phase", "0", "--force"}).code, 0);
  EXPECT_EQ(read_file(report()), uninterrupted());
}

}  // namespace
}  // namespace research::testing
