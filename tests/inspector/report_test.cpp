// The page of `report`: complete, harmless whatever the names are, and made of any run.
#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <sstream>

#include "inspector/inspected.hpp"
#include "record/environment.hpp"
#include "support/child_process.hpp"
#include "support/manual_clock.hpp"
#include "support/schema.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Reporting : public Inspected {
 protected:
  /// The page on standard output.
  std::string page_of(const std::string& run) {
    const Said said = inspect({"report", run, "-o", "-"});
    EXPECT_EQ(said.code, 0) << said.err;
    return said.out;
  }

  /// What stands in the element with the data, as a browser finds its end.
  static std::string element(const std::string& page) {
    const std::string open = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page.find(open);
    if (begin == page.npos) return {};
    return page.substr(begin + open.size(),
                       page.find("</script", begin + open.size()) - begin - open.size());
  }

  Json data_of(const std::string& run) { return Json::parse(element(page_of(run))); }

  static Words stages_of(const Json& data) {
    Words names;
    for (const Json& stage : data.at("stages")) names.push_back(stage.at("name"));
    return names;
  }

  static const Json& stage(const Json& data, const std::string& name) {
    for (const Json& one : data.at("stages")) {
      if (one.at("name") == name) return one;
    }
    throw std::runtime_error("no stage " + name);
  }

  /// Why the newest generation of a stage was made.
  static std::string why(const Json& data, const std::string& name) {
    return data.at("texts").at(stage(data, name).at("rows")[0][5].back()[9].get<std::size_t>());
  }
};

TEST_F(Reporting, WritesOneFileAndSaysWhere) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  const std::string file = folder_ / "r.html";
  const Said said = inspect({"report", "r", "-o", file, "--json"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(misfit(schema_of("report"), said.json()), "");
  EXPECT_EQ(said.json()["file"], file);
  EXPECT_EQ(said.json()["bytes"], read_file(file).size());
  EXPECT_EQ(said.json()["items"], 2);
  EXPECT_EQ(inspect({"report", "r", "-o", file}).out, file + "\n");
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
  EXPECT_EQ(inspect({"report", "r", "-o", "-", "--json"}).code, 2);
}

TEST_F(Reporting, OnlyAReportIsOverwritten) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  write_file(folder_ / "letter.html", "Dear Ann");
  const Said said = inspect({"report", "r", "-o", folder_ / "letter.html"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("exists, and is not a report"));
  EXPECT_EQ(read_file(folder_ / "letter.html"), "Dear Ann");
}

TEST_F(Reporting, WhereItCannotBeWrittenNothingIsLeft) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  const Said said = inspect({"report", "r", "-o", folder_ / "none/r.html"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("could not be written: No such file"));
}

TEST_F(Reporting, TheDataHasEveryStageItemAndReason) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  ASSERT_EQ(run("r", greeting("Other")), Outcome::done);
  const Json data = data_of("r");
  EXPECT_EQ(stages_of(data), (Words{"company", "people", "names", "words", "count", "note"}));
  EXPECT_EQ(data["state"], "done");
  EXPECT_EQ(stage(data, "words")["rows"].size(), 2U);
  EXPECT_EQ(stage(data, "words")["items"]["kept"], 2);
  EXPECT_EQ(stage(data, "note")["takes"], Json::parse(R"([[0,"value"],[4,"value"]])"));
  EXPECT_THAT(why(data, "note"), HasSubstr("input 'company' changed: "));
  EXPECT_EQ(stage(data, "note")["rows"][0][5].back().back()["changed"],
            Json::parse(R"(["company"])"));
  EXPECT_EQ(why(data, "names"), "first run");
  EXPECT_EQ(data["calls"].size(), 2U);
  EXPECT_EQ(data["calls"][1]["resumed"], true);
  EXPECT_EQ(data["artifacts"].size(), 3U);
}

TEST_F(Reporting, SavedIsWhatLaterCallsDidNotMakeAgain) {
  ASSERT_EQ(run("r", greeting("Fernstone", "ann", true)), Outcome::failed);
  ASSERT_EQ(run("r", greeting("Fernstone", "ann")), Outcome::done);
  const Json data = data_of("r");
  EXPECT_EQ(data["saved"]["cost"]["usd"], 0.25) << "count was kept";
  EXPECT_EQ(data["calls"][0]["outcome"], "failed");
  EXPECT_EQ(data["calls"][1]["outcome"], "done");
}

