// Tables as people keep them, what a model's SQL may do with them, and what is seen at first sight.
#include <algorithm>

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::FakeOpenAi;
using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Tables : public InsightsTest {
 protected:
  Readings read(const std::string& name, const std::string& text, int days = 36'500) const {
    const auto file = folder / (name + ".csv");
    write_file(file, text);
    return load_readings(file, name, days);
  }
  static std::string why_not(const std::function<Readings()>& read) {
    try {
      static_cast<void>(read());
    } catch (const ReadingsError& error) {
      return error.what();
    }
    return "";
  }
  static Json query(const Readings& readings, const std::string& sql) {
    return Database{readings}.query(sql, {});
  }
  /// What is said of all parts of all tables.
  static std::string said_of(const Readings& readings) {
    const Tools tools{readings};
    std::string all;
    for (const Json& table : tools.tables()) {
      for (const Json& part : table.at("parts")) {
        const Json arguments{{"table", table.at("name")}, {"column", part}};
        for (const Finding& one : tools.findings({"overview", arguments}, {})) {
          all += one.text + "\n";
        }
      }
    }
    return all;
  }
};

TEST_F(Tables, ColumnsHaveKindsUnitsAndEmptyCells) {
  const Readings readings = read("pump",
                                 "when;flow (l/min);price [€];state\n"
                                 "16.06.2025 13:45;1,5;€ 1.200,50;on\n"
                                 "17.06.2025 00:00;;900;on\n"
                                 "18.06.2025 00:00;-2;1.000;\n");
  const Table& table = readings.tables.front();
  ASSERT_EQ(table.columns.size(), 4U);
  EXPECT_EQ(table.columns[0].kind, Kind::time);
  EXPECT_EQ(table.rows[0][0], Cell("2025-06-16 13:45:00"));
  EXPECT_EQ(table.columns[1].kind, Kind::number);
  EXPECT_EQ(table.columns[1].unit, "l/min");
  EXPECT_EQ(table.rows[0][1], Cell(1.5));
  EXPECT_EQ(table.rows[1][1], Cell());
  EXPECT_EQ(table.rows[2][1], Cell(-2.0));
  EXPECT_EQ(table.rows[0][2], Cell(1200.5));
  EXPECT_EQ(table.columns[3].kind, Kind::text);
  EXPECT_EQ(table.rows[2][3], Cell());
}

TEST_F(Tables, DatesAreReadInTheFirstFormThatFits) {
  const auto first = [&](const std::string& cell, const std::string& other) {
    const Readings readings = read("t", fmt::format("day,n\n\"{}\",1\n\"{}\",2\n", cell, other));
    return readings.tables.front().columns[0].kind == Kind::time
               ? readings.tables.front().rows[0][0].get<std::string>()
               : std::string{"text"};
  };
  EXPECT_EQ(first("2025-02-03", "2025-02-04"), "2025-02-03 00:00:00");
  EXPECT_EQ(first("2025-02-03T01:02:03.5Z", "2025-02-04 00:00"), "2025-02-03 01:02:03");
  EXPECT_EQ(first("3/2/2025", "4/2/2025"), "2025-02-03 00:00:00") << "days come first";
  EXPECT_EQ(first("2/13/2025", "2/14/2025"), "2025-02-13 00:00:00") << "there is no 13th month";
  EXPECT_EQ(first("3-Feb-25", "4-Feb-25"), "2025-02-03 00:00:00");
  EXPECT_EQ(first("31.02.2025", "30.02.2025"), "text") << "there is no such day";
  EXPECT_THAT(read("t", "day,n\n3/2/2025,1\n4/2/2025,2\n").tables.front().notes,
              ElementsAre(HasSubstr("month first")));
}

