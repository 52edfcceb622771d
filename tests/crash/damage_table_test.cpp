// Every single damage of a store's own files, where two stages write one file in turn: the value is
// right, the call refuses, or it asks. Counted, for each store.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crash/damaged.hpp"
#include "resumable/resumable.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

/// draft and polish write letter.md in turn; a large value; and a sum of both.
struct Letter {
  std::string name = "one";

  struct Result {
    Report report;
    std::string polished;
    std::size_t length = 0;
  };
  Result run(CheckpointStore& store, const fs::path& folder, EventLog& log) const {
    Pipeline p{"letter"};
    const auto to = p.input("name", name);
    const auto draft = p.stage("draft", inputs(to),
                               [](const std::string& of) { return Text{"Dear " + of + "\n"}; });
    const auto polish = p.stage("polish", inputs(draft),
                                [](const Text& of) { return Text{of.text + "Polished.\n"}; });
    const auto enclosed = p.stage("enclosed", inputs(to), [](const std::string& of) {
      return Text{std::string(enclosed_bytes, of.back())};
    });
    const auto length =
        p.stage("length", inputs(polish, enclosed), [](const Text& a, const Text& b) {
          return a.text.size() + b.text.size() * (b.text.back() == 'e' ? 1 : 2);
        });
    p.artifact(draft, "letter.md");
    p.artifact(polish, "letter.md");
    p.artifact(length, "length.json");
    Result result{resume(p, store, {.run = "r1", .artifact_folder = folder, .observers = {&log}}),
                  "", 0};
    if (result.report.exit_code() == 0) {
      result.polished = result.report[polish].text;
      result.length = result.report[length];
    }
    return result;
  }

  static constexpr std::size_t enclosed_bytes = 270'000;  // not in the log of a journal
};

/// Files by name, as they were at some moment.
using Files = std::map<std::string, std::string>;

/// A run that is to be damaged.
struct Made {
  TempFolder folder;
  std::string polished;          ///< what comes of it
  std::string edit{};            ///< what a person has written in letter.md
  std::vector<Files> earlier{};  ///< the store at earlier moments
};

/// How often each outcome was seen.
struct Outcomes {
  int right = 0;
  int right_later = 0;  ///< after a refusal or a failure, by the same call again
  int edit_kept = 0;    ///< the value is the one without the edit; a warning says where that is
  int asked = 0;        ///< by every call
  int silent = 0;       ///< another value, an edit that nobody made, or one that is lost
};

class DamageTable : public ::testing::TestWithParam<StoreKind> {
 protected:
  static constexpr const char* run_folder = "store/r1";

  [[nodiscard]] Letter::Result run(const Letter& letter, const fs::path& root,
                                   EventLog& log) const {
    const auto store = GetParam().open(root / "store");
    return letter.run(*store, GetParam().has_folder ? fs::path{} : root / run_folder, log);
  }
  void expect_made(const Letter& letter, Made& made) const {
    EventLog log([&](const Event& event) {
      if (event.kind != EventKind::committed && event.kind != EventKind::exported) return;
      made.earlier.push_back(snapshot(made.folder.path()));
    });
    const auto result = run(letter, made.folder.path(), log);
    ASSERT_EQ(result.report.exit_code(), 0) << result.report.text();
    ASSERT_EQ(result.polished,
              made.edit.empty() ? "Dear " + letter.name + "\nPolished.\n" : made.edit);
    made.earlier.push_back(snapshot(made.folder.path()));
    made.polished = result.polished;
  }
  void edit(Made& made) const {
    made.edit = made.polished + "Mine.\n";
    write_file(made.folder / run_folder / "letter.md", made.edit);
    made.polished = made.edit;
  }

  static bool is_own(const std::string& name) {
    return name.find(".resumable/") != name.npos || name.find("s.db") != name.npos;
  }

  /// Where the parts of a file begin: frames, headers, groups, marks, pages.
  static std::set<std::size_t> parts_of(const std::string& name, const std::string& bytes) {
    std::set<std::size_t> at{0};
    const auto every = [&](std::size_t first, std::size_t size) {
      for (std::size_t i = first; i < bytes.size(); i += size) at.insert(i);
    };
    if (name.ends_with("-wal")) every(32, 24 + 4096);
    if (name.ends_with(".db")) every(4096, 4096);
    if (name.find("/exports/") != name.npos) every(56, 56);
    if (name.ends_with(".log")) {
      for (std::size_t i = bytes.find("RSMG"); i != bytes.npos; i = bytes.find("RSMG", i + 4)) {
        at.insert(i - 8);
      }
      at.insert(bytes.find_last_not_of('\0') + 1);
    }
    if (name.ends_with(".ckpt")) {
      for (std::size_t line = 0, i = 0; line < 2 && i != bytes.npos; ++line) {
        i = bytes.find('\n', i);
        if (i != bytes.npos) at.insert(++i);
      }
    }
    return at;
  }

