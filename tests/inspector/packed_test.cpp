// Values that records keep as CBOR or MessagePack: people see JSON.
#include "inspector/inspected.hpp"

namespace resumable::test {

struct Packed {
  std::string name;
  int level = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Packed, name, level)
struct Tight : Packed {};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tight, name, level)

}  // namespace resumable::test

template <>
struct resumable::Codec<resumable::test::Packed> : resumable::CborCodec<resumable::test::Packed> {};
template <>
struct resumable::Codec<resumable::test::Tight> : resumable::MsgpackCodec<resumable::test::Tight> {
};

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

class PackedValues : public Inspected {
 protected:
  template <class V>
  void make(int level) {
    Pipeline pipeline{"lift"};
    const auto given = pipeline.input("level", level);
    pipeline.stage("cabin", inputs(given), [](const int& number) {
      V value;
      value.name = "north";
      value.level = number;
      return value;
    });
    ASSERT_EQ(run("r", pipeline), Outcome::done);
  }
};

TEST_F(PackedValues, ShowPrintsJsonAndNamesTheForm) {
  make<Packed>(3);
  const Said said = inspect({"show", "r", "cabin"});
  EXPECT_THAT(said.out, HasSubstr("  \"name\": \"north\""));
  EXPECT_THAT(said.out, HasSubstr("codec     cbor, schema 1"));
  EXPECT_EQ(inspect({"show", "r", "cabin", "--raw"}).out,
            detail::pack_json(CodecId::cbor, R"({"level":3,"name":"north"})"));
  make<Tight>(4);
  EXPECT_THAT(inspect({"show", "r", "cabin"}).out, HasSubstr("codec     msgpack, schema 1"));
  EXPECT_EQ(inspect({"show", "r", "cabin", "--json"}).json()["value"]["level"], 4);
}

TEST_F(PackedValues, DiffComparesThemFieldByField) {
  make<Packed>(3);
  make<Tight>(4);
  EXPECT_THAT(inspect({"diff", "r", "--stage", "cabin"}).out, HasSubstr("/level"));
}

}  // namespace
}  // namespace resumable::test
