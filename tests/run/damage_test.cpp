// Damage to what is stored: found, named, set aside, and never used silently.
#include <thread>

#include "run/run_support.hpp"
#include "support/faulty_file_system.hpp"

namespace resumable::test {

struct Fact {
  std::string text;
  int weight = 0;
  friend bool operator==(const Fact&, const Fact&) = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fact, text, weight)

namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// Every kind of record: inputs, items, values, a condition, a request, artifacts.
struct Program {
  Program() {
    const auto topic = pipeline.input("topic", "cats"s);
    const auto facts = pipeline.stage("facts", inputs(topic), [this](const std::string& t) {
      calls("facts");
      return std::vector<Fact>{{t, 1}, {"dogs", 2}, {"owls", 3}};
    });
    const auto pages =
        pipeline.stage("pages", inputs(each(facts, &Fact::text)), [this](const Fact& f) {
          calls("page " + f.text);
          return Text{f.text + " " + std::to_string(f.weight) + "\n"};
        });
    const auto many = pipeline.condition("many", inputs(pages), [this](const std::vector<Text>& p) {
      calls("many");
      return p.size() > 2;
    });
    const auto index = pipeline.stage({.name = "index", .when = many}, inputs(pages),
                                      [this](const std::vector<Text>& p) {
                                        calls("index");
                                        return p.front().text + "index";
                                      });
    draft.emplace(pipeline.stage(
        "draft", inputs(pages, index), [this](const std::vector<Text>& p, const std::string& i) {
          calls("draft");
          return Text{p.at(0).text + p.at(1).text + p.at(2).text + i + "\n"};
        }));
    pipeline.artifact(pages, "pages/{position:02}-{item}.md", &Text::text);
    pipeline.artifact(*draft, "draft.md");
  }
  Report run(CheckpointStore& store, ResumeOptions how = {}) {
    how.run = "r";
    return resume(pipeline, store, how);
  }
  [[nodiscard]] Plan plan(CheckpointStore& store, ResumeOptions how = {}) const {
    how.run = "r";
    return ResumePlanner{store}.plan(pipeline, how);
  }
  Calls calls;
  Pipeline pipeline{"memo"};
  std::optional<Stage<Text>> draft;
};

constexpr const char* text = "cats 1\ndogs 2\nowls 3\ncats 1\nindex\n";

class Damaged : public ::testing::Test {
 protected:
  Damaged() {
    FileStore store{folder / "good"};
    Program program;
    if (!program.run(store)) std::abort();
    if (!program.run(store, {.run = "", .redo = {"draft"}})) std::abort();
  }
  /// A new copy of the finished run.
  fs::path fresh() {
    fs::remove_all(folder / "store");
    fs::copy(folder / "good", folder / "store", fs::copy_options::recursive);
    return folder / "store";
  }
  /// The record files, below checkpoints/.
  [[nodiscard]] Strings records() const {
    Strings names;
    const fs::path root = folder / "good/r/.resumable/checkpoints";
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), root).string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static fs::path record(const fs::path& store, const std::string& name) {
    return store / "r/.resumable/checkpoints" / name;
  }
  TempFolder folder;
};

/// What can be done to a file.
struct Harm {
  const char* name;
  void (*to)(const fs::path& file);
};

void flip(const fs::path& file, std::size_t at) {
  std::string bytes = read_file(file);
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ 0x04);
  write_file(file, bytes);
}
std::size_t second_line(const fs::path& file) { return read_file(file).find('\n') + 1; }

