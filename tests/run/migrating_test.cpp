// Values of earlier and of later programs: migrated, or refused with every byte kept.
#include "run/run_support.hpp"

namespace resumable::test {

/// What three releases of a program call a Research.
struct Research1 {
  Strings hits;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research1, hits)
struct Research2 {
  Strings hits;
  Strings sources;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research2, hits, sources)
struct Research3 {
  Strings findings;
  Strings sources;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research3, findings, sources)
/// The third one that has dropped the first.
struct Research3Late : Research3 {};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research3Late, findings, sources)
/// As the first, and somebody has added a field without a version.
struct Careless1 {
  Strings hits;
  int depth = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Careless1, hits, depth)
/// Its migration leaves what is no Research2.
struct Broken2 : Research2 {};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Broken2, hits, sources)
/// Saved in a form of its own.
struct Coded {
  Strings hits;
};

}  // namespace resumable::test

template <>
struct resumable::Schema<resumable::test::Research1> {
  static constexpr std::string_view name = "research";
  static constexpr Migrations<0> migrations{};
};
struct ResearchSteps {
  static void add_sources(resumable::Json& doc) { doc["sources"] = resumable::Json::array(); }
  static void rename_hits(resumable::Json& doc) {
    doc["findings"] = doc.at("hits");
    doc.erase("hits");
  }
  static void nothing(resumable::Json&) {}
};
template <>
struct resumable::Schema<resumable::test::Research2> {
  static constexpr std::string_view name = "research";
  static constexpr Migrations migrations{ResearchSteps::add_sources};
};
template <>
struct resumable::Schema<resumable::test::Research3> {
  static constexpr std::string_view name = "research";
  static constexpr Migrations migrations{ResearchSteps::add_sources, ResearchSteps::rename_hits};
};
template <>
struct resumable::Schema<resumable::test::Research3Late> {
  static constexpr std::string_view name = "research";
  static constexpr Migrations migrations{oldest(2), ResearchSteps::rename_hits};
};
template <>
struct resumable::Schema<resumable::test::Broken2> {
  static constexpr std::string_view name = "research";
  static constexpr Migrations migrations{ResearchSteps::nothing};
};
template <>
struct resumable::Codec<resumable::test::Coded> {
  static constexpr CodecId id{64};
  static std::string encode(const test::Coded& coded) {
    std::string text;
    for (const std::string& hit : coded.hits) text += hit + "\n";
    return text;
  }
  static test::Coded decode(std::string_view) { return {}; }
};

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

template <class R>
const Strings& hits_of(const R& research) {
  if constexpr (requires { research.findings; })
    return research.findings;
  else
    return research.hits;
}
template <class R>
R made(Strings hits) {
  R research;
  if constexpr (requires { research.findings; })
    research.findings = std::move(hits);
  else
    research.hits = std::move(hits);
  return research;
}

