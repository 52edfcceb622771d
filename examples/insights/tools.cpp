#include "insights/tools.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/arguments.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using Function = Json (*)(Arguments&, const Readings&);

struct Entry {
  Tool tool;
  Function function;
};

constexpr Entry entries[]{
    {{"query_window", "The readings of some days, 31 at most.",
      R"({"from":"2015-12-01","to":"2015-12-07","where":{"CATEGORY":"VALUE"}})"},
     &tool::query_window},
    {{"statistics",
      "Mean, median, deviation, sum, 10th and 90th percentile, least and most of a column of "
      "numbers. With \"step\":\"day\", of its days.",
      R"({"variable":"NUMBER","from":"2015-12-01","to":"2015-12-07","where":{},"step":"row"})"},
     &tool::statistics},
    {{"trend", "The straight line through a column by least squares: change a day, r2.",
      R"({"variable":"NUMBER","where":{}})"},
     &tool::trend},
    {{"find_change",
      "When a column steps to another level, with the medians before and after. With \"by\", for "
      "each value of a category.",
      R"({"variable":"NUMBER","by":"CATEGORY"})"},
     &tool::find_change},
    {{"find_settings",
      "Of a column whose value is set and then holds (a price, a target): when it took another, "
      "by the category that it depends on.",
      R"({"variable":"NUMBER","where":{}})"},
     &tool::find_settings},
    {{"find_unusual",
      "Readings far from the mean (method z), above a percentile (method percentile), or far from "
      "what is usual at their hour, weekday or month and for their categories (method robust); "
      "the first 5.",
      R"({"variable":"NUMBER","method":"robust","threshold":3.5,"step":"day"})"},
     &tool::find_unusual},
    {{"compare_normals", "How far a column is from the normals of these days.",
      R"({"variable":"NUMBER","from":"2015-12-01","to":"2015-12-07"})"},
     &tool::compare_normals},
    {{"compare_before", "A column against as many days before the window, and a year earlier.",
      R"({"variable":"NUMBER","where":{}})"},
     &tool::compare_before},
    {{"how_often",
      "How many readings, or with \"step\":\"day\" how many days, are \"below\", \"above\", "
      "\"at_least\" or \"at_most\" a number, which, and for how long in a row. With \"by\", how "
      "many "
      "readings of each value of a category.",
      R"({"variable":"NUMBER","below":1.5,"where":{},"step":"row","by":"CATEGORY"})"},
     &tool::how_often},
    {{"compare_periods",
      "A column in two periods: sums of amounts, means of levels. With \"of\", what part it is of "
      "another.",
      R"({"variable":"NUMBER","of":"NUMBER","first":"2015-11","second":"2015-12-01/2015-12-15","where":{}})"},
     &tool::compare_periods},
    {{"compare_parts",
      "A column in a part of the rows against all others: of one value of a category (\"value\"), "
      "with some of another column (\"with\"), or \"beyond\" a limit of it, or of one period "
      "(\"period\"). With \"above\", how "
      "many are above a number.",
      R"({"variable":"NUMBER","value":{"CATEGORY":"VALUE"},"with":"NUMBER","beyond":"at_least","than":6,"period":"2015-12-01/2015-12-15","above":0,"where":{}})"},
     &tool::compare_parts},
    {{"pattern",
      "A column by hour, weekday, week or month: means, and how much of it that explains.",
      R"({"variable":"NUMBER","by":"weekday","where":{}})"},
     &tool::pattern},
    {{"shares",
      "A column by the values of a category: sums and shares of amounts, means of levels. "
      "Without a column, how many readings each value has. \"compared\" sets two values against "
      "each other.",
      R"({"variable":"NUMBER","by":"CATEGORY","where":{},"compared":{"first":"VALUE","second":"VALUE"}})"},
     &tool::shares},
    {{"compare_mix",
      "The shares of a category's values, of rows or of an amount, in the first against the second "
      "half of the time, or in two periods, and those of one value by month.",
      R"({"by":"CATEGORY","variable":"NUMBER","first":"2015-11","second":"2015-12","value":"VALUE","where":{}})"},
     &tool::compare_mix},
    {{"outcomes",
      "How large the share of a category's value is within each value of another category. Rows "
      "where either is empty are left out and counted.",
      R"({"outcome":"CATEGORY","value":"VALUE","by":"CATEGORY","where":{}})"},
     &tool::outcomes},
    {{"still_open",
      "Of the time from one date to another, the rows whose last date is empty: how many, since "
      "when, the oldest, and the sum of an \"amount\" of money. With \"by\", how many of each "
      "value of a category.",
      R"({"variable":"time from DATE to DATE","amount":"NUMBER","by":"CATEGORY","where":{}})"},
     &tool::still_open},
    {{"compare_columns",
      "Two columns over the rows, or of two tables the days, that have both: sums or means, their "
      "difference, and how much of the first there is per one (or \"per\") of the second; with "
      "\"by\", for each "
      "value of a category.",
      R"({"variable":"NUMBER","with":"NUMBER","by":"CATEGORY","where":{}})"},
     &tool::compare_columns},
    {{"related",
      "Which columns rise and fall together, by rank correlation. With two that are named, also "
      "whether one is part of the other. \"step\": \"row\" takes single rows, not days.",
      R"({"variable":"NUMBER","with":"NUMBER","step":"row","where":{}})"},
     &tool::related},
    {{"compute",
      "A figure of the rows (\"measures\": none) or of columns, added up row by row, less a "
      "column, "
      "times others: \"sum\", \"mean\", \"most\", \"least\", the sum \"per\" another column's, "
      "the \"share\" of the rows with the values of \"part\" or beyond a limit, the "
      "\"change\" from the first day to the last, the \"spread\": a day's highest less its "
      "lowest on average, the \"range\", how many \"different\" values \"of\" a category or days "
      "there are, the values with \"none\" of the rows, or the mean of the sums of \"each\" of "
      "these, or of each month; told in another \"unit\" of the same "
      "kind; of an amount with a \"sign\" what goes out or comes in; only groups \"having\" such a "
      "figure, or so many \"rows\"; for each "
      "group of \"by\" (a category, measure, day, week, month, weekday, hour, weekend or night) or "
      "of two periods.",
      R"({"measures":["NUMBER"],"less":"NUMBER","times":["NUMBER"],"unit":"h","figure":"sum","tell":["COLUMN"],"of":"CATEGORY","per":"NUMBER","each":100,"part":{"CATEGORY":"VALUE"},"above":8,"sign":"out","having":"above 1","rows":30,"by":"CATEGORY","first":"2015-11","second":"2015-12","hour_from":8,"hour_to":16,"where":{}})"},
     &tool::compute},
    {{"look_up",
      "Rows with all their cells: those with some \"values\" in a \"column\" of identifiers, those "
      "in which a column is \"empty\" or 0, and of these the \"end\": \"first\" or \"last\" in "
      "time, \"most\" or \"least\" of a column of numbers; the cells to \"tell\" come first.",
      R"({"column":"IDENTIFIER","values":["TEXT"],"empty":"COLUMN","end":"last","variable":"NUMBER","tell":["COLUMN"],"from":"2015-12-01","to":"2015-12-07","where":{}})"},
     &tool::look_up},
    {{"remarks",
      "What is noted beside the readings, with the dates; of many remarks those with the most of "
      "the \"words\".",
      R"({"words":["TEXT"],"from":"2015-12-01","to":"2015-12-07","where":{}})"},
     &tool::remarks},
    {{"find_faults",
      "What is wrong with the data: missing values, gaps, rows that are there twice, values "
      "below zero, sensors that are stuck, values that are perhaps misspelt, values of categories "
      "that have "
      "stopped or are new.",
      "{}"},
     &tool::find_faults}};

}  // namespace

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = [] {
    std::vector<Tool> names;
    for (const Entry& entry : entries) names.push_back(entry.tool);
    return names;
  }();
  return all;
}