const std::vector<Harm>& harms() {
  static const std::vector<Harm> all{
      {"a flipped bit in the first line", [](const fs::path& f) { flip(f, 20); }},
      {"a flipped bit in the tag",
       [](const fs::path& f) { flip(f, read_file(f).find("tag ") + 30); }},
      {"a flipped bit in the header", [](const fs::path& f) { flip(f, second_line(f) + 40); }},
      {"a flipped bit at the end", [](const fs::path& f) { flip(f, read_file(f).size() - 1); }},
      {"half of it", [](const fs::path& f) { fs::resize_file(f, fs::file_size(f) / 2); }},
      {"nothing in it", [](const fs::path& f) { fs::resize_file(f, 0); }},
      {"more behind it", [](const fs::path& f) { write_file(f, read_file(f) + "x"); }},
      {"zeros", [](const fs::path& f) { write_file(f, std::string(fs::file_size(f), '\0')); }},
  };
  return all;
}

TEST_F(Damaged, AFolderInTheValuesPlaceIsRefusedAsForeignAndStays) {
  const fs::path where = fresh();
  const fs::path place = record(where, "draft.2.ckpt");
  fs::remove(place);
  fs::create_directory(place);
  write_file(place / "note", "a person's");
  FileStore store{where};
  Program program;
  const Report report = program.run(store);
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_EQ(code_of(report), Errc::foreign);
  EXPECT_EQ(read_file(place / "note"), "a person's");
}

TEST_F(Damaged, OfAnyRecordIsFoundNamedAndKeptAside) {
  for (const std::string& name : records()) {
    for (const Harm& harm : harms()) {
      SCOPED_TRACE(name + ": " + harm.name);
      const fs::path where = fresh();
      harm.to(record(where, name));
      FileStore store{where};
      Program program;
      const auto before = snapshot(where);
      const Plan plan = program.plan(store, {.run = "", .verify_payloads = true});
      EXPECT_FALSE(plan.refused()) << plan.text(true);
      EXPECT_THAT(plan.text(true), HasSubstr(name)) << "deep names all";
      if (&harm == &harms().front() || &harm == &harms().back()) {
        EXPECT_TRUE(
            program.plan(store, {.run = "", .on_damage = OnDamage::refuse, .verify_payloads = true})
                .refused());
        const Report strict =
            program.run(store, {.run = "", .on_damage = OnDamage::refuse, .verify_payloads = true});
        EXPECT_EQ(strict.exit_code(), 3);
        EXPECT_EQ(code_of(strict), Errc::damaged);
        EXPECT_THAT(strict.error()->explain(), HasSubstr(name));
      }
      EXPECT_EQ(changes(before, snapshot(where)), "") << "plan and strict change nothing";
      EXPECT_EQ(program.calls.take(), "");

      const std::string bytes =
          fs::is_regular_file(record(where, name)) ? read_file(record(where, name)) : "a folder";
      Log log;
      const Report report =
          program.run(store, {.run = "", .verify_payloads = true, .observers = {&log}});
      ASSERT_TRUE(report) << report.error()->explain();
      EXPECT_EQ(report[*program.draft].text, text);
      EXPECT_EQ(log.lines(EventKind::quarantined).size(), 1U);
      const fs::path aside = where / "r/.resumable/quarantine" / name;
      ASSERT_TRUE(fs::exists(aside));
      EXPECT_EQ(fs::is_regular_file(aside) ? read_file(aside) : "a folder", bytes);
      program.calls.take();
      EXPECT_TRUE(program.run(store, {.run = "", .verify_payloads = true}));
      EXPECT_EQ(program.calls.take(), "") << "all is well again";
    }
  }
}

/// Why a status reads all heads, however long ago something was committed: see P10 in
/// docs/performance.md.
TEST_F(Damaged, ShowsInTheStatusAndNotInTheStamp) {
  const fs::path where = fresh();
  const FileStore store{where};
  const Program program;
  const auto stamp = store.stamp("r");
  ASSERT_TRUE(stamp);
  EXPECT_TRUE(status(program.pipeline, store, "r").plan.complete());
  const fs::path page = record(where, "pages/dogs.1.ckpt");
  flip(page, read_file(page).find("tag ") + 30);
  EXPECT_EQ(store.stamp("r"), stamp);
  const Plan plan = status(program.pipeline, store, "r").plan;
  EXPECT_EQ(plan.item("pages", "dogs").value().causes.front().reason, Reason::damaged);
}

