// Each command that writes, broken at every change of the stores: they open, no record that the
// command leaves alone is lost, and the same command again ends as an undisturbed one.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "inspector/inspected.hpp"
#include "manage/story.hpp"

namespace resumable::test {
namespace {

/// Runs to the digests of their records.
using Contents = std::map<std::string, std::map<std::string, std::string>>;

Contents contents_of(const CheckpointStore& store) {
  Contents all;
  for (const std::string& run : runs(store)) all[run] = contents(store, run);
  return all;
}

/// Runs to the names of their records: the bytes of a new one differ from call to call.
using Names = std::map<std::string, std::set<std::string>>;

Names names_of(const Contents& contents) {
  Names names;
  for (const auto& [run, records] : contents) {
    for (const auto& [name, digest] : records) names[run].insert(name);
  }
  return names;
}

/// topic -> outline -> draft.
void write(CheckpointStore& store, const std::string& topic, const Stores& stores) {
  const record::TestEnvironment environment{{.file_system = &stores.files()}};
  Pipeline p{"small"};
  const auto of = p.input("topic", topic);
  const auto outline = p.stage("outline", inputs(of),
                               [](const std::string& what) { return Text{"outline of " + what}; });
  p.stage("draft", inputs(outline), [](const Text& what) { return Text{"draft of " + what.text}; });
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
}

struct Typed {
  int code = 0;
  std::string said;
};

/// `resumable --store` with the store `s`.
Typed type(const Stores& stores, const Words& words) {
  const record::TestEnvironment environment{{.file_system = &stores.files()}};
  InspectorOptions options;
  options.stores["own"] = [&](std::string_view url, CreateStore) {
    return stores.open(std::string{url.substr(4)});
  };
  std::ostringstream out;
  std::ostringstream err;
  cli::Console console{out, err};
  options.console = &console;
  std::vector<const char*> argv{"resumable", "--store", "own:s"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  const int code = inspect(static_cast<int>(argv.size()), argv.data(), options);
  return {code, out.str() + err.str()};
}

/// A command on the store `s`, where `r` has two generations and a tag, and `part` is a fork of it.
class Command {
 public:
  Command(In in, Words words) : in_(in), words_(std::move(words)) {
    MemoryDisk disk;
    const Stores stores{"/disk", disk, in_};
    prepare(stores);
    call(stores);
    after_ = names_of(contents_of(*stores.open("s")));
    there_ = names_of(contents_of(*stores.open("t")));
  }

  [[nodiscard]] Broken broken() {
    return {.prepare = [this](const Stores& stores) { prepare(stores); },
            .call = [this](const Stores& stores) { call(stores); },
            .check_after_break = [this](const Stores& stores) { after_break(stores); },
            .check_when_done = [this](const Stores& stores) { when_done(stores); },
            .in = in_};
  }

 private:
  void prepare(const Stores& stores) {
    const auto store = stores.open("s");
    write(*store, "sea", stores);
    write(*store, "sky", stores);
    tag_run(*store, "r", "old");
    fork_run(*store, "r", "part", {.from_stage = "draft"});
    before_ = contents_of(*store);
  }

  void call(const Stores& stores) const {
    const Typed typed = type(stores, words_);
    // A run that is gone altogether cannot be removed once more.
    const bool gone = words_.front() == "remove" && !runs_has(stores, words_[1]);
    EXPECT_TRUE(typed.code == 0 || (gone && typed.code == 2)) << typed.said;
  }

  [[nodiscard]] bool runs_has(const Stores& stores, const std::string& run) const {
    return contents_of(*stores.open("s")).contains(run);
  }

  void after_break(const Stores& stores) const {
    for (const char* name : {"s", "t"}) {
      const auto store = stores.open(name);
      for (const std::string& run : runs(*store)) {
        EXPECT_TRUE(verify_run(*store, run).ok()) << name << " " << run;
      }
    }
    const Contents now = contents_of(*stores.open("s"));
    for (const auto& [run, records] : before_) {
      for (const auto& [record, digest] : records) {
        if (!after_.contains(run) || !after_.at(run).contains(record)) continue;
        ASSERT_TRUE(now.contains(run)) << run;
        ASSERT_TRUE(now.at(run).contains(record)) << run << " " << record;
        EXPECT_EQ(now.at(run).at(record), digest) << run << " " << record;
      }
    }
  }

  void when_done(const Stores& stores) const {
    EXPECT_FALSE(std::filesystem::exists(stores.folder() + "/s/part/.resumable.removing"));
    EXPECT_EQ(names_of(contents_of(*stores.open("s"))), after_);
    EXPECT_EQ(names_of(contents_of(*stores.open("t"))), there_);
    for (const char* name : {"s", "t"}) {
      const auto store = stores.open(name);
      for (const std::string& run : runs(*store)) EXPECT_TRUE(verify_run(*store, run).ok());
    }
  }

  In in_;
  Words words_;
  Contents before_;
  Names after_;
  Names there_;
};

class KilledCommand
    : public ::testing::TestWithParam<std::tuple<const char*, In, Words, std::uint64_t>> {
 protected:
  static Command command() { return {std::get<1>(GetParam()), std::get<2>(GetParam())}; }
  /// The least number of changes.
  static std::uint64_t changes() { return std::get<3>(GetParam()); }
};

TEST_P(KilledCommand, AtEveryChangeCompletesWhenTypedAgain) {
  Command typed = command();
  expect_survives_kills(typed.broken(), changes());
}

TEST_P(KilledCommand, WithoutPowerAtEveryChangeCompletesWhenTypedAgain) {
  Command typed = command();
  expect_survives_power_losses(typed.broken(), 2 * changes());
}

// With files: what the suites of the library do not break already (tests/manage, tests/bundle).
INSTANTIATE_TEST_SUITE_P(Files, KilledCommand,
                         ::testing::Values(std::tuple{"Remove", In::files,
                                                      Words{"remove", "part", "--yes"}, 10}),
                         [](const auto& test) { return std::string{std::get<0>(test.param)}; });

INSTANTIATE_TEST_SUITE_P(
    Journals, KilledCommand,
    ::testing::Values(std::tuple{"Tag", In::journal, Words{"tag", "r", "new"}, 5},
                      std::tuple{"Untag", In::journal, Words{"tag", "r", "old", "--remove"}, 5},
                      std::tuple{"Fork", In::journal, Words{"fork", "r", "f", "--from", "draft"},
                                 5},
                      std::tuple{"RollBack", In::journal,
                                 Words{"rollback", "r", "outline", "--generation", "1"}, 5},
                      std::tuple{"Merge", In::journal, Words{"merge", "r", "part"}, 5},
                      std::tuple{"Copy", In::journal, Words{"copy", "r", "--to", "own:t"}, 5},
                      std::tuple{"Collect", In::journal, Words{"gc", "--keep", "1", "--yes"}, 3},
                      std::tuple{"Migrate", In::journal, Words{"migrate", "--backup", "own:t"}, 5},
                      std::tuple{"Remove", In::journal, Words{"remove", "part", "--yes"}, 10}),
    [](const auto& test) { return std::string{std::get<0>(test.param)}; });

// ---- a damaged record --------------------------------------------------------------------------

/// Flips a bit of a record's last byte.
void damage(const Stores& stores, const std::string& file) {
  sys::FileSystem& files = stores.files();
  sys::File folder;
  sys::File record;
  ASSERT_FALSE(files.open_root(stores.folder() + "/s/r/.resumable/checkpoints", folder));
  ASSERT_FALSE(files.open(folder, file, sys::Open::read_write, record));
  sys::Stat stat;
  ASSERT_FALSE(files.stat(record, stat));
  char last = 0;
  std::size_t count = 0;
  ASSERT_FALSE(files.read(record, stat.size - 1, {&last, 1}, count));
  last = static_cast<char>(last ^ 1);
  ASSERT_FALSE(files.write(record, stat.size - 1, {&last, 1}, count));
  ASSERT_FALSE(files.sync(record));
}

Broken setting_aside() {
  const auto names = [](const Stores& stores) { return scan(*stores.open("s"), "r"); };
  return {
      .prepare =
          [](const Stores& stores) {
            write(*stores.open("s"), "sea", stores);
            damage(stores, "outline.1.ckpt");
          },
      .call =
          [](const Stores& stores) {
            const Typed typed = type(stores, {"verify", "r", "--set-aside"});
            EXPECT_EQ(typed.code, 0) << typed.said;
          },
      .check_after_break =
          [=](const Stores& stores) {
            EXPECT_EQ(payload(*stores.open("s"), "r", {"draft", 1}), "draft of outline of sea");
            const auto found = names(stores);
            EXPECT_EQ(
                std::ranges::count(found, "outline.1") + std::ranges::count(found, "outline.1?"), 1)
                << ::testing::PrintToString(found);
          },
      .check_when_done =
          [=](const Stores& stores) {
            EXPECT_EQ(std::ranges::count(names(stores), "outline.1?"), 1);
            EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
          }};
}

TEST(KilledVerify, AtEveryChangeCompletesWhenTypedAgain) {
  expect_survives_kills(setting_aside(), 5);
}

TEST(KilledVerify, WithoutPowerAtEveryChangeCompletesWhenTypedAgain) {
  expect_survives_power_losses(setting_aside(), 10);
}

}  // namespace
}  // namespace resumable::test