Readings with_table(const std::string& name, const Readings& readings) {
  for (const Table& table : readings.beside) {
    if (name != table.name) continue;
    Readings other{readings.system_id, table, {}, {}, {}};
    other.beside.push_back(readings.table);
    return other;
  }
  throw ToolError(
      fmt::format("no table called '{}' stands beside '{}'", name, readings.table.name));
}

std::string use_tool(const std::string& name, const std::string& arguments,
                     const Readings& readings) {
  try {
    const auto entry = std::ranges::find(entries, name, [](const Entry& e) { return e.tool.name; });
    if (entry == std::end(entries)) throw ToolError(fmt::format("there is no tool '{}'", name));
    Json json = Json::parse(arguments);
    const Json table = json.is_object() && json.contains("table") ? json.at("table") : Json{};
    if (table.is_null() || table == readings.table.name) {
      if (json.is_object()) json.erase("table");
      Arguments given{std::move(json)};
      return entry->function(given, readings).dump();
    }
    json.erase("table");
    Arguments given{std::move(json)};
    Json result = entry->function(
        given, with_table(table.is_string() ? table.get<std::string>() : table.dump(), readings));
    result["table"] = table;
    return result.dump();
  } catch (const ToolError& error) {
    return Json{{"error", error.what()}}.dump();
  } catch (const Json::exception& error) {
    return Json{{"error", fmt::format("the arguments are not JSON: {}", error.what())}}.dump();
  }
}

}  // namespace insights
