// Which file a report is written to.
#include <filesystem>

#include "inspector/inspected.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

class ReportFile : public Inspected {
 protected:
  void SetUp() override { ASSERT_EQ(run("my.run 2", greeting("Fernstone")), Outcome::done); }
};

TEST_F(ReportFile, AnEmptyOneIsTakenAsFree) {
  const auto file = folder_ / "made-by-mktemp";
  write_file(file, "");
  const Said said = inspect({"report", "latest", "-o", file.string()});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(read_file(file), HasSubstr("<!doctype html>"));
  EXPECT_FALSE(std::filesystem::exists(file.string() + ".part"));
}

TEST_F(ReportFile, IsByDefaultNamedLikeTheRunInPlainLetters) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  const Said said = inspect({"report", "latest"});
  std::filesystem::current_path(here);
  EXPECT_EQ(said.out, "my.run_2.html\n") << said.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "my.run_2.html"));
}

}  // namespace
}  // namespace resumable::test
