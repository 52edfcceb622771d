// The command layer: what flags do to options, usage errors, help, output that cannot be written,
// lists, narrow terminals.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/cli.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/resumable.hpp"
#include "support/temp_folder.hpp"

namespace resumable::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Words = std::vector<std::string>;

struct Said {
  int code = -1;
  std::string out{};
  std::string err{};
};

/// A program with the commands of the layer, driven in process.
class Commands : public ::testing::Test {
 protected:
  Said greet(const Words& words) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{out, err};
    console.interactive = interactive;
    console.columns = columns;
    return with(console, words, [&] { return Said{-1, out.str(), err.str()}; });
  }

  Said with(Console& console, Words words, const std::function<Said()>& said) {
    words.insert(words.begin(), "greet");
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    CLI::App app{"Writes a greeting.", "greet"};
    app.footer("Examples:\n  greet resume --fresh   everything again\n  greet list");
    add_program_flags(app, console, "1.2.3");
    auto* resume = app.add_subcommand("resume", "write it");
    add_resume_flags(*resume, options, output);
    auto* plan = app.add_subcommand("plan", "print what resume would do");
    add_plan_flags(*plan, options, output);
    auto* status = app.add_subcommand("status", "print where it is");
    add_status_flags(*status, output);
    auto* list = app.add_subcommand("list", "print all runs");
    add_list_flags(*list, output);
    const int code = run(app, static_cast<int>(argv.size()), argv.data(), console, [&] {
      colored = console.color;
      if (*resume) return cli::resume(console, pipeline, store, options, output);
      if (*plan) return cli::plan(console, pipeline, store, options, output);
      if (*list) return cli::list(console, pipeline, store, output);
      return cli::status(console, pipeline, store, options.run, output, {"greet resume"});
    });
    Said result = said();
    result.code = code;
    return result;
  }

  void SetUp() override {
    const auto names = pipeline.stage("names", [] {
      return std::vector<std::string>{"ann", "bob", "cy", "dee", "eve"};
    });
    const auto words = pipeline.stage("words", inputs(each(names)),
                                      [](const std::string& name) { return "Hello, " + name; });
    pipeline.stage("count", inputs(words),
                   [](const std::vector<std::string>& all) { return all.size(); });
  }

  Pipeline pipeline{"greet"};
  MemoryStore store;
  ResumeOptions options{.run = "g1"};
  OutputOptions output{};
  bool interactive = false;
  bool colored = false;
  std::size_t columns = 0;
};

TEST_F(Commands, OptionsOfTheHostSurviveUnlessAFlagIsGiven) {
  options.concurrency = 3;
  options.lock_wait = 7s;
  options.keep_going = true;
  options.redo = {"names"};
  EXPECT_EQ(greet({"plan", "--redo", "words/ann", "--redo", "words/bob"}).code, 0);
  EXPECT_EQ(options.concurrency, 3U);
  EXPECT_EQ(options.lock_wait, 7s);
  EXPECT_TRUE(options.keep_going);
  EXPECT_THAT(options.redo, ElementsAre("names", "words/ann", "words/bob"));
  options.redo.clear();
  EXPECT_EQ(greet({"resume", "--concurrency", "2", "--wait", "1m", "--budget", "1h", "--reserve",
                   "500ms", "--run-budget", "2h", "--verify", "--strict", "--durability", "data"})
                .code,
            0);
  EXPECT_EQ(options.concurrency, 2U);
  EXPECT_EQ(options.lock_wait, 1min);
  EXPECT_EQ(options.budget, 1h);
  EXPECT_EQ(options.reserve, 500ms);
  EXPECT_EQ(options.run_budget, 2h);
  EXPECT_TRUE(options.verify_payloads);
  EXPECT_EQ(options.on_damage, OnDamage::refuse);
  EXPECT_EQ(options.durability, Durability::data);
}