TEST_F(Reporting, NothingIsLoadedFromAnywhere) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  std::string page = page_of("r");
  const std::string names_a_namespace = "http://www.w3.org/2000/svg";
  for (std::size_t at = page.find(names_a_namespace); at != page.npos;
       at = page.find(names_a_namespace)) {
    page.erase(at, names_a_namespace.size());
  }
  for (const char* reference :
       {"http:", "https:", "url(//", "src=", "@import", "<link", "<img", "<iframe", "innerHTML",
        "outerHTML", "insertAdjacent", "document.write", "eval(", " style=\"", "fetch("}) {
    EXPECT_THAT(page, Not(HasSubstr(reference)));
  }
  EXPECT_THAT(page, HasSubstr("default-src 'none'; style-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-inline")));
  for (const char* place : {"@style@", "@script@", "@style_digest@", "@script_digest@", "@data@"}) {
    EXPECT_THAT(page, Not(HasSubstr(place)));
  }
}

TEST_F(Reporting, NamesThatAreMarkupAreData) {
  const std::string alert = "<script>alert(1)</script>";
  const std::string end = "</script><!-- & ]]>";
  Pipeline p{"markup"};
  const auto list = p.input("people", std::vector<std::string>{alert, end, "<img src=x>"});
  const auto names =
      p.stage("names", inputs(list), [](const std::vector<std::string>& all) { return all; });
  p.stage("words", inputs(each(names)), [](const std::string& name) {
    if (name.starts_with("<img")) throw std::runtime_error("</script><script>alert(2)</script>");
    return name;
  });
  ASSERT_EQ(run(end, p), Outcome::failed);
  const std::string page = page_of(end);
  EXPECT_THAT(element(page), Not(HasSubstr("<")));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const Json data = Json::parse(element(page));
  EXPECT_EQ(data["pipeline"], "markup");
  EXPECT_EQ(data["run"], end);
  Words keys;
  for (const Json& row : stage(data, "words")["rows"]) keys.push_back(row[0]);
  EXPECT_THAT(keys, ::testing::UnorderedElementsAre(alert, end, "<img src=x>"));
  EXPECT_THAT(data["texts"].dump(), HasSubstr("</script><script>alert(2)"));
}

TEST_F(Reporting, AFileBelongsToTheStageThatWroteItLast) {
  Pipeline p{"rewriting"};
  const auto in = p.input("in", 1);
  const auto second = p.stage("written", inputs(in), [](int one) { return one; });
  const auto third = p.stage("again", inputs(second), [](int one) { return one + 1; });
  p.artifact(second, "it.json");
  p.artifact(third, "it.json");
  ASSERT_EQ(run("r", p), Outcome::done);
  const Json data = data_of("r");
  ASSERT_EQ(data["artifacts"].size(), 1U);
  EXPECT_EQ(data["stages"][data["artifacts"][0][1].get<std::size_t>()]["name"], "again");
}

TEST_F(Reporting, AFileOfTwoStagesBelongsToTheLaterOneWhateverTheirNames) {
  Pipeline p{"rewriting"};
  const auto in = p.input("in", 1);
  const auto first = p.stage("a", inputs(in), [](int one) { return one; });
  const auto second = p.stage("b", inputs(first), [](int one) { return one + 1; });
  p.artifact(first, "it.json");
  p.artifact(second, "it.json");
  ASSERT_EQ(run("r", p), Outcome::done);
  const Json data = data_of("r");
  EXPECT_EQ(data["stages"][data["artifacts"][0][1].get<std::size_t>()]["name"], "b");
}

TEST_F(Reporting, SpaceIsThatOfCurrentRecordsAndOfTheOthers) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  ASSERT_EQ(run("r", greeting("Other")), Outcome::done);
  const Json space = data_of("r")["space"];
  const auto note = std::ranges::find(space, "note", [](const Json& one) { return one[0]; });
  ASSERT_NE(note, space.end());
  EXPECT_EQ((*note)[1], 2);
  EXPECT_GT((*note)[2], 0);
  EXPECT_GT((*note)[3], 0);
}

TEST_F(Reporting, WhatADamagedGenerationWasIsNotGuessed) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  ASSERT_EQ(run("r", greeting("Other")), Outcome::done);
  const auto file = record_file("r", "note.1");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const Json data = data_of("r");
  EXPECT_EQ(why(data, "note"), "unknown: the generation before is not kept");
  const Json& damaged = stage(data, "note")["rows"][0][5][0];
  EXPECT_EQ(damaged[8], 2);
  EXPECT_EQ(data["texts"].at(damaged[9].get<std::size_t>()), "its bytes cannot be trusted");
}

