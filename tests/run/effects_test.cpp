// Side effects are never repeated without asking.
#include <csignal>

#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The other side: a file with a line per request, `key text`.
class Post {
 public:
  explicit Post(const std::filesystem::path& folder) : tally_(folder / "post") {}
  void send(const std::string& key, const std::string& text) const { tally_(key + " " + text); }
  [[nodiscard]] std::map<std::string, int> sent() const { return tally_.counts(); }
  [[nodiscard]] bool has(const std::string& key) const {
    for (const auto& [line, count] : sent()) {
      if (line.starts_with(key)) return true;
    }
    return false;
  }

 private:
  Tally tally_;
};

enum class Dies { never, before, after };

/// Sends a mail and tells how the other side was asked.
struct Mailing {
  Mailing(const Post& post, const std::string& text, Dies dies, bool verifies = true) {
    const auto mail = pipeline.input("mail", text);
    receipt.emplace(
        pipeline.stage("send", inputs(mail), [=, this](Context& ctx, const std::string& m) {
          const auto send = [&](const std::string& key) {
            if (dies == Dies::before) ::raise(SIGKILL);
            bodies("body");
            post.send(key, m);
            if (dies == Dies::after) ::raise(SIGKILL);
            return "receipt of " + m;
          };
          if (!verifies) return ctx.effect("mail", with(m), send);
          return ctx.effect("mail", with(m), send, [&](const std::string& key) {
            bodies("verify");
            return post.has(key) ? Verified<std::string>::happened("receipt of " + m)
                                 : Verified<std::string>::did_not_happen();
          });
        }));
  }
  mutable Calls bodies;
  Pipeline pipeline{"p"};
  std::optional<Stage<std::string>> receipt;
};

class EffectsTest : public ::testing::Test {
 protected:
  void die(Dies when, bool verifies = true) {
    ChildProcess child([&] {
      FileStore store{folder_ / "store"};
      Mailing mailing{post_, "hello", when, verifies};
      return resume(mailing.pipeline, store, {.run = "r"}).exit_code();
    });
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  }

  TempFolder folder_;
  Post post_{folder_.path()};
  FileStore store_{folder_ / "store"};
};

TEST_F(EffectsTest, ThatHappenedBeforeAKillAreVerifiedAndNotDoneAgain) {
  die(Dies::after);
  Mailing mailing{post_, "hello", Dies::never};
  EXPECT_THAT(ResumePlanner{store_}.plan(mailing.pipeline, {.run = "r"}).text(true),
              HasSubstr("side effect 'mail' was begun and has no outcome"));
  const Report report = resume(mailing.pipeline, store_, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[*mailing.receipt], "receipt of hello");
  EXPECT_EQ(mailing.bodies.take(), "verify") << "and not the body";
  EXPECT_EQ(post_.sent().size(), 1U);
  EXPECT_TRUE(resume(mailing.pipeline, store_, {.run = "r"}));
  EXPECT_EQ(mailing.bodies.take(), "");
}

TEST_F(EffectsTest, ThatDidNotHappenAreDoneWithTheSameKey) {
  die(Dies::before);
  const auto inputs = with(std::string{"hello"}).digest()->hex().substr(0, 16);
  const auto checkpoints =
      folder_ / "store/r/.resumable/checkpoints/@intent/send" / ("mail~" + inputs + ".1.ckpt");
  const std::string intent = read_file(checkpoints);
  Mailing mailing{post_, "hello", Dies::never};
  ASSERT_TRUE(resume(mailing.pipeline, store_, {.run = "r"}));
  EXPECT_EQ(mailing.bodies.take(), "body, verify");
  ASSERT_EQ(post_.sent().size(), 1U);
  const std::string line = post_.sent().begin()->first;
  EXPECT_THAT(intent, HasSubstr(line.substr(0, 32))) << "the key of the attempt that was killed";
  EXPECT_THAT(ResumePlanner{store_}.plan(mailing.pipeline, {.run = "r"}).text(true),
              Not(HasSubstr("side effect")))
      << "an intent with an outcome is none";
}

TEST_F(EffectsTest, OfOneNameAreDoneForEachInputAndRefusedForTheSame) {
  Pipeline p{"p"};
  std::string twice;
  p.stage("send", [&](Context& ctx) {
    for (const std::string to : {"anna", "ben"}) {
      ctx.effect("mail", with(to), [&](const std::string& key) {
        post_.send(key, to);
        return to;
      });
    }
    const auto again = [&] {
      ctx.effect("mail", with("anna"s), [&](const std::string& key) { return key; });
    };
    twice = what_of(again);
  });
  EXPECT_TRUE(resume(p, store_, {.run = "r"}));
  EXPECT_EQ(post_.sent().size(), 2U) << "two keys";
  EXPECT_THAT(twice, HasSubstr("effect 'mail' of stage 'send' is used twice in one attempt"));
}