TEST_F(Tables, CellsThatDoNotFitBecomeEmptyAndAreCounted) {
  std::string text = "id,n\n";
  for (int i = 0; i < 20; ++i) text += fmt::format("x{},{}\n", i, i == 7 ? "broken" : "3");
  const Table table = read("t", text).tables.front();
  EXPECT_EQ(table.columns[1].kind, Kind::number);
  EXPECT_EQ(table.columns[1].unreadable, 1);
  EXPECT_EQ(table.rows[7][1], Cell());
}

TEST_F(Tables, ThatCannotBeUsedSayWhere) {
  const auto why = [&](const std::string& text) {
    return why_not([&] { return read("t", text); });
  };
  EXPECT_THAT(why(""), HasSubstr("not a table"));
  EXPECT_THAT(why("one\n1\n"), HasSubstr("one column"));
  EXPECT_THAT(why("a,a\n1,2\n"), HasSubstr("two columns are called 'a'"));
  EXPECT_THAT(why("a,b\n1,2\n3\n"), HasSubstr("t.csv:3: has 1 cells, and the header 2"));
  EXPECT_THAT(why("a,b\n\"x,2\n"), HasSubstr("quotation mark"));
  EXPECT_THAT(why(std::string{"a,b\n1,\0\n", 8}), HasSubstr("zero byte"));
}

