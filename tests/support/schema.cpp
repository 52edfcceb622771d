#include "support/schema.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using Json = nlohmann::json;

bool has_type(const std::string& type, const Json& value) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "boolean" && value.is_boolean();
}

}  // namespace

std::string misfit(const Json& schema, const Json& value, const std::string& place) {
  static const std::set<std::string> known{"$schema",    "title", "type",  "required",
                                           "properties", "items", "const", "enum"};
  for (const auto& [keyword, ignored] : schema.items()) {
    if (!known.contains(keyword)) return "unknown keyword " + keyword;
  }
  if (schema.contains("const") && schema["const"] != value) return place + " is not the constant";
  if (schema.contains("enum") && std::ranges::count(schema["enum"], value) == 0) {
    return place + " is none of the values: " + value.dump();
  }
  if (schema.contains("type") && !has_type(schema["type"], value)) {
    return place + " is no " + schema["type"].get<std::string>() + ": " + value.dump();
  }
  for (const Json& name : schema.value("required", Json::array())) {
    if (!value.contains(name.get<std::string>())) return place + " lacks " + name.dump();
  }
  if (schema.contains("properties")) {
    for (const auto& [name, one] : value.items()) {
      // More strict than JSON Schema: what is printed is described.
      if (!schema["properties"].contains(name)) return place + "/" + name + " is not described";
      const std::string wrong = misfit(schema["properties"][name], one, place + "/" + name);
      if (!wrong.empty()) return wrong;
    }
  }
  if (!schema.contains("items")) return {};
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string wrong = misfit(schema["items"], value[i], place + "/" + std::to_string(i));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

Json schema_of(const std::string& name) {
  const std::filesystem::path folder{RESUMABLE_SOURCE_DIR};
  return Json::parse(read_file(folder / "docs/schemas" / (name + ".json")));
}

}  // namespace resumable::test