TEST_F(Damaged, IsNeverUsedInSilenceByAPlainResume) {
  for (const std::string& name : records()) {
    for (const Harm& harm : harms()) {
      SCOPED_TRACE(name + ": " + harm.name);
      const fs::path where = fresh();
      harm.to(record(where, name));
      FileStore store{where};
      Program program;
      const std::string planned = program.plan(store).text(true);
      Log log;
      const Report report = program.run(store, {.run = "", .observers = {&log}});
      ASSERT_TRUE(report) << report.error()->explain();
      std::string got;
      const auto damaged = code_of([&] { got = report[*program.draft].text; });
      if (damaged) {
        // A value that nobody reads while running is proved when the host asks for it.
        EXPECT_EQ(damaged, Errc::damaged);
        EXPECT_EQ(name.substr(0, 5), "draft");
        const Report deep = program.run(store, {.run = "", .verify_payloads = true});
        got = deep[*program.draft].text;
      }
      EXPECT_EQ(got, text);
      if (name.starts_with('@')) {  // the library's own small ones are read when planning
        EXPECT_THAT(planned, HasSubstr(name));
        EXPECT_EQ(log.lines(EventKind::quarantined).size(), 1U);
      }
      EXPECT_EQ(read_file(where / "r/draft.md"), text);
    }
  }
}

TEST_F(Damaged, ADeletedRecordIsMadeAgain) {
  for (const std::string& name : records()) {
    SCOPED_TRACE(name);
    const fs::path where = fresh();
    fs::remove(record(where, name));
    FileStore store{where};
    Program program;
    const Report report = program.run(store);
    ASSERT_TRUE(report) << report.error()->explain();
    EXPECT_EQ(report[*program.draft].text, text);
    program.calls.take();
    EXPECT_TRUE(program.run(store));
    EXPECT_EQ(program.calls.take(), "");
  }
}

TEST_F(Damaged, ADeletedValueFromWhichOthersWereMadeIsMissingAndNotNew) {
  const std::map<std::string, Strings> gone{
      {"facts", {"facts.1.ckpt"}}, {"pages", {"pages/dogs.1.ckpt"}}, {"index", {"index.1.ckpt"}}};
  for (const auto& [stage, names] : gone) {
    SCOPED_TRACE(stage);
    const fs::path where = fresh();
    for (const std::string& name : names) fs::remove(record(where, name));
    FileStore store{where};
    Program program;
    EXPECT_THAT(program.plan(store).text(true), HasSubstr("its checkpoint is missing: "));
    const auto before = snapshot(where);
    const Report strict = program.run(store, {.run = "", .on_damage = OnDamage::refuse});
    EXPECT_EQ(strict.exit_code(), 3);
    EXPECT_EQ(code_of(strict), Errc::damaged);
    EXPECT_THAT(strict.error()->explain(), HasSubstr("bring its file back, or resume"));
    EXPECT_EQ(changes(before, snapshot(where)), "");
    const Report report = program.run(store);
    ASSERT_TRUE(report) << report.error()->explain();
    EXPECT_EQ(report[*program.draft].text, text);
    EXPECT_TRUE(program.plan(store, {.run = "", .on_damage = OnDamage::refuse}).complete());
  }
}

