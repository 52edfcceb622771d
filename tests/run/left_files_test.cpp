// Files that a value leaves in place: one that was cut or removed is no value.
#include "resumable/file.hpp"
#include "run/run_support.hpp"

namespace resumable::test {

struct Product {
  std::string title;
  std::vector<InPlaceFile> files;
};
// NOLINTNEXTLINE(modernize-use-nodiscard): a macro of another library
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Product, title, files)

namespace {

using ::testing::HasSubstr;

class LeftFiles : public ::testing::Test {
 protected:
  InPlaceFile make(const std::string& text = "0123456789") const {
    write_file(file_, text);
    return InPlaceFile::of(file_);
  }
  std::string read(const InPlaceFile& file) const { return read_file(file.path); }

  /// What a pipeline with this stage does after each kind of change.
  void expect_made_again(const std::function<void(Pipeline&)>& declare, const std::string& why) {
    const auto run = [&](ResumeOptions options) {
      options.run = "r";
      Pipeline p{"p"};
      declare(p);
      const Plan plan = ResumePlanner{store_}.plan(p, options);
      plan_ = plan.text(true);
      return resume(p, store_, options).exit_code();
    };
    ASSERT_EQ(run({}), 0);
    EXPECT_EQ(calls_.take(), "big, later");
    ASSERT_EQ(run({}), 0);
    EXPECT_EQ(calls_.take(), "");
    const std::vector<std::pair<std::string, std::function<void()>>> changes{
        {"has 5 bytes, and had 10", [&] { std::filesystem::resize_file(file_, 5); }},
        {"has 0 bytes, and had 10", [&] { std::filesystem::resize_file(file_, 0); }},
        {"is gone", [&] { std::filesystem::remove(file_); }}};
    for (const auto& [text, change] : changes) {
      change();
      EXPECT_EQ(run({.on_damage = OnDamage::refuse}), 3) << text;
      EXPECT_EQ(run({}), 0);
      EXPECT_THAT(plan_, HasSubstr(why.empty() ? text : why));
      EXPECT_EQ(calls_.take(), "big") << "the value is as before, so what reads it is kept";
      EXPECT_EQ(read_file(file_), "0123456789");
    }
    write_file(file_, "9876543210");
    ASSERT_EQ(run({.verify_payloads = true}), 0);
    EXPECT_THAT(plan_, HasSubstr(why.empty() ? "has other content" : why));
    EXPECT_EQ(calls_.take(), "big");
    EXPECT_EQ(read_file(file_), "0123456789");
  }

  TempFolder folder_;
  std::string file_ = (folder_ / "product.bin").string();
  MemoryStore store_;
  Calls calls_;
  std::string plan_;
};

TEST_F(LeftFiles, OfAStageAreMadeAgain) {
  expect_made_again(
      [this](Pipeline& p) {
        const auto big = p.stage("big", [this] {
          calls_("big");
          return make();
        });
        p.stage("later", inputs(big), [this](const InPlaceFile& file) {
          calls_("later");
          return read(file);
        });
      },
      "");
}

TEST_F(LeftFiles, DeepInAValueAreMadeAgain) {
  expect_made_again(
      [this](Pipeline& p) {
        const auto big = p.stage("big", [this] {
          calls_("big");
          return std::map<std::string, Product>{{"a", Product{"t", {make()}}}};
        });
        p.stage("later", inputs(big), [this](const std::map<std::string, Product>& all) {
          calls_("later");
          return read(all.at("a").files.at(0));
        });
      },
      "");
}

TEST_F(LeftFiles, OfAnItemAreMadeAgain) {
  expect_made_again(
      [this](Pipeline& p) {
        const auto list = p.input("list", Strings{"a"});
        const auto big = p.stage("big", inputs(each(list, [](const std::string& s) { return s; })),
                                 [this](const std::string&) {
                                   calls_("big");
                                   return make();
                                 });
        p.stage("later", inputs(big), [this](const std::vector<InPlaceFile>& files) {
          calls_("later");
          return read(files.at(0));
        });
      },
      "");
}

TEST_F(LeftFiles, OfACachedValueAreMadeAgain) {
  const auto run = [&](CheckpointStore& store, const std::string& id) {
    Pipeline p{"p"};
    p.stage("s", [&](Context& ctx) {
      return read(ctx.cached("make", with(1), {}, [&] {
        calls_("make");
        return make();
      }));
    });
    return resume(p, store, {.run = id}).exit_code();
  };
  FileStore with_cache{folder_ / "store"};
  for (CheckpointStore* store :
       {static_cast<CheckpointStore*>(&store_), static_cast<CheckpointStore*>(&with_cache)}) {
    EXPECT_EQ(run(*store, "a"), 0);
    EXPECT_EQ(run(*store, "b"), 0);
    EXPECT_EQ(calls_.take(), "make") << "a file that is whole is used by each run";
    std::filesystem::resize_file(file_, 5);
    EXPECT_EQ(run(*store, "c"), 0);
    EXPECT_EQ(calls_.take(), "make");
    EXPECT_EQ(read_file(file_), "0123456789");
    EXPECT_EQ(run(*store, "d"), 0);
    EXPECT_EQ(calls_.take(), "") << "the new one has taken its place";
  }
}

TEST_F(LeftFiles, OfAStepThatIsKeptAreMadeAgain) {
  bool fails = true;
  const auto run = [&] {
    Pipeline p{"p"};
    p.stage("s", [&](Context& ctx) {
      const auto file = ctx.step("make", [&] {
        calls_("make");
        return make();
      });
      if (fails) throw std::runtime_error{"later"};
      return read(file);
    });
    return resume(p, store_, {.run = "r"}).exit_code();
  };
  EXPECT_EQ(run(), 1);
  std::filesystem::resize_file(file_, 5);
  fails = false;
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(calls_.take(), "make x2");
  EXPECT_EQ(read_file(file_), "0123456789");
}

TEST_F(LeftFiles, ThatCannotBeReadMayBeWholeAndAreNotMadeAgain) {
  const std::filesystem::path data = folder_ / "data";
  std::filesystem::create_directory(data);
  file_ = (data / "product.bin").string();
  bool fails = false;
  const auto run = [&](const std::string& id, bool in_step) {
    Pipeline p{"p"};
    const auto made = [&] {
      calls_("make");
      return make();
    };
    if (!in_step) {
      p.stage("s", made);
    } else {
      p.stage("s", [&, made](Context& ctx) {
        const InPlaceFile file = ctx.step("make", made);
        if (fails) throw std::runtime_error{"later"};
        return read(file);
      });
    }
    return resume(p, store_, {.run = id});
  };
  EXPECT_EQ(run("stage", false).exit_code(), 0);
  fails = true;
  EXPECT_EQ(run("step", true).exit_code(), 1);
  fails = false;
  calls_.take();
  std::filesystem::rename(data, folder_ / "away");
  std::filesystem::create_symlink("data", data);  // leads to itself: too many links
  for (const bool in_step : {false, true}) {
    const Report report = run(in_step ? "step" : "stage", in_step);
    EXPECT_EQ(report.exit_code(), in_step ? 1 : 3) << "in a step, it is the stage that fails";
    EXPECT_THAT(report.text(), HasSubstr(file_));
  }
  EXPECT_EQ(calls_.take(), "");
  std::filesystem::remove(data);
  std::filesystem::rename(folder_ / "away", data);
  EXPECT_EQ(run("stage", false).exit_code(), 0);
  EXPECT_EQ(run("step", true).exit_code(), 0);
  EXPECT_EQ(calls_.take(), "");
}

}  // namespace
}  // namespace resumable::test
