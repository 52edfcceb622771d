// The library is not in here: how the values of types.hpp look in JSON.
#include "insights/types.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace insights {

using Json = nlohmann::json;

namespace {

Json cell_json(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

Cell cell_of(const Json& json) {
  if (json.is_null()) return {};
  return json.is_number() ? Cell{json.get<double>()} : Cell{json.get<std::string>()};
}

}  // namespace

NLOHMANN_JSON_SERIALIZE_ENUM(Kind,
                             {{Kind::time, "time"}, {Kind::number, "number"}, {Kind::text, "text"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Column, name, unit, kind, unreadable)

std::size_t Table::first(Kind kind) const {
  return static_cast<std::size_t>(std::ranges::find(columns, kind, &Column::kind) -
                                  columns.begin());
}

void to_json(Json& json, const Table& value) {
  json = {{"name", value.name},    {"file", value.file},         {"columns", value.columns},
          {"rows", Json::array()}, {"left_out", value.left_out}, {"notes", value.notes}};
  for (const auto& row : value.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    json["rows"].push_back(std::move(cells));
  }
}

void from_json(const Json& json, Table& value) {
  json.at("name").get_to(value.name);
  json.at("file").get_to(value.file);
  json.at("columns").get_to(value.columns);
  json.at("left_out").get_to(value.left_out);
  json.at("notes").get_to(value.notes);
  value.rows.clear();
  for (const Json& cells : json.at("rows")) {
    auto& row = value.rows.emplace_back();
    for (const Json& cell : cells) row.push_back(cell_of(cell));
  }
}

void to_json(Json& json, const ToolCall& value) {
  json = {{"tool", value.tool}, {"arguments", Json::parse(value.arguments)}};
}

void from_json(const Json& json, ToolCall& value) {
  json.at("tool").get_to(value.tool);
  value.arguments = json.at("arguments").dump();
}

void to_json(Json& json, const Finding& value) {
  json = {{"text", value.text}, {"sql", value.sql}, {"rows", Json::parse(value.rows)}};
}

void from_json(const Json& json, Finding& value) {
  json.at("text").get_to(value.text);
  json.at("sql").get_to(value.sql);
  value.rows = json.at("rows").dump();
}

}  // namespace insights
