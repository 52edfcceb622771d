#include "exports/reading.hpp"

#include <exception>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "resumable/error.hpp"
#include "value/json_position.hpp"

namespace resumable::exports {
namespace {

std::string problem_of(const Error& error, std::string_view text, bool json) {
  const ErrorInfo& info = error.info();
  if (!json || info.path.empty() || info.what.find("line ") != info.what.npos) return info.what;
  const auto at = value::position_of(text, info.path);
  if (!at) return fmt::format("{}: {}", info.path, info.what);
  return fmt::format("line {}, column {}: {}: {}", at->line, at->column, info.path, info.what);
}

}  // namespace

bool is_editable(const detail::Artifact& artifact) { return artifact.parse || !artifact.render; }

Reading read_value(const detail::Node& node, const std::string& text, bool json,
                   const std::function<detail::AnyValue()>& make) {
  try {
    detail::AnyValue value = make();
    if (node.check) {
      if (auto problem = (*node.check)(value.get())) return {nullptr, *std::move(problem)};
    }
    return {std::move(value), {}};
  } catch (const Error& error) {
    return {nullptr, problem_of(error, text, json)};
  } catch (const std::exception& error) {
    return {nullptr, error.what()};
  }
}

Reading read_artifact(const detail::Node& node, const detail::Artifact& artifact,
                      const std::string& text, const void* former) {
  const bool json = node.type->codec == CodecId::json && !artifact.parse;
  return read_value(node, text, json, [&] {
    if (artifact.parse) return (*artifact.parse)(text, former);
    return node.type->decode(std::make_shared<StringPayload>(text), node.type->version);
  });
}

}  // namespace resumable::exports
