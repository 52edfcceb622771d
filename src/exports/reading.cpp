#include "exports/reading.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "exports/publisher.hpp"
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

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Each line ends in CR LF, and no CR stands anywhere else.
bool has_only_crlf(std::string_view text) {
  const auto feeds = std::count(text.begin(), text.end(), '\n');
  const auto returns = std::count(text.begin(), text.end(), '\r');
  std::ptrdiff_t pairs = 0;
  for (std::size_t at = text.find("\r\n"); at != text.npos; at = text.find("\r\n", at + 2)) ++pairs;
  return pairs > 0 && pairs == feeds && pairs == returns;
}

/// The text without what an editor adds on its own: a byte order mark, CR before each LF, a line
/// feed at the end. What the exported text has of these is a part of it.
std::string without_editors_marks(std::string text, const std::optional<std::string>& exported) {
  const bool begins_with_mark = exported && exported->starts_with(byte_order_mark);
  if (text.starts_with(byte_order_mark) && !begins_with_mark) text.erase(0, byte_order_mark.size());
  if (!exported || text == *exported) return text;
  if (has_only_crlf(text) && exported->find('\r') == exported->npos) std::erase(text, '\r');
  if (text.ends_with('\n') && !exported->ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Reading read_artifact(const detail::Node& node, const detail::Artifact& artifact,
                      const std::string& text, const void* former) {
  const bool json = node.type->codec == CodecId::json && !artifact.parse;
  const bool is_text = artifact.parse || node.type->codec == CodecId::text;
  return read_value(node, text, json, [&] {
    std::string read = text;
    if (is_text) {
      std::optional<std::string> exported;
      if (former != nullptr) exported = render_artifact(artifact, *node.type, former);
      read = without_editors_marks(std::move(read), exported);
    }
    if (artifact.parse) return (*artifact.parse)(read, former);
    return node.type->decode(std::make_shared<StringPayload>(read), node.type->version);
  });
}

}  // namespace resumable::exports
