// What the messages advise, typed: every option in a `next` line exists, and does what is said.
#include <regex>
#include <sstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/console.hpp"
#include "resumable/cli.hpp"
#include "resumable/resumable.hpp"
#include "support/temp_folder.hpp"

namespace resumable::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

struct Printed {
  int code = -1;
  std::string text{};

  /// What follows `next`, its continuation lines included.
  [[nodiscard]] std::string next() const {
    const std::size_t at = text.rfind("  next  ");
    return at == text.npos ? "" : text.substr(at + 8);
  }
};

/// A program that prints the value it made, as a process of its own would: nothing but the store
/// lives from one call to the next.
class AdviceAtAShell : public ::testing::Test {
 protected:
  Printed greet(Words words) {
    ++processes_;
    const fs::path moved = folder / std::to_string(processes_);
    if (fs::exists(store_folder())) fs::rename(store_folder(), moved);
    store_folder_ = moved;
    words.insert(words.begin(), "greet");
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    FileStore store{store_folder_};
    ResumeOptions options{.run = "g"};
    OutputOptions output;
    std::ostringstream out;
    Console console{out, out};
    CLI::App app{"Greets.", "greet"};
    add_program_flags(app, console);
    auto* resume = app.add_subcommand("resume", "greet");
    add_resume_flags(*resume, options, output);
    auto* plan = app.add_subcommand("plan", "what would be done");
    add_plan_flags(*plan, options, output);
    auto* read = app.add_subcommand("read", "print the greeting that is saved");
    Pipeline pipeline{"greet"};
    const auto name = pipeline.input("name", std::string{"Ann"});
    const auto greeting = declare(pipeline, name);
    const int code = run(app, static_cast<int>(argv.size()), argv.data(), console, [&]() -> int {
      if (*plan) return cli::plan(console, pipeline, store, options, output);
      if (*read) {
        out << Records{store, "g"}.stage<std::string>("greeting")->value << "\n";
        return 0;
      }
      const int ended = cli::resume(console, pipeline, store, options, output);
      if (ended != 0 || !reads) return ended;
      options.redo.clear();
      const Report report = resumable::resume(pipeline, store, options);
      out << *report.find(greeting) << "\n";
      return report.exit_code();
    });
    return {code, out.str()};
  }
  virtual Stage<std::string> declare(Pipeline& pipeline, const Stage<std::string>& name) {
    const auto draft = pipeline.stage({.name = "draft"}, inputs(name),
                                      [](const std::string& who) { return "Hello, " + who; });
    return pipeline.stage({.name = "greeting"}, inputs(draft), [this](const std::string& text) {
      ++calls;
      return text + "!";
    });
  }
  /// Resumes with the flags that `said` names, without those that it says to leave out.
  Printed follow(const Printed& said, Words words) {
    const std::string next = said.next();
    static const std::regex flag{"(without )?(--[a-z-]+)(?: '?([a-z0-9]+)'?)?"};
    for (std::sregex_iterator at{next.begin(), next.end(), flag}, end; at != end; ++at) {
      const std::string name = (*at)[2];
      if ((*at)[1].matched) {
        std::erase(words, name);
        continue;
      }
      words.push_back(name);
      const bool takes_word = name == "--redo" || name == "--wait" || name == "--unpin";
      if (takes_word) words.push_back((*at)[3]);
    }
    return greet(std::move(words));
  }
  [[nodiscard]] fs::path store_folder() const { return store_folder_; }
  [[nodiscard]] fs::path record(const std::string& name) const {
    return store_folder() / "g/.resumable/checkpoints" / name;
  }
  void flip_last(const std::string& name) const {
    std::string bytes = test::read_file(record(name));
    bytes.back() = static_cast<char>(bytes.back() ^ 4);
    test::write_file(record(name), bytes);
  }

  test::TempFolder folder;
  bool reads = true;
  int calls = 0;

 private:
  int processes_ = 0;
  fs::path store_folder_;
};

TEST_F(AdviceAtAShell, ToResumeAgainAfterDamageThatShowsLateMakesTheValueAgain) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  flip_last("greeting.1.ckpt");
  const Printed said = greet({"resume"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.next(), HasSubstr("resume again"));
  const Printed again = follow(said, {"resume"});
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_THAT(again.text, HasSubstr("Hello, Ann!"));
  EXPECT_EQ(calls, 2);
}

TEST_F(AdviceAtAShell, ToResumeWithoutStrictSetsDamageAside) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  flip_last("greeting.1.ckpt");
  for (const Words& words : {Words{"resume", "--strict"}, Words{"resume", "--strict"}}) {
    const Printed said = greet(words);
    EXPECT_EQ(said.code, 3);
    EXPECT_THAT(said.next(), HasSubstr("without --strict"));
    EXPECT_THAT(said.text, Not(HasSubstr("OnDamage")));
  }
  const Printed said = greet({"resume", "--strict"});
  EXPECT_EQ(follow(said, {"resume", "--strict"}).code, 0);
  EXPECT_EQ(greet({"resume", "--strict"}).code, 0);
}

