/// @file
/// Calls that take a person's edit over, give it up or replace it, or adopt a folder: to be broken
/// at every change.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exports/seen.hpp"
#include "manage/broken.hpp"
#include "manage/story.hpp"
#include "resumable/manage.hpp"
#include "resumable/status.hpp"

namespace resumable::test {

/// title (outline.json) -> memo (memo.md).
struct Leaflet {
  std::string company = "Fernstone";
  Calls* calls = nullptr;
  bool outline_is_file = false;

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"leaflet"};
    const auto name = p.input("company", company);
    if (outline_is_file) {
      declare_with_file(p, name);
      return p;
    }
    const auto outline = p.stage("outline", inputs(name), [*this](const std::string& of) {
      if (calls != nullptr) (*calls)("outline");
      return std::map<std::string, std::string>{{"place", "Basel"}, {"title", of}};
    });
    const auto memo =
        p.stage("memo", inputs(outline), [*this](const std::map<std::string, std::string>& of) {
          if (calls != nullptr) (*calls)("memo");
          return Text{of.at("title") + " in " + of.at("place") + "\n"};
        });
    p.artifact(outline, "outline.json");
    p.artifact(memo, "memo.md");
    return p;
  }

  /// The same with an outline whose value is a File.
  void declare_with_file(Pipeline& p, const Stage<std::string>& name) const {
    const auto outline = p.stage("outline", inputs(name), [*this](const std::string& of) {
      if (calls != nullptr) (*calls)("outline");
      static const TempFolder folder;
      write_file(folder / "outline", "Basel\n" + of + "\n");
      return File::of(folder / "outline");
    });
    const auto memo = p.stage("memo", inputs(outline), [*this](const File& of) {
      if (calls != nullptr) (*calls)("memo");
      return Text{"memo\n" + of.read()};
    });
    p.artifact(outline, "outline.json");
    p.artifact(memo, "memo.md");
  }

  int run(const Stores& stores, ResumeOptions options = {}) const {
    const record::TestEnvironment environment{{.file_system = &stores.files()}};
    const auto store = stores.open("s");
    const Pipeline p = pipeline();
    options.run = "r";
    options.artifact_folder = stores.artifact_folder("s/r");
    const Report report = resume(p, *store, options);
    EXPECT_TRUE(report || report.outcome() == Outcome::waiting) << report.text();
    return report.exit_code();
  }
  [[nodiscard]] bool complete(const Stores& stores) const {
    const record::TestEnvironment environment{{.file_system = &stores.files()}};
    const auto store = stores.open("s");
    const Pipeline p = pipeline();
    return ResumePlanner{*store}
        .plan(p, {.run = "r", .artifact_folder = stores.artifact_folder("s/r")})
        .complete();
  }
};

/// Changes part of outline.json as an editor may: in one write, and durably or not. Returns the
/// whole text.
inline std::string edit(const Stores& stores, std::string_view from, std::string_view to,
                        bool synced) {
  EXPECT_EQ(from.size(), to.size());
  sys::FileSystem& files = stores.files();
  std::string text = files_of(stores, "")["outline.json"];
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos);
  sys::File folder;
  sys::File file;
  EXPECT_FALSE(files.open_root(stores.folder() + "/s/r", folder));
  EXPECT_FALSE(files.open(folder, "outline.json", sys::Open::read_write, file));
  EXPECT_FALSE(sys::write_fully(files, file, at, to));
  if (synced) {
    EXPECT_FALSE(files.sync(file));
  }
  return text.replace(at, to.size(), to);
}

/// One verb: what comes before it, and the options of the call.
struct Verb {
  std::function<std::string(const Stores&)> prepare;  ///< returns what the person wrote
  Leaflet leaflet{};
  ResumeOptions options{};
  std::string rerun{};  ///< the most that may run once more after a break
  bool synced = true;   ///< the edit, before the call
};

