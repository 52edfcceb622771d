#include "insights/table.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace insights {

namespace {
using Json = nlohmann::json;
using Numbers = std::vector<std::optional<double>>;

Json numbers_json(const Numbers& numbers) {
  Json all = Json::array();
  for (const auto& number : numbers) all.push_back(number ? Json(*number) : Json{});
  return all;
}

Numbers numbers_in(const Json& json) {
  Numbers all;
  for (const Json& number : json) {
    all.push_back(number.is_null() ? std::nullopt : std::optional{number.get<double>()});
  }
  return all;
}

}  // namespace

const Column* Table::find(const std::string& column) const {
  const auto found = std::ranges::find(columns, column, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

bool Table::has_numbers(const std::string& column) const {
  const Column* found = find(column);
  return found != nullptr && found->kind == Column::Kind::number;
}

std::string Table::ending_of(const Column& column) const {
  for (const Column& one : columns) {
    bool is_ending = false;
    for (std::size_t row = 0; row < one.open.size(); ++row) {
      if (one.open[row] == 0) continue;
      is_ending = column.kind == Column::Kind::category ? column.words[row].empty()
                                                        : !column.numbers[row].has_value();
      if (!is_ending) break;
    }
    if (is_ending) return one.between[1];
  }
  return "";
}

std::string Table::place(std::size_t row) const {
  return fmt::format("{}:{}", files[static_cast<std::size_t>(file_of[row])], line_of[row]);
}

std::string Table::places(const std::vector<std::size_t>& rows) const {
  std::set<std::pair<int, int>> lines;
  for (const std::size_t row : rows) lines.emplace(file_of[row], line_of[row]);
  if (lines.empty()) return "";
  const auto [file, begin] = *lines.begin();
  const auto [last_file, end] = *lines.rbegin();
  const auto called = [&](int of) { return files[static_cast<std::size_t>(of)]; };
  const std::string text = fmt::format("{}:{}", called(file), begin);
  if (lines.size() == 1) return text;
  if (file != last_file) return fmt::format("{}…{}:{}", text, called(last_file), end);
  const bool is_whole = static_cast<std::size_t>(end - begin) + 1 == lines.size();
  return fmt::format("{}{}{}", text, is_whole ? "–" : "…", end);
}

std::string Table::time_text(Moment moment) const {
  return has_clock ? moment_text(moment, true) : day_text(moment);
}

std::string Table::day_text(Moment moment) const { return grain_text(grain, moment); }

std::string Table::when(std::size_t row) const {
  return moments.empty() ? "" : time_text(moments[row]);
}

std::vector<std::string> Table::cells_in(std::size_t row) const {
  std::vector<std::string> all(1);
  for (const char c : cells[row]) {
    if (c == cell_end) {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  all.resize(header.size());
  return all;
}

void to_json(Json& json, const Column& value) {
  json = {{"name", value.name},
          {"unit", value.unit},
          {"category", value.kind == Column::Kind::category},
          {"amount", value.is_amount},
          {"count", value.is_count},
          {"of", value.of},
          {"between", value.between},
          {"open", value.open},
          {"numbers", numbers_json(value.numbers)},
          {"words", value.words}};
  if (value.is_of_parent) json["ofParent"] = true;
  if (value.leads_to_parent) json["leadsToParent"] = true;
  if (!value.spelt.empty()) json["spelt"] = value.spelt;
  if (!value.spans.empty()) json["spans"] = value.spans;
  if (!value.set_aside.empty()) json["setAside"] = numbers_json(value.set_aside);
}

void from_json(const Json& json, Column& value) {
  json.at("name").get_to(value.name);
  json.at("unit").get_to(value.unit);
  value.kind = json.at("category").get<bool>() ? Column::Kind::category : Column::Kind::number;
  json.at("amount").get_to(value.is_amount);
  value.is_count = json.value("count", false);
  value.is_of_parent = json.value("ofParent", false);
  value.leads_to_parent = json.value("leadsToParent", false);
  json.at("of").get_to(value.of);
  value.between = json.value("between", std::vector<std::string>{});
  value.open = json.value("open", std::vector<int>{});
  json.at("words").get_to(value.words);
  value.spelt = json.value("spelt", std::vector<std::string>{});
  value.spans = json.value("spans", std::vector<std::pair<Moment, Moment>>{});
  value.numbers = numbers_in(json.at("numbers"));
  value.set_aside = numbers_in(json.value("setAside", Json::array()));
}

void to_json(Json& json, const Table& value) {
  json = {{"name", value.name},         {"files", value.files},     {"time", value.time},
          {"clock", value.has_clock},   {"moments", value.moments}, {"fileOf", value.file_of},
          {"lineOf", value.line_of},    {"columns", value.columns}, {"keys", value.keys},
          {"problems", value.problems}, {"first", value.first},     {"names", value.names},
          {"events", value.has_events}};
  if (value.grain != Grain::day) json["grain"] = value.grain;
  if (!value.again.empty()) json["again"] = value.again;
  if (!value.remarks.empty()) json["remarks"] = value.remarks;
  if (!value.unused.empty()) json["unused"] = value.unused;
  if (!value.header.empty()) json.update({{"header", value.header}, {"cells", value.cells}});
  if (!value.identifiers.empty()) json["identifiers"] = value.identifiers;
}

void from_json(const Json& json, Table& value) {
  json.at("name").get_to(value.name);
  json.at("files").get_to(value.files);
  json.at("time").get_to(value.time);
  json.at("clock").get_to(value.has_clock);
  json.at("moments").get_to(value.moments);
  json.at("fileOf").get_to(value.file_of);
  json.at("lineOf").get_to(value.line_of);
  json.at("columns").get_to(value.columns);
  json.at("keys").get_to(value.keys);
  json.at("problems").get_to(value.problems);
  json.at("first").get_to(value.first);
  value.names = json.value("names", std::vector<std::string>{});
  value.has_events = json.value("events", false);
  value.grain = json.value("grain", Grain::day);
  value.again = json.value("again", std::vector<std::vector<std::string>>{});
  value.remarks = json.value("remarks", std::vector<std::string>{});
  value.unused = json.value("unused", std::vector<std::string>{});
  value.header = json.value("header", std::vector<std::string>{});
  value.cells = json.value("cells", std::vector<std::string>{});
  value.identifiers = json.value("identifiers", std::vector<std::string>{});
}

void to_json(Json& json, const Usual& value) {
  json = {{"column", value.column}, {"source", value.source}, {"byDay", value.by_day}};
}

void from_json(const Json& json, Usual& value) {
  json.at("column").get_to(value.column);
  json.at("source").get_to(value.source);
  json.at("byDay").get_to(value.by_day);
}

void to_json(Json& json, const Readings& value) {
  json = {{"systemId", value.system_id},
          {"table", value.table},
          {"usual", value.usual},
          {"beside", value.beside},
          {"leftOut", value.left_out}};
}

void from_json(const Json& json, Readings& value) {
  json.at("systemId").get_to(value.system_id);
  json.at("table").get_to(value.table);
  json.at("usual").get_to(value.usual);
  value.beside = json.value("beside", std::vector<Table>{});
  json.at("leftOut").get_to(value.left_out);
}

}  // namespace insights
