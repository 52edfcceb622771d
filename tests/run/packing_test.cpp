// Types that change between JSON, CBOR and MessagePack while their runs continue.
#include "resumable/manage.hpp"
#include "run/run_support.hpp"

namespace resumable::test {

/// One type to a reader of its JSON, in the three forms that records keep it in, and in another.
template <CodecId Form>
struct Samples {
  std::vector<double> values;
};
template <CodecId Form>
void to_json(Json& json, const Samples<Form>& samples) {
  json = Json{{"values", samples.values}};
}
template <CodecId Form>
void from_json(const Json& json, Samples<Form>& samples) {
  json.at("values").get_to(samples.values);
}
using AsJson = Samples<CodecId::json>;
using AsCbor = Samples<CodecId::cbor>;
using AsMsgpack = Samples<CodecId::msgpack>;
using AsOther = Samples<CodecId::user>;

}  // namespace resumable::test

template <>
struct resumable::Codec<resumable::test::AsCbor> : resumable::CborCodec<resumable::test::AsCbor> {};
template <>
struct resumable::Codec<resumable::test::AsMsgpack>
    : resumable::MsgpackCodec<resumable::test::AsMsgpack> {};
template <>
struct resumable::Codec<resumable::test::AsOther> {
  static constexpr CodecId id{64};
  static std::string encode(const test::AsOther& /*samples*/) { return "none"; }
  static test::AsOther decode(std::string_view /*bytes*/) { return {}; }
};

namespace resumable::test {
namespace {

/// A program whose values are an S: an input, a step, a list of items, a cached one.
template <class S>
struct Measuring {
  explicit Measuring(bool fails = false) {
    const auto scale = pipeline.input("scale", S{{0.5, 2}});
    const auto list =
        pipeline.stage("list", inputs(scale), [this, fails](Context& ctx, const S& given) {
          calls("list");
          const S kept = ctx.step("kept", [&] {
            calls("step");
            return S{{given.values.at(0), 0.1}};
          });
          const S cached = ctx.cached("far", with(given.values.at(0)), [&] {
            calls("cache");
            return S{{7}};
          });
          if (fails) throw std::runtime_error("the probe is away");
          return std::vector<S>{kept, cached};
        });
    const auto item = pipeline.stage("item", inputs(each(list)), [this](const S& one) {
      calls("item");
      return S{{one.values.at(0) * 2}};
    });
    total.emplace(pipeline.stage("total", inputs(item), [this](const std::vector<S>& all) {
      calls("total");
      return S{{all.at(0).values.at(0) + all.at(1).values.at(0)}};
    }));
    pipeline.artifact(*total, "total.json");
  }
  Report run(CheckpointStore& store, ResumeOptions how = {}) {
    how.run = "r";
    return resume(pipeline, store, how);
  }
  Calls calls;
  Pipeline pipeline{"measure"};
  std::optional<Stage<S>> total;
};

class Packing : public ::testing::Test {
 protected:
  [[nodiscard]] CodecId stored(RecordId id) const {
    return static_cast<CodecId>(store.get("r", id)->tag.raw.at(7));
  }
  template <class From, class To>
  void changes() {
    const TempFolder changing;
    FileStore place{changing / "store"};
    Measuring<From> first;
    ASSERT_TRUE(first.run(place));
    Measuring<To> second;
    const Report report = second.run(place);
    ASSERT_TRUE(report) << report.text();
    EXPECT_EQ(second.calls.take(), "") << "everything is read";
    EXPECT_EQ(report[*second.total].values, std::vector<double>{15});
    ASSERT_TRUE(second.run(place, {.run = "", .redo = {"list"}}));
    EXPECT_EQ(second.calls.take(), "list, step") << "what comes out equal has the same identity";
  }
  TempFolder folder;
  FileStore store{folder / "store"};
};

TEST_F(Packing, ATypeChangesBetweenTheFormsAndNothingRunsAgain) {
  changes<AsJson, AsCbor>();
  changes<AsJson, AsMsgpack>();
  changes<AsCbor, AsJson>();
  changes<AsCbor, AsMsgpack>();
  changes<AsMsgpack, AsJson>();
  changes<AsMsgpack, AsCbor>();
}

TEST_F(Packing, RecordsHoldTheFormThatTheTypeNames) {
  Measuring<AsMsgpack> program;
  ASSERT_TRUE(program.run(store));
  EXPECT_EQ(stored({"total", 1}), CodecId::msgpack);
  EXPECT_EQ(stored({"@input/scale", 1}), CodecId::msgpack);
  EXPECT_EQ(stored({"list", 1}), CodecId::json) << "a list is a type of its own";
  EXPECT_EQ(read_all(*store.get("r", {"total", 1})->payload),
            detail::pack_json(CodecId::msgpack, R"({"values":[15.0]})"));
  EXPECT_THAT(read_file(folder / "store/r/total.json"), ::testing::HasSubstr("15.0"));
}

TEST_F(Packing, AStepThatIsKeptInOneFormIsFoundInAnother) {
  Measuring<AsJson> first{true};
  EXPECT_FALSE(first.run(store));
  EXPECT_EQ(first.calls.take(), "cache, list, step");
  Measuring<AsCbor> second;
  EXPECT_TRUE(second.run(store));
  EXPECT_EQ(second.calls.take(), "item x2, list, total");
}

TEST_F(Packing, AnyOtherChangeOfTheCodecIsRefused) {
  Measuring<AsCbor> first;
  EXPECT_TRUE(first.run(store));
  const auto before = snapshot(folder.path());
  Measuring<AsOther> second;
  EXPECT_EQ(code_of(second.run(store)), Errc::codec_changed);
  EXPECT_EQ(test::changes(before, snapshot(folder.path())), "") << "every byte is kept";
}

TEST_F(Packing, AnEditOfAnArtifactIsTakenOver) {
  Measuring<AsCbor> program;
  ASSERT_TRUE(program.run(store));
  write_file(folder / "store/r/total.json", "{\"values\": [16.0]}\n");
  const Report report = program.run(store);
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(report[*program.total].values, std::vector<double>{16});
  EXPECT_EQ(stored({"total", 2}), CodecId::cbor);
}

TEST_F(Packing, AnEarlierValueIsTakenBackAsItIs) {
  Measuring<AsCbor> program;
  ASSERT_TRUE(program.run(store));
  ASSERT_TRUE(program.run(store, {.run = "", .redo = {"total"}}));
  roll_back(store, "r", "total", {.generation = 1});
  EXPECT_EQ(read_all(*store.get("r", {"total", 3})->payload),
            read_all(*store.get("r", {"total", 1})->payload));
  const Report report = program.run(store);
  EXPECT_EQ(report[*program.total].values, std::vector<double>{15});
}

TEST_F(Packing, ReadersWithoutThePipelineSeeTheValue) {
  Measuring<AsCbor> program;
  ASSERT_TRUE(program.run(store));
  EXPECT_EQ(Records(store, "r").stage<AsMsgpack>("total")->value.values, std::vector<double>{15});
}

}  // namespace
}  // namespace resumable::test