TEST_F(Damaged, FoundWhileRunningRevisesThePlanBeforeAnythingMoreRuns) {
  const fs::path where = fresh();
  flip(record(where, "pages/dogs.1.ckpt"),
       read_file(record(where, "pages/dogs.1.ckpt")).size() - 1);
  FileStore store{where};
  Program program;
  EXPECT_EQ(program.plan(store)["pages"].action, Action::skip) << "only the payload shows it";
  Log log;
  const Report report = program.run(store, {.run = "", .redo = {"draft"}, .observers = {&log}});
  ASSERT_TRUE(report) << report.error()->explain();
  EXPECT_EQ(program.calls.take(), "draft, page dogs") << "and draft once";
  const Strings lines = log.lines();
  const auto place = [&](const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) - lines.begin();
  };
  EXPECT_LT(place("plan_revised"), place("item_started pages/dogs"));
  EXPECT_LT(place("item_started pages/dogs"), place("stage_started draft"));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "skipped facts"), 1)
      << "each thing is told once";
  EXPECT_EQ(report.stage("facts").outcome, StageOutcome::skipped);
  EXPECT_EQ(report.stage("pages").items_run, 1U);
  EXPECT_EQ(report.stage("pages").items_skipped, 2U);
}

TEST_F(Damaged, StrictStopsWhereItIsFound) {
  const fs::path where = fresh();
  flip(record(where, "pages/dogs.1.ckpt"),
       read_file(record(where, "pages/dogs.1.ckpt")).size() - 1);
  const std::string bytes = read_file(record(where, "pages/dogs.1.ckpt"));
  FileStore store{where};
  Program program;
  const Report report =
      program.run(store, {.run = "", .redo = {"draft"}, .on_damage = OnDamage::refuse});
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_EQ(code_of(report), Errc::damaged);
  EXPECT_EQ(program.calls.take(), "");
  EXPECT_EQ(read_file(record(where, "pages/dogs.1.ckpt")), bytes);
}

TEST_F(Damaged, APreviousGenerationThatFitsIsUsed) {
  const fs::path where = fresh();
  FileStore store{where};
  Program program;
  // Two generations of the facts with the same inputs.
  ASSERT_TRUE(program.run(store, {.run = "", .redo = {"facts"}}));
  fs::remove_all(record(where, "@request"));
  program.calls.take();
  fs::resize_file(record(where, "facts.2.ckpt"), 100);
  const Plan plan = program.plan(store);
  EXPECT_EQ(plan["facts"].action, Action::skip);
  EXPECT_EQ(plan["facts"].causes.front().reason, Reason::fell_back);
  EXPECT_EQ(plan["facts"].causes.front().after, "1");
  EXPECT_THAT(plan["facts"].causes.front().file, HasSubstr("facts.2.ckpt"));
  Log log;
  const Report report = program.run(store, {.run = "", .observers = {&log}});
  EXPECT_TRUE(report);
  EXPECT_EQ(log.lines(EventKind::fell_back), Strings{"fell_back facts"});
  EXPECT_EQ(program.calls.take(), "");
  EXPECT_EQ(report[*program.draft].text, text);
}

TEST_F(Damaged, APreviousGenerationThatDoesNotFitIsNotUsed) {
  TempFolder other;
  FileStore store{other / "store"};
  const auto once = [&](const std::string& topic) {
    Calls calls;
    Pipeline memo{"memo"};
    const auto given = memo.input("topic", topic);
    const auto draft = memo.stage("draft", inputs(given), [&](const std::string& t) {
      calls("draft");
      return t + "!";
    });
    const Report report = resume(memo, store, {.run = "r"});
    return calls.take() + report[draft];
  };
  once("cats");
  EXPECT_EQ(once("dogs"), "draftdogs!");
  fs::resize_file(other / "store/r/.resumable/checkpoints/draft.2.ckpt", 100);
  EXPECT_EQ(once("dogs"), "draftdogs!") << "generation 1 is of cats";
  EXPECT_EQ(once("dogs"), "dogs!");
}