TEST_F(Reporting, AWholeRecordThatWasSetAsideIsNotShownAsANormalOne) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  flip_last_byte(record_file("r", "note.1"));  // its head is as it was
  ASSERT_EQ(inspect({"verify", "r", "--set-aside"}).code, 0);
  const Json data = data_of("r");
  EXPECT_EQ(data["damaged"],
            Json::parse(R"([{"path":"note","generation":1,"damage":"set aside"}])"));
  const Json& generations = stage(data, "note")["rows"][0][5];
  ASSERT_EQ(generations.size(), 1U);
  EXPECT_EQ(generations[0][8], 3);
  EXPECT_EQ(why(data, "note"), "its bytes cannot be trusted");
  EXPECT_EQ(stage(data, "note")["action"], "run");
}

TEST_F(Reporting, CountsTheItemsThatAreKeptAndThoseThatRun) {
  ASSERT_EQ(run("r", greeting("Fernstone", "ann bob cid")), Outcome::done);
  const auto file = record_file("r", "words/ann.1");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const Json items = stage(data_of("r"), "words")["items"];
  EXPECT_EQ(items["total"], 3);
  EXPECT_EQ(items["kept"], 2);
  EXPECT_EQ(items["to_run"], 1);
}

TEST_F(Reporting, SavedLeavesOutValuesThatWereReplaced) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  ASSERT_EQ(run("r", greeting("Other", "ann bob", true)), Outcome::failed);
  ASSERT_EQ(run("r", greeting("Other")), Outcome::done);
  EXPECT_EQ(data_of("r")["saved"]["cost"]["usd"], 0.25) << "the second count, by the last call";
}

TEST_F(Reporting, SaysWhatBecameOfExportedFilesAndWhoEditedAValue) {
  constexpr std::size_t editor = 11;  // of a generation
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  write_file(folder_ / "r/note.txt", "mine\n");
  std::filesystem::remove(folder_ / "r/letters/ann.json");
  std::map<std::string, int> states;
  const Json before = data_of("r");
  for (const Json& one : before.at("artifacts")) {
    states[one.at(0).get<std::string>()] = one.at(3).get<int>();
  }
  EXPECT_EQ(states, (std::map<std::string, int>{
                        {"letters/ann.json", 2}, {"letters/bob.json", 0}, {"note.txt", 1}}));
  const auto note = [](const Json& data) {
    return stage(data, "note").at("rows").at(0).at(5).back();
  };
  EXPECT_EQ(note(before).at(editor), -1);
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  const Json after = data_of("r");
  EXPECT_GE(note(after).at(editor).get<int>(), 0) << note(after).dump();
  EXPECT_THAT(why(after, "note"), HasSubstr("edit"));
}

TEST_F(Reporting, ARunThatGoesOnIsNotKilled) {
  Json data;
  Pipeline p{"looks"};
  const auto in = p.input("in", 1);
  p.stage("looks", inputs(in), [&](int one) {
    data = data_of("r");
    return one;
  });
  ASSERT_EQ(run("r", p), Outcome::done);
  EXPECT_EQ(data["state"], "running");
  EXPECT_EQ(data["calls"].back()["outcome"], "running");
}

TEST_F(Reporting, NamesCodeThatChangedAndInputsThatAreGone) {
  const auto pipeline = [](std::uint32_t revision) {
    Pipeline p{"changing"};
    const auto a = p.input("a", 1);
    const auto b = p.input("b", 2);
    if (revision == 1) {
      p.stage({.name = "sum", .revision = 1}, inputs(a, b), [](int x, int y) { return x + y; });
    } else {
      p.stage({.name = "sum", .revision = 2}, inputs(a), [](int x) { return x; });
    }
    return p;
  };
  ASSERT_EQ(run("r", pipeline(1)), Outcome::done);
  ASSERT_EQ(run("r", pipeline(2)), Outcome::done);
  EXPECT_EQ(why(data_of("r"), "sum"), "input 'b' is gone; its code changed: revision 1 → 2");
}

