// Damage is named, and the advice that is printed works as it is typed.
#include "inspector/inspected.hpp"

namespace resumable::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Damaged : public Inspected {
 protected:
  void SetUp() override { ASSERT_EQ(run("my run", greeting("Fernstone")), Outcome::done); }

  /// The words of the command that a line `next` advises.
  static Words advised(const std::string& text) {
    const std::string before = "  next  resumable ";
    const std::size_t at = text.find(before);
    if (at == text.npos) return {};
    std::string line = text.substr(at + 8, text.find("   ", at + before.size()) - at - 8);
    Words words;
    std::string word;
    bool quoted = false;
    for (const char c : line + " ") {
      if (c == '\'') {
        quoted = !quoted;
      } else if (c == ' ' && !quoted) {
        words.push_back(std::move(word));
        word.clear();
      } else {
        word += c;
      }
    }
    return words;
  }
};

TEST_F(Damaged, OneFlippedByteIsFoundNamedAndRepairedByTheAdviceAsTyped) {
  EXPECT_EQ(inspect({"verify"}).code, 0);
  const auto file = record_file("my run", "note.1");
  flip_last_byte(file);
  const auto before = snapshot(folder_.path());
  const Said said = inspect({"verify", "my run"});
  EXPECT_EQ(said.code, 3);
  EXPECT_EQ(snapshot(folder_.path()), before);
  EXPECT_THAT(said.out, HasSubstr("the record 'note', generation 1"));
  EXPECT_THAT(said.out, HasSubstr("file  " + file.string()));
  EXPECT_THAT(said.out, HasSubstr("1 damaged"));

  const Words words = advised(said.out);
  ASSERT_FALSE(words.empty()) << said.out;
  const Said repaired = inspect_as_typed(words);
  EXPECT_EQ(repaired.code, 0) << repaired.out << repaired.err;
  EXPECT_EQ(inspect({"verify", "my run"}).code, 0);
  EXPECT_EQ(run("my run", greeting("Fernstone")), Outcome::done);
  EXPECT_EQ(inspect({"show", "my run", "note", "--raw"}).out, "Fernstone\nwrites 2 letters\n");
}