TEST_F(Commands, ADurabilityThatDoesNotExistIsRefused) {
  const Said said = greet({"resume", "--durability", "none"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("--durability: 'none' is not full, data or queued"));
}

TEST_F(Commands, PlanAndResumeTreatRedoAndFromTheSame) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  for (const char* command : {"plan", "resume"}) {
    options = {.run = "g1", .from = {"count"}};
    const Said said = greet({command, "--redo", "names"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(options.redo, ElementsAre("names"));
    EXPECT_THAT(options.from, ElementsAre("count"));
  }
}

TEST_F(Commands, PlanAndResumeTakeWhatIsPinnedAndIgnored) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  for (const char* command : {"plan", "resume"}) {
    options = {.run = "g1"};
    const Said said = greet({command, "--pin", "count", "--ignore", "words:code", "--unpin",
                             "names", "--unignore", "count:age"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(options.pin, ElementsAre("count"));
    EXPECT_THAT(options.unpin, ElementsAre("names"));
    EXPECT_THAT(options.ignore, ElementsAre("words:code"));
    EXPECT_THAT(options.unignore, ElementsAre("count:age"));
  }
  options = {.run = "g1"};
  const Said later = greet({"plan", "--explain"});
  EXPECT_THAT(later.out, HasSubstr("= keep      count         pinned"));
  EXPECT_THAT(later.out, HasSubstr("ignored: changes of its code"));
  const Said wrong = greet({"plan", "--ignore", "words:cod"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("Did you mean 'code'?"));
}

TEST_F(Commands, ATimeHasAUnitAndIsNotNegative) {
  EXPECT_THAT(greet({"resume", "--wait", "-3s"}).err, HasSubstr("a time is not negative"));
  EXPECT_EQ(greet({"resume", "--wait", "3 parsecs"}).code, 2);
  EXPECT_EQ(greet({"resume", "--wait", "1e40"}).code, 2);
}

TEST_F(Commands, UsageErrorsNameTheWordAndWhatWasMeant) {
  const auto said = [&](const Words& words) {
    const Said result = greet(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    return result.err;
  };
  EXPECT_EQ(said({"resum"}),
            "error: unknown command 'resum' of greet. Did you mean 'resume'?\n"
            "  next  greet --help\n");
  EXPECT_THAT(said({"frobnicate"}), HasSubstr("unknown command 'frobnicate' of greet\n"));
  EXPECT_EQ(said({"resume", "--concurency", "2"}),
            "error: unknown option '--concurency' of greet resume. Did you mean '--concurrency'?\n"
            "  next  greet resume --help\n");
  EXPECT_THAT(said({"status", "now"}), HasSubstr("unexpected argument 'now' of greet status"));
  EXPECT_THAT(said({}), HasSubstr("error: a command is required"));
  EXPECT_THAT(said({"frob\x1b[31m"}), Not(HasSubstr("\x1b"))) << "no escape sequences";
}

TEST_F(Commands, EachCommandThatAMessageAdvisesWorks) {
  static_cast<void>(store.lease("g1", {.create = Create::must}));  // so that work is left
  std::size_t advised = 0;
  for (const Words& words : {Words{"resum"}, Words{"plan", "--fresch"}, Words{"status", "now"},
                             Words{"resume", "--wait", "x"}, Words{"status"}, Words{"--help"}}) {
    const Said said = greet(words);
    std::istringstream lines{said.out + said.err};
    for (std::string line; std::getline(lines, line);) {
      const std::size_t at = line.find("  greet ");
      if (at == line.npos) continue;
      std::istringstream command{line.substr(at + 8, line.find("   ", at + 8) - at - 8)};
      Words typed;
      for (std::string word; command >> word;) typed.push_back(word);
      EXPECT_EQ(greet(typed).code, 0) << line;
      ++advised;
    }
  }
  EXPECT_GE(advised, 6U);
}

TEST_F(Commands, FlagsOfTheProgramStandBeforeOrBehindTheCommand) {
  EXPECT_EQ(greet({"--color", "resume"}).code, 0);
  EXPECT_TRUE(colored);
  EXPECT_EQ(greet({"status", "--color"}).code, 0);
  EXPECT_TRUE(colored);
  EXPECT_EQ(greet({"status", "--color", "--no-color"}).code, 0);
  EXPECT_FALSE(colored);
  EXPECT_THAT(greet({"status"}).out, HasSubstr("✓"));
  EXPECT_THAT(greet({"status", "--ascii"}).out, Not(HasSubstr("✓")));
  EXPECT_EQ(greet({"--version"}).out, "greet 1.2.3\n");
  EXPECT_EQ(greet({"status", "--version"}).out, "greet 1.2.3\n");
}

TEST_F(Commands, HelpListsCommandsFlagsAndExamples) {
  const std::string program = greet({"--help"}).out;
  EXPECT_THAT(program, HasSubstr("usage: greet COMMAND [options]\n"));
  EXPECT_THAT(program, HasSubstr("  --no-color  "));
  EXPECT_THAT(program, Not(HasSubstr("{false}")));
  EXPECT_THAT(program, HasSubstr("Examples:\n  greet resume --fresh"));
  const std::string resume = greet({"resume", "--help"}).out;
  EXPECT_THAT(resume, HasSubstr("  --budget TIME|job  "));
  EXPECT_THAT(resume, HasSubstr("  greet resume --fresh   everything again"));
  EXPECT_THAT(resume, Not(HasSubstr("greet list"))) << "an example of another command";
}

TEST_F(Commands, OutputThatCannotBeWrittenIsAFailureOfEveryCommand) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  for (const Words& words :
       {Words{"--help"}, Words{"--version"}, Words{"resume"}, Words{"resume", "--json"},
        Words{"plan"}, Words{"plan", "--json"}, Words{"status"}, Words{"status", "--json"},
        Words{"list"}, Words{"list", "--json"}, Words{"completion", "bash"}}) {
    std::ofstream full{"/dev/full"};
    std::ostringstream err;
    Console console{full, err};
    output = {};
    const Said said = with(console, words, [&] { return Said{-1, {}, err.str()}; });
    EXPECT_EQ(said.code, 1) << words.front();
    EXPECT_THAT(said.err, HasSubstr("error: the output cannot be written"));
  }
}

TEST_F(Commands, ListShowsStateStagesAndSizeAndNeverFails) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  Pipeline other{"other"};
  other.stage("s", [] { return 1; });
  ASSERT_TRUE(resumable::resume(other, store, {.run = "o1"}));
  static_cast<void>(store.lease("empty", {.create = Create::must}));
  const Said said = greet({"list"});
  const std::string& text = said.out;
  EXPECT_THAT(text, ContainsRegex("RUN +STATE +WHEN +DONE +SIZE\n"));
  EXPECT_THAT(text, ContainsRegex("g1 +done +just now +3 of 3 +[0-9]+ bytes\n"));
  EXPECT_THAT(text, Not(HasSubstr("o1"))) << "a run of another program";
  EXPECT_THAT(said.err, ContainsRegex("^2 runs in .*; 1 run of other programs not shown\n"));
  EXPECT_THAT(text, ContainsRegex("empty +not_begun +- +0 of 3"));
  output = {};
  const auto json = nlohmann::json::parse(greet({"list", "--json"}).out);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("runs").size(), 3U);
  EXPECT_EQ(json.at("runs").at(0).at("run"), "g1");
  EXPECT_EQ(json.at("runs").at(0).at("stages").at("done"), 3);
}

TEST_F(Commands, ADoneRunIsReportedInOneLine) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  const Said logged = greet({"resume"});
  EXPECT_THAT(logged.err, HasSubstr(" keep     stages=3\n"));
  EXPECT_THAT(logged.err, Not(HasSubstr("stage=")));
  interactive = true;
  EXPECT_THAT(greet({"resume"}).err, HasSubstr("✓ 3 stages kept"));
}

TEST_F(Commands, WhatAStageThrowsIsShownWithoutWhatATerminalWouldObey) {
  pipeline.stage("bad", []() -> int { throw std::runtime_error("\x1b[31mred"); });
  EXPECT_EQ(greet({"resume"}).code, 1);
  for (const Words& words : {Words{"resume"}, Words{"plan"}, Words{"status"}}) {
    const Said said = greet(words);
    EXPECT_THAT(said.out + said.err, HasSubstr("\\x1b[31mred")) << words.front();
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("\x1b"))) << words.front();
  }
}

