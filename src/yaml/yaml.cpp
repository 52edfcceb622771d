#include "resumable/yaml.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "resumable/error.hpp"
#include "resumable/store.hpp"
#include "yaml/reader.hpp"

namespace resumable {
inline namespace v0 {

YamlError::YamlError(std::size_t line, std::size_t column, const std::string& problem)
    : std::runtime_error(line == 0 ? problem
                                   : fmt::format("line {}, column {}: {}", line, column, problem)),
      line_(line),
      column_(column) {}
YamlError::YamlError(const YamlError&) noexcept = default;
YamlError& YamlError::operator=(const YamlError&) noexcept = default;
YamlError::~YamlError() = default;

Json from_yaml(std::string_view text) { return yaml::read(text); }

namespace detail {

std::string yaml_of(const ValueType& type, const void* value, std::string_view comment) {
  return to_yaml(Json::parse(read_all(*type.encode(value))), comment);
}

AnyValue value_of_yaml(const ValueType& type, std::string_view text) {
  const Json json = yaml::read(text);
  try {
    return type.decode(std::make_shared<const StringPayload>(json.dump()), type.version);
  } catch (const Error& error) {
    const ErrorInfo& info = error.info();
    yaml::Places places;
    static_cast<void>(yaml::read(text, &places));
    std::string path = info.path;  // of a field that is missing, the object's place is named
    while (!path.empty() && !places.contains(path)) path.erase(path.rfind('/'));
    const std::string where =
        info.path.empty() || info.what.find(info.path) != info.what.npos ? "" : info.path + ": ";
    const Json* found = path == info.path ? &json.at(Json::json_pointer(path)) : nullptr;
    const bool is_text = found != nullptr && (found->is_number() || found->is_boolean()) &&
                         info.what.find("string") != info.what.npos;
    yaml::fail_at(text, places[path],
                  where + info.what + (is_text ? "; put it in quotes if it is text" : ""));
  }
}

void require_json(const ValueType& type, std::string_view pattern) {
  if (type.codec == CodecId::json) return;
  throw Error(Errc::bad_option,
              {.what = fmt::format("'{}' cannot be YAML: the stage's values are not saved as JSON",
                                   pattern),
               .next = "use Pipeline::artifact"});
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
