// The library is not in here: four general tools, and what a model is told of them.
#include "insights/tools.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/chart.hpp"
#include "insights/overview.hpp"
#include "text/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr Limits chart_limits{2'000, 200'000};
constexpr std::size_t most_listed = 30;  // of a text column that are listed
constexpr std::size_t most_series = 8;

Json error(const std::string& why) { return {{"error", why}}; }

/// A file's name: letters and digits of ASCII, and '-' for all else.
std::string file_name(const std::string& title) {
  std::string plain = text::in_lower_case(title);
  std::ranges::replace_if(
      plain, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, ' ');
  const std::string name = fmt::format("{}", fmt::join(text::words_of(plain), "-"));
  return name.empty() ? "chart" : name.substr(0, 80);
}

std::string word(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found != arguments.end() && found->is_string() ? found->get<std::string>() : "";
}

/// From, to and values of a column, whichever its kind has.
Json range_of(const Table& table, std::size_t column) {
  Json json = Json::object();
  std::map<std::string, std::int64_t> counts;
  std::optional<double> least;
  std::optional<double> most;
  std::int64_t empty = 0;
  for (const auto& row : table.rows) {
    if (const auto* number = row[column].get_ptr<const double*>()) {
      least = std::min(least.value_or(*number), *number);
      most = std::max(most.value_or(*number), *number);
    } else if (const auto* one = row[column].get_ptr<const std::string*>()) {
      ++counts[*one];
    } else {
      ++empty;
    }
  }
  if (least) json.update({{"least", *least}, {"most", *most}});
  if (table.columns[column].kind == Kind::time && !counts.empty()) {
    json.update({{"from", counts.begin()->first}, {"to", counts.rbegin()->first}});
  } else if (!counts.empty()) {
    json["different"] = counts.size();
    if (counts.size() <= most_listed) json["values"] = counts;
  }
  if (empty > 0) json["empty"] = empty;
  return json;
}

}  // namespace

std::vector<model::Tool> Tools::list(bool charts) {
  std::vector<model::Tool> all{
      {"tables", "lists the tables: rows, first and last time, what could not be read",
       R"({"type":"object","properties":{},"additionalProperties":false})"},
      {"columns", "lists the columns of a table: kind, unit, range, values, empty cells",
       R"({"type":"object","properties":{"table":{"type":"string"}},"required":["table"],)"
       R"("additionalProperties":false})"},
      {"overview",
       "says in sentences what fixed queries find: of a table (column \"\"), or of one of its "
       "parts",
       R"({"type":"object","properties":{"table":{"type":"string"},"column":{"type":"string"}},)"
       R"("required":["table","column"],"additionalProperties":false})"},
      {"query",
       "runs one SELECT of SQLite; at most 100 rows. Times are texts such as 2015-12-08 00:00:00, "
       "empty cells are NULL, there is no 'now'",
       R"({"type":"object","properties":{"sql":{"type":"string"}},"required":["sql"],)"
       R"("additionalProperties":false})"}};
  if (charts) {
    all.push_back({"chart", "draws what one SELECT gives: its first column against the others",
                   R"({"type":"object","properties":{"sql":{"type":"string"},)"
                   R"("kind":{"type":"string","enum":["line","bar"]},"title":{"type":"string"}},)"
                   R"("required":["sql","kind","title"],"additionalProperties":false})"});
  }
  return all;
}

Json Tools::tables() const {
  Json all = Json::array();
  for (const Table& table : readings_.tables) {
    Json one{{"name", table.name}, {"file", table.file}, {"rows", table.rows.size()}};
    if (const auto time = table.first(Kind::time); time < table.columns.size()) {
      one["time"] = table.columns[time].name;
      one.update(range_of(table, time));
    }
    if (table.left_out > 0) one["rowsOutside"] = table.left_out;
    if (!table.notes.empty()) one["notes"] = table.notes;
    const LongView* view = view_of(table);
    if (view != nullptr) one["longView"] = {{"name", view->name}, {"of", view->columns}};
    one["parts"] = parts_of(table, view);
    all.push_back(std::move(one));
  }
  return all;
}