TEST_F(Damaged, AKeptEarlierGenerationIsReadToo) {
  ASSERT_EQ(run("my run", greeting("Other")), Outcome::done);
  flip_last_byte(record_file("my run", "note.1"));
  const Said said = inspect({"verify"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.out, HasSubstr("a newer generation is whole"));
  EXPECT_EQ(inspect({"status", "my run"}).code, 0);
}

TEST_F(Damaged, EveryFileOfARunIsReadByVerify) {
  const auto below = folder_ / "my%20run/.resumable/checkpoints";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(below)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  ASSERT_GT(files.size(), 5U);
  for (const auto& file : files) {
    const std::string bytes = read_file(file);
    flip_last_byte(file);
    EXPECT_EQ(inspect({"verify"}).code, 3) << file;
    write_file(file, bytes);
  }
  EXPECT_EQ(inspect({"verify"}).code, 0);
}

TEST_F(Damaged, AnEditedArtifactIsANoteAndNoDamage) {
  write_file(folder_ / "my%20run/note.txt", "mine\n");
  std::filesystem::remove(folder_ / "my%20run/letters/ann.json");
  const Said said = inspect({"verify"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.err, HasSubstr("1 artifact differs from what was exported: note.txt"));
  EXPECT_THAT(said.err, HasSubstr("letters/ann.json"));
}

TEST_F(Damaged, AStoreThatIsDamagedCanStillBeLookedAt) {
  for (const char* name : {"note.1", "count.1", "@run.1"}) {
    write_file(record_file("my run", name), "nonsense");
  }
  for (const Words& words : {Words{"list"}, Words{"status"}, Words{"show", "my run"},
                             Words{"show", "my run", "--all"}}) {
    EXPECT_EQ(inspect(words).code, 0) << words.front() << inspect(words).err;
  }
  const Said note = inspect({"show", "my run", "note"});
  EXPECT_EQ(note.code, 3);
  EXPECT_THAT(note.err, HasSubstr("next  resumable verify 'my run'"));
  EXPECT_EQ(inspect({"verify"}).code, 3);
}

// ---- commands that write -----------------------------------------------------------------------

TEST_F(Damaged, RemoveAsksOrNeedsAYes) {
  const auto before = snapshot(folder_.path());
  const Said asked = inspect({"remove", "my run"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_THAT(asked.err, HasSubstr("next  resumable remove 'my run' --yes"));
  EXPECT_THAT(inspect({"remove", "my run", "--dry-run"}).out, HasSubstr("would remove run my run"));
  EXPECT_EQ(snapshot(folder_.path()), before);
  EXPECT_EQ(inspect({"remove"}).code, 2) << "the only run is not removed unnamed";
  EXPECT_EQ(inspect({"remove", "my run", "--yes"}).code, 0);
  EXPECT_FALSE(run_state(store(), "my run").has_value());
  EXPECT_EQ(read_file(folder_ / "my%20run/note.txt"), "Fernstone\nwrites 2 letters\n");
}

TEST_F(Damaged, RollBackShowsFirstThenTakesAnEarlierValueBack) {
  ASSERT_EQ(run("my run", greeting("Other")), Outcome::done);
  const auto before = snapshot(folder_.path());
  EXPECT_THAT(inspect({"rollback", "my run", "note", "--generation", "1", "--dry-run"}).out,
              HasSubstr("would restore generation 1 of note (the current one is 2)"));
  EXPECT_EQ(snapshot(folder_.path()), before);
  EXPECT_EQ(inspect({"rollback", "my run", "note", "--generation", "1"}).code, 0);
  EXPECT_EQ(inspect({"show", "my run", "note", "--raw"}).out, "Fernstone\nwrites 2 letters\n");
}

TEST_F(Damaged, ExportAndImportCallWhatTheHostLinks) {
  const Said none = inspect({"export", "my run", "x.tar"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("resumable is built without runs as files"));
  std::string called;
  options.export_bundle = [&](const CheckpointStore&, std::string_view run,
                              const std::filesystem::path& file, const CopyOptions&) {
    called = std::string{run} + " to " + file.string();
    return CopyResult{.records = 3};
  };
  options.import_bundle = [&](const std::filesystem::path& file, CheckpointStore&,
                              std::string_view id, const CopyOptions&) {
    called = file.string() + " as " + std::string{id};
    return CopyResult{};
  };
  EXPECT_THAT(inspect({"export", "latest", "x.tar"}).out, HasSubstr("x.tar: 3 records"));
  EXPECT_EQ(called, "my run to x.tar");
  EXPECT_EQ(inspect({"import", "x.tar", "again"}).code, 0);
  EXPECT_EQ(called, "x.tar as again");
}

TEST_F(Damaged, AdviceIsOneCommandThatCanBePasted) {
  for (const Words& words :
       {Words{"remove", "my run"}, Words{"show", "my run", "nothing"}, Words{"status", "no run"}}) {
    const Said said = inspect(words);
    EXPECT_EQ(said.code, 2);
    const std::size_t next = said.err.find("  next  resumable ");
    ASSERT_NE(next, said.err.npos) << said.err;
    EXPECT_THAT(said.err.substr(next), Not(HasSubstr(";"))) << said.err;
  }
}

TEST_F(Damaged, MigrateMakesAVerifiedBackupAndLeavesTheOnlyLayoutAsItIs) {
  const auto before = snapshot(folder_ / "my%20run");
  const std::string backup = (folder_.path().string() + "-backup");
  const Said said = inspect({"migrate", "--backup", backup});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("backed up 1 run "));
  EXPECT_THAT(said.out, HasSubstr("all have the newest layout, and nothing was migrated"));
  EXPECT_EQ(snapshot(folder_ / "my%20run"), before);
  FileStore copy{backup};
  EXPECT_TRUE(verify_run(copy, "my run").ok());
  EXPECT_EQ(verify_run(copy, "my run").records, verify_run(store(), "my run").records);
  std::filesystem::remove_all(backup);
}

TEST_F(Damaged, MigrateRefusesAStoreOfANewerProgram) {
  const auto refused = [&] {
    const auto before = snapshot(folder_.path());
    const Said said = inspect({"migrate"});
    EXPECT_EQ(said.code, 3);
    EXPECT_THAT(said.err, HasSubstr("use a newer program"));
    EXPECT_EQ(snapshot(folder_.path()), before);
    return said.err;
  };
  const std::string frame = "resumable-2 whatever comes then ";
  write_file(record_file("my run", "note.1"), frame + digest(frame).hex().substr(0, 16) + "\n");
  EXPECT_THAT(refused(), HasSubstr("has a record of a newer format"));
  write_file(folder_ / ".resumable/store.json", R"({"layout":2})");
  EXPECT_THAT(refused(), HasSubstr("has a newer layout"));
}

TEST_F(Damaged, GcRemovesWhatWasSetAsideOnlyWhenAskedToAndByAge) {
  flip_last_byte(record_file("my run", "note.1"));
  ASSERT_EQ(inspect({"verify", "--set-aside"}).code, 0);
  ASSERT_EQ(run("my run", greeting("Fernstone")), Outcome::done);
  const auto kept = [&] {
    std::size_t files = 0;
    const auto folder = folder_ / "my%20run/.resumable/quarantine";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      files += entry.is_regular_file() ? 1U : 0U;
    }
    return files;
  };
  const auto before = kept();
  ASSERT_GT(before, 0U);
  EXPECT_THAT(inspect({"gc", "--yes"}).out,
              AllOf(HasSubstr("set aside earlier"), HasSubstr("nothing to remove")));
  EXPECT_THAT(inspect({"verify", "my run"}).out, HasSubstr("set aside earlier ("));
  EXPECT_THAT(inspect({"status", "my run"}).out, HasSubstr("set aside, "));
  EXPECT_THAT(inspect({"list"}).err, HasSubstr("set aside ("));
  EXPECT_EQ(inspect({"gc", "--yes", "--set-aside-older-than", "1h"}).code, 0);
  EXPECT_EQ(kept(), before) << "younger than an hour";
  EXPECT_EQ(inspect({"gc", "--set-aside-older-than", "0s"}).code, 2) << "asks first";
  const Said dry = inspect({"gc", "--dry-run", "--set-aside-older-than", "0s"});
  EXPECT_THAT(dry.out, HasSubstr("would remove"));
  EXPECT_EQ(kept(), before);
  const Said done = inspect({"gc", "--yes", "--set-aside-older-than", "0s"});
  EXPECT_THAT(done.out, HasSubstr("the disk got back"));
  EXPECT_EQ(kept(), 0U) << done.out << done.err;
  EXPECT_THAT(inspect({"gc"}).out, Not(HasSubstr("set aside")));
}

TEST_F(Damaged, ForkAndMergeAndTagAreWired) {
  EXPECT_EQ(inspect({"tag", "my run", "good"}).code, 0);
  EXPECT_THAT(inspect({"tag", "my run"}).out, HasSubstr("good"));
  EXPECT_EQ(inspect({"fork", "my run", "second", "--from", "count"}).code, 0);
  EXPECT_THAT(inspect({"status", "second"}).out, HasSubstr("2 of 4 stages done"));
  EXPECT_EQ(inspect({"merge", "my run", "second"}).code, 0);
  EXPECT_THAT(inspect({"status", "second"}).out, HasSubstr("4 of 4 stages done"));
  EXPECT_EQ(inspect({"tag", "my run", "good", "--remove"}).code, 0);
  EXPECT_EQ(inspect({"copy", "--all", "--to", (folder_ / "backup").string()}).code, 0);
  EXPECT_EQ(FileStore{folder_ / "backup"}.url().empty(), false);
}

}  // namespace
}  // namespace resumable::test
