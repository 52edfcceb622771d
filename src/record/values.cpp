#include "record/values.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/key.hpp"
#include "resumable/error.hpp"

namespace resumable::record {

void rethrow_with_place(const Error& error, std::string_view stage, std::string_view item,
                        const std::string& file) {
  ErrorInfo info = error.info();
  info.stage = std::string{stage};
  info.item = std::string{item};
  info.what =
      fmt::format("stage '{}'{}: {}", stage,
                  item.empty() ? std::string{} : fmt::format(", item '{}'", item), info.what);
  if (info.file.empty()) info.file = file;
  throw Error(error.errc(), std::move(info));
}

detail::AnyValue load_record(const detail::Graph& graph, const RunFacts& facts, std::uint32_t node,
                             std::string_view item) {
  ReadAhead nothing{facts};
  return load_record(graph, facts, node, item, nothing);
}

detail::AnyValue load_record(const detail::Graph& graph, const RunFacts& facts, std::uint32_t node,
                             std::string_view item, ReadAhead& ahead) {
  const detail::Node& declared = graph.nodes[node];
  const core::Key key =
      item.empty() ? core::stage_key(declared.name) : core::item_key(declared.name, item);
  const plan::Row* row = facts.current(key.path);
  if (row == nullptr) {
    throw Error(Errc::no_value, {.what = fmt::format("'{}' has no value in this run", key.full),
                                 .stage = declared.shown(),
                                 .item = std::string{item}});
  }
  try {
    return RunFacts::decoded(ahead.take(key.path, row->generation), *row, *declared.type);
  } catch (const Error& error) {
    rethrow_with_place(error, declared.shown(), item, facts.locate(key.path, row->generation));
  }
}

void expect_item(ReadAhead& ahead, const RunFacts& facts, std::string_view stage,
                 std::string_view item) {
  std::string path = core::item_key(stage, item).path;
  if (const plan::Row* row = facts.current(path)) ahead.expect(std::move(path), row->generation);
}

}  // namespace resumable::record
