// What a server was paid for: not written over without a question, kept, and brought back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_run.hpp"
#include "resumable/manage.hpp"
#include "support/fake_openai.hpp"

namespace corpus::testing {
namespace {

using resumable::test::FakeOpenAi;
using resumable::test::snapshot;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// As the offline writer, but in words of its own, and never twice the same.
std::string model_reply(const std::string& message) {
  static int count = 0;
  auto answer = nlohmann::json::parse(offline_reply(message));
  if (answer.contains("text")) {
    answer["text"] =
        "Model " + std::to_string(++count) + ".\n\n" + answer["text"].get<std::string>();
  }
  return answer.dump();
}

class CorpusRewriting : public CorpusCommand {
 protected:
  Said pay(const Words& more = {}) const {
    Words words{"--provider", provider};
    words.insert(words.end(), more.begin(), more.end());
    return generate(words);
  }
  /// The files for people.
  auto files() const { return resumable::test::artifacts(folder / "out/corpus"); }

  FakeOpenAi server{model_reply};
  std::string provider = "openai:m@" + server.base_url();
};

TEST_F(CorpusRewriting, NeedsAYesForWhatAServerWasPaidFor) {
  ASSERT_EQ(pay().code, 0);
  const auto before = snapshot(folder / "out");
  const std::size_t asked = server.requests();
  const auto refused = [&](const Said& said, const std::string& writer) {
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_THAT(said.err, HasSubstr("words in 5 files of 'corpus'"));
    EXPECT_THAT(said.err, HasSubstr("and " + writer)) << "would write them";
    EXPECT_THAT(said.err, AllOf(HasSubstr("--yes"),
                                HasSubstr("brings them back: corpus restore former-1 --out ")));
    EXPECT_EQ(snapshot(folder / "out"), before);
    EXPECT_EQ(server.requests(), asked);
  };
  refused(generate({"--no-resume"}), "offline");
  refused(generate({"--no-resume", "--provider", "offline"}), "offline");
  refused(generate({"--provider", "offline"}), "offline");
  refused(generate({"--fresh"}), "openai");
  refused(pay({"--no-resume"}), "openai");
  refused(generate({"--provider", "openai:other@" + server.base_url()}), "openai:other");
  refused(corpus({"generate", "--section-words", "30"}), "openai");
  refused(corpus({"generate", "--redo", "pieces"}), "openai");
  const Said one = corpus({"generate", "--redo", "pieces/Domain_1001__Part_1000"});
  refused(one, "openai");
  EXPECT_THAT(one.err, HasSubstr(" would write 1 of them again"));
  EXPECT_EQ(generate().code, 0) << "nothing is written again";
  EXPECT_EQ(generate({"--target-words", "40"}).code, 0);
}

TEST_F(CorpusRewriting, NeedsNoYesForWhatCostNothing) {
  ASSERT_EQ(generate().code, 0);
  const Said said = pay({"--no-resume"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, Not(HasSubstr("former")));
}

TEST_F(CorpusRewriting, NeedsNoYesAfterAKillBeforeAnythingWasWritten) {
  rs::FileStore store{folder / "out"};
  rs::Pipeline begun{"corpus"};
  const auto input = begun.input("provider", provider);  // and not yet the other inputs
  begun.stage("reads", inputs(input), [](const std::string& name) { return name; });
  ASSERT_TRUE(rs::resume(begun, store, {.run = run_id}));
  const Said said = pay();
  EXPECT_EQ(said.code, 0) << said.err;
}

TEST_F(CorpusRewriting, BringsBackTheWholeFormerCorpus) {
  ASSERT_EQ(pay().code, 0);
  const auto paid = files();
  const Said over = generate({"--no-resume", "--provider", "offline", "--yes"});
  ASSERT_EQ(over.code, 0) << over.err;
  EXPECT_THAT(over.err, HasSubstr("corpus restore former-1 --out "));
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(generate({"--no-resume"}).code, 0) << "no tag, no generation";
  const auto filler = files();
  ASSERT_NE(filler, paid);

  const std::size_t asked = server.requests();
  {
    rs::FileStore store{folder / "out"};  // as a restore leaves it that is killed early
    rs::fork_run(store, run_id, "corpus.former-1", {.tag = "former-1"});
  }
  const Said back = corpus({"restore", "former-1"});
  EXPECT_EQ(back.code, 0) << back.err << back.out;
  EXPECT_EQ(files(), paid);
  EXPECT_EQ(server.requests(), asked);
  EXPECT_THAT(corpus({"list"}).err, HasSubstr("1 run in"));
  EXPECT_EQ(generate({"--provider", "offline"}).code, 2) << "it counts as paid for again";
  EXPECT_THAT(back.err, HasSubstr("corpus restore former-2 --out "));
  EXPECT_EQ(corpus({"restore", "former-2"}).code, 0);
  EXPECT_EQ(files(), filler);
}

TEST_F(CorpusRewriting, BringsBackWhatWasNotFinishedWithoutAskingItsServer) {
  server.script(after(4, 3));
  ASSERT_EQ(pay({"--retry-first", "0"}).code, 1);
  ASSERT_EQ(generate({"--provider", "offline", "--yes"}).code, 0);
  const std::size_t asked = server.requests();
  const Said back = corpus({"restore", "former-1"});
  EXPECT_EQ(back.code, 0) << back.err;
  EXPECT_THAT(back.err, HasSubstr("  next  corpus generate --out "));
  EXPECT_EQ(server.requests(), asked);
  EXPECT_THAT(corpus({"status"}).out, HasSubstr("3 sections to write"));
  ASSERT_EQ(corpus({"generate"}).code, 0);
  EXPECT_EQ(server.requests(), asked + 3) << "what it had written is kept";
}

TEST_F(CorpusRewriting, InventsNoCityForACorpusThatIsBroughtBack) {
  EXPECT_THAT(corpus({"restore", "--help"}).out,
              AllOf(Not(HasSubstr("invented")), HasSubstr("the city whose corpus it is")));
  EXPECT_THAT(corpus({"generate", "--help"}).out, HasSubstr("one is invented"));
  ASSERT_EQ(generate().code, 0);
  const Said unknown = corpus({"restore", "former-9"});
  EXPECT_THAT(unknown.err, HasSubstr("has no former corpus 'former-9'\n"));
  EXPECT_THAT(unknown.err, HasSubstr("  next  corpus status --out "));
}

TEST_F(CorpusRewriting, SaysWhichFormerCorporaThereAre) {
  ASSERT_EQ(pay().code, 0);
  EXPECT_THAT(corpus({"status"}).out, Not(HasSubstr("former")));
  ASSERT_EQ(pay({"--no-resume", "--yes"}).code, 0);
  ASSERT_EQ(pay({"--no-resume", "--yes"}).code, 0);
  EXPECT_THAT(corpus({"status"}).out,
              AllOf(HasSubstr("corpus restore former-1 --out "), HasSubstr("restore former-2")));
  const auto json = nlohmann::json::parse(corpus({"status", "--json"}).out);
  EXPECT_EQ(json.at("corpus").at("former"), (nlohmann::json{"former-1", "former-2"}));
  const auto before = snapshot(folder / "out");
  const Said unknown = corpus({"restore", "former-9"});
  EXPECT_NE(unknown.code, 0);
  EXPECT_THAT(unknown.err, HasSubstr("it has 'former-1', 'former-2'"));
  EXPECT_THAT(unknown.err, HasSubstr("  next  corpus status --out "));
  EXPECT_EQ(snapshot(folder / "out"), before);
}

}  // namespace
}  // namespace corpus::testing