/// A program whose research is an R: research, a page per topic, both used by a draft.
template <class R>
struct Migrating {
  Migrating() {
    const auto topic = pipeline.input("topic", "cats"s);
    research.emplace(pipeline.stage("research", inputs(topic), [this](const std::string& t) {
      calls("research");
      return made<R>({t, "dogs"});
    }));
    const auto topics = pipeline.input("topics", Strings{"x", "y"});
    const auto pages = pipeline.stage("pages", inputs(each(topics)), [this](const std::string& t) {
      calls("page " + t);
      return made<R>({t});
    });
    draft.emplace(pipeline.stage("draft", inputs(*research, pages),
                                 [this](const R& r, const std::vector<R>& p) {
                                   calls("draft");
                                   return hits_of(r).at(0) + hits_of(p.at(1)).at(0);
                                 }));
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
  std::optional<Stage<R>> research;
  std::optional<Stage<std::string>> draft;
};

class Schemas : public ::testing::Test {
 protected:
  /// Refused by plan and resume alike, with every byte as it was.
  template <class R>
  std::string refused(Errc code) {
    Migrating<R> program;
    const auto before = snapshot(folder.path());
    const Plan plan = program.plan(store);
    EXPECT_TRUE(plan.refused());
    const Report report = program.run(store);
    EXPECT_EQ(report.outcome(), Outcome::refused);
    EXPECT_EQ(report.exit_code(), 3);
    EXPECT_EQ(code_of(report), code);
    EXPECT_EQ(program.calls.take(), "");
    EXPECT_EQ(changes(before, snapshot(folder.path())), "") << "every byte is kept";
    return report.error() != nullptr ? report.error()->explain() : "";
  }
  TempFolder folder;
  FileStore store{folder / "store"};
};

TEST_F(Schemas, MigrateAndNothingRunsAgain) {
  Migrating<Research1> first;
  EXPECT_TRUE(first.run(store));
  Migrating<Research2> second;
  EXPECT_EQ(outline(second.plan(store)),
            "research skip migrated, pages skip migrated, draft skip done");
  Log log;
  const Report report = second.run(store, {.run = "", .observers = {&log}});
  EXPECT_TRUE(report);
  EXPECT_EQ(second.calls.take(), "");
  EXPECT_EQ(report[*second.research].hits, (Strings{"cats", "dogs"}));
  EXPECT_EQ(report[*second.research].sources, Strings{});
  EXPECT_THAT(log.lines(EventKind::migrated), ::testing::Contains("migrated research"));
  EXPECT_EQ(log.first(EventKind::migrated)->message, "schema 1 -> 2");
  Migrating<Research3> third;
  const Report later = third.run(store);
  EXPECT_EQ(third.calls.take(), "");
  EXPECT_EQ(later[*third.research].findings, (Strings{"cats", "dogs"})) << "1 -> 2 -> 3";
}

TEST_F(Schemas, AValueThatComesOutAsItsMigratedFormerSelfKeepsItsIdentity) {
  Migrating<Research1> first;
  EXPECT_TRUE(first.run(store));
  Migrating<Research3> third;
  EXPECT_TRUE(third.run(store, {.run = "", .redo = {"research", "pages"}}));
  EXPECT_EQ(third.calls.take(), "page x, page y, research") << "draft is cut off";
  Migrating<Research3> again;
  EXPECT_EQ(outline(again.plan(store)), "research skip done, pages skip done, draft skip done")
      << "they are written in the new schema now";
  Migrating<Research2> back;
  EXPECT_TRUE(back.plan(store).refused());
}

TEST_F(Schemas, OfALaterProgramAreRefused) {
  Migrating<Research3> later;
  EXPECT_TRUE(later.run(store));
  const std::string text = refused<Research1>(Errc::newer);
  EXPECT_THAT(text, HasSubstr("saved with schema 3; this program knows 1 to 1"));
  EXPECT_THAT(text, HasSubstr("research.1.ckpt"));
  refused<Research2>(Errc::newer);
}

TEST_F(Schemas, ARedoThatNamesTheStagePassesALaterOne) {
  Migrating<Research3> later;
  EXPECT_TRUE(later.run(store));
  Migrating<Research1> earlier;
  const Report one = earlier.run(store, {.run = "", .redo = {"research"}});
  EXPECT_EQ(code_of(one), Errc::newer) << "the pages are of the later program, too";
  EXPECT_EQ(one.error()->info().stage, "pages");
  for (const ResumeOptions& how :
       {ResumeOptions{.run = "", .from = {"research"}}, ResumeOptions{.run = "", .fresh = true}}) {
    EXPECT_EQ(code_of(earlier.run(store, how)), Errc::newer) << "these do not name it";
  }
  EXPECT_TRUE(earlier.run(store, {.run = "", .redo = {"research", "pages"}}));
  EXPECT_EQ(earlier.calls.take(), "draft, page x, page y, research");
  EXPECT_TRUE(std::filesystem::exists(folder / "store/r/.resumable/checkpoints/research.1.ckpt"))
      << "the later program's is kept";
  EXPECT_TRUE(earlier.run(store, {.run = "", .redo = {"research"}}));
  EXPECT_TRUE(earlier.run(store, {.run = "", .redo = {"research"}}));
  EXPECT_TRUE(std::filesystem::exists(folder / "store/r/.resumable/checkpoints/research.1.ckpt"))
      << "whatever comes after";
}

TEST_F(Schemas, WithoutAWayToTodayAreRefused) {
  Migrating<Research1> first;
  EXPECT_TRUE(first.run(store));
  EXPECT_THAT(refused<Research3Late>(Errc::no_migration),
              HasSubstr("saved with schema 1; migrations begin at 2"));
}

TEST_F(Schemas, WhoseShapeChangedWithoutAVersionAreRefusedByField) {
  Migrating<Research1> first;
  EXPECT_TRUE(first.run(store));
  EXPECT_THAT(refused<Careless1>(Errc::shape_changed), HasSubstr("depth"));
}

TEST_F(Schemas, OfAnotherCodecAreRefused) {
  Migrating<Research1> first;
  EXPECT_TRUE(first.run(store));
  refused<Coded>(Errc::codec_changed);
}

TEST_F(Schemas, AMigrationThatGoesWrongKeepsTheOriginal) {
  Migrating<Research1> first;
  EXPECT_TRUE(first.run(store));
  const auto file = folder / "store/r/.resumable/checkpoints/research.1.ckpt";
  const std::string before = read_file(file);
  Migrating<Broken2> broken;
  EXPECT_TRUE(broken.plan(store).complete()) << "planning proves that there is a chain, no more";
  const Report report = broken.run(store, {.run = "", .redo = {"draft"}});
  EXPECT_EQ(code_of(report), Errc::not_decodable);
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(report.error()->explain(), HasSubstr("research.1.ckpt"));
  EXPECT_THAT(report.error()->explain(), HasSubstr("1 -> 2"));
  EXPECT_EQ(read_file(file), before);
  EXPECT_TRUE(first.run(store)) << "the former program goes on";
}

TEST_F(Schemas, OfInputsToo) {
  const auto once = [&]<class R>(R* value) {
    Pipeline memo{"memo"};
    const auto given =
        value != nullptr ? memo.input("research", *value) : memo.input<R>("research");
    Calls calls;
    memo.stage("draft", inputs(given), [&](const R& r) {
      calls("draft");
      return hits_of(r).size();
    });
    const Report report = resume(memo, store, {.run = "r"});
    return report.error() != nullptr ? std::string{report.error()->what()} : calls.take();
  };
  Research1 one{{"a"}};
  EXPECT_EQ(once(&one), "draft");
  EXPECT_EQ(once(static_cast<Research3*>(nullptr)), "") << "the recorded one, migrated";
  Research3 same = made<Research3>({"a"});
  EXPECT_EQ(once(&same), "") << "the same as the recorded one, migrated";
  Research3 other = made<Research3>({"b"});
  EXPECT_EQ(once(&other), "draft");
  const auto before = snapshot(folder.path());
  EXPECT_THAT(once(static_cast<Research1*>(nullptr)), HasSubstr("schema 3"));
  EXPECT_THAT(once(&one), HasSubstr("schema 3")) << "a later program's input is not written over";
  EXPECT_EQ(changes(before, snapshot(folder.path())), "");
}

TEST_F(Schemas, ALayoutOfALaterLibraryIsRefused) {
  Migrating<Research1> program;
  EXPECT_TRUE(program.run(store));
  const auto layout = folder / "store/.resumable/store.json";
  std::string json = read_file(layout);
  const auto at = json.find_first_of("0123456789");
  ASSERT_NE(at, json.npos) << json;
  const std::string good = json;
  json.replace(at, 1, "9");
  write_file(layout, json);
  const auto before = snapshot(folder.path());
  FileStore again{folder / "store"};
  const Report report = Migrating<Research1>{}.run(again);
  EXPECT_EQ(code_of(report), Errc::newer);
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_EQ(changes(before, snapshot(folder.path())), "");
  write_file(layout, good);
  EXPECT_TRUE(program.run(store));
}

TEST_F(Schemas, ARecordOfALaterLayoutOrOfAnotherProgramIsRefused) {
  Migrating<Research1> program;
  EXPECT_TRUE(program.run(store));
  const RecordId first{"research", 1};
  const StoredRecord good = store.get("r", first).value();
  Tag later = good.tag;
  later.raw[4] = std::byte{9};  // the layout
  for (const auto& [tag, code] : {std::pair{later, Errc::newer}, std::pair{Tag{}, Errc::foreign}}) {
    for (const std::string path :
         {"research", "pages/x", "@input/topic", "@items/pages", "@run", "@request/redo.draft"}) {
      std::filesystem::remove_all(folder / "copy");
      std::filesystem::copy(folder / "store", folder / "copy",
                            std::filesystem::copy_options::recursive);
      FileStore copy{folder / "copy"};
      put_record(copy, "r", {path, 3}, tag, good.header);
      const auto before = snapshot(folder.path());
      Migrating<Research1> again;
      const Report report = again.run(copy);
      EXPECT_EQ(code_of(report), code) << path;
      EXPECT_EQ(report.exit_code(), 3) << path;
      EXPECT_THAT(report.error()->explain(), HasSubstr(path + ".3.ckpt"));
      EXPECT_TRUE(again.plan(copy).refused());
      EXPECT_THAT(again.plan(copy).text(), HasSubstr(path + ".3.ckpt"));
      EXPECT_EQ(again.calls.take(), "");
      EXPECT_EQ(changes(before, snapshot(folder.path())), "") << path;
    }
  }
}

TEST(MigratedInputs, ThatCannotBeReadAreNamedWithTheirFile) {
  TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline before{"p"};
  const auto given = before.input("notes", Research1{{"a"}});
  before.stage("count", inputs(given), [](const Research1& notes) { return notes.hits.size(); });
  ASSERT_TRUE(resume(before, store, {.run = "r"}));
  Pipeline after{"p"};
  const auto recorded = after.input<Broken2>("notes");
  after.stage("count", inputs(recorded), [](const Broken2& notes) { return notes.hits.size(); });
  const Report report = resume(after, store, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 3);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_THAT(report.error()->what(), HasSubstr("input 'notes': migrated 1 -> 2 of research: "));
  EXPECT_THAT(report.error()->info().file, HasSubstr("@input/notes."));
}

}  // namespace
}  // namespace resumable::test