TEST_F(Damaged, AnInputThatIsOnlyRecordedIsNotReplacedByAnEarlierValue) {
  TempFolder other;
  FileStore store{other / "store"};
  const auto once = [&](std::optional<std::string> topic) -> std::string {
    Pipeline memo{"memo"};
    const auto given = topic ? memo.input("topic", *topic) : memo.input<std::string>("topic");
    const auto draft = memo.stage("draft", inputs(given), [&](const std::string& t) { return t; });
    const Report report = resume(memo, store, {.run = "r"});
    return report ? report[draft] : report.error()->what();
  };
  once("cats");
  once("dogs");
  fs::resize_file(other / "store/r/.resumable/checkpoints/@input/topic.4.ckpt", 100);
  EXPECT_EQ(once(std::nullopt), "dogs") << "each value is there twice";
  const auto newest = [&](int generation) {
    return other /
           ("store/r/.resumable/checkpoints/@input/topic." + std::to_string(generation) + ".ckpt");
  };
  ASSERT_TRUE(fs::exists(newest(6)) && fs::exists(newest(5)));
  fs::resize_file(newest(5), 100);
  fs::resize_file(newest(6), 100);
  EXPECT_THAT(once(std::nullopt), HasSubstr("the record of its value is damaged: give it again"));
  EXPECT_EQ(once("dogs"), "dogs");
  EXPECT_EQ(once(std::nullopt), "dogs");
}

TEST_F(Damaged, ARecordInAnothersPlaceIsFound) {
  const auto good = folder / "good";
  {  // another run of the same pipeline
    FileStore store{folder / "other"};
    Program program;
    ASSERT_TRUE(program.run(store));
  }
  const auto from = [&](const fs::path& root, const std::string& name) {
    return read_file(record(root, name));
  };
  struct Swap {
    std::string bytes;
    std::string place;
  };
  const std::vector<Swap> swaps{
      {from(folder / "other", "facts.1.ckpt"), "facts.1.ckpt"},  // another run
      {from(folder / "other", "@run.1.ckpt"), "@run.1.ckpt"},    // which says who it is
      {from(folder / "other", "@items/pages.1.ckpt"), "@items/pages.1.ckpt"},
      {from(good, "index.1.ckpt"), "facts.1.ckpt"},            // another stage
      {from(good, "pages/owls.1.ckpt"), "pages/dogs.1.ckpt"},  // another item
      {from(good, "draft.1.ckpt"), "draft.3.ckpt"},            // another generation
      {from(good, "facts.1.ckpt"), "pages/dogs.1.ckpt"},
      {from(good, "@input/topic.1.ckpt"), "facts.1.ckpt"},
  };
  for (const Swap& swap : swaps) {
    SCOPED_TRACE(swap.place);
    const fs::path where = fresh();
    write_file(record(where, swap.place), swap.bytes);
    FileStore store{where};
    Program program;
    EXPECT_THAT(program.plan(store).text(true), HasSubstr(swap.place)) << "its head shows it";
    const Report report = program.run(store);
    ASSERT_TRUE(report) << report.error()->explain();
    EXPECT_EQ(report[*program.draft].text, text);
    EXPECT_EQ(read_file(where / "r/.resumable/quarantine" / swap.place), swap.bytes);
    const std::string calls = program.calls.take();
    EXPECT_TRUE(calls.empty() || calls == "facts" || calls == "page dogs") << calls;
  }
}

TEST_F(Damaged, ARecordInAnothersPlaceIsFoundOnEveryStore) {
  // A store that keeps no places in its records: the library's tags have them.
  for (const std::string path : {"facts", "pages/dogs", "index", "@items/pages", "@run"}) {
    MemoryStore store;
    MemoryStore other;
    Program program;
    ASSERT_TRUE(program.run(store));
    ASSERT_TRUE(program.run(other));
    for (const auto& [from, id] :
         {std::pair<const CheckpointStore*, RecordId>{&store, {"pages/owls", 1}},
          {&store, {path, 1}},
          {&other, {path, 1}}}) {
      SCOPED_TRACE(path);
      const StoredRecord record = from->get("r", id).value();
      std::uint64_t next = 0;
      store.scan("r", {}, [&](const RecordHead& found) {
        if (found.id.path == path) next = found.id.generation + 1;
        return true;
      });
      put_record(store, "r", {path, next}, record.tag, record.header, read_all(*record.payload));
      program.calls.take();
      Log log;
      const Report report = program.run(store, {.run = "", .observers = {&log}});
      ASSERT_TRUE(report) << report.error()->explain();
      EXPECT_EQ(log.lines(EventKind::quarantined).size(), 1U);
      EXPECT_EQ(report[*program.draft].text, text);
      EXPECT_EQ(program.calls.take(), "") << "the one before is whole and fits";
    }
  }
}