/// What is the same for all verbs. It lives as long as the test.
class BrokenVerb {
 public:
  explicit BrokenVerb(Verb verb, In in = In::files) : verb_(std::move(verb)), in_(in) {
    verb_.leaflet.calls = &calls_;
    const TempFolder folder;
    const auto posix = sys::posix_file_system();
    const Stores stores{folder.path().string(), *posix, in_};
    written_ = verb_.prepare(stores);
    before_ = seen(stores);
    EXPECT_EQ(verb_.leaflet.run(stores, verb_.options), 0);
    after_ = seen(stores);
    EXPECT_TRUE(is_kept(after_)) << "undisturbed";
  }

  [[nodiscard]] Broken broken() {
    return {.prepare = [this](const Stores& stores) { verb_.prepare(stores); },
            .call = [this](const Stores& stores) { verb_.leaflet.run(stores, verb_.options); },
            .check_after_break = [this](const Stores& stores) { after_break(stores); },
            .check_when_done = [this](const Stores& stores) { when_done(stores); },
            .in = in_};
  }
  [[nodiscard]] const Seen& after() const noexcept { return after_; }
  [[nodiscard]] const std::string& written() const noexcept { return written_; }

 private:
  [[nodiscard]] bool is_kept(const Seen& now) const {
    return now.first.at("outline.json") == written_ || now.second.contains(written_);
  }
  void after_break(const Stores& stores) {
    const auto store = stores.open("s");
    if (!run_state(*store, "r")) {
      lost_ = !verb_.synced && !is_kept(seen(stores));
      EXPECT_TRUE(lost_ || is_kept(seen(stores))) << "the run has not begun";
      calls_.take();
      return;
    }
    const Verification verified = verify_run(*store, "r");
    EXPECT_TRUE(verified.ok());
    const Seen now = seen(stores);
    const char* record = verb_.options.adopt ? "outline.1" : "outline.2";
    const bool adopted = contents(*store, "r").contains(record);
    // What nobody has synced yet may be lost with the power; not once it was taken over.
    lost_ = !verb_.synced && !adopted && !is_kept(now);
    EXPECT_TRUE(lost_ || is_kept(now)) << now.first.at("outline.json");
    calls_.take();
  }
  void when_done(const Stores& stores) {
    const std::string again = calls_.take();
    EXPECT_TRUE(again.empty() || verb_.rerun.find(again) != again.npos) << again;
    if (!lost_) {
      EXPECT_EQ(seen(stores), after_);
    } else {
      EXPECT_NE(seen(stores).first.at("outline.json"), written_);
    }
    EXPECT_TRUE(verb_.leaflet.complete(stores));
    EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
  }

  Verb verb_;
  In in_;
  Calls calls_;
  std::string written_;
  Seen before_;
  Seen after_;
  bool lost_ = false;
};

inline Verb adopting(bool synced, Leaflet leaflet = {}) {
  return {.prepare =
              [=](const Stores& stores) {
                EXPECT_EQ(leaflet.run(stores), 0);
                return edit(stores, "Fernstone", "Sternfone", synced);
              },
          .leaflet = leaflet,
          .rerun = "memo",
          .synced = synced};
}

inline Verb merging() {
  return {.prepare =
              [](const Stores& stores) {
                EXPECT_EQ(Leaflet{}.run(stores), 0);
                return edit(stores, "Basel", "Davos", true);
              },
          .leaflet = {.company = "Cloudgov"},
          .rerun = "memo, outline"};
}

inline Verb rejecting(Leaflet leaflet = {}) {
  return {.prepare =
              [=](const Stores& stores) {
                EXPECT_EQ(leaflet.run(stores), 0);
                return edit(stores, "Fernstone", "Sternfone", true);
              },
          .leaflet = leaflet,
          .options = {.reject = {"outline"}}};
}

inline Verb rejecting_what_was_taken_over() {
  return {.prepare =
              [](const Stores& stores) {
                EXPECT_EQ(Leaflet{}.run(stores), 0);
                std::string written = edit(stores, "Fernstone", "Sternfone", true);
                EXPECT_EQ(Leaflet{}.run(stores), 0);
                return written;
              },
          .options = {.reject = {"outline"}},
          .rerun = "memo"};
}

/// Both sides changed one place, and the call before asked which one is to be kept.
inline std::string dispute(const Stores& stores) {
  EXPECT_EQ(Leaflet{}.run(stores), 0);
  std::string written = edit(stores, "Fernstone", "Sternfone", true);
  EXPECT_EQ(Leaflet{.company = "Cloudgov"}.run(stores), 75);
  return written;
}