TEST_F(EffectsTest, OfWhichNobodyKnowsWaitForAPerson) {
  for (const Dies when : {Dies::before, Dies::after}) {
    const TempFolder folder;
    const Post post{folder.path()};
    FileStore store{folder / "store"};
    ChildProcess child([&] {
      FileStore own{folder / "store"};
      Mailing mailing{post, "hello", when, false};
      return resume(mailing.pipeline, own, {.run = "r"}).exit_code();
    });
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    const std::size_t before = post.sent().size();
    Mailing mailing{post, "hello", Dies::never, false};
    Log log;
    for (int i = 0; i < 2; ++i) {
      const Report report = resume(mailing.pipeline, store, {.run = "r", .observers = {&log}});
      EXPECT_EQ(report.exit_code(), 75);
      EXPECT_THAT(report.stage("send").message, HasSubstr("approve this stage"));
    }
    EXPECT_EQ(log.lines(EventKind::uncertain), Strings{"uncertain send:mail"});
    EXPECT_EQ(mailing.bodies.take(), "") << "never a blind rerun";
    EXPECT_EQ(post.sent().size(), before);
    approve(mailing.pipeline, store, "r", "send", "anna");
    EXPECT_TRUE(resume(mailing.pipeline, store, {.run = "r"}));
    EXPECT_EQ(mailing.bodies.take(), "body");
    ASSERT_EQ(post.sent().size(), 1U) << "with the same key";
  }
}

TEST_F(EffectsTest, AnApprovalCountsForOneAttempt) {
  die(Dies::before, false);
  {
    Mailing mailing{post_, "hello", Dies::never, false};
    EXPECT_EQ(resume(mailing.pipeline, store_, {.run = "r"}).exit_code(), 75);
    approve(mailing.pipeline, store_, "r", "send", "anna");
  }
  die(Dies::after, false);
  Mailing mailing{post_, "hello", Dies::never, false};
  EXPECT_EQ(resume(mailing.pipeline, store_, {.run = "r"}).exit_code(), 75) << "asked again";
  EXPECT_EQ(mailing.bodies.take(), "");
}

TEST_F(EffectsTest, HaveAKeyPerContentAndPerRequest) {
  const auto send = [&](const std::string& text, std::vector<std::string> redo = {}) {
    Mailing mailing{post_, text, Dies::never};
    EXPECT_TRUE(resume(mailing.pipeline, store_, {.run = "r", .redo = std::move(redo)}));
  };
  send("hello");
  send("hello");
  EXPECT_EQ(post_.sent().size(), 1U);
  send("other");
  EXPECT_EQ(post_.sent().size(), 2U);
  send("other", {"send"});
  ASSERT_EQ(post_.sent().size(), 3U) << "who asks for it again gets it again, with another key";
  for (const auto& [line, count] : post_.sent()) EXPECT_EQ(count, 1) << line;
}

TEST_F(EffectsTest, ThatFailAreVerifiedBeforeTheNextTry) {
  MemoryStore store;
  Calls calls;
  Strings keys;
  const auto run = [&](bool sure) {
    Pipeline p{"p"};
    const auto stage = p.stage(
        {.name = "s", .retry = {.attempts = 3, .initial_delay = std::chrono::milliseconds{0}}},
        [&](Context& ctx) {
          return ctx.effect(
              "e", with(sure),
              [&](const std::string& key) {
                calls("body");
                keys.push_back(key);
                if (calls.of("body") > 1) return 7;
                if (sure) throw DidNotHappen{"refused"};
                throw Retryable{"no answer"};
              },
              [&](const std::string&) {
                calls("verify");
                return Verified<int>::did_not_happen();
              });
        });
    const Report report = resume(p, store, {.run = sure ? "sure" : "not"});
    ASSERT_TRUE(report);
    EXPECT_EQ(report[stage], 7);
  };
  run(false);
  EXPECT_EQ(calls.take(), "body x2, verify");
  EXPECT_EQ(keys.at(0), keys.at(1));
  run(true);
  EXPECT_EQ(calls.take(), "body x2") << "what surely did not happen needs no verifying";
}

/// The outcome or the intent is damaged: it is unknown again whether the effect has happened.
TEST_F(EffectsTest, WhoseRecordIsDamagedAreNotRepeatedBlindly) {
  for (const bool has_outcome : {true, false}) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    int sent = 0;
    bool fails = true;
    const auto run = [&] {
      Pipeline p{"p"};
      p.stage("send", [&](Context& ctx) {
        ctx.effect("mail", StepInputs{}, [&](const std::string&) {
          ++sent;
          if (!has_outcome) throw std::runtime_error{"no answer"};
          return 1;
        });
        if (std::exchange(fails, false)) throw std::runtime_error{"later"};
        return 1;
      });
      return resume(p, store, {.run = "r"}).exit_code();
    };
    EXPECT_EQ(run(), 1);
    const std::string kind = has_outcome ? "@effect" : "@intent";
    const auto file = folder / "store/r/.resumable/checkpoints" / kind / "send/mail.1.ckpt";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(run(), 75) << kind;
    EXPECT_EQ(sent, 1);
    Pipeline p{"p"};
    p.stage("send", [&](Context& ctx) {
      return ctx.effect("mail", StepInputs{}, [&](const std::string&) { return ++sent; });
    });
    approve(p, store, "r", "send", "ada");
    EXPECT_TRUE(resume(p, store, {.run = "r"}));
    EXPECT_EQ(sent, 2);
    EXPECT_TRUE(resume(p, store, {.run = "r", .redo = {"send"}})) << "nothing is open any more";
  }
}

