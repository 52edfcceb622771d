// The records of a run, looked at without its pipeline.
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

struct SavedTurn {
  int number = 0;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(SavedTurn, number)
};

struct SavedDeck {
  std::vector<int> slides;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(SavedDeck, slides)
};
struct SavedPackedDeck : SavedDeck {};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SavedPackedDeck, slides)
struct SavedLaterDeck : SavedDeck {};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SavedLaterDeck, slides)

}  // namespace
}  // namespace resumable::test

template <>
struct resumable::Codec<resumable::test::SavedPackedDeck>
    : resumable::CborCodec<resumable::test::SavedPackedDeck> {};
template <>
struct resumable::Schema<resumable::test::SavedLaterDeck> {
  static constexpr std::string_view name = "deck";
  static void rename(Json& doc) { doc["slides"] = doc.at("pages"); }
  static constexpr Migrations migrations{rename};
};

namespace resumable::test {
namespace {

/// An input, a stage, a fan-out, and a stage that keeps its history.
struct SavedTalk {
  explicit SavedTalk(std::string topic, bool ends = true) {
    const auto words = pipeline.input("topic", std::move(topic));
    const auto parts = pipeline.stage("parts", inputs(words), [](const std::string& text) {
      return Strings{text + "/A", text + " b"};
    });
    pipeline.stage("page", inputs(each(parts, [](const std::string& part) { return part; })),
                   [](const std::string& part) { return Text{"page of " + part}; });
    pipeline.stage("talk", inputs(words), [ends](Context& ctx, const std::string&) {
      auto turns = ctx.history<SavedTurn>({.keep = true});
      while (turns.size() < 12) turns.push_back({static_cast<int>(turns.size()) + 1});
      if (!ends) throw std::runtime_error("the line is dead");
      return turns.back().number;
    });
  }
  Pipeline pipeline{"talk"};
};

fs::path newest_file(const fs::path& store, const std::string& name) {
  std::optional<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(store)) {
    const bool is_one = entry.path().filename().string().starts_with(name + ".");
    if (is_one && (!found || *found < entry.path())) found = entry.path();
  }
  return found.value();
}

void damage(const fs::path& file) {
  std::string bytes = read_file(file);
  bytes.at(bytes.size() - 2) ^= 1;
  write_file(file, bytes);
}

TEST(RecordsOfARun, GiveInputsStagesAndItemsByName) {
  MemoryStore store;
  const auto begin =
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  ASSERT_TRUE(resume(SavedTalk{"cats"}.pipeline, store, {.run = "r"}));
  const Records records{store, "r"};
  EXPECT_EQ(records.pipeline(), "talk");
  EXPECT_EQ(records.input<std::string>("topic")->value, "cats");
  EXPECT_THAT(records.stage<Strings>("parts")->value, ElementsAre("cats/A", "cats b"));
  EXPECT_THAT(records.items("page"), UnorderedElementsAre("cats/A", "cats b"));
  EXPECT_EQ(records.item<Text>("page", "cats/A")->value.text, "page of cats/A");
  EXPECT_GE(records.stage<int>("talk")->at, begin);
  EXPECT_LE(records.stage<int>("talk")->at, std::chrono::system_clock::now());
  EXPECT_EQ(records.stage<nlohmann::json>("talk")->value, 12);
}

TEST(RecordsOfARun, GiveAPartOfAValueByItsPointer) {
  MemoryStore store;
  ASSERT_TRUE(resume(SavedTalk{"cats"}.pipeline, store, {.run = "r"}));
  const Records records{store, "r"};
  EXPECT_EQ(records.stage<std::string>("parts", "/1")->value, "cats b");
  EXPECT_EQ(records.stage<std::string>("parts", "/1")->at, records.stage<Strings>("parts")->at);
  EXPECT_EQ(records.last_entry<int>("talk", "history", "", "/number")->value, 12);
  EXPECT_EQ(records.input<std::string>("topic", "")->value, "cats");
  EXPECT_FALSE(records.stage<std::string>("parts", "/2"));
  EXPECT_FALSE(records.input<std::string>("topic", "/0"));
  EXPECT_EQ(code_of([&] { static_cast<void>(records.stage<int>("parts", "/1")); }),
            Errc::not_decodable);
  EXPECT_EQ(code_of([&] { static_cast<void>(records.stage<std::string>("parts", "1")); }),
            Errc::bad_option);
  // A text has no parts, and no part of a document is a text with a codec of its own.
  EXPECT_EQ(code_of([&] { static_cast<void>(records.item<std::string>("page", "cats/A", "/0")); }),
            Errc::not_decodable);
  EXPECT_EQ(code_of([&] { static_cast<void>(records.stage<Text>("parts", "/0")); }),
            Errc::not_decodable);
}

TEST(RecordsOfARun, GiveAPartOfAPackedValue) {
  MemoryStore store;
  Pipeline pipeline{"packed"};
  pipeline.stage("deck", [] { return SavedPackedDeck{{{3, 4}}}; });
  ASSERT_TRUE(resume(pipeline, store, {.run = "r"}));
  EXPECT_EQ(Records(store, "r").stage<int>("deck", "/slides/1")->value, 4);
}

TEST(RecordsOfARun, OfALaterSchemaHaveTheirPartsAsTheyWereSaved) {
  MemoryStore store;
  Pipeline pipeline{"later"};
  pipeline.stage("deck", [] { return SavedLaterDeck{{{3, 4}}}; });
  ASSERT_TRUE(resume(pipeline, store, {.run = "r"}));
  const Records records{store, "r"};
  EXPECT_EQ(code_of([&] { static_cast<void>(records.stage<Json>("deck")); }), Errc::newer);
  EXPECT_EQ(records.stage<int>("deck", "/slides/0")->value, 3);
}

TEST(RecordsOfARun, GiveNothingWhereNothingIs) {
  MemoryStore store;
  const Records none{store, "r"};
  EXPECT_EQ(none.pipeline(), "");
  EXPECT_FALSE(none.input<std::string>("topic"));
  EXPECT_FALSE(none.last_entry<SavedTurn>("talk"));
  EXPECT_THAT(none.items("page"), IsEmpty());
  ASSERT_TRUE(resume(SavedTalk{"cats"}.pipeline, store, {.run = "r"}));
  const Records records{store, "r"};
  EXPECT_FALSE(records.input<std::string>("parts"));
  EXPECT_FALSE(records.stage<std::string>("topic"));
  EXPECT_FALSE(records.item<Text>("page", "dogs"));
  EXPECT_EQ(code_of([&] { Records{store, ".hidden"}; }), Errc::bad_name);
}

TEST(RecordsOfARun, GiveTheLastEntryOfAHistoryWhoseStageHasNoValueYet) {
  MemoryStore store;
  ASSERT_FALSE(resume(SavedTalk("cats", false).pipeline, store, {.run = "r"}));
  const Records records{store, "r"};
  EXPECT_FALSE(records.stage<int>("talk"));
  EXPECT_EQ(records.last_entry<SavedTurn>("talk")->value.number, 12);
  EXPECT_FALSE(records.last_entry<SavedTurn>("talk", "other"));
}

TEST(RecordsOfARun, AreThoseOfTheMomentTheyWereLookedAt) {
  MemoryStore store;
  ASSERT_TRUE(resume(SavedTalk{"cats"}.pipeline, store, {.run = "r"}));
  const Records before{store, "r"};
  ASSERT_TRUE(resume(SavedTalk{"dogs"}.pipeline, store, {.run = "r"}));
  EXPECT_EQ(Records(store, "r").input<std::string>("topic")->value, "dogs");
  EXPECT_THAT(before.items("page"), UnorderedElementsAre("cats/A", "cats b"));
}

TEST(RecordsOfARun, ThatAreNoSuchValueAreRefusedByName) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_TRUE(resume(SavedTalk{"cats"}.pipeline, store, {.run = "r"}));
  const Records records{store, "r"};
  try {
    static_cast<void>(records.stage<int>("parts"));
    FAIL() << "a list is no number";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::not_decodable);
    EXPECT_THAT(error.explain(), HasSubstr("'parts': "));
    EXPECT_THAT(error.explain(), HasSubstr("checkpoints/parts.1.ckpt"));
  }
  EXPECT_EQ(code_of([&] { static_cast<void>(records.stage<Text>("parts")); }), Errc::not_decodable);
}