TEST_F(Reporting, AnEmptyStoreIsToldAndNoFileIsMade) {
  const Said said = inspect({"report", "-o", folder_ / "r.html"});
  EXPECT_EQ(said.code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r.html"));
}

TEST_F(Reporting, WhatIsDamagedIsNamedAndTheRestIsThere) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  const auto file = record_file("r", "count.1");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const Json data = data_of("r");
  EXPECT_EQ(data["damaged"],
            Json::parse(R"([{"path":"count","generation":1,"damage":"damaged"}])"));
  EXPECT_EQ(stages_of(data).size(), 6U);
  EXPECT_EQ(stage(data, "count")["action"], "run");
  EXPECT_EQ(stage(data, "note")["rows"][0][5].size(), 1U);
  const auto states = [](const Json& of) {
    std::string all;  // 0 current, 1 earlier, 2 damaged, 3 set aside
    for (const Json& one : stage(of, "count")["rows"][0][5]) all += one[8].dump();
    return all;
  };
  EXPECT_EQ(states(data), "2");
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  const Json again = data_of("r");
  EXPECT_EQ(states(again), "30");
  EXPECT_EQ(again["damaged"],
            Json::parse(R"([{"path":"count","generation":1,"damage":"set aside"}])"));
}

TEST_F(Reporting, WithoutTheGraphTheRecordsTellTheStages) {
  ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done);
  const auto file = record_file("r", "@run.");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const Said said = inspect({"report", "r", "-o", "-"});
  ASSERT_EQ(said.code, 0) << said.err;
  const Json data = Json::parse(element(said.out));
  EXPECT_EQ(data["planned"], false);
  EXPECT_THAT(stages_of(data), ::testing::IsSupersetOf({"count", "names", "note", "words"}));
}

TEST_F(Reporting, AKilledRunSaysWhereItStopped) {
  ChildProcess child([this] {
    Pipeline p{"dies"};
    const auto in = p.input("in", 1);
    const auto first = p.stage("first", inputs(in), [](int one) { return one; });
    p.stage("second", inputs(first), [](int one) {
      ::raise(SIGKILL);
      return one;
    });
    static_cast<void>(run("r", p));
    return 0;
  });
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  const Json data = data_of("r");
  EXPECT_EQ(data["state"], "killed");
  EXPECT_EQ(data["calls"][0]["outcome"], "killed");
  EXPECT_EQ(stage(data, "first")["action"], "skip");
  EXPECT_EQ(stage(data, "second")["action"], "run");
}

TEST_F(Reporting, AFailedAttemptSaysWhy) {
  ASSERT_EQ(run("r", greeting("Fernstone", "ann", true)), Outcome::failed);
  const Json data = data_of("r");
  const int error = stage(data, "note").at("rows")[0][4];
  ASSERT_GE(error, 0);
  EXPECT_THAT(data["texts"][static_cast<std::size_t>(error)].get<std::string>(),
              HasSubstr("1 attempt failed: no paper"));
}

TEST_F(Reporting, TheTimesOfManyShortItemsAddUp) {
  ManualClock clock;
  Pipeline p{"many"};
  const auto numbers = p.input("numbers", std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  p.stage("squares", inputs(each(numbers)), [&](int number) {
    clock.advance(std::chrono::microseconds{300});
    return number * number;
  });
  {
    const record::TestEnvironment environment{{.clock = &clock}};
    FileStore store{folder_.path()};
    ASSERT_EQ(resume(p, store, {.run = "r"}).outcome(), Outcome::done);
  }
  double sum = 0;
  const Json data = data_of("r");
  for (const Json& row : stage(data, "squares")["rows"]) sum += row[5].back()[2].get<double>();
  EXPECT_NEAR(sum, 8 * 0.0003, 1e-9);
}

TEST_F(Reporting, ThousandsOfItemsStaySmall) {
  std::string people;
  for (int i = 0; i < 2000; ++i) people += "person" + std::to_string(i) + " ";
  Pipeline p{"many"};
  const auto in = p.input("people", people);
  const auto names = p.stage("names", inputs(in), [](const std::string& all) {
    std::istringstream words{all};
    return Words{std::istream_iterator<std::string>{words}, {}};
  });
  p.stage("words", inputs(each(names)), [](const std::string& name) { return name; });
  MemoryStore memory;
  ASSERT_EQ(resume(p, memory, {.run = "r"}).outcome(), Outcome::done);
  options.stores["own"] = [&](std::string_view, CreateStore) {
    return std::make_unique<Linked>(memory);
  };
  url = "own:x";
  const std::string page = page_of("r");
  EXPECT_EQ(stage(Json::parse(element(page)), "words")["rows"].size(), 2000U);
  EXPECT_LT(element(page).size(), 2000U * 110U);
}

}  // namespace
}  // namespace resumable::test
