#include "insights/reply_schema.hpp"

#include <nlohmann/json.hpp>

#include "insights/conversation.hpp"
#include "insights/tools.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

Json of_type(const char* type) { return {{"type", type}}; }

Json any_of(Json schemas) { return Json{{"anyOf", std::move(schemas)}}; }

Json nullable(const Json& schema) { return any_of(Json::array({schema, of_type("null")})); }

Json object_with(const Json& properties) {
  Json schema = of_type("object");
  schema["properties"] = properties;
  schema["required"] = Json::array();
  for (const auto& property : properties.items()) schema["required"].push_back(property.key());
  schema["additionalProperties"] = false;
  return schema;
}

Json list_of(const Json& items) {
  Json schema = of_type("array");
  schema["items"] = items;
  return schema;
}

/// A value of some categories, of all tables.
Json values_of_categories(const Json& table) {
  Json properties = Json::object();
  const auto add = [&](const Json& one) {
    for (const Json& column : one.at("columns")) {
      if (column.at("kind") != "category") continue;
      properties[column.at("name").get<std::string>()] = nullable(of_type("string"));
    }
  };
  add(table);
  for (const Json& beside : table.value("beside", Json::array())) add(beside);
  return object_with(properties);
}

/// Of values like an argument's example.
Json like(const Json& example, const Json& categories) {
  if (example.is_number()) return of_type("number");
  if (example.is_array()) return list_of(of_type("string"));
  if (!example.is_object()) return of_type("string");
  if (example.empty() || example.contains("CATEGORY")) return categories;
  Json properties;
  for (const auto& field : example.items()) properties[field.key()] = of_type("string");
  return object_with(properties);
}

Json call_of(const Tool& tool, const Json& categories) {
  Json arguments{{"table", nullable(of_type("string"))}};
  const Json example = Json::parse(tool.arguments);
  for (const auto& argument : example.items()) {
    arguments[argument.key()] = nullable(like(argument.value(), categories));
  }
  Json name = of_type("string");
  name["enum"] = Json::array({tool.name});
  return object_with({{"tool", name}, {"arguments", object_with(arguments)}});
}

}  // namespace

std::string reply_schema(const Json& table) {
  const Json categories = values_of_categories(table);
  Json known = Json::array();
  for (const Tool& tool : tools()) known.push_back(call_of(tool, categories));
  Json calls = list_of(any_of(std::move(known)));
  calls["maxItems"] = most_calls;
  return object_with({{"thought", of_type("string")},
                      {"calls", nullable(calls)},
                      {"answer", nullable(of_type("string"))},
                      {"complete", nullable(of_type("boolean"))}})
      .dump();
}

}  // namespace insights