TEST_F(Tables, ASystemIsATableOrAValueAndHasAWindow) {
  const Readings& december = insights::testing::december();
  ASSERT_EQ(december.tables.size(), 2U);
  EXPECT_EQ(december.tables[0].name, "weather");
  EXPECT_EQ(december.tables[0].rows.size(), 31U);
  EXPECT_EQ(december.tables[0].left_out, 2891);
  EXPECT_EQ(december.tables[1].name, "seattle-weather-hourly-normals") << "its name begins so";
  EXPECT_EQ(load_readings(data_folder(), "weather", 36'500).tables.front().rows.size(), 2922U);
  EXPECT_THAT(why_not([] { return load_readings(data_folder(), "Oslo", 1); }),
              HasSubstr("New York, Seattle"));
}

TEST_F(Tables, WideOnesHaveALongView) {
  const Readings readings = read("shops",
                                 "shop,Jan (EUR),Feb (EUR),Mar (EUR),staff\n"
                                 "Mill,10,20,30,4\nQuay,1,2,3,1\n");
  EXPECT_EQ(query(readings,
                  "SELECT shop, name, value FROM shops_long WHERE shop = 'Quay' AND "
                  "name LIKE 'Feb%'")
                .at("rows"),
            Json::parse(R"x([["Quay","Feb (EUR)",2.0]])x"));
  EXPECT_THAT(said_of(readings), HasSubstr("shops, all columns: mean 11, least 1"));
}

TEST_F(Tables, QueriesReadAndDoNothingElse) {
  const auto before = resumable::test::snapshot(folder.path());
  for (const char* sql : {"DROP TABLE weather",
                          "DELETE FROM weather",
                          "INSERT INTO weather SELECT * FROM weather",
                          "CREATE TABLE t(x)",
                          "CREATE TEMP TABLE t(x)",
                          "PRAGMA query_only = 0",
                          "VACUUM",
                          "ATTACH 'x.db' AS x",
                          "SELECT load_extension('x')",
                          "SELECT readfile('/etc/passwd')",
                          "SELECT random()",
                          "SELECT randomblob(9)",
                          "BEGIN",
                          "SELECT 1; DROP TABLE weather",
                          "SELECT writefile('x', 'y')",
                          "SELECT * FROM sqlite_dbpage",
                          "SELECT zeroblob(2000000000)",
                          "",
                          "nonsense",
                          "SELECT * FROM nobody",
                          "SELECT fts5(1)",
                          "SELECT date('NOW')",
                          "ANALYZE"}) {
    EXPECT_TRUE(query(december(), sql).contains("error")) << sql;
  }
  EXPECT_EQ(query(december(), "SELECT count(*) FROM weather;").at("rows").at(0).at(0), 31);
  EXPECT_EQ(resumable::test::snapshot(folder.path()), before);
}

TEST_F(Tables, QueriesEndAndAnswerInBounds) {
  const Json endless = query(december(),
                             "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                             "SELECT count(*) FROM c");
  EXPECT_THAT(endless.at("error").get<std::string>(), HasSubstr("too much work"));
  const Json many = query(december(),
                          "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT "
                          "101) SELECT x FROM c");
  EXPECT_EQ(many.at("rows").size(), 100U);
  EXPECT_TRUE(many.at("more"));
  const Json wide = query(december(),
                          "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT "
                          "50) SELECT printf('%0500d', x) FROM c");
  EXPECT_LE(wide.at("rows").size(), 8U);
  EXPECT_TRUE(wide.at("more"));
  const std::string deep(1000, '(');
  EXPECT_TRUE(query(december(), "SELECT " + deep + "1" + std::string(1000, ')')).contains("error"));
}

RC_GTEST_PROP(AnyText, IsAQueryThatEnds, (const std::string& sql)) {
  const Json result = Database{december()}.query(sql, {});
  RC_ASSERT(result.contains("error") || result.contains("rows"));
}

TEST_F(Tables, AreToldAtFirstSight) {
  std::string text = "time,room,temperature\n";
  for (int day = 1; day <= 28; ++day) {
    if (day >= 20 && day <= 22) continue;
    for (const int hour : {0, 6, 12, 18}) {
      for (const char* room : {"Attic", "Hall"}) {
        const bool is_hot = room[0] == 'A' && day == 10;
        text += fmt::format("2025-02-{:02} {:02}:00,{},{}\n", day, hour, room,
                            is_hot ? 60 : (room[0] == 'A' ? 20 : 18) + day % 3 + hour % 4);
      }
    }
  }
  const std::string said = said_of(read("rooms", text));
  EXPECT_THAT(said,
              HasSubstr("rooms: 200 rows from 2025-02-01 to 2025-02-28 18:00:00, on 25 days."));
  EXPECT_THAT(said, HasSubstr("Rows by room: Attic 100, Hall 100."));
  EXPECT_THAT(said, HasSubstr("Rows are 6 hours apart (the median)."));
  EXPECT_THAT(said, HasSubstr("no row between 2025-02-19 18:00:00 and 2025-02-23: 3.25 days."));
  EXPECT_THAT(said, HasSubstr("most 60 (2025-02-10 and 3 more)"));
  EXPECT_THAT(said,
              HasSubstr("temperature (Attic): 4 values from 2025-02-10 to 2025-02-10 18:00:00 "
                        "are unlike the rest: 60, where the median is"));
  EXPECT_THAT(said, HasSubstr("temperature by room: highest mean Attic"));
  EXPECT_THAT(said, HasSubstr("temperature by hour: highest mean"));
  EXPECT_THAT(said, Not(HasSubstr("  ")));
}

TEST_F(Tables, WhatSeveralShareIsNotSaidOfOneAlone) {
  const std::string text = "hall,month,seats\nA,1,4.5\nA,2,4.5\nB,1,2\nB,2,7\nC,1,2\nC,2,2\n";
  const std::string said = said_of(read("halls", text));
  EXPECT_THAT(said, HasSubstr("least 2 (B and 1 more), most 7 (B);"));
  EXPECT_THAT(said, HasSubstr("highest mean A and 1 more (4.5), lowest C (2); largest sum A and 1 "
                              "more (9), smallest C (4)"));
}

TEST_F(Tables, OfFewValuesNoneIsSaidToBeUnlikeTheRest) {
  const auto said = [&](int days) {
    std::string text = "day,n\n";
    for (int day = 1; day <= days; ++day) {
      text += fmt::format("2025-03-{:02},{}\n", day, day == 3 ? 900.5 : 10.5 + day % 3);
    }
    return said_of(read("t", text));
  };
  EXPECT_THAT(said(5), Not(HasSubstr("unlike the rest")));
  EXPECT_THAT(said(28), HasSubstr("n: the value of 2025-03-03 is unlike the rest: 900.5"));
}

TEST_F(Tables, NumbersThatNameTheRowsAreNotMeasured) {
  const std::string said = said_of(read("orders",
                                        "no,ticket,year,pieces,price\n"
                                        "7001,12,2001,5,19\n9210,13,2002,5,250\n"
                                        "8333,11,2003,8,4\n5120,14,2004,1,77\n"));
  for (const char* id : {"\nno:", "ticket:", "year:"}) EXPECT_THAT(said, Not(HasSubstr(id)));
  EXPECT_THAT(said, HasSubstr("pieces: mean 4.75"));
  EXPECT_THAT(said, HasSubstr("price: mean 87.5")) << "whole and different, but with gaps";
}

TEST_F(Tables, AFindingIsWhatItsQueryGives) {
  const Tools tools{december()};
  for (const Json& part : tools.tables().at(0).at("parts")) {
    const Json arguments{{"table", "weather"}, {"column", part}};
    const auto findings = tools.findings({"overview", arguments}, {});
    EXPECT_FALSE(findings.empty()) << part;
    for (const Finding& finding : findings) {
      Json rows = query(december(), finding.sql).at("rows");
      if (rows.size() > 5) rows.erase(rows.begin() + 5, rows.end());
      EXPECT_EQ(rows, finding.rows) << finding.text;
    }
  }
}

TEST_F(Tables, NamesWithQuotationMarksAreNoWayIntoAQuery) {
  const Readings readings = read("t", "\"a\"\"b\",\"x') DROP TABLE t --\"\nq,1\nr,2\n");
  EXPECT_THAT(said_of(readings), HasSubstr("t: 2 rows, without a time."));
  EXPECT_THAT(said_of(readings), HasSubstr("x') DROP TABLE t --: mean 1.5"));
}

TEST_F(Tables, ChartsAreFiles) {
  Json request = december_request();
  request["pictures"] = true;
  FakeOpenAi server{[](const std::string& message) {
    if (Json::parse(message).at("input").at("turn") != 1)
      return R"({"answer":"windy","complete":true})";
    return R"({"calls":[{"name":"chart","arguments":{"sql":"SELECT date, wind FROM weather",)"
           R"("kind":"bar","title":"Wind & rain"}}]})";
  }};
  const Json answer = ask("j", {"--provider", provider(server)}, request).json();
  const Json& pictures = answer.at("insights").at("pictures");
  ASSERT_EQ(pictures.size(), 1U) << answer;
  const std::string svg = resumable::test::read_file(pictures.at(0).get<std::string>());
  EXPECT_THAT(svg, ::testing::StartsWith("<svg xmlns="));
  EXPECT_THAT(svg, HasSubstr("<title>Wind &amp; rain</title>"));
  for (const char* tick : {">0<", ">2<", ">8<"}) EXPECT_THAT(svg, HasSubstr(tick));
}

TEST_F(Tables, AChartOfAModelIsDrawnOrSaysWhy) {
  const Tools tools{december()};
  const auto chart = [&](const Json& arguments) {
    return Json::parse(tools.use({"chart", arguments}, {}));
  };
  const Json good{
      {"sql", "SELECT date, wind, temp_max FROM weather"}, {"kind", "line"}, {"title", "December"}};
  EXPECT_EQ(chart(good), (Json{{"chart", "December"}, {"points", 31}}));
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, Json>>{{"sql", "SELECT 1"},
                                                 {"sql", "SELECT date FROM weather"},
                                                 {"sql", "SELECT *, * FROM weather"},
                                                 {"title", 7},
                                                 {"sql", "DROP TABLE weather"}}) {
    Json bad = good;
    bad[name] = value;
    EXPECT_TRUE(chart(bad).contains("error")) << bad;
  }
}

}  // namespace
}  // namespace insights::testing
