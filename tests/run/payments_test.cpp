// A side effect that was begun for other inputs, by other code or before a redo is settled first.
#include "resumable/manage.hpp"
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

enum class Verdict { unknown, happened, did_not_happen };

struct Payment {
  std::string to = "ann";
  std::string stage = "send";
  std::uint32_t revision = 1;
  bool declared = false;  ///< by with()
  bool in_step = false;
  bool by_item = false;
  bool fails = false;  ///< while it pays
  Verdict verdict = Verdict::unknown;
};

/// Pays, and tells what the other side heard: `pay ann 1`, `verify 1`, with keys by number.
class Payments : public ::testing::TestWithParam<int> {
 protected:
  Payment shaped(Payment payment) {
    payment.declared = GetParam() == 1;
    payment.in_step = GetParam() == 2;
    payment.by_item = GetParam() == 3;
    return payment;
  }

  Pipeline pipeline(const Payment& payment) {
    Pipeline p{"p"};
    const auto pay = [this, payment](Context& ctx, const std::string& to) {
      const auto effect = [&] {
        return ctx.effect(
            "pay", payment.declared ? with(to) : StepInputs{},
            [&](const std::string& key) {
              heard_.push_back("pay " + to + " " + number(key));
              if (payment.fails) throw std::runtime_error{"no answer"};
              return to;
            },
            [&](const std::string& key) {
              heard_.push_back("verify " + number(key));
              if (payment.verdict == Verdict::unknown) return Verified<std::string>::unknown();
              return payment.verdict == Verdict::happened ? Verified<std::string>::happened("found")
                                                          : Verified<std::string>::did_not_happen();
            });
      };
      return payment.in_step ? ctx.step("pay", effect) : effect();
    };
    const StageOptions how{.name = Name::checked(payment.stage), .revision = payment.revision};
    if (payment.by_item) {
      const auto list = p.input("to", Strings{payment.to});
      p.stage(how, inputs(each(list, [](const std::string&) { return "bill"s; })), pay);
    } else {
      p.stage(how, inputs(p.input("to", payment.to)), pay);
    }
    return p;
  }

  Report run(const Payment& payment, ResumeOptions options = {}) {
    options.run = "r";
    const Pipeline p = pipeline(payment);
    const Plan plan = ResumePlanner{*store_}.plan(p, options);
    plan_ = plan.text(true);
    return resume(p, *store_, options);
  }
  Strings heard() { return std::exchange(heard_, {}); }
  std::string number(const std::string& key) {
    const auto at = keys_.try_emplace(key, keys_.size() + 1).first;
    return std::to_string(at->second);
  }

  std::optional<MemoryStore> store_{std::in_place};
  std::string plan_;

 private:
  Strings heard_;
  std::map<std::string, std::size_t> keys_;
};

std::string shape_of(const ::testing::TestParamInfo<int>& info) {
  constexpr const char* names[] = {"Plain", "WithInputs", "InAStep", "OfAnItem"};
  return names[info.param];
}
INSTANTIATE_TEST_SUITE_P(Effects, Payments, ::testing::Range(0, 4), shape_of);

TEST_P(Payments, WaitUntilOneForOtherInputsIsSettled) {
  EXPECT_EQ(run(shaped({.fails = true})).exit_code(), 1);
  EXPECT_EQ(heard(), Strings{"pay ann 1"});
  const Report report = run(shaped({.to = "anne"}));
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_THAT(plan_, HasSubstr("pay' was begun and has no outcome: it is verified first"));
  EXPECT_EQ(heard(), Strings{"verify 1"}) << "by the key with which it was begun";
  EXPECT_THAT(report.stage("send").message, HasSubstr("of other inputs, then approve this stage"));
  approve(pipeline(shaped({.to = "anne"})), *store_, "r", GetParam() == 3 ? "send/bill" : "send",
          "ada");
  EXPECT_TRUE(run(shaped({.to = "anne"})));
  EXPECT_EQ(heard(), (Strings{"verify 1", "pay anne 2"}));
  EXPECT_TRUE(run(shaped({.to = "anne"})));
  EXPECT_THAT(plan_, ::testing::Not(HasSubstr("side effect")));
  EXPECT_EQ(heard(), Strings{});
}