const LongView* Tools::view_of(const Table& table) const {
  const auto& views = database_.views();
  const auto view = std::ranges::find(views, table.name, &LongView::table);
  return view == views.end() ? nullptr : &*view;
}

std::vector<Finding> Tools::findings(const ToolCall& call, const std::stop_token& stop) const {
  if (call.tool != "overview" || !call.arguments.is_object()) return {};
  const std::string name = word(call.arguments, "table");
  const auto table = std::ranges::find(readings_.tables, name, &Table::name);
  if (table == readings_.tables.end()) return {};
  const LongView* view = view_of(*table);
  const std::vector<std::string> parts = parts_of(*table, view);
  const std::string part = word(call.arguments, "column");
  if (std::ranges::find(parts, part) == parts.end()) return {};
  return overview(database_, *table, view, part, stop);
}

Json Tools::overview_of(const ToolCall& call, const std::stop_token& stop) const {
  Json lines = Json::array();
  for (const Finding& finding : findings(call, stop)) lines.push_back(finding.text);
  if (!lines.empty()) return {{"findings", std::move(lines)}};
  return {{"error", "there is no such part of a table, or it is empty"}, {"tables", tables()}};
}

Json Tools::columns(const std::string& name) const {
  const auto table = std::ranges::find(readings_.tables, name, &Table::name);
  if (table == readings_.tables.end()) {
    return {{"error", fmt::format("there is no table '{}'", name)}, {"tables", tables()}};
  }
  Json all = Json::array();
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const Column& column = table->columns[i];
    Json one{{"name", column.name}, {"kind", column.kind}};
    if (!column.unit.empty()) one["unit"] = column.unit;
    if (column.unreadable > 0) one["unreadable"] = column.unreadable;
    one.update(range_of(*table, i));
    all.push_back(std::move(one));
  }
  return {{"table", name}, {"columns", std::move(all)}};
}

Json Tools::chart(const Json& arguments, const std::stop_token& stop,
                  std::optional<Picture>& picture) const {
  const Json result = database_.query(word(arguments, "sql"), stop, chart_limits);
  if (result.contains("error")) return result;
  Chart chart{.title = word(arguments, "title"), .is_bars = word(arguments, "kind") == "bar"};
  if (chart.title.empty()) return error("'title' is missing");
  const Json& names = result.at("columns");
  if (names.size() < 2 || names.size() > most_series + 1) {
    return error(fmt::format("the result has to have 2 to {} columns", most_series + 1));
  }
  for (std::size_t column = 1; column < names.size(); ++column) {
    Series& series = chart.series.emplace_back(Series{names[column].get<std::string>(), {}});
    for (const Json& row : result.at("rows")) {
      const Json& value = row.at(column);
      series.values.push_back(value.is_number() ? std::optional{value.get<double>()}
                                                : std::nullopt);
    }
  }
  for (const Json& row : result.at("rows")) {
    const Json& value = row.at(0);
    chart.labels.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (chart.labels.size() < 2) return error("there are fewer than two points");
  picture = Picture{file_name(chart.title), svg_of(chart)};
  return {{"chart", chart.title}, {"points", chart.labels.size()}};
}

std::string Tools::use(const ToolCall& call, const std::stop_token& stop) const {
  const Json& arguments = call.arguments;
  Json result;
  std::optional<Picture> unused;
  if (!arguments.is_object()) {
    result = error("the arguments are not a JSON object");
  } else if (call.tool == "tables") {
    result = tables();
  } else if (call.tool == "columns") {
    result = columns(word(arguments, "table"));
  } else if (call.tool == "overview") {
    result = overview_of(call, stop);
  } else if (call.tool == "query") {
    result = database_.query(word(arguments, "sql"), stop);
    if (result.contains("error")) result["tables"] = tables();
  } else if (call.tool == "chart") {
    result = chart(arguments, stop, unused);
  } else {
    result = error(fmt::format("there is no tool '{}'", call.tool));
  }
  return dump(result);
}

std::optional<Picture> Tools::picture(const ToolCall& call) const {
  std::optional<Picture> picture;
  if (call.tool == "chart" && call.arguments.is_object()) {
    static_cast<void>(chart(call.arguments, {}, picture));
  }
  return picture;
}

}  // namespace insights
