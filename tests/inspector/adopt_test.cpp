// Folders that never had checkpoints: the inspector says whose they are and what to type.
#include "inspector/inspected.hpp"
#include "support/schema.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Adopting : public Inspected {
 protected:
  void SetUp() override {
    ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
    std::filesystem::create_directories(folder_ / "old/letters");
    for (const char* name : {"letters/ann.json", "letters/bob.json", "note.txt", "mine.doc"}) {
      write_file(folder_ / "old" / name, name);
    }
  }
};

TEST_F(Adopting, NamesTheFolderTheStagesAndWhatToType) {
  const auto before = snapshot(folder_.path());
  const Said said = inspect({"adopt"});
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_THAT(said.out, HasSubstr((folder_ / "old").string() + "  4 files and no checkpoints\n"));
  EXPECT_THAT(said.out, HasSubstr("  2 files  as stage 'words' of pipeline 'greet' writes\n"));
  EXPECT_THAT(said.out, HasSubstr("  1 file  as stage 'note' of pipeline 'greet' writes\n"));
  EXPECT_THAT(said.out, HasSubstr("  1 file  of no stage that is recorded in this store\n"));
  EXPECT_THAT(said.out, HasSubstr("  next  greet plan --adopt "));
  EXPECT_THAT(said.out, HasSubstr("nothing was adopted"));
  EXPECT_EQ(inspect({"adopt", "old"}).out, said.out);
  EXPECT_EQ(snapshot(folder_.path()), before);
  const Said json = inspect({"adopt", "--json"});
  EXPECT_EQ(misfit(schema_of("adopt"), json.json()), "");
  EXPECT_EQ(json.json().at("folders").at(0).at("stages"),
            (Json{{{"stage", "note"}, {"files", 1}}, {{"stage", "words"}, {"files", 2}}}));
}

TEST_F(Adopting, NamesWhatNoProgramAdopts) {
  std::filesystem::create_symlink("note.txt", folder_ / "old/alias.txt");
  std::filesystem::create_directory_symlink("letters", folder_ / "old/mail");
  const Said said = inspect({"adopt"});
  EXPECT_THAT(said.out, HasSubstr("  4 files and no checkpoints\n"));
  EXPECT_THAT(said.out, HasSubstr("  not read: 'alias.txt' is no file but a link"));
  EXPECT_THAT(said.out, HasSubstr("  not read: 'mail' is no file but a link"));
  const Said json = inspect({"adopt", "--json"});
  EXPECT_EQ(misfit(schema_of("adopt"), json.json()), "");
  EXPECT_EQ(json.json().at("folders").at(0).at("not_read"), (Json{"alias.txt", "mail"}));
}

TEST_F(Adopting, OnceItsProgramHasNothingIsLeftToSay) {
  for (const char* name : {"ann", "bob"}) {
    write_file(folder_ / "old/letters" / (std::string{name} + ".json"),
               R"({"from":"Fernstone","greeting":"Hello"})");
  }
  const Pipeline p = greeting("Fernstone");
  ASSERT_EQ(resume(p, store(), {.run = "old", .adopt = true}).outcome(), Outcome::done);
  EXPECT_EQ(read_file(folder_ / "old/note.txt"), "note.txt") << "it was adopted";
  const Said said = inspect({"adopt"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("there is nothing to adopt"));
  EXPECT_THAT(inspect({"adopt", "old"}).out, HasSubstr("run old has checkpoints"));
}

TEST_F(Adopting, OfAnotherNameNamesTheLikelyFolder) {
  const Said said = inspect({"adopt", "olt"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("has no folder 'olt' with files. Did you mean 'old'?"));
  EXPECT_THAT(said.err, HasSubstr("next  resumable adopt --store "));
}

TEST_F(Adopting, WithoutARecordedPipelineSaysThatThereIsNone) {
  ASSERT_EQ(inspect({"remove", "r", "--yes"}).code, 0);
  std::filesystem::remove_all(folder_ / "r");
  const Said said = inspect({"adopt"});
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_THAT(said.out, HasSubstr("4 files  of no stage that is recorded in this store"));
  EXPECT_THAT(said.out, HasSubstr("next  PROGRAM plan --adopt"));
}

TEST_F(Adopting, LeavesOutRunsHiddenFoldersEmptyOnesAndLinks) {
  std::filesystem::create_directories(folder_ / "empty/below");
  std::filesystem::create_directories(folder_ / ".hidden");
  write_file(folder_ / ".hidden/note.txt", "x");
  std::filesystem::create_directories(folder_ / "linked");
  std::filesystem::create_symlink(folder_ / "old/note.txt", folder_ / "linked/note.txt");
  const Json json = inspect({"adopt", "--json"}).json();
  ASSERT_EQ(json.at("folders").size(), 1U) << json.dump();
  EXPECT_EQ(json.at("folders").at(0).at("run"), "old");
}

TEST_F(Adopting, OfAStoreWithoutFilesForPeopleIsRefused) {
  MemoryStore memory;
  options.stores["own"] = [&](std::string_view, CreateStore) {
    return std::make_unique<Linked>(memory);
  };
  url = "own:x";
  const Said said = inspect({"adopt"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("keeps no files for people"));
  EXPECT_THAT(said.out, Not(HasSubstr("nothing to adopt")));
}

}  // namespace
}  // namespace resumable::test
