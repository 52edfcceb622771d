// The inspector in the hands of somebody who may not read the store, or not write to it.
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "inspector/inspected.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Rights : public Inspected {
 protected:
  void SetUp() override {
    ASSERT_EQ(run("s", greeting("Cloudgov")), Outcome::done);
    ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::permissions(log_.path(), fs::perms(0777));
  }

  /// What the commands say to somebody who is not above permissions.
  std::vector<Said> as_somebody_else(const std::vector<Words>& commands) {
    ChildProcess child{[&] {
      if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 98;
      Json all = Json::array();
      for (const Words& words : commands) {
        const Said said = inspect(words);
        all.push_back({said.code, said.out, said.err});
      }
      write_file(log_ / "said", all.dump());
      return 0;
    }};
    EXPECT_EQ(child.wait(), (Ended{0, 0}));
    std::vector<Said> result;
    const Json all = Json::parse(read_file(log_ / "said"));
    for (const Json& one : all) result.push_back({one[0], one[1], one[2]});
    return result;
  }

  /// For everybody: `folders` and `files` say what is allowed.
  void allow(fs::perms folders, fs::perms files) {
    std::vector<fs::directory_entry> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) all.push_back(entry);
    for (const auto& entry : all) {
      fs::permissions(entry.path(), entry.is_directory() ? folders : files);
    }
  }

  static std::vector<Words> reading() {
    return {{"status", "r"}, {"plan", "r"},         {"explain", "r", "note"},
            {"show", "r"},   {"show", "r", "note"}, {"diff", "r"},
            {"graph", "r"},  {"verify", "r"},       {"report", "r", "-o", "-"}};
  }

  std::vector<Words> writing() const {
    return {{"tag", "r", "t"},
            {"fork", "r", "f"},
            {"merge", "s", "r", "--conflicts", "take"},
            {"migrate", "--backup", (log_ / "closed/backup").string()},
            {"rollback", "r", "note", "--generation", "1"},
            {"remove", "r", "--yes"},
            {"copy", "r", "--to", (log_ / "closed/store").string()}};
  }

  TempFolder log_;
};

TEST_F(Rights, ToReadAreMissingAndNoCommandSaysThatThereIsNoRun) {
  const fs::path closed = folder_ / "r/.resumable";
  allow(fs::perms(0755), fs::perms(0644));
  fs::permissions(closed, ::geteuid() == 0 ? fs::perms::owner_all : fs::perms::none);
  std::vector<Words> commands = reading();
  for (const Words& words : writing()) commands.push_back(words);
  commands.push_back({"list"});
  const std::vector<Said> all = as_somebody_else(commands);
  fs::permissions(closed, fs::perms::owner_all);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const std::string& command = commands[i].front();
    EXPECT_NE(all[i].code, 0) << command << all[i].out;
    EXPECT_NE(all[i].code, 2) << command << all[i].err;
    EXPECT_THAT(all[i].out + all[i].err, HasSubstr("Permission denied")) << command;
    EXPECT_THAT(all[i].err, Not(HasSubstr("there is no run"))) << command;
  }
  EXPECT_THAT(all.back().out, ContainsRegex("r +- +- +unreadable")) << all.back().err;
}

TEST_F(Rights, ToReadSufficeForCommandsThatRead) {
  allow(fs::perms(0555), fs::perms(0444));
  const std::vector<Said> all = as_somebody_else(reading());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].code, 0) << reading()[i].front() << all[i].err;
    if (reading()[i].front() != "report") {
      EXPECT_EQ(all[i].out, inspect(reading()[i]).out) << reading()[i].front();
    }
  }
  allow(fs::perms(0755), fs::perms(0644));
}

TEST_F(Rights, ToWriteAreMissingAndNothingIsChanged) {
  fs::create_directory(log_ / "closed");
  fs::permissions(log_ / "closed", fs::perms(0555));
  fs::permissions(folder_.path(), fs::perms(0555));
  allow(fs::perms(0555), fs::perms(0444));
  const auto before = snapshot(folder_.path());
  const std::vector<Said> all = as_somebody_else(writing());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NE(all[i].code, 0) << writing()[i].front() << all[i].out;
    EXPECT_THAT(all[i].err, HasSubstr("Permission denied")) << writing()[i].front();
  }
  EXPECT_EQ(snapshot(folder_.path()), before);
  fs::permissions(folder_.path(), fs::perms(0755));
  allow(fs::perms(0755), fs::perms(0644));
}

}  // namespace
}  // namespace resumable::test