TEST_P(Payments, GoOutOnceThatForOtherInputsHasOrHasNotHappened) {
  for (const Verdict verdict : {Verdict::happened, Verdict::did_not_happen}) {
    store_.emplace();
    EXPECT_EQ(run(shaped({.fails = true})).exit_code(), 1);
    heard();
    EXPECT_TRUE(run(shaped({.to = "anne", .verdict = verdict})));
    const Strings both = heard();
    ASSERT_EQ(both.size(), 2U);
    EXPECT_THAT(both[0], HasSubstr("verify"));
    EXPECT_THAT(both[1], HasSubstr("pay anne"));
    EXPECT_TRUE(run(shaped({.to = "anne", .verdict = verdict})));
    EXPECT_EQ(heard(), Strings{});
  }
}

TEST_P(Payments, AreVerifiedBeforeARedoAndAfterAChangeOfCode) {
  const Payment same = shaped({});
  const std::vector<std::pair<Payment, ResumeOptions>> ways{{same, {.redo = {"send"}}},
                                                            {same, {.from = {"send"}}},
                                                            {same, {.fresh = true}},
                                                            {shaped({.revision = 2}), {}}};
  for (const auto& [payment, options] : ways) {
    store_.emplace();
    EXPECT_EQ(run(shaped({.fails = true})).exit_code(), 1);
    const std::string key = heard().front().substr(8);
    EXPECT_EQ(run(payment, options).exit_code(), 75);
    EXPECT_THAT(plan_, HasSubstr("it is verified first"));
    EXPECT_EQ(heard(), Strings{"verify " + key});
  }
}

TEST_P(Payments, OfAStageThatHasLeftAreNamedInThePlan) {
  EXPECT_EQ(run(shaped({.fails = true})).exit_code(), 1);
  const Report report = run(shaped({.stage = "renamed"}));
  EXPECT_TRUE(report);
  EXPECT_THAT(plan_, HasSubstr("was begun and has no outcome: look on the other side for"));
  EXPECT_THAT(report.warnings(), ::testing::Contains(HasSubstr("pay' was begun")));
}

TEST_P(Payments, ThatTheStageNoLongerMakesAreKeptAndNamedInThePlan) {
  EXPECT_EQ(run(shaped({.fails = true})).exit_code(), 1);
  const auto without = [&] {
    Pipeline p{"p"};
    const auto value = [](const std::string&) { return 1; };
    if (GetParam() == 3) {
      const auto list = p.input("to", Strings{"ann"});
      p.stage("send", inputs(each(list, [](const std::string&) { return "bill"s; })), value);
    } else {
      p.stage("send", inputs(p.input("to", "ann")), value);
    }
    return p;
  };
  EXPECT_TRUE(resume(without(), *store_, {.run = "r"}));
  EXPECT_THAT(ResumePlanner{*store_}.plan(without(), {.run = "r"}).text(true),
              HasSubstr("was begun and has no outcome: look on the other side for"));
}

TEST_P(Payments, AreVerifiedWithTheirKeyInAForkThatLeavesTheStageOut) {
  EXPECT_EQ(run(shaped({.fails = true})).exit_code(), 1);
  const std::string key = heard().front().substr(8);
  static_cast<void>(fork_run(*store_, "r", "f", {.from_stage = "send"}));
  const Pipeline p = pipeline(shaped({}));
  EXPECT_EQ(resume(p, *store_, {.run = "f"}).exit_code(), 75);
  EXPECT_EQ(heard(), Strings{"verify " + key});
}

}  // namespace
}  // namespace resumable::test
