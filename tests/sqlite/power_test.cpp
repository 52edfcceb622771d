// Runs in a database that lose power before any of their changes, from before the database exists.
#include <filesystem>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "resumable/manage.hpp"
#include "sqlite/essay.hpp"
#include "sqlite/lost_power.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

class SqliteWithoutPower
    : public ::testing::TestWithParam<std::tuple<Durability, CrossRename, bool>> {};

/// The parameters: the durability; the disk; a finished run is made again, instead of a new one.
TEST_P(SqliteWithoutPower, AtAnyChangeIsResumedToTheSameEnd) {
  const Durability durability = std::get<0>(GetParam());
  const TempFolder folder;
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  const Essay essay{.durability = durability};
  Essay first = essay;
  first.notes = folder / "notes";
  if (std::get<2>(GetParam())) {
    ASSERT_EQ(first.run(disk), 0);
    first.fresh = true;
  }
  const TempFolder undisturbed;
  ASSERT_EQ(essay.run(undisturbed.path()), 0);
  const auto expected = artifacts(undisturbed / "out");
  const auto lose = [&](const fs::path& left, int) {
    std::string said;
    ASSERT_EQ(essay.run(left, &said), 0) << said;
    ASSERT_EQ(artifacts(left / "out"), expected) << said;
    // With `data` the last commits may be lost; with `fresh` bodies run again because they should.
    if (durability != Durability::data && !first.fresh) {
      ASSERT_EQ(ran_twice(left), "") << said;
    }
    ASSERT_TRUE(verify_run(SqliteStore{left / "db/s.db"}, "r1").ok());
  };
  expect_survives_power_losses(
      disk, std::get<1>(GetParam()), 8, [&] { ASSERT_EQ(first.run(disk), 0); }, lose, first.notes);
}

std::string name_of(const std::tuple<Durability, CrossRename, bool>& of) {
  const Durability durability = std::get<0>(of);
  return std::string{std::get<2>(of) ? "MadeAgain" : "New"} +
         (durability == Durability::full   ? ""
          : durability == Durability::data ? "Data"
                                           : "Queued") +
         (std::get<1>(of) == CrossRename::with_both_folders ? "Strict" : "");
}

INSTANTIATE_TEST_SUITE_P(Runs, SqliteWithoutPower,
                         ::testing::Combine(::testing::Values(Durability::full, Durability::data,
                                                              Durability::queued),
                                            ::testing::Values(CrossRename::with_its_folder,
                                                              CrossRename::with_both_folders),
                                            ::testing::Bool()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace resumable::test