TEST_F(Damaged, WhatCannotBeReadIsNotAbsent) {
  const fs::path where = fresh();
  const auto before = snapshot(where);
  const auto posix = sys::posix_file_system();
  Program program;
  for (const auto& [op, code] : {std::pair{Op::open, std::errc::permission_denied},
                                 {Op::open, std::errc::io_error},
                                 {Op::list, std::errc::permission_denied},
                                 {Op::read, std::errc::io_error},
                                 {Op::stat, std::errc::io_error}}) {
    // Each call of the kind fails, until a plan comes through without a hit.
    for (std::uint64_t at = 1;; ++at) {
      SCOPED_TRACE(std::string{to_string(op)} + " " + std::to_string(at));
      ASSERT_LT(at, 500U);
      FaultyFileSystem files{*posix};
      FileStore store{where, {.files = &files}};
      const record::TestEnvironment environment{{.file_system = &files}};
      files.fail(Fault{.ops = {op}, .at = at, .error = code});
      std::optional<Plan> plan;
      const auto thrown = code_of([&] { plan = program.plan(store, {.run = ""}); });
      if (!files.struck()) break;
      EXPECT_TRUE(thrown == Errc::unreadable || (plan && (plan->refused() || plan->complete())))
          << (plan ? plan->text(true) : "");
      files.fail(Fault{.ops = {op}, .at = at, .error = code, .sticky = true});
      const Report report = program.run(store, {.run = ""});
      ASSERT_NE(report.error(), nullptr);
      const bool at_the_lease = code_of(report) == Errc::store_failed;  // one open less before it
      EXPECT_EQ(report.exit_code(), at_the_lease ? 1 : 3) << report.error()->explain();
      EXPECT_EQ(program.calls.take(), "");
      ASSERT_EQ(changes(before, snapshot(where)), "");
    }
  }
  FileStore store{where};
  EXPECT_TRUE(program.run(store)) << "the cause is fixed";
  EXPECT_EQ(program.calls.take(), "");
}

/// A payload that a plain resume of the finished run does not read.
class DamagedLate : public Damaged {
 protected:
  DamagedLate() : where(fresh()), store(where) {
    const fs::path file = record(where, "draft.2.ckpt");
    flip(file, read_file(file).size() - 1);
  }
  [[nodiscard]] bool is_set_aside() const {
    return fs::exists(where / "r/.resumable/quarantine/draft.2.ckpt");
  }
  fs::path where;
  FileStore store;
  Program program;
};

// Another process knows only what is in the store.
Report run_elsewhere(const fs::path& where, Program& program, ResumeOptions how = {}) {
  const fs::path moved = where.string() + "-moved";
  fs::remove_all(moved);
  fs::copy(where, moved, fs::copy_options::recursive);
  static std::optional<FileStore> store;
  store.emplace(moved);
  return program.run(*store, std::move(how));
}

TEST_F(DamagedLate, FoundByAReportIsMadeAgainByTheNextResume) {
  {
    const Report report = program.run(store);
    ASSERT_TRUE(report) << "nothing had to read it";
    const std::string said = explained([&] { static_cast<void>(report[*program.draft]); });
    EXPECT_THAT(said, HasSubstr("next  resume again: it is set aside and its stage runs again"));
  }
  EXPECT_FALSE(is_set_aside());
  const Plan plan = program.plan(store);
  EXPECT_EQ(outline(plan).substr(outline(plan).rfind("draft")), "draft run requested fell_back");
  EXPECT_EQ(run_elsewhere(where, program, {.on_damage = OnDamage::refuse}).exit_code(), 3);
  EXPECT_EQ(program.calls.take(), "");
  const Report again = run_elsewhere(where, program);
  ASSERT_TRUE(again) << again.error()->explain();
  EXPECT_EQ(again[*program.draft].text, text);
  EXPECT_EQ(program.calls.take(), "draft");
}

