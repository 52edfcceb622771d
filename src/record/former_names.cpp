#include "record/former_names.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/graph_record.hpp"
#include "core/text.hpp"
#include "record/small_records.hpp"
#include "resumable/error.hpp"

namespace resumable::record {
namespace {

using detail::Graph;
using detail::Node;

[[noreturn]] void refuse(std::string_view run, const Node& node, const std::string& one,
                         const std::string& other) {
  throw Error(
      Errc::foreign,
      {.what = fmt::format("run '{}' has records of '{}' and of '{}', and '{}' declares them as "
                           "names of one thing",
                           core::printable(run), one, other, node.name),
       .run = std::string{run},
       .stage = is_input(node) ? std::string{} : node.name,
       .kept = "everything; nothing was changed",
       .next = fmt::format("choose: without the former name in `was`, the run uses what is "
                           "recorded of '{}'; declared as '{}', what is recorded of that",
                           one, other)});
}

RunRecord run_record(const RecordIndex& records) {
  const std::string path = core::run_key().path;
  const plan::Row* row = records.current(path);
  return row == nullptr ? RunRecord{} : decode_run(records.text_of(path, *row));
}

/// Whether the run's last program had a node of this name. Not all nodes leave records: a fan-out
/// may have no items.
class KnownNames {
 public:
  explicit KnownNames(const RecordIndex& records) : records_(records) {}

  [[nodiscard]] bool has(std::string_view name) {
    if (!was_read_) {
      const RunRecord run = run_record(records_);
      graph_ = core::decode_graph(run.graph, run.pipeline);
      was_read_ = true;
    }
    return graph_ != nullptr && graph_->records(name);
  }

 private:
  const RecordIndex& records_;
  std::shared_ptr<const Graph> graph_;
  bool was_read_ = false;
};

/// The one of the node's names that the run knows; its present one if it knows none.
std::string name_in_run(const Node& node, const RecordIndex& records, KnownNames& known) {
  std::vector<std::string> names{node.name};
  names.insert(names.end(), node.was.begin(), node.was.end());
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const bool is_new = std::ranges::count(found, name) == 0;
    if (is_new && records.has_records(node, name)) found.push_back(name);
  }
  if (found.size() > 1) refuse(records.run(), node, found[0], found[1]);
  if (found.size() == 1) return found.front();
  const auto one = std::ranges::find_if(names, [&](const auto& name) { return known.has(name); });
  return one == names.end() ? node.name : *one;
}

}  // namespace

std::string recorded_name(const RecordIndex& records, std::string_view selector) {
  return core::with_recorded_name(run_record(records).graph, selector);
}

std::shared_ptr<const Graph> with_recorded_names(const Graph& graph, const RecordIndex& records) {
  std::shared_ptr<Graph> copy;
  KnownNames known{records};
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.was.empty()) continue;
    std::string name = name_in_run(node, records, known);
    if (name == node.name) continue;
    if (!copy) {
      copy = std::make_shared<Graph>(graph);
      copy->copied = graph.shared_from_this();
    }
    copy->nodes[i].declared = node.name;
    copy->nodes[i].name = std::move(name);
  }
  return copy;
}

}  // namespace resumable::record
