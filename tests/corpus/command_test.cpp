// The program corpus, driven in process: what it says, its exit codes, what it leaves alone.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_run.hpp"
#include "corpus/tasks.hpp"
#include "support/child_process.hpp"
#include "support/fake_openai.hpp"

namespace corpus::testing {
namespace {

namespace fs = std::filesystem;
using resumable::test::ChildProcess;
using resumable::test::Ended;
using resumable::test::FakeOpenAi;
using resumable::test::snapshot;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(CorpusCommand, WritesEuroVocWithoutAnyFlag) {
  const Said said = corpus({"generate", "--section-words", "20"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("corpus/city_corpus.txt ("));
  EXPECT_THAT(said.out, HasSubstr(" words in 128 files)"));
  EXPECT_THAT(file("corpus/sections/Politics__Political_Framework.md"),
              HasSubstr("# Politics: Political Framework\n\n"));
  EXPECT_THAT(file("corpus/city_corpus.txt"), ::testing::StartsWith("# Halminster\n"));
  EXPECT_THAT(corpus({"status"}).out,
              HasSubstr("expansion_cache/ (21 files), sections/ (128 files)"));
}

/// Of the sections and terms of an outline, those that a corpus has.
struct Coverage {
  std::size_t sections = 0;
  std::size_t written = 0;
  std::size_t terms = 0;
  std::size_t named = 0;  ///< in the section that they belong to
  std::size_t words = 0;
};

Coverage coverage_of(const std::vector<Domain>& outline, const fs::path& sections) {
  Coverage found;
  for (const Domain& domain : outline) {
    for (const Heading& heading : domain.headings) {
      const std::string title = section_name(domain.label, heading.title);
      const fs::path page = sections / (file_name(title) + ".md");
      const std::string text = fs::exists(page) ? read_file(page) : "";
      const std::string top = "# " + title + "\n\nFiller text: a model writes this page";
      ++found.sections;
      found.written += text.starts_with(top) ? 1U : 0U;
      found.terms += heading.terms.size();
      found.named += static_cast<std::size_t>(std::ranges::count_if(
          heading.terms, [&](const auto& term) { return text.find(term) != text.npos; }));
      found.words += count_words(text);
    }
  }
  return found;
}

TEST_F(CorpusCommand, WritesEachSectionOfAnyOutlineAndNamesEachTermInIts) {
  for (const std::string name : {"harbour", "eurovoc"}) {
    const auto path = eurovoc().parent_path() / (name + ".json");
    const Said said = corpus({"generate", "--city", name, "--outline", path.string(),  //
                              "--section-words", "300"});
    EXPECT_EQ(said.code, 0) << said.err;
    const std::string outline = read_file(path);
    const Coverage found =
        coverage_of(read_outline(outline, ""), folder / "out" / name / "sections");
    EXPECT_EQ(found.written, found.sections) << name;
    EXPECT_EQ(found.named, found.terms) << name;
    std::cout << fmt::format("{}: {} of {} sections, {} of {} terms; {} words, outline {}\n", name,
                             found.written, found.sections, found.named, found.terms, found.words,
                             count_words(outline));
  }
}

TEST_F(CorpusCommand, StatusWithoutACityNamesTheCommandThatListsCorpora) {
  ASSERT_EQ(generate({"--city", "New Yorkbori"}).code, 0);
  rs::Pipeline other{"other"};
  other.stage("s", [] { return 1; });
  rs::FileStore store{folder / "out"};
  ASSERT_TRUE(rs::resume(other, store, {.run = "o1"}));
  const std::string said = corpus({"status"}).out;
  EXPECT_THAT(said, HasSubstr("no corpus 'corpus' was begun in "));
  EXPECT_THAT(said, HasSubstr("  corpus list --out " + (folder / "out").string()));
  const Said listed = corpus({"list"});
  EXPECT_THAT(listed.out, AllOf(HasSubstr("New-Yorkbori  done"), Not(HasSubstr("o1"))));
  EXPECT_THAT(listed.err, HasSubstr("; 1 run of other programs not shown\n"));
}

TEST_F(CorpusCommand, ResumesByDefaultAndRunsNothingThatIsDone) {
  ASSERT_EQ(generate({"--target-words", "40"}).code, 0);
  const auto before = snapshot(folder / "out/corpus/sections");
  const Said said = corpus({"generate"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("resumed: 3 of 3 stages skipped")) << "the target was recorded";
  EXPECT_EQ(snapshot(folder / "out/corpus/sections"), before);
}

TEST_F(CorpusCommand, WithNoResumeBeginsAgainWithTheSettingsGiven) {
  ASSERT_EQ(generate({"--target-words", "40", "--start-time", "2026-11-22T06:30:00Z"}).code, 0);
  const Said said = generate({"--no-resume", "--start-time", "2026-11-23T06:30:00Z"});
  EXPECT_EQ(said.code, 0) << said.err;
  const auto metadata = nlohmann::json::parse(file("corpus/corpus_metadata.json"));
  EXPECT_EQ(metadata.at("completed"), 5) << "no target was given";
  EXPECT_EQ(metadata.at("target_words"), 0);
  EXPECT_EQ(metadata.at("start_time"), "2026-11-23T06:30:00Z");
  EXPECT_THAT(said.err, HasSubstr("done     stage=pieces item=_CONCEPT"));
  EXPECT_THAT(said.err, HasSubstr("note: the expansion of Domain_1000 is in the cache"))
      << "which does not belong to the run";
}

TEST_F(CorpusCommand, WithNoResumeACorpusThatWasCutIsWrittenAgainAndACopyIsKept) {
  ASSERT_EQ(generate().code, 0);
  const std::filesystem::path corpus = folder / "out/corpus";
  const std::string whole = read_file(corpus / "city_corpus.txt");
  for (const std::string& cut : {whole.substr(0, whole.size() / 2), whole.substr(0, 1)}) {
    write_file(corpus / "city_corpus.txt", cut);
    const Said said = generate({"--no-resume"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(read_file(corpus / "city_corpus.txt"), whole);
    std::vector<std::string> copies;
    for (const auto& one : std::filesystem::directory_iterator{corpus / ".resumable/removed"}) {
      copies.push_back(read_file(one.path()));
    }
    EXPECT_THAT(copies, ::testing::Contains(cut));
  }
}

TEST_F(CorpusCommand, TellsOfACacheEntryThatIsDamaged) {
  ASSERT_EQ(generate().code, 0);
  const auto damage_one = [&] {
    const auto entry = cache_entries(rs::FileStore{folder / "out"}).at(0);
    write_file(entry, flipped(read_file(entry)));
  };
  damage_one();
  const Said in_logs = generate({"--no-resume"});
  EXPECT_EQ(in_logs.code, 0) << in_logs.err;
  EXPECT_THAT(in_logs.err, HasSubstr(" missed   stage=pieces item=Domain_100"));
  EXPECT_THAT(in_logs.err, HasSubstr(" step=expand message=\"step 'expand' is computed again: the "
                                     "cached one is damaged\"\n"));
  damage_one();
  terminal = true;
  const Said on_screen = generate({"--no-resume"});
  EXPECT_EQ(on_screen.code, 0) << on_screen.err;
  EXPECT_THAT(on_screen.err, HasSubstr("/expand          step 'expand' is computed again: the "
                                       "cached one is damaged\n"));
}

TEST_F(CorpusCommand, KeepsTheStartTimeOfTheRun) {
  ASSERT_EQ(generate({"--target-words", "20"}).code, 0);
  const auto first = nlohmann::json::parse(file("corpus/corpus_metadata.json"));
  EXPECT_THAT(first.at("start_time").get<std::string>(), ::testing::EndsWith("Z"));
  ASSERT_EQ(generate({"--target-words", "40"}).code, 0);
  const auto second = nlohmann::json::parse(file("corpus/corpus_metadata.json"));
  EXPECT_EQ(second.at("start_time"), first.at("start_time"));
  EXPECT_EQ(second.at("completed"), 3);
}

TEST_F(CorpusCommand, KeepsEachCityInARunOfItsOwn) {
  ASSERT_EQ(generate({"--city", "Port Saint-Anne"}).code, 0);
  ASSERT_EQ(generate({"--city", "Yorkbori"}).code, 0);
  EXPECT_THAT(file("Port-Saint-Anne/sections/_CONCEPT.md"), HasSubstr("# Port Saint-Anne\n"));
  EXPECT_THAT(file("Yorkbori/sections/_CONCEPT.md"), HasSubstr("# Yorkbori\n"));
  EXPECT_THAT(corpus({"status", "--city", "Yorkbori"}).out, HasSubstr("phase done: Yorkbori"));
}

TEST_F(CorpusCommand, ListsEachCity) {
  ASSERT_EQ(generate({"--city", "Yorkbori"}).code, 0);
  ASSERT_EQ(generate().code, 0);
  const Said said = corpus({"list"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, ContainsRegex("3 of 3(.|\n)*3 of 3")) << "as status counts them";
  EXPECT_THAT(said.out, AllOf(HasSubstr("Yorkbori "), HasSubstr("corpus "), HasSubstr(" done ")));
}

TEST_F(CorpusCommand, TellsEachPhaseInItsStatus) {
  EXPECT_THAT(corpus({"status"}).out, HasSubstr("phase init: no corpus 'corpus' was begun"));
  EXPECT_EQ(corpus({"status", "--exit-code"}).code, 5);
  EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "looking creates nothing";

  FakeOpenAi server{offline_reply, after(0, 3)};
  const std::string provider = "openai:m@" + server.base_url();
  const Said failed = generate({"--provider", provider, "--retry-first", "0"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr("run   corpus generate"));
  EXPECT_THAT(corpus({"status"}).out, HasSubstr("phase concept\n"));

  server.script(after(4, 3));
  EXPECT_EQ(corpus({"generate", "--retry-first", "0"}).code, 1) << "the provider was recorded";
  const Said generating = corpus({"status", "--exit-code"});
  EXPECT_THAT(generating.out, HasSubstr("phase generating: Halminster, "));
  EXPECT_THAT(generating.out, HasSubstr(" words in 2 files, 3 sections to write"));
  EXPECT_EQ(generating.code, 5);
  const auto json = nlohmann::json::parse(corpus({"status", "--json"}).out);
  EXPECT_EQ(json.at("corpus").at("phase"), "generating");
  EXPECT_EQ(json.at("corpus").at("completed"), 2);
  EXPECT_EQ(json.at("corpus").at("queue").size(), 3U);
  EXPECT_EQ(json.at("corpus").at("current_section"), json.at("corpus").at("queue").at(0));
  EXPECT_EQ(json.at("corpus").at("target_words"), 0);
  EXPECT_FALSE(json.at("corpus").at("start_time").get<std::string>().empty());
  const std::string current = json.at("corpus").at("current_section");
  EXPECT_THAT(generating.out, HasSubstr("\nnext section " + current + "\nbegun at 20"));

  ASSERT_EQ(corpus({"generate"}).code, 0);
  EXPECT_THAT(corpus({"status", "--exit-code"}).out,
              AllOf(HasSubstr("phase done: Halminster, "), Not(HasSubstr("next section"))));
  EXPECT_EQ(server.requests(), 3U + 4U + 3U + 3U) << "nothing that was answered is asked again";
}

TEST_F(CorpusCommand, CountsInItsStatusOnlyWhatIsPartOfTheCorpus) {
  ASSERT_EQ(generate().code, 0);
  EXPECT_THAT(corpus({"status"}).out, HasSubstr(" words in 5 files\n"));
  ASSERT_EQ(generate({"--target-words", "40"}).code, 0);
  EXPECT_THAT(corpus({"status"}).out, HasSubstr(" words in 3 files\n"));
}

/// Kills its process where the last stage begins.
class EndKiller final : public rs::Observer {
 public:
  void on_event(const rs::Event& event) override {
    const bool last = event.kind == rs::EventKind::stage_started && event.stage == "finalize";
    if (last) static_cast<void>(::raise(SIGKILL));
  }
};

TEST_F(CorpusCommand, TellsThatOnlyTheEndIsLeft) {
  const TempFolder other;
  ChildProcess child([&] {
    Place place{other};
    EndKiller killer;
    Settings settings = brief_settings();
    settings.outline = folder / "outline.json";
    return place.generate(std::move(settings), &killer).exit_code();
  });
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  const std::string run = (other / "store").string();
  std::filesystem::create_directories(folder / "out");
  std::filesystem::copy(other / "store", folder / "out", std::filesystem::copy_options::recursive);
  EXPECT_THAT(corpus({"status"}).out, HasSubstr("phase finalize: Halminster, "));
  EXPECT_EQ(nlohmann::json::parse(file("corpus/corpus_metadata.json")).at("phase"), "finalize");
}

TEST_F(CorpusCommand, WrittenByAServerIsTheSameAsWrittenWithout) {
  const FakeOpenAi server{offline_reply};
  const std::string provider = "openai:m@" + server.base_url();
  ASSERT_EQ(generate({"--provider", provider, "--concurrency", "3"}).code, 0);
  const auto sections = snapshot(folder / "out/corpus/sections");
  EXPECT_EQ(server.requests(), 7U);
  const Said fresh = generate({"--no-resume", "--yes"});
  ASSERT_EQ(fresh.code, 0) << fresh.err;
  EXPECT_THAT(fresh.err, Not(HasSubstr("in the cache"))) << "another provider's answers";
  EXPECT_EQ(snapshot(folder / "out/corpus/sections"), sections);
  EXPECT_EQ(server.requests(), 7U);
}

TEST_F(CorpusCommand, PricesGiveWhatWasSpentAndWhatAResumeSaved) {
  const FakeOpenAi server{offline_reply,
                          {resumable::test::answer(), resumable::test::answer(),
                           resumable::test::answer(), resumable::test::status(401)}};
  const Said failed =
      generate({"--provider", "openai:m@" + server.base_url(), "--price-in", "1500"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr(" --price-in 1500   to continue"));
  const Said said = corpus({"generate", "--price-in", "1500", "--json"});
  EXPECT_EQ(said.code, 0) << said.err;
  const auto report = nlohmann::json::parse(said.out);
  EXPECT_GT(report.at("cost").at("usd"), 0.0) << said.out;
  EXPECT_GT(report.at("saved").at("cost").at("usd"), 0.0) << said.out;
  EXPECT_THAT(corpus({"status"}).out, HasSubstr("  $"));
  EXPECT_EQ(generate({"--price-out", "-1"}).code, 2);
}

TEST_F(CorpusCommand, PlanAndStatusWriteNothing) {
  ASSERT_EQ(generate({"--target-words", "40"}).code, 0);
  const auto before = snapshot(folder / "out");
  EXPECT_EQ(corpus({"plan", "--exit-code"}).code, 0);
  EXPECT_EQ(corpus({"plan", "--target-words", "80", "--exit-code"}).code, 5);
  EXPECT_EQ(corpus({"plan", "--no-resume", "--explain", "--exit-code"}).code, 5);
  EXPECT_EQ(corpus({"status"}).code, 0);
  EXPECT_EQ(snapshot(folder / "out"), before);
}

TEST_F(CorpusCommand, RedoesASectionByItsKey) {
  ASSERT_EQ(generate().code, 0);
  const Said said = corpus({"generate", "--redo", "pieces/Domain_1001__Part_1000"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("done     stage=pieces item=Domain_1001__Part_1000"));
  EXPECT_THAT(said.err, Not(HasSubstr("done     stage=pieces item=_CONCEPT")));
}

TEST_F(CorpusCommand, AnEditedSectionIsTheCorpusText) {
  ASSERT_EQ(generate().code, 0);
  const std::string name = "corpus/sections/Domain_1001__Part_1000.md";
  const std::string whole = file("corpus/city_corpus.txt");
  const auto words = nlohmann::json::parse(file("corpus/corpus_metadata.json")).at("word_count");
  const std::string mine = file(name) + "\nTwo words\n";
  write_file(folder / "out" / name, mine);
  const Said said = corpus({"generate"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("Two words"));
  EXPECT_THAT(said.err, Not(HasSubstr("done     stage=pieces"))) << "no section is written again";
  EXPECT_EQ(file(name), mine);
  EXPECT_THAT(file("corpus/city_corpus.txt"), HasSubstr(mine));
  EXPECT_EQ(file("corpus/city_corpus.txt").size(),
            whole.size() + std::string{"\nTwo words\n"}.size());
  EXPECT_EQ(nlohmann::json::parse(file("corpus/corpus_metadata.json")).at("word_count"),
            words.get<std::size_t>() + 2);
}

TEST_F(CorpusCommand, ASectionWithoutItsTitleIsRefusedByNameAndKept) {
  ASSERT_EQ(generate().code, 0);
  const std::string name = "sections/Domain_1001__Part_1000.md";
  write_file(folder / "out/corpus" / name, "mine");
  const Said said = corpus({"generate"});
  EXPECT_EQ(said.code, 3) << said.err;
  EXPECT_THAT(said.err, AllOf(HasSubstr(name), HasSubstr("line 1"), HasSubstr("Part 1000")));
  EXPECT_EQ(file("corpus/" + name), "mine");
}

TEST_F(CorpusCommand, TheTextOfAnExpansionIsForReadingAndStays) {
  ASSERT_EQ(generate().code, 0);
  const std::string name = "expansion_cache/Domain_1001.json";
  write_file(folder / "out/corpus" / name, "mine");
  const Said said = corpus({"generate"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, AllOf(HasSubstr(name), HasSubstr("is not read back")));
  EXPECT_EQ(file("corpus/" + name), "mine");
}

TEST_F(CorpusCommand, BadInputChangesNothing) {
  write_file(folder / "empty.json", "{}");
  const auto refused = [&](const Words& words, const char* sentence) {
    const Said said = corpus(words);
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_THAT(said.err, HasSubstr(sentence));
  };
  refused({"generate", "--outline", "/nonexistent"}, "/nonexistent");
  refused({"generate", "--outline", (folder / "empty.json").string()}, "domains");
  refused({"generate", "--city", "///"}, "no letter or digit");
  refused({"generate", "--provider", "oracle"}, "neither offline nor openai:MODEL@URL");
  refused({"generate", "--section-words", "0"},
          "--section-words: '0' is no whole number from 1 to 1000000000\n");
  refused({"generate", "--target-words", "-5"},
          "--target-words: '-5' is no whole number from 0 to 1000000000\n");
  refused({"generate", "--target-words", "99999999999999999999"}, "is no whole number");
  refused({"generate", "--target-words", "40.5"}, "'40.5' is no whole number");
  refused({"generate", "--pace", "-1"}, "--pace: '-1' is no whole number");
  for (const char* time : {"foo", "2026", "2026-02-30T06:30:00Z", "2026-11-22T06:30:00Z "}) {
    const std::string sentence =
        "--start-time: '" + std::string{time} + "' is no time of UTC like 2026-11-22T06:30:00Z\n";
    refused({"generate", "--start-time", time}, sentence.c_str());
  }
  refused({"generate", "--redo", "piece"}, "Did you mean 'pieces'?");
  refused({"write"}, "");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace corpus::testing