TEST_F(DamagedLate, WithOthersAllAreMadeAgainByTheNextResume) {
  for (const char* item : {"cats", "dogs", "owls"}) {
    const fs::path file = record(where, "pages/"s + item + ".1.ckpt");
    flip(file, read_file(file).size() - 1);
  }
  {
    const Report report = program.run(store);
    ASSERT_TRUE(report) << "nothing had to read them";
    const std::string said = explained([&] { static_cast<void>(report[*program.draft]); });
    EXPECT_THAT(said, HasSubstr("'draft' and 3 more are damaged"));
    EXPECT_THAT(said, HasSubstr("next  resume again: they are set aside and made again"));
  }
  const Report again = run_elsewhere(where, program);
  ASSERT_TRUE(again) << again.error()->explain();
  EXPECT_EQ(again[*program.draft].text, text);
  EXPECT_THAT(program.calls.take(), HasSubstr("page cats"));
}

TEST_F(DamagedLate, FoundByAStrictReportIsRefusedUntilDamageMayBeSetAside) {
  const Report report = program.run(store, {.on_damage = OnDamage::refuse});
  const std::string said = explained([&] { static_cast<void>(report[*program.draft]); });
  EXPECT_THAT(said, HasSubstr("its stage runs again (without OnDamage::refuse)"));
  const Report strict = run_elsewhere(where, program, {.on_damage = OnDamage::refuse});
  EXPECT_EQ(code_of(strict), Errc::damaged);
  const Report again = run_elsewhere(where, program);
  EXPECT_EQ(again[*program.draft].text, text);
}

TEST_F(DamagedLate, FoundBesideAnotherOwnerNamesTheOptionThatFindsItAgain) {
  const Report report = program.run(store);
  const auto owner = store.lease("r");
  const std::string said = explained([&] { static_cast<void>(report[*program.draft]); });
  EXPECT_THAT(said, HasSubstr("its stage runs again (ResumeOptions::verify_payloads)"));
  const Report again = run_elsewhere(where, program, {.verify_payloads = true});
  EXPECT_EQ(again[*program.draft].text, text);
}

TEST_F(DamagedLate, FoundByRecordsIsMadeAgainByTheNextResumeOfThisProcess) {
  fs::remove(record(where, "draft.1.ckpt"));
  const std::string said = explained([&] {
    static_cast<void>(Records{store, "r"}.stage<Text>("draft"));
  });
  EXPECT_THAT(said, HasSubstr("made again (ResumeOptions::verify_payloads)"));
  const Report elsewhere = run_elsewhere(where, program, {.verify_payloads = true});
  EXPECT_EQ(elsewhere[*program.draft].text, text);
  const Report report = program.run(store);
  EXPECT_EQ(report[*program.draft].text, text);
  EXPECT_TRUE(is_set_aside());
}

TEST_F(DamagedLate, FoundByADeepPlanIsMadeAgainByTheNextResumeOfThisProcess) {
  const Plan deep = program.plan(store, {.verify_payloads = true});
  EXPECT_EQ(deep["draft"].action, Action::run);
  EXPECT_EQ(program.run(store, {.on_damage = OnDamage::refuse}).exit_code(), 3);
  const Report report = program.run(store);
  EXPECT_EQ(report[*program.draft].text, text);
  EXPECT_TRUE(is_set_aside());
  program.calls.take();
  EXPECT_TRUE(program.run(store));
  EXPECT_EQ(program.calls.take(), "");
}

}  // namespace
}  // namespace resumable::test
