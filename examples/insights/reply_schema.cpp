#include "insights/reply_schema.hpp"

#include <nlohmann/json.hpp>

#include "insights/conversation.hpp"
#include "insights/tools.hpp"

namespace insights {
namespace {

using Ordered = nlohmann::ordered_json;  // a model writes the keys in the order of its schema

Ordered of_type(const char* type) { return {{"type", type}}; }

Ordered any_of(Ordered schemas) { return Ordered{{"anyOf", std::move(schemas)}}; }

Ordered nullable(const Ordered& schema) {
  return any_of(Ordered::array({schema, of_type("null")}));
}

Ordered object_with(const Ordered& properties) {
  Ordered schema = of_type("object");
  schema["properties"] = properties;
  schema["required"] = Ordered::array();
  for (const auto& property : properties.items()) schema["required"].push_back(property.key());
  schema["additionalProperties"] = false;
  return schema;
}

Ordered list_of(const Ordered& items) {
  Ordered schema = of_type("array");
  schema["items"] = items;
  return schema;
}

/// A value of some categories, of all tables.
Ordered values_of_categories(const nlohmann::json& table) {
  Ordered properties = Ordered::object();
  const auto add = [&](const nlohmann::json& one) {
    for (const auto& column : one.at("columns")) {
      if (column.at("kind") != "category") continue;
      properties[column.at("name").get<std::string>()] = nullable(of_type("string"));
    }
  };
  add(table);
  if (table.contains("beside")) {
    for (const auto& beside : table.at("beside")) add(beside);
  }
  return object_with(properties);
}

/// Of values like an argument's example.
Ordered like(const Ordered& example, const Ordered& categories) {
  if (example.is_number()) return of_type("number");
  if (example.is_array()) return list_of(of_type("string"));
  if (!example.is_object()) return of_type("string");
  if (example.empty() || example.contains("CATEGORY")) return categories;
  Ordered properties;
  for (const auto& field : example.items()) properties[field.key()] = of_type("string");
  return object_with(properties);
}

Ordered call_of(const Tool& tool, const Ordered& categories) {
  Ordered arguments = Ordered::object();
  const Ordered example = Ordered::parse(tool.arguments);
  for (const auto& argument : example.items()) {
    arguments[argument.key()] = nullable(like(argument.value(), categories));
  }
  arguments["table"] = nullable(of_type("string"));
  Ordered name = of_type("string");
  name["enum"] = Ordered::array({tool.name});
  return object_with({{"tool", name}, {"arguments", object_with(arguments)}});
}

}  // namespace

std::string reply_schema(const nlohmann::json& table) {
  const Ordered categories = values_of_categories(table);
  Ordered known = Ordered::array();
  for (const Tool& tool : tools()) known.push_back(call_of(tool, categories));
  Ordered calls = list_of(any_of(std::move(known)));
  calls["maxItems"] = most_calls;
  return object_with({{"thought", of_type("string")},
                      {"calls", nullable(calls)},
                      {"answer", nullable(of_type("string"))},
                      {"complete", nullable(of_type("boolean"))}})
      .dump();
}

}  // namespace insights
