// Whose text was edited in a file of several texts.
#include "exports/parts.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace resumable::exports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Strings = std::vector<std::string>;

std::vector<Split> splits(const Strings& texts, std::string_view file) {
  return splits_of({texts.begin(), texts.end()}, file, 4);
}

std::string joined(const Strings& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

TEST(Parts, AChangedLineIsOfTheTextThatHadIt) {
  const auto found = splits({"# a\nx\n", "# b\nx\n", "# c\nx\n"}, "# a\nx\n# b\ny\n# c\nx\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].changed, ElementsAre(1));
  EXPECT_EQ(found[0].parts[1], "# b\ny\n");
}

TEST(Parts, SeveralTextsCanBeEditedAlsoNeighbours) {
  const auto found = splits({"# a\nx\n", "# b\nx\n", "# c\nx\n"}, "# a\n1\n# b\n2\n# c\nx\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].parts, ElementsAre("# a\n1\n", "# b\n2\n", "# c\nx\n"));
}

TEST(Parts, WhatIsAddedBetweenTwoTextsMayBeOfEither) {
  const auto found = splits({"a\n", "b\n"}, "a\nnew\nb\n");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NE(found[0].changed, found[1].changed);
}

TEST(Parts, WhatIsAddedAtAnEndIsOfTheTextThere) {
  EXPECT_THAT(splits({"a\n", "b\n"}, "a\nb\nnew\n").at(0).parts, ElementsAre("a\n", "b\nnew\n"));
  EXPECT_THAT(splits({"a\n", "b\n"}, "new\na\nb\n").at(0).parts, ElementsAre("new\na\n", "b\n"));
}

TEST(Parts, OneOfTwoEqualTextsThatIsGoneMayBeEither) {
  EXPECT_THAT(splits({"x\n", "x\n"}, "x\n"), SizeIs(2));
}

TEST(Parts, TheLastTextsMayBeGoneWhereOneBeforeThemWasEdited) {
  const auto found = splits({"a\n", "b\n", "c\n", "d\n"}, "A\nb\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].parts, ElementsAre("A\n", "b\n", "", ""));
}

TEST(Parts, AnotherFileHasNoSplit) {
  EXPECT_THAT(splits({"a\n", "b\n", "c\n"}, "quite\nanother\n"), IsEmpty());
}

/// Texts of few different lines, so that they repeat.
rc::Gen<std::string> text() {
  const auto line = rc::gen::element<std::string>("a\n", "b\n", "\n", "# x\n", "c");
  return rc::gen::map(rc::gen::nonEmpty(rc::gen::container<Strings>(line)), joined);
}

RC_GTEST_PROP(Parts, AnEditOfOneTextIsNeverTakenForOneOfAnother, ()) {
  auto texts = *rc::gen::nonEmpty(rc::gen::container<Strings>(text()));
  const auto place = *rc::gen::inRange<std::size_t>(0, texts.size());
  Strings edited = texts;
  edited[place] = *rc::gen::oneOf(text(), rc::gen::just(std::string{}));
  const std::string file = joined(edited);
  RC_PRE(file != joined(texts));
  const auto found = splits_of({texts.begin(), texts.end()}, file, 1000);
  bool has_true_one = false;
  for (const Split& one : found) {
    RC_ASSERT(one.changed.size() == 1U);
    std::string all;
    for (const std::string_view part : one.parts) all += part;
    RC_ASSERT(all == file);
    has_true_one = has_true_one ||
                   std::equal(edited.begin(), edited.end(), one.parts.begin(), one.parts.end());
  }
  RC_ASSERT(has_true_one);
}

RC_GTEST_PROP(Parts, EditsBelowHeadingsAreAlwaysToldApart, ()) {
  const auto bodies = *rc::gen::nonEmpty(rc::gen::container<std::vector<Strings>>(
      rc::gen::container<Strings>(2, rc::gen::element<std::string>("a\n", "b\n", "\n", "c c\n"))));
  Strings texts;
  Strings edited;
  for (const Strings& body : bodies) {
    const std::string heading = "# " + std::to_string(texts.size()) + "\n";
    texts.push_back(heading + body[0]);
    edited.push_back(heading + body[1]);
  }
  const std::string file = joined(edited);
  const auto found = splits_of({texts.begin(), texts.end()}, file, 2);
  RC_ASSERT(found.size() == 1U);
  RC_ASSERT(std::equal(edited.begin(), edited.end(), found[0].parts.begin(), found[0].parts.end()));
}

}  // namespace
}  // namespace resumable::exports
