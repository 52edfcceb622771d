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

namespace resumable::test {
struct Sealed {
  std::string bytes;
};
}  // namespace resumable::test

template <>
struct resumable::Codec<resumable::test::Sealed> {
  static constexpr CodecId id{64};
  static std::string encode(const resumable::test::Sealed& value) { return value.bytes; }
  static resumable::test::Sealed decode(std::string_view bytes) { return {std::string{bytes}}; }
};

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
  EXPECT_THAT(inspect({"diff", "r", "--stage", "cabin"}).out, HasSubstr("1 value differs, 0 the"));
}

TEST_F(PackedValues, ACodecOfAProgramsOwnIsNamedByItsNumber) {
  Pipeline pipeline{"lift"};
  pipeline.stage("cabin", [] { return Sealed{std::string{"\xFF\x00", 2}}; });
  ASSERT_EQ(run("r", pipeline), Outcome::done);
  const Said said = inspect({"show", "r", "cabin"});
  EXPECT_THAT(said.out, HasSubstr("codec     64, schema 1"));
  EXPECT_THAT(said.out, HasSubstr("of codec 64, which this program cannot show"));
}

}  // namespace
}  // namespace resumable::test