TEST_F(Commands, APersonSeesWhenAStageAndAnItemBegin) {
  interactive = true;
  const std::string said = greet({"resume"}).err;
  EXPECT_LT(said.find("● names"), said.find("✓ names"));
  EXPECT_THAT(said, HasSubstr("● words/ann"));
  EXPECT_THAT(said, ContainsRegex("words/cy +started \\(3 of 5\\)"));
}

TEST_F(Commands, EqualItemsShareALineInAPlan) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  const std::string all = greet({"plan", "--from", "words", "--explain"}).out;
  EXPECT_THAT(all, HasSubstr("5 items run: requested\n"));
  options = {.run = "g1"};
  output = {};
  const std::string two = greet({"plan", "--redo", "words/ann", "--redo", "words/bob"}).out;
  EXPECT_THAT(two, Not(HasSubstr("item ann")));
  const std::string why = greet({"plan", "--explain"}).out;
  EXPECT_THAT(why, HasSubstr("item ann runs: requested\n"));
  EXPECT_THAT(why, HasSubstr("item bob runs: requested\n"));
}

TEST_F(Commands, AFanOutThatHasNotBegunIsNotStarted) {
  static_cast<void>(store.lease("g1", {.create = Create::must}));
  const std::string text = greet({"status"}).out;
  EXPECT_THAT(text, ContainsRegex("○ 3 not started +names, words, count\n"));
  const std::string plan = greet({"plan"}).out;
  EXPECT_THAT(plan, HasSubstr("waits for 'names': that stage's value determines its items\n"));
}

