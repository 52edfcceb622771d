/// @file
/// Calls that take edits of an appended file over, give them up, or write the file again: to be
/// broken at every change. What the person wrote is in the file or in .resumable/removed, and the
/// same call again ends as an uninterrupted one.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exports/seen.hpp"
#include "manage/broken.hpp"
#include "resumable/manage.hpp"
#include "resumable/status.hpp"

namespace resumable::test {

/// numbers, one a line (numbers.txt) -> sum (sum.txt).
struct Numbers {
  std::vector<int> list{10, 20, 30};

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"numbers"};
    const auto given = p.input("list", list);
    const auto numbers = p.stage("numbers", inputs(each(given)), [](int one) { return one; });
    const auto sum = p.stage("sum", inputs(numbers), [](const std::vector<int>& all) {
      int total = 0;
      for (const int one : all) total += one;
      return Text{std::to_string(total) + "\n"};
    });
    p.append(
        numbers, "numbers.txt", [](int one) { return std::to_string(one) + "\n"; },
        [](const std::string& text) { return std::stoi(text); });
    p.artifact(sum, "sum.txt");
    return p;
  }
  void run(const Stores& stores, ResumeOptions options = {}) const {
    const record::TestEnvironment environment{{.file_system = &stores.files()}};
    const auto store = stores.open("s");
    const Pipeline p = pipeline();
    options.run = "r";
    options.artifact_folder = stores.artifact_folder("s/r");
    const Report report = resume(p, *store, options);
    EXPECT_TRUE(report) << report.text();
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

/// Writes over the begin of numbers.txt, as an editor may.
inline void write_over(const Stores& stores, std::string_view text, bool synced) {
  sys::FileSystem& files = stores.files();
  sys::File folder;
  sys::File file;
  EXPECT_FALSE(files.open_root(stores.folder() + "/s/r", folder));
  EXPECT_FALSE(files.open(folder, "numbers.txt", sys::Open::read_write, file));
  EXPECT_FALSE(sys::write_fully(files, file, 0, text));
  if (synced) {
    EXPECT_FALSE(files.sync(file));
  }
}

/// A call, the text that the person wrote before it, and what it leaves.
struct AppendingVerb {
  std::string written;  ///< of 9 bytes, or nothing
  Numbers numbers{};
  ResumeOptions options{};
  bool synced = true;
  std::string before{};  ///< taken over in a call before, if any
};

class BrokenAppending {
 public:
  explicit BrokenAppending(AppendingVerb verb, In in = In::files)
      : verb_(std::move(verb)), in_(in) {
    const TempFolder folder;
    const auto posix = sys::posix_file_system();
    const Stores stores{folder.path().string(), *posix, in_};
    prepare(stores);
    verb_.numbers.run(stores, verb_.options);
    after_ = seen(stores);
    EXPECT_TRUE(is_kept(after_)) << "undisturbed";
  }
  [[nodiscard]] Broken broken() {
    return {.prepare = [this](const Stores& stores) { prepare(stores); },
            .call = [this](const Stores& stores) { verb_.numbers.run(stores, verb_.options); },
            .check_after_break =
                [this](const Stores& stores) {
                  EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
                  // What nobody has synced may be lost with the power until it is taken over.
                  lost_ = !verb_.synced && !is_kept(seen(stores)) && !is_taken_over(stores);
                  EXPECT_TRUE(lost_ || is_kept(seen(stores)));
                },
            .check_when_done =
                [this](const Stores& stores) {
                  if (!lost_) {
                    EXPECT_EQ(seen(stores), after_);
                  }
                  EXPECT_TRUE(verb_.numbers.complete(stores));
                  EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
                },
            .in = in_};
  }
  [[nodiscard]] std::string file(const std::string& name) const { return after_.first.at(name); }
  [[nodiscard]] const Seen& after() const noexcept { return after_; }

 private:
  void prepare(const Stores& stores) const {
    Numbers{}.run(stores);
    if (!verb_.before.empty()) {
      write_over(stores, verb_.before, true);
      Numbers{}.run(stores);
    }
    if (!verb_.written.empty()) write_over(stores, verb_.written, verb_.synced);
  }
  [[nodiscard]] bool is_kept(const Seen& now) const {
    const std::string& text = verb_.written.empty() ? verb_.before : verb_.written;
    return text.empty() || now.first.at("numbers.txt") == text || now.second.contains(text);
  }
  [[nodiscard]] bool is_taken_over(const Stores& stores) const {
    const auto store = stores.open("s");
    bool found = false;
    store->scan("r", {}, [&](const RecordHead& head) {
      found = found || (head.id.path.starts_with("numbers/") && head.id.generation > 1);
      return true;
    });
    return found;
  }

  AppendingVerb verb_;
  In in_;
  Seen after_;
  bool lost_ = false;
};

/// A verb by name, and what it leaves when nothing disturbs it.
struct NamedAppendingVerb {
  const char* name;
  AppendingVerb verb;
  std::string numbers;  ///< numbers.txt
  std::string sum;      ///< sum.txt
};

inline void PrintTo(const NamedAppendingVerb& verb, std::ostream* out) { *out << verb.name; }

inline std::vector<NamedAppendingVerb> all_appending_verbs() {
  const std::string edit = "11\n20\n33\n";
  return {{"EditsAreTakenOver", {.written = edit}, edit, "64\n"},
          {"UnsyncedEditsAreTakenOver", {.written = edit, .synced = false}, edit, "64\n"},
          {"AnEditedFileIsWrittenAgain", {.written = "10\n 7\n30\n"}, "10\n7\n30\n", "47\n"},
          {"AnEditIsRejected",
           {.written = edit, .options = {.reject = {"numbers"}}},
           "10\n20\n30\n",
           "60\n"},
          {"ATakenOverEditIsRejected",
           {.written = {}, .options = {.reject = {"numbers"}}, .before = edit},
           "10\n20\n30\n",
           "60\n"},
          {"AFileIsWrittenAgain",
           {.written = {}, .numbers = {.list = {20, 10, 30}}},
           "20\n10\n30\n",
           "60\n"}};
}

}  // namespace resumable::test