inline Verb accepting() {
  return {.prepare = dispute,
          .leaflet = {.company = "Cloudgov"},
          .options = {.accept = {"outline"}},
          .rerun = "memo"};
}

inline Verb rejecting_a_dispute() {
  return {.prepare = dispute,
          .leaflet = {.company = "Cloudgov"},
          .options = {.reject = {"outline"}},
          .rerun = "memo"};
}

inline Verb redoing() {
  return {.prepare =
              [](const Stores& stores) {
                EXPECT_EQ(Leaflet{}.run(stores), 0);
                return edit(stores, "Fernstone", "Sternfone", true);
              },
          .options = {.redo = {"outline"}},
          .rerun = "memo, outline"};
}

/// A folder whose checkpoints are gone. `from` is what a person has written over in outline.json.
inline Verb adopting_a_folder(std::string from, std::string to, bool synced = true) {
  return {.prepare =
              [=](const Stores& stores) {
                EXPECT_EQ(Leaflet{}.run(stores), 0);
                const record::TestEnvironment environment{{.file_system = &stores.files()}};
                static_cast<void>(stores.open("s")->remove("r"));
                return edit(stores, from, to, synced);
              },
          .options = {.adopt = true},
          .rerun = synced ? "" : "outline",
          .synced = synced};
}

/// A verb by name, and what it leaves when nothing disturbs it.
struct NamedVerb {
  const char* name;
  Verb verb;
  std::string memo;           ///< memo.md
  bool keeps_a_copy = false;  ///< what the person wrote is in .resumable/removed
};

inline void PrintTo(const NamedVerb& verb, std::ostream* out) { *out << verb.name; }

inline std::vector<NamedVerb> all_verbs() {
  const Leaflet with_file{.outline_is_file = true};
  Verb unreadable = adopting_a_folder("\"title\"", "[title]");
  unreadable.rerun = "outline";
  const std::string fern = "Fernstone in Basel\n";
  const std::string stern = "Sternfone in Basel\n";
  const std::string file = "memo\nBasel\n";
  return {
      {"AnEditIsTakenOver", adopting(true), stern},
      {"AnEditThatIsNotSyncedIsTakenOver", adopting(false), stern},
      {"AnEditOfAFileValueIsTakenOver", adopting(true, with_file), file + "Sternfone\n"},
      {"AnUnsyncedEditOfAFileValueIsTakenOver", adopting(false, with_file), file + "Sternfone\n"},
      {"AnEditOfAFileValueIsRejected", rejecting(with_file), file + "Fernstone\n", true},
      {"AnEditIsMerged", merging(), "Cloudgov in Davos\n"},
      {"AnEditIsRejected", rejecting(), fern, true},
      {"ATakenOverEditIsRejected", rejecting_what_was_taken_over(), fern, true},
      {"ADisputedEditIsAccepted", accepting(), stern},
      {"ADisputedEditIsRejected", rejecting_a_dispute(), "Cloudgov in Basel\n", true},
      {"AFolderIsAdopted", adopting_a_folder("Fernstone", "Sternfone"), fern},
      {"AFolderThatIsNotSyncedIsAdopted", adopting_a_folder("Fernstone", "Sternfone", false), fern},
      {"AFolderWithAnUnreadableFileIsAdopted", unreadable, fern, true},
      {"AnEditedStageIsRedone", redoing(), ""}};
}

/// Those before which all that the person wrote is durable.
inline std::vector<NamedVerb> verbs_of_durable_edits() {
  std::vector<NamedVerb> verbs = all_verbs();
  std::erase_if(verbs, [](const NamedVerb& one) { return !one.verb.synced; });
  return verbs;
}

inline void expect_undisturbed(const NamedVerb& of, const BrokenVerb& verb) {
  if (!of.memo.empty()) {
    EXPECT_EQ(verb.after().first.at("memo.md"), of.memo);
  }
  if (of.keeps_a_copy) {
    EXPECT_THAT(verb.after().second, ::testing::Contains(verb.written()));
  }
}

}  // namespace resumable::test