TEST_F(AdviceAtAShell, ToResumeWithoutStrictHelpsWhenDamageShowsWhileRunning) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  flip_last("draft.1.ckpt");
  const Printed said = greet({"resume", "--strict", "--redo", "greeting"});
  EXPECT_EQ(said.code, 3);
  const Printed again = follow(said, {"resume", "--strict"});
  EXPECT_EQ(again.code, 0) << again.text;
}

TEST_F(AdviceAtAShell, OfAPlanThatVerifiesMakesResumeDoWhatThePlanSays) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  flip_last("draft.1.ckpt");
  reads = false;
  const Printed said = greet({"plan", "--verify"});
  EXPECT_THAT(said.text, HasSubstr("rerun"));
  EXPECT_THAT(said.next(), HasSubstr("(--verify)"));
  EXPECT_EQ(follow(said, {"resume"}).code, 0);
  EXPECT_THAT(greet({"plan", "--verify"}).next(), ::testing::IsEmpty());
}

TEST_F(AdviceAtAShell, OfRecordsMakesTheValueReadable) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  flip_last("greeting.1.ckpt");
  reads = false;
  const Printed said = greet({"read"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.next(), HasSubstr("(--verify)"));
  EXPECT_EQ(follow(said, {"resume"}).code, 0);
  EXPECT_EQ(greet({"read"}).text, "Hello, Ann!\n");
}

TEST_F(AdviceAtAShell, ToLeaveOutFromBeginsAtTheFirstStageWithoutAValue) {
  const Printed said = greet({"resume", "--from", "greeting"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.next(), HasSubstr("(without --from)"));
  EXPECT_EQ(greet({"resume"}).code, 0);
}

TEST_F(AdviceAtAShell, ToWaitForAnotherOwnerResumesWhenItIsGone) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  Printed said;
  {
    FileStore held{store_folder()};
    const auto lease = held.lease("g");
    said = greet({"resume"});
    EXPECT_EQ(said.code, 4);
  }
  EXPECT_THAT(said.next(), HasSubstr("--wait 10m"));
  EXPECT_EQ(follow(said, {"resume"}).code, 0);
}

TEST_F(AdviceAtAShell, OfAUsageErrorIsACommandThatPrintsHelp) {
  const Printed said = greet({"resume", "--strictly"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.next(), "greet resume --help\n");
  EXPECT_EQ(greet({"resume", "--help"}).code, 0);
}

/// The same program with another type, without a new schema.
class AdviceAboutTypes : public AdviceAtAShell {
 protected:
  Stage<std::string> declare(Pipeline& pipeline, const Stage<std::string>& name) override {
    if (!changed) return AdviceAtAShell::declare(pipeline, name);
    const auto draft = pipeline.stage({.name = "draft"}, inputs(name),
                                      [](const std::string&) { return std::vector<int>{7}; });
    return pipeline.stage({.name = "greeting"}, inputs(draft),
                          [](const std::vector<int>& all) { return std::to_string(all.front()); });
  }
  bool changed = false;
};

TEST_F(AdviceAboutTypes, ToRedoTheStageMakesItAgain) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  changed = true;
  const Printed said = greet({"resume"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.next(), HasSubstr("--redo draft"));
  const Printed again = follow(said, {"resume"});
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_THAT(again.text, HasSubstr("7\n"));
}

TEST_F(AdviceAtAShell, ToUnpinWhatIsToBeRedoneMakesItAgain) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  ASSERT_EQ(greet({"resume", "--pin", "greeting"}).code, 0);
  const int before = calls;
  const Printed said = greet({"resume", "--redo", "greeting"});
  EXPECT_EQ(said.code, 2) << said.text;
  EXPECT_THAT(said.next(), HasSubstr("--unpin greeting"));
  EXPECT_EQ(calls, before);
  const Printed again = follow(said, {"resume", "--redo", "greeting"});
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_EQ(calls, before + 1);
}

TEST_F(AdviceAtAShell, WithoutAValueToPinIsToResumeFirst) {
  const Printed said = greet({"resume", "--pin", "greeting"});
  EXPECT_EQ(said.code, 3) << said.text;
  EXPECT_THAT(said.next(), HasSubstr("(without --pin)"));
  EXPECT_EQ(greet({"resume"}).code, 0);
  EXPECT_EQ(greet({"resume", "--pin", "greeting"}).code, 0);
}

/// The first line of a record of layout 2, as far as layout 1 reads it.
std::string newer_layout() {
  const std::string line = "resumable-2 what layout 2 says ";
  return line + digest(line).hex().substr(0, 16) + "\n";
}

TEST_F(AdviceAtAShell, OfANewerLayoutIsNoRedoBecauseThatWouldNotHelp) {
  ASSERT_EQ(greet({"resume"}).code, 0);
  test::write_file(record("greeting.2.ckpt"), newer_layout());
  const Printed said = greet({"resume"});
  EXPECT_EQ(said.code, 3) << said.text;
  EXPECT_EQ(said.next(), "use a newer program\n");
}

}  // namespace
}  // namespace resumable::cli
