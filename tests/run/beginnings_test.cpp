// A run whose first call was killed, and runs whose own small records are damaged.
#include "resumable/manage.hpp"
#include "resumable/run_list.hpp"
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Pipeline with_inputs() {
  Pipeline p{"p"};
  const auto title = p.input("title", "Deck");
  p.stage("s", inputs(title), [](const std::string& text) { return text; });
  return p;
}

Pipeline without_inputs() {
  Pipeline p{"p"};
  const auto title = p.input<std::string>("title");
  p.stage("s", inputs(title), [](const std::string& text) { return text; });
  return p;
}

TEST(Beginnings, ARunThatRecordedNothingWasNotBegunAndItsNameIsFree) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  fs::create_directories(folder / "store/r/.resumable");
  EXPECT_EQ(run_state(store, "r"), RunState::not_begun);
  EXPECT_EQ(status(without_inputs(), store, "r").state, RunState::not_begun);
  EXPECT_EQ(list_runs(store).at(0).state, RunState::not_begun);
  const Report refused = resume(without_inputs(), store, {.run = "r", .create = Create::never});
  EXPECT_EQ(refused.exit_code(), 2);
  EXPECT_THAT(refused.error()->what(), HasSubstr("was not begun"));
  EXPECT_TRUE(resume(with_inputs(), store, {.run = "r", .create = Create::must}));
  EXPECT_TRUE(resume(without_inputs(), store, {.run = "r", .create = Create::never}));
  EXPECT_EQ(run_state(store, "r"), RunState::done);
}

/// All kinds of records that are the library's own.
struct Book {
  explicit Book(bool given) {
    const auto title =
        given ? pipeline.input("title", "Deck") : pipeline.input<std::string>("title");
    const auto list = pipeline.stage("list", inputs(title), [this](const std::string&) {
      calls("list");
      return Strings{"a", "b"};
    });
    const auto parts =
        pipeline.stage("parts", inputs(each(list, [](const std::string& key) { return key; })),
                       [this](const std::string& key) {
                         calls("parts");
                         return key;
                       });
    pipeline.artifact(parts, "parts/{item}.txt");
    const auto urls = pipeline.input("urls", Strings{"u"});
    pipeline.queue("crawl", inputs(each(urls, [](const std::string& url) { return url; })),
                   [this](Context& ctx, const std::string& url) {
                     calls("crawl");
                     if (url == "u") ctx.enqueue("v"s);
                     return url;
                   });
    const auto good =
        pipeline.condition("good", inputs(title), [](const std::string&) { return true; });
    pipeline.stage({.name = "sign", .when = good}, inputs(title),
                   [this](Context& ctx, const std::string& text) {
                     ctx.require_approval("look at it");
                     calls("sign");
                     return text;
                   });
  }
  Calls calls;
  Pipeline pipeline{"p"};
};

enum class Spoiled { removed, flipped, cut };

void spoil(const fs::path& file, Spoiled how) {
  std::string bytes = read_file(file);
  switch (how) {
    case Spoiled::removed: fs::remove(file); return;
    case Spoiled::flipped:
      bytes[bytes.size() - 2] = static_cast<char>(bytes[bytes.size() - 2] ^ 1);
      break;
    case Spoiled::cut: bytes.resize(bytes.size() / 2); break;
  }
  write_file(file, bytes);
}

class OwnRecords : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Kinds, OwnRecords,
                         ::testing::Values("@run", "@items", "@input", "@condition", "@exported",
                                           "@request", "@approval", "@tag", "@batch"),
                         [](const auto& one) { return one.param.substr(1); });

TEST_P(OwnRecords, ThatAreDamagedNeverStopARunForEver) {
  const TempFolder folder;
  const fs::path run = folder / "store/r";
  FileStore store{folder / "store"};
  ASSERT_EQ(
      resume(Book{true}.pipeline, store, {.run = "r", .labels = {{"batch", "7"}}}).exit_code(), 75);
  approve(Book{true}.pipeline, store, "r", "sign", "ada");
  ASSERT_TRUE(resume(Book{true}.pipeline, store, {.run = "r", .redo = {"list"}}));
  static_cast<void>(tag_run(store, "r", "v1"));
  fs::copy(run, folder / "kept", fs::copy_options::recursive);
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(run / ".resumable/checkpoints")) {
    const auto file = fs::relative(entry.path(), run);
    if (entry.is_regular_file() && file.string().find("/" + GetParam()) != std::string::npos) {
      files.push_back(file);
    }
  }
  ASSERT_FALSE(files.empty());
  for (const fs::path& file : files) {
    for (const Spoiled how : {Spoiled::removed, Spoiled::flipped, Spoiled::cut}) {
      fs::remove_all(run);
      fs::copy(folder / "kept", run, fs::copy_options::recursive);
      spoil(run / file, how);
      const std::string what = file.string() + " " + std::to_string(static_cast<int>(how));
      Report report = resume(Book{false}.pipeline, store, {.run = "r"});
      if (report.exit_code() == 75) {
        approve(Book{false}.pipeline, store, "r", "sign", "ada");
        report = resume(Book{false}.pipeline, store, {.run = "r"});
      }
      ASSERT_TRUE(report) << what << (report.error() ? report.error()->explain() : "");
      EXPECT_EQ(run_info(store, "r")->labels.at("batch"), "7") << what;
      Book again{false};
      ASSERT_TRUE(resume(again.pipeline, store, {.run = "r", .on_damage = OnDamage::refuse}));
      EXPECT_EQ(again.calls.take(), "") << what << ": nothing is left to heal";
    }
  }
}

}  // namespace
}  // namespace resumable::test
