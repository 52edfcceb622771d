/// @file
/// Accept, pin and ignore as calls to be broken at every change: the store opens, nothing is lost,
/// and the same call again ends as an uninterrupted one.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/story.hpp"

namespace resumable::test {

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
    const TempFolder folder;
    const auto posix = sys::posix_file_system();
    const Stores stores{folder.path().string(), *posix, in_};
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

/// The last stage, of which the plan has nothing more to say.
inline constexpr const char* taken_back =
    "notes         done: inputs, revision and schema as before\n\nPlan";

/// A call by name.
struct NamedChoice {
  const char* name;
  ResumeOptions before;  ///< of a call before it
  ResumeOptions options;
  const char* ran;    ///< what it runs
  const char* plans;  ///< what the plan says after it
};

inline void PrintTo(const NamedChoice& choice, std::ostream* out) { *out << choice.name; }

inline std::vector<NamedChoice> all_choices() {
  return {NamedChoice{"Accept", ResumeOptions{}, ResumeOptions{.accept = {"outline", "notes"}}, "",
                      "accepted: input 'topic' changed: \"sea\" -> \"sky\""},
          NamedChoice{"AcceptOne", ResumeOptions{}, ResumeOptions{.accept = {"outline"}}, "notes",
                      "accepted: input 'topic' changed: \"sea\" -> \"sky\""},
          NamedChoice{"Pin", ResumeOptions{}, ResumeOptions{.pin = {"outline", "notes"}}, "",
                      "pinned: it would run: input 'topic' changed: \"sea\" -> \"sky\""},
          NamedChoice{"Unpin", ResumeOptions{.pin = {"notes", "outline"}},
                      ResumeOptions{.unpin = {"notes"}}, "notes", taken_back},
          NamedChoice{"Ignore", ResumeOptions{},
                      ResumeOptions{.ignore = {"outline:topic", "notes:topic"}}, "",
                      "ignored: input 'topic' changed: \"sea\" -> \"sky\""},
          NamedChoice{"Unignore", ResumeOptions{.ignore = {"outline:topic", "notes:topic"}},
                      ResumeOptions{.unignore = {"notes:topic"}}, "notes", taken_back}};
}

}  // namespace resumable::test