TEST_F(Commands, NarrowTerminalsBreakLinesBetweenWords) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  columns = 60;
  interactive = true;
  for (const Words& words :
       {Words{"--help"}, Words{"resume", "--help"}, Words{"status"},
        Words{"plan", "--from", "names", "--explain"}, Words{"list"},
        Words{"resume", "--from", "names"}, Words{"resume", "--redo", "nmes"}}) {
    options = {.run = "g1"};
    const Said said = greet(words);
    std::istringstream lines{said.out + said.err};
    for (std::string line; std::getline(lines, line);) {
      std::size_t width = 0;
      for (const char c : line) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1U : 0U;
      EXPECT_LE(width, 60U) << line;
    }
  }
}

TEST(Console, WrapsAtSpacesUnderTheLastColumn) {
  std::ostringstream none;
  Console console{none, none};
  EXPECT_EQ(console.wrap("as it is, however long"), "as it is, however long");
  console.columns = 20;
  EXPECT_EQ(console.wrap("  next  memo resume Cloudgov now\nshort\n"),
            "  next  memo resume\n        Cloudgov now\nshort\n");
  EXPECT_EQ(console.wrap("  a_word_that_is_wider_than_that"), "  a_word_that_is_wider_than_that");
  EXPECT_EQ(console.wrap("\x1b[1mtwelve words\x1b[0m of."), "\x1b[1mtwelve words\x1b[0m of.")
      << "a colour takes no room";
}

TEST(Console, ColoursFollowNoColor) {
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(Console::detect().color);
  ::setenv("NO_COLOR", "", 1);
  static_cast<void>(Console::detect());
  ::unsetenv("NO_COLOR");
}

TEST_F(Commands, CompletionCompletesCommandsAndFlagsInBash) {
  const test::TempFolder folder;
  test::write_file(folder / "script", greet({"completion", "bash"}).out);
  const auto completed = [&](const std::string& words, int at) {
    const std::string line = "bash -c '. " + (folder / "script").string() + "; COMP_WORDS=(greet " +
                             words + "); COMP_CWORD=" + std::to_string(at) +
                             "; _greet; echo \"${COMPREPLY[@]}\"' > " + (folder / "out").string();
    EXPECT_EQ(std::system(line.c_str()), 0);
    return test::read_file(folder / "out");
  };
  EXPECT_EQ(completed("re", 1), "resume\n");
  EXPECT_EQ(completed("resume --conc", 2), "--concurrency\n");
  EXPECT_EQ(completed("status --asc", 2), "--ascii\n");
  EXPECT_EQ(completed("--no-color st", 2), "status\n");
  EXPECT_EQ(completed("completion z", 2), "zsh\n");
  EXPECT_EQ(completed("resume --events x", 3), "\n") << "bash completes files then";
}

TEST_F(Commands, CompletionForZshAndFishNamesCommandsAndFlags) {
  const std::string zsh = greet({"completion", "zsh"}).out;
  EXPECT_THAT(zsh, HasSubstr("#compdef greet\n"));
  EXPECT_THAT(zsh, HasSubstr("'resume':'write it'"));
  EXPECT_THAT(zsh, HasSubstr("'--redo':'run STAGE"));
  const std::string fish = greet({"completion", "fish"}).out;
  EXPECT_THAT(fish, HasSubstr("-a resume -d 'write it'"));
  EXPECT_THAT(fish, HasSubstr("'__fish_seen_subcommand_from plan' -l explain -d"));
  EXPECT_EQ(greet({"completion", "tcsh"}).code, 2);
}

TEST(Words, AreQuotedForAShellWhereTheyHaveToBe) {
  EXPECT_EQ(shell_quote("v0.0.3"), "v0.0.3");
  EXPECT_EQ(shell_quote("Port Saint-Anne"), "'Port Saint-Anne'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote(""), "''");
}

TEST_F(Commands, StatusSaysWhyResumingIsRefusedWhenNoStageIsTheCause) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  Pipeline other{"greet"};
  const auto who = other.input<std::string>("who");
  other.stage("hello", inputs(who), [](const std::string& name) { return "Hello, " + name; });
  std::ostringstream out;
  Console console{out, out};
  EXPECT_EQ(cli::status(console, other, store, "g1"), 3);
  EXPECT_THAT(out.str(), HasSubstr("resuming is refused"));
  EXPECT_THAT(out.str(), HasSubstr("no value for input 'who'"));
}

}  // namespace
}  // namespace resumable::cli
