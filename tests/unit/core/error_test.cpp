#include "resumable/error.hpp"

#include <set>
#include <type_traits>

#include <gtest/gtest.h>

namespace resumable::test {
namespace {

TEST(Error, ReportsABlockForPeople) {
  const Error error(Errc::store_failed,
                    {.what = "run a cannot be written",
                     .operation = "fsync",
                     .file = "output/a/.resumable/tmp/x",
                     .kept = "everything saved before is intact",
                     .next = "free some space, then run again",
                     .cause = std::make_error_code(std::errc::no_space_on_device)});
  EXPECT_EQ(error.explain(),
            "error: run a cannot be written\n"
            "  file  output/a/.resumable/tmp/x: fsync: No space left on device\n"
            "  kept  everything saved before is intact\n"
            "  next  free some space, then run again");
  EXPECT_STREQ(
      error.what(),
      "run a cannot be written (output/a/.resumable/tmp/x: fsync: No space left on device)");
}

TEST(Error, LeavesOutWhatDoesNotApply) {
  EXPECT_EQ(Error(Errc::busy, {}).explain(), "error: another process owns the run");
  EXPECT_EQ(Error(Errc::busy, {.what = "run a is busy"}).explain(), "error: run a is busy");
  EXPECT_EQ(Error(Errc::not_encodable, {.what = "a value is not finite", .path = "/a/0"}).explain(),
            "error: a value is not finite\n  at    /a/0");
}

TEST(Error, IsMatchedByCode) {
  try {
    throw Error(Errc::busy, {.run = "a"});
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), Errc::busy);
    EXPECT_EQ(error.code().category(), category());
    EXPECT_STREQ(category().name(), "resumable");
  }
}

TEST(Error, CopiesShareWhatTheySay) {
  static_assert(std::is_nothrow_copy_constructible_v<Error>);
  static_assert(std::is_nothrow_copy_assignable_v<Error>);
  const Error error(Errc::busy, {.run = "a"});
  const Error copy = error;
  EXPECT_EQ(&copy.info(), &error.info());
  EXPECT_STREQ(copy.what(), error.what());
}

TEST(Error, HasAnExitCodeForAProgramThatEndsWithIt) {
  const auto code_of = [](Errc code) { return Error(code, {}).exit_code(); };
  EXPECT_EQ(code_of(Errc::stage_failed), 1) << "as Report::exit_code() has it";
  EXPECT_EQ(code_of(Errc::store_failed), 1);
  EXPECT_EQ(code_of(Errc::missing_input), 2);
  EXPECT_EQ(code_of(Errc::source_failed), 2);
  EXPECT_EQ(code_of(Errc::no_value), 3);
  EXPECT_EQ(code_of(Errc::unreadable), 3);
  EXPECT_EQ(code_of(Errc::busy), 4);
}

TEST(Error, EveryCodeHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  const std::string unknown = category().message(9999);
  std::size_t count = 0;
  for (int code = 0; code < 200; ++code) {
    const std::string sentence = category().message(code);
    if (sentence == unknown) continue;
    ++count;
    sentences.insert(sentence);
  }
  EXPECT_GE(count, 26U);
  EXPECT_EQ(sentences.size(), count);
}

}  // namespace
}  // namespace resumable::test