  /// A set of offsets in all of a file, with the begin, the middle and the end of each part.
  static std::set<std::size_t> offsets_in(const std::string& name, const std::string& bytes) {
    std::set<std::size_t> all;
    const auto parts = parts_of(name, bytes);
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      const std::size_t end = std::next(part) == parts.end() ? bytes.size() : *std::next(part);
      for (const std::size_t in : {*part, *part + 9, (*part + end) / 2, end - 1}) {
        if (in < bytes.size()) all.insert(in);
      }
    }
    for (int i = 0; i < places(); ++i) {
      const std::size_t in =
          bytes.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(places());
      if (in < bytes.size()) all.insert(in);
    }
    return all;
  }

  static std::vector<Harm> harms_of(const Made& made, const std::string& name) {
    std::vector<Harm> all;
    const std::string bytes = read_file(made.folder / name);
    all.push_back({"removed", [](const fs::path& file) { fs::remove(file); }});
    for (const std::size_t at : parts_of(name, bytes)) {
      if (at >= bytes.size()) continue;
      const std::string place = " at " + std::to_string(at) + " of " + std::to_string(bytes.size());
      all.push_back({"cut" + place, [=](const fs::path& file) { fs::resize_file(file, at); }});
      all.push_back({"zeros" + place, [=](const fs::path& file) {
                       write_file(file, bytes.substr(0, at) + std::string(bytes.size() - at, '\0'));
                     }});
    }
    for (const std::size_t at : offsets_in(name, bytes)) {
      all.push_back({"a bit flipped at " + std::to_string(at), [=](const fs::path& file) {
                       std::string flipped = bytes;
                       flipped[at] = static_cast<char>(flipped[at] ^ 4);
                       write_file(file, flipped);
                     }});
    }
    return all;
  }

  /// Files that are replaced by what they were at earlier moments, or are back.
  static std::vector<std::pair<std::string, Harm>> returns_of(const Made& made) {
    std::vector<std::pair<std::string, Harm>> all;
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& file : snapshot(made.folder.path())) seen.insert(file);
    for (std::size_t moment = 0; moment < made.earlier.size(); ++moment) {
      for (const auto& file : made.earlier[moment]) {
        const fs::path now = made.folder / file.first;
        if (!is_own(file.first) || fs::is_directory(now) || !seen.insert(file).second) continue;
        if (!fs::is_directory(now.parent_path())) continue;
        all.emplace_back(file.first,
                         Harm{"as it was at moment " + std::to_string(moment),
                              [text = file.second](const fs::path& to) { write_file(to, text); }});
      }
    }
    return all;
  }

  static std::vector<std::string> own_files(const Made& made) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator{made.folder.path()}) {
      const std::string name = fs::relative(entry.path(), made.folder.path()).string();
      if (entry.is_regular_file() && is_own(name)) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }

  /// Damages each of the store's own files in each way, and resumes until a call ends well.
  Outcomes outcomes_of(const Letter& letter, const Made& made) const {
    Outcomes all;
    const auto names = own_files(made);
    for (const std::string& name : names) {
      for (const Harm& harm : harms_of(made, name)) {
        count(letter, made, name, harm, all);
      }
      for (const std::string& other : names) {  // two files of one folder change places
        if (other <= name || fs::path{other}.parent_path() != fs::path{name}.parent_path()) {
          continue;
        }
        count(letter, made, name,
              {"in the place of " + other,
               [other = fs::path{other}.filename()](const fs::path& file) {
                 const fs::path second = file.parent_path() / other;
                 const std::string text = read_file(file);
                 write_file(file, read_file(second));
                 write_file(second, text);
               }},
              all);
      }
    }
    for (const auto& [name, harm] : returns_of(made)) count(letter, made, name, harm, all);
    return all;
  }

  void count(const Letter& letter, const Made& made, const std::string& name, const Harm& harm,
             Outcomes& all) const {
    const TempFolder folder;
    fs::copy(made.folder.path(), folder.path(), fs::copy_options::recursive);
    harm.act(folder / name);
    SCOPED_TRACE(name + ": " + harm.what);
    std::string said;
    for (int call = 0; call < 3; ++call) {
      EventLog log;
      std::optional<Letter::Result> result;
      try {
        result.emplace(run(letter, folder.path(), log));
      } catch (const Error& error) {
        said += error.explain();
      }
      const std::string wrong = wrong_with(letter, made, folder.path(), result, log);
      if (!wrong.empty()) {
        ++all.silent;
        ADD_FAILURE() << wrong << '\n' << said << (result ? result->report.text() : "");
        return;
      }
      if (result && result->report.exit_code() == 0) {
        int& right = result->polished != made.polished ? all.edit_kept
                     : call == 0                       ? all.right
                                                       : all.right_later;
        ++right;
        return;
      }
      if (result) said += result->report.text();
    }
    ++all.asked;
  }

  /// What is wrong with what a call left, or "".
  static std::string wrong_with(const Letter& letter, const Made& made, const fs::path& root,
                                const std::optional<Letter::Result>& result, const EventLog& log) {
    const auto text_of = [&](const char* name) {
      const fs::path at = root / run_folder / name;
      return fs::exists(at) ? read_file(at) : std::string{};
    };
    const std::string file = text_of("letter.md");
    const auto removed = texts_in(root / run_folder / ".resumable/removed");
    const bool edit_is_there =
        file == made.edit || std::ranges::find(removed, made.edit) != removed.end();
    if (!made.edit.empty() && !edit_is_there) return "the edit is lost";
    if (made.edit.empty() && !log.of(EventKind::edited).empty()) return "nobody has edited";
    if (!result || result->report.exit_code() != 0) return "";
    const std::string unedited = "Dear " + letter.name + "\nPolished.\n";
    const bool without = result->polished == unedited;
    if (result->polished != made.polished && !without) return "another value";
    if (!made.edit.empty() && without && result->report.warnings().empty()) {
      return "the edit counts no more, and nobody is told";
    }
    const std::size_t length = result->polished.size() + Letter::enclosed_bytes;
    if (result->length != length) return "another length";
    if (file != result->polished) return "another letter.md";
    if (text_of("length.json") != std::to_string(length) + "\n") {
      return "another length.json";
    }
    return "";
  }

  static void tell(const Outcomes& all) {
    const std::vector<std::pair<const char*, int>> rows{{"right", all.right},
                                                        {"right_later", all.right_later},
                                                        {"edit_kept", all.edit_kept},
                                                        {"asked", all.asked},
                                                        {"silent", all.silent}};
    for (const auto& [name, number] : rows) {
      ::testing::Test::RecordProperty(name, number);
      std::cout << number << ' ' << name << ' ';
    }
    std::cout << '\n';
    EXPECT_GT(all.right, 50);
    EXPECT_EQ(all.silent, 0);
  }
};

