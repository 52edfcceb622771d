// Advice is data: the library writes it as code, the command layer as flags that the program has,
// and no text of a person or a program is rewritten.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/console.hpp"
#include "core/advice.hpp"
#include "resumable/cli.hpp"
#include "resumable/resumable.hpp"
#include "support/temp_folder.hpp"

namespace resumable::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Option> all_options() {
  std::vector<Option> all;
  for (unsigned i = 0; i <= static_cast<unsigned>(Option::shared_folder); ++i) {
    all.push_back(static_cast<Option>(i));
  }
  return all;
}

/// The options of which a message may name a stage or an item.
bool selects(Option option) { return option <= Option::unpin; }

TEST(AdviceWritten, NamesOnlyFlagsThatTheParserHas) {
  ResumeOptions options;
  OutputOptions output;
  CLI::App app{"all"};
  add_resume_flags(*app.add_subcommand("resume"), options, output);
  add_plan_flags(*app.add_subcommand("plan"), options, output);
  std::ostringstream out;
  Console console{.out = out, .err = out, .app = &app};
  for (const Option option : all_options()) {
    const std::string name{to_string(option)};
    const Advice advice{.option = option, .selector = selects(option) ? "draft" : ""};
    EXPECT_NE(as_code(advice), "") << name;
    const std::string typed = program_flag(advice);
    EXPECT_EQ(flag_of(console, advice), typed) << name;
    const bool of_the_store = option >= Option::create_store;
    EXPECT_EQ(typed.empty(), of_the_store) << name << ": the command layer opens no store";
    if (typed.empty()) continue;
    EXPECT_NE(app.get_subcommand("resume")->get_option_no_throw(typed.substr(0, typed.find(' '))),
              nullptr)
        << typed;
    EXPECT_THAT(typed, Not(HasSubstr("::")));
  }
}

TEST(AdviceWritten, LeavesOutWhatTheProgramHasNoFlagFor) {
  CLI::App app{"small"};
  app.add_subcommand("go")->add_flag("--verify");
  std::ostringstream out;
  const Console console{.out = out, .err = out, .app = &app};
  const std::vector<Advice> both{{.option = Option::accept, .selector = "draft"},
                                 {.option = Option::verify_payloads}};
  EXPECT_EQ(core::with_advice("do it", both, flags_of(console)), "do it (--verify)");
  EXPECT_EQ(core::with_advice("do it", std::span{both}.first(1), flags_of(console)), "do it");
  EXPECT_EQ(core::with_advice("do it", both, as_code),
            "do it (.accept = {\"draft\"}, ResumeOptions::verify_payloads)");
}

TEST(AdviceWritten, QuotesNamesForTheReader) {
  const Advice odd{.option = Option::reject, .selector = "a b/it's \"it\"\n"};
  EXPECT_EQ(program_flag(odd), "--reject 'a b/it'\\''s \"it\"\n'");
  EXPECT_EQ(as_code(odd), ".reject = {\"a b/it's \\\"it\\\"\n\"}");
  EXPECT_EQ(as_code({.option = Option::redo}), "ResumeOptions::redo");
  EXPECT_EQ(as_code({.option = Option::on_damage, .leave_out = true}), "without OnDamage::refuse");
  EXPECT_EQ(program_flag({.option = Option::on_damage, .leave_out = true}), "without --strict");
}

/// What a server might say.
constexpr const char* said =
    "the server says: redo 'step 3' of OnDamage::refuse, ResumeOptions::from, .reject = {\"x\"}";

TEST(AdviceWritten, LeavesTextsOfAProgramAsTheyAre) {
  MemoryStore store;
  Pipeline pipeline{"p"};
  pipeline.stage("s", []() -> int { throw std::runtime_error(said); });
  std::ostringstream out;
  Console console{.out = out, .err = out};
  OutputOptions output;
  EXPECT_EQ(cli::resume(console, pipeline, store, {.run = "r"}, output), 1);
  EXPECT_THAT(out.str(), HasSubstr(said));
  EXPECT_THAT(out.str(), Not(HasSubstr("--")));
  out.str("");
  EXPECT_EQ(cli::status(console, pipeline, store, "r"), 0);
  EXPECT_EQ(cli::plan(console, pipeline, store, {.run = "r"}), 0);
  EXPECT_THAT(out.str(), Not(HasSubstr("--")));
}

// What a message advises is in its Advice: a name of an option in its text would reach people who
// have flags, or have none.
TEST(AdviceWritten, IsInNoOtherTextOfTheLibrary) {
  const std::regex code{R"(\b(ResumeOptions|OnDamage|CreateStore|ExposedFolder|SharedFileSystem)"
                        R"(|\w+StoreOptions)::|\.(redo|from|accept|reject|pin|unpin) = )"};
  const std::filesystem::path sources = std::filesystem::path{RESUMABLE_SOURCE_DIR} / "src";
  for (const auto& file : std::filesystem::recursive_directory_iterator{sources}) {
    if (file.path().extension() != ".cpp" || file.path().filename() == "advice.cpp") continue;
    const std::string text = test::read_file(file.path());
    static const std::regex literal{R"lit("(?:[^"\\\n]|\\.)*")lit"};
    for (std::sregex_iterator at{text.begin(), text.end(), literal}, end; at != end; ++at) {
      EXPECT_FALSE(std::regex_search(at->str(), code)) << file.path() << ": " << at->str();
    }
  }
}

}  // namespace
}  // namespace resumable::cli