/// Somebody deletes records, or a copy of the store lacks them. What shows that an effect has
/// happened is its outcome, and beside it its intent.
class EffectsWithoutRecords : public ::testing::TestWithParam<const char*> {
 protected:
  /// A stage that sends a mail, fails the first time, and then returns a value.
  Report run(std::vector<std::string> redo = {}) {
    Pipeline p{"p"};
    p.stage("send", [&](Context& ctx) {
      const int receipt = ctx.effect("mail", StepInputs{}, [&](const std::string& key) {
        keys_.push_back(key);
        return 7;
      });
      if (std::exchange(fails_, false)) throw std::runtime_error{"later"};
      return receipt;
    });
    return resume(p, *store_, {.run = "r", .redo = std::move(redo)});
  }
  std::string plan() {
    Pipeline p{"p"};
    p.stage("send", [](Context&) { return 7; });
    return ResumePlanner{*store_}.plan(p, {.run = "r"}).text(true);
  }
  void lose(const std::vector<RecordId>& records) {
    store_->lease("r", {.create = Create::never})->commit({.puts = {}, .erases = records});
  }

  static constexpr RecordId outcome{"@effect/send/mail", 1};
  static constexpr RecordId intent{"@intent/send/mail", 1};
  TempFolder folder_;
  std::unique_ptr<CheckpointStore> store_ =
      open_store(GetParam() + (folder_ / "s").string(), {}, CreateStore::if_absent);
  Strings keys_;
  bool fails_ = true;
};

TEST_P(EffectsWithoutRecords, AreNotRepeatedBlindlyIfTheirOutcomeIsGone) {
  EXPECT_EQ(run().exit_code(), 1);
  EXPECT_THAT(plan(), Not(HasSubstr("side effect")));
  lose({outcome});
  EXPECT_THAT(plan(), HasSubstr("side effect 'mail' was begun and has no outcome"));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(run().exit_code(), 75);
  EXPECT_EQ(keys_.size(), 1U);
}

TEST_P(EffectsWithoutRecords, AreNotRepeatedBlindlyIfTheStagesValueIsGoneToo) {
  EXPECT_EQ(run().exit_code(), 1);
  ASSERT_TRUE(run());
  lose({outcome, {"send", 1}});
  EXPECT_EQ(run().exit_code(), 75);
  EXPECT_EQ(keys_.size(), 1U);
}

TEST_P(EffectsWithoutRecords, AreVerifiedBeforeARedoToo) {
  fails_ = false;
  ASSERT_TRUE(run());
  lose({outcome});
  EXPECT_THAT(plan(), HasSubstr("side effect 'send/mail' was begun and has no outcome"));
  EXPECT_EQ(run({"send"}).exit_code(), 75);
  EXPECT_EQ(keys_.size(), 1U);
}

TEST_P(EffectsWithoutRecords, AreKnownByTheirOutcomeAlone) {
  EXPECT_EQ(run().exit_code(), 1);
  lose({intent});
  EXPECT_TRUE(run());
  EXPECT_EQ(keys_.size(), 1U);
}

/// Neither says that it was begun: only the key, which is the same, can protect the other side.
TEST_P(EffectsWithoutRecords, OfWhichNothingIsLeftHaveTheSameKey) {
  EXPECT_EQ(run().exit_code(), 1);
  lose({intent, outcome});
  EXPECT_TRUE(run());
  ASSERT_EQ(keys_.size(), 2U);
  EXPECT_EQ(keys_[0], keys_[1]);
}

/// A stage that no longer makes the call keeps neither record of it.
TEST_P(EffectsWithoutRecords, ThatAStageNoLongerHasAreForgottenAsAWhole) {
  EXPECT_EQ(run().exit_code(), 1);
  Pipeline p{"p"};
  p.stage("send", [](Context&) { return 1; });
  ASSERT_TRUE(resume(p, *store_, {.run = "r"}));
  EXPECT_FALSE(store_->get("r", outcome));
  EXPECT_FALSE(store_->get("r", intent));
}

INSTANTIATE_TEST_SUITE_P(Stores, EffectsWithoutRecords, ::testing::Values("file:", "journal:"));

}  // namespace
}  // namespace resumable::test