const Letter letter_to_none{.name = "none"};
const Letter letter_to_one{.name = "one"};

TEST_P(DamageTable, OfAFinishedRunHasNoSilentRow) {
  Made made;
  expect_made(letter_to_none, made);
  expect_made(letter_to_one, made);
  tell(outcomes_of(letter_to_one, made));
}

TEST_P(DamageTable, OfAKilledRunHasNoSilentRow) {
  Made made;
  expect_made(letter_to_none, made);
  Made whole;
  fs::copy(made.folder.path(), whole.folder.path(), fs::copy_options::recursive);
  whole.earlier = std::move(made.earlier);
  EventLog log([&](const Event& event) {
    if (event.kind == EventKind::exported && event.stage == "polish") {
      fs::remove_all(made.folder.path());
      fs::copy(whole.folder.path(), made.folder.path(), fs::copy_options::recursive);
    }
  });
  ASSERT_EQ(run(letter_to_one, whole.folder.path(), log).report.exit_code(), 0);
  made.earlier = std::move(whole.earlier);
  made.polished = "Dear one\nPolished.\n";
  tell(outcomes_of(letter_to_one, made));
}

TEST_P(DamageTable, OfARunWithAnAdoptedEditHasNoSilentRow) {
  Made made;
  expect_made(letter_to_one, made);
  edit(made);
  expect_made(letter_to_one, made);
  tell(outcomes_of(letter_to_one, made));
}

TEST_P(DamageTable, OfARunWithAnEditThatNobodyHasAdoptedHasNoSilentRow) {
  Made made;
  expect_made(letter_to_none, made);
  expect_made(letter_to_one, made);
  edit(made);
  tell(outcomes_of(letter_to_one, made));
}

INSTANTIATE_TEST_SUITE_P(Stores, DamageTable,
                         ::testing::ValuesIn(store_kinds({.segment_bytes = 2048,
                                                          .index_after_bytes = 1})),
                         [](const auto& test) { return std::string{test.param.name}; });

}  // namespace
}  // namespace resumable::test
