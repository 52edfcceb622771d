// Accept, pin and ignore, broken at every change: the store opens, nothing is lost, and the same
// call again ends as an uninterrupted one.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/story.hpp"

namespace resumable::test {
namespace {

/// topic -> outline, notes.
struct Pair {
  std::string topic;
  Calls& calls;

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"pair"};
    const auto of = p.input("topic", topic);
    for (const char* name : {"outline", "notes"}) {
      p.stage({.name = Name::checked(name)}, inputs(of), [name, *this](const std::string& what) {
        calls(name);
        return Text{name + (" on " + what)};
      });
    }
    return p;
  }
};

/// A call with a choice, on a run that was made with another topic.
class BrokenChoice {
 public:
  /// `before`: the options of a call that comes first. `ran`: what the call runs, undisturbed.
  BrokenChoice(ResumeOptions before, ResumeOptions options, std::string ran, In in)
      : before_(std::move(before)), options_(std::move(options)), ran_(std::move(ran)), in_(in) {
    MemoryDisk disk;
    const Stores stores{"/disk", disk, in_};
    prepare(stores);
    calls_.take();
    call(stores);
    EXPECT_EQ(calls_.take(), ran_) << "undisturbed";
    plan_ = plan(stores);
  }

  [[nodiscard]] Broken broken() {
    return {.prepare = [this](const Stores& stores) { prepare(stores); },
            .call = [this](const Stores& stores) { call(stores); },
            .check_after_break = [this](const Stores& stores) { after_break(stores); },
            .check_when_done = [this](const Stores& stores) { when_done(stores); },
            .in = in_};
  }
  [[nodiscard]] const std::string& plan() const noexcept { return plan_; }

 private:
  static void resume_with(const Pair& pair, const Stores& stores, ResumeOptions options) {
    const record::TestEnvironment environment{{.file_system = &stores.files()}};
    const auto store = stores.open("s");
    const Pipeline p = pair.pipeline();
    options.run = "r";
    const Report report = resume(p, *store, options);
    EXPECT_TRUE(report) << report.text();
  }
  void prepare(const Stores& stores) const {
    resume_with(sea_, stores, {});
    resume_with(sea_, stores, before_);
  }
  void call(const Stores& stores) const { resume_with(sky_, stores, options_); }
  std::string plan(const Stores& stores) const {
    const record::TestEnvironment environment{{.file_system = &stores.files()}};
    const auto store = stores.open("s");
    const Pipeline p = sky_.pipeline();
    return ResumePlanner{*store}.plan(p, {.run = "r"}).text(true);
  }
  void after_break(const Stores& stores) {
    const auto store = stores.open("s");
    EXPECT_TRUE(verify_run(*store, "r").ok());
    for (const char* record : {"outline.1", "notes.1"}) {
      EXPECT_TRUE(contents(*store, "r").contains(record)) << record;
    }
    calls_.take();
  }
  void when_done(const Stores& stores) {
    const std::string again = calls_.take();
    EXPECT_TRUE(again.empty() || ran_.ends_with(again)) << again;
    EXPECT_EQ(plan(stores), plan_);
    call(stores);
    EXPECT_EQ(calls_.take(), "");
    EXPECT_EQ(plan(stores), plan_);
    EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
  }

  ResumeOptions before_;
  ResumeOptions options_;
  std::string ran_;
  In in_;
  Calls calls_;
  Pair sea_{"sea", calls_};
  Pair sky_{"sky", calls_};
  std::string plan_;
};

constexpr std::uint64_t changes = 10;  // at least, of each call
constexpr std::uint64_t losses = 50;
/// The last stage, of which the plan has nothing more to say.
constexpr const char* taken_back =
    "notes         done: inputs, revision and schema as before\n\nPlan";

/// A call by name: the options before it, its own, what it runs, what its plan says.
using Choices = std::tuple<const char*, ResumeOptions, ResumeOptions, const char*, const char*>;

class KilledChoice : public ::testing::TestWithParam<std::tuple<Choices, In>> {
 protected:
  static const Choices& of() { return std::get<0>(GetParam()); }
  static BrokenChoice choice() {
    return {std::get<1>(of()), std::get<2>(of()), std::get<3>(of()), std::get<1>(GetParam())};
  }
};

TEST_P(KilledChoice, AtEveryChangeStandsOnceTheSameCallIsMadeAgain) {
  BrokenChoice call = choice();
  EXPECT_THAT(call.plan(), ::testing::HasSubstr(std::get<4>(of())));
  expect_survives_kills(call.broken(), changes);
}

TEST_P(KilledChoice, WithoutPowerAtEveryChangeStandsOnceTheSameCallIsMadeAgain) {
  BrokenChoice call = choice();
  expect_survives_power_losses(call.broken(), losses);
}

const std::vector<Choices>& all_choices() {
  static const std::vector<Choices> all{
      Choices{"Accept", ResumeOptions{}, ResumeOptions{.accept = {"outline", "notes"}}, "",
              "accepted: input 'topic' changed: \"sea\" -> \"sky\""},
      Choices{"AcceptOne", ResumeOptions{}, ResumeOptions{.accept = {"outline"}}, "notes",
              "accepted: input 'topic' changed: \"sea\" -> \"sky\""},
      Choices{"Pin", ResumeOptions{}, ResumeOptions{.pin = {"outline", "notes"}}, "",
              "pinned: it would run: input 'topic' changed: \"sea\" -> \"sky\""},
      Choices{"Unpin", ResumeOptions{.pin = {"notes", "outline"}},
              ResumeOptions{.unpin = {"notes"}}, "notes", taken_back},
      Choices{"Ignore", ResumeOptions{}, ResumeOptions{.ignore = {"outline:topic", "notes:topic"}},
              "", "ignored: input 'topic' changed: \"sea\" -> \"sky\""},
      Choices{"Unignore", ResumeOptions{.ignore = {"outline:topic", "notes:topic"}},
              ResumeOptions{.unignore = {"notes:topic"}}, "notes", taken_back}};
  return all;
}

INSTANTIATE_TEST_SUITE_P(Choices, KilledChoice,
                         ::testing::Combine(::testing::ValuesIn(all_choices()),
                                            ::testing::Values(In::files, In::journal)),
                         [](const auto& test) {
                           const bool journal = std::get<1>(test.param) == In::journal;
                           return std::string{std::get<0>(std::get<0>(test.param))} +
                                  (journal ? "InAJournal" : "");
                         });

}  // namespace
}  // namespace resumable::test
