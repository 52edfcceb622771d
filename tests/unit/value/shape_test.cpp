#include "value/shape.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/json_types.hpp"
#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

enum class Temper { calm };

struct Inner {
  double score = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Inner, score)

struct Outer {
  std::string name = "set";
  int count = 3;
  unsigned long size = 0;
  bool done = false;
  Temper mood = Temper::calm;
  Inner inner;
  std::vector<Inner> list{Inner{}};
  std::optional<int> maybe;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outer, name, count, size, done, mood, inner, list, maybe)

struct Throwing {
  Throwing() = default;
};
void to_json(Json&, const Throwing&) { throw std::logic_error("not yet"); }
void from_json(const Json&, Throwing&) {}

template <class T>
std::string shape() {
  return detail::value_type<T>().shape().fields;
}

// Shapes are in records: a change of what they look like refuses every checkpoint there is.
TEST(Shape, OfAStructIsFrozen) {
  EXPECT_EQ(shape<Outer>(),
            R"({"count":"integer","done":"boolean","inner":{"score":"number"},"list":[],)"
            R"("maybe":"null","mood":"integer","name":"string","size":"integer"})");
}

TEST(Shape, OfContainersIsTheirElements) {
  EXPECT_EQ(shape<std::vector<Inner>>(), R"([{"score":"number"}])");
  EXPECT_EQ(shape<std::set<int>>(), R"(["integer"])");
  EXPECT_EQ((shape<std::array<std::string, 3>>()), R"(["string"])");
  EXPECT_EQ((shape<std::map<std::string, std::vector<bool>>>()), R"({"*":["boolean"]})");
  EXPECT_EQ((shape<std::map<int, Inner>>()), R"([["integer",{"score":"number"}]])");
  EXPECT_EQ((shape<std::tuple<int, std::string>>()), R"(["integer","string"])");
  EXPECT_EQ(shape<std::optional<Inner>>(), R"({"score":"number"})");
}

TEST(Shape, OfScalarsIsTheirKind) {
  EXPECT_EQ(shape<int>(), R"("integer")");
  EXPECT_EQ(shape<float>(), R"("number")");
  EXPECT_EQ(shape<std::string>(), R"("string")");
  EXPECT_EQ(shape<std::vector<Json>>(), R"(["any"])");
}

TEST(Shape, SomeTypesHaveNone) {
  EXPECT_EQ(shape<Json>(), "");
  EXPECT_EQ(shape<Text>(), "");
  EXPECT_EQ(shape<Bytes>(), "");
  EXPECT_EQ(shape<Throwing>(), "");
}

TEST(Shape, DoesNotDependOnInitialValues) {
  EXPECT_EQ(shape<std::vector<Outer>>(), "[" + shape<Outer>() + "]");
}

TEST(ShapeDiff, NamesEachField) {
  EXPECT_THAT(value::diff_shapes(R"({"a":"integer","b":{"c":"string"},"gone":[]})",
                                 R"({"a":"string","b":{"c":"string","d":"null"}})"),
              ElementsAre("field '/a' was integer, is string", "field '/b/d' added",
                          "field '/gone' removed"));
}

TEST(ShapeDiff, LooksIntoElements) {
  EXPECT_THAT(value::diff_shapes(R"([{"a":"integer"}])", R"([{"a":"number"}])"),
              ElementsAre("field '/*/a' was integer, is number"));
  EXPECT_THAT(value::diff_shapes(R"(["integer","string"])", R"(["integer","number"])"),
              ElementsAre("field '/1' was string, is number"));
  EXPECT_THAT(value::diff_shapes(R"({"*":"integer"})", R"({"*":[]})"),
              ElementsAre("field '/*' was integer, is array"));
}

TEST(ShapeDiff, OfTheWholeValue) {
  EXPECT_THAT(value::diff_shapes(R"("integer")", R"({"a":"integer"})"),
              ElementsAre("the value was integer, is object"));
}

TEST(ShapeDiff, OfEqualOrMissingShapesIsEmpty) {
  EXPECT_THAT(value::diff_shapes(shape<Outer>(), shape<Outer>()), IsEmpty());
  EXPECT_THAT(value::diff_shapes("", shape<Outer>()), IsEmpty());
  EXPECT_THAT(value::diff_shapes("{oops", shape<Outer>()), IsEmpty());
}

TEST(ShapeHash, IsZeroForNoneAloneAndFrozen) {
  EXPECT_EQ(value::shape_hash(""), 0U);
  EXPECT_EQ(value::shape_hash(R"("integer")"), 0x8d93c888U);
  EXPECT_NE(value::shape_hash(shape<Inner>()), value::shape_hash(shape<std::vector<Inner>>()));
}

TEST(Misfit, IsTheFirstPlaceThatDoesNotFit) {
  const std::string outer = shape<Outer>();
  EXPECT_EQ(value::first_misfit(R"({"count":1})", outer).pointer, "/done");
  EXPECT_EQ(value::first_misfit(R"({"a":[],"b":1})", R"({"*":[]})").pointer, "/b");
  EXPECT_EQ(value::first_misfit(R"([1,"x"])", R"(["integer"])").why, "is string, not integer");
  EXPECT_EQ(value::first_misfit(R"([1])", R"(["integer","string"])").why, "has 1 elements, not 2");
  EXPECT_EQ(value::first_misfit(R"(3)", R"("number")").why, "");
  EXPECT_EQ(value::first_misfit("{", outer).why, "");
}

}  // namespace
}  // namespace resumable::testing_support