TEST(RecordsOfARun, FallBackToTheOneBeforeADamagedOneAndElseSayWhichFileItIs) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  for (const char* topic : {"cats", "dogs"}) {
    ASSERT_TRUE(resume(SavedTalk{topic}.pipeline, store, {.run = "r"}));
  }
  const fs::path checkpoints = folder / "store/r/.resumable/checkpoints";
  damage(newest_file(checkpoints, "parts"));
  EXPECT_THAT(Records(store, "r").stage<Strings>("parts")->value, ElementsAre("cats/A", "cats b"));
  const fs::path last = newest_file(checkpoints / "@history/talk/history", "0000000011");
  damage(last);
  EXPECT_EQ(Records(store, "r").last_entry<SavedTurn>("talk")->value.number, 11);

  damage(checkpoints / "parts.1.ckpt");
  try {
    static_cast<void>(Records(store, "r").stage<Strings>("parts"));
    FAIL() << "nothing of it is whole";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::damaged);
    EXPECT_THAT(error.explain(), HasSubstr("the record 'parts' of run 'r' is damaged"));
    EXPECT_THAT(error.explain(), HasSubstr("checkpoints/parts."));
  }
}

TEST(RecordsOfARun, CanBeLookedAtBesideTheProcessThatMakesMore) {
  const TempFolder folder;
  ChildProcess owner{[&] {
    FileStore store{folder / "store"};
    for (int i = 0;; ++i) {
      static_cast<void>(resume(SavedTalk{std::to_string(i)}.pipeline, store, {.run = "r"}));
    }
    return 0;
  }};
  const FileStore store{folder / "store"};
  for (int looks = 0; looks < 50;) {
    const Records records{store, "r"};
    const auto topic = records.input<std::string>("topic");
    const auto parts = records.stage<Strings>("parts");
    if (parts) {
      EXPECT_THAT(parts->value.at(0), ::testing::MatchesRegex("[0-9]+/A"));
    }
    looks += topic && parts ? 1 : 0;
  }
}

}  // namespace
}  // namespace resumable::test
