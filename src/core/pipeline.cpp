#include "resumable/pipeline.hpp"

#include <fmt/format.h>

#include "core/graph.hpp"
#include "core/retry_ranges.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using detail::Graph;
using detail::Node;

[[noreturn]] void refuse(Errc code, const Graph& graph, std::string_view stage, std::string what,
                         std::string next) {
  throw Error(code, {.what = fmt::format("{} in pipeline {}", what, graph.pipeline),
                     .stage = std::string{stage},
                     .next = std::move(next)});
}

void check_handle(const Graph& graph, const Node& node, const void* owner, std::uint32_t index) {
  if (owner == &graph && index < graph.nodes.size()) return;
  refuse(Errc::foreign_handle, graph, node.name,
         fmt::format("stage '{}' takes a handle of another pipeline", node.name),
         "use handles that this pipeline's own stage() and input() returned");
}

void check_options(const Graph& graph, const Node& node) {
  const bool good = node.revision >= 1 && core::is_in_range(node.retry) &&
                    node.timeout.count() >= 0 && node.max_age.count() >= 0;
  if (node.drops && node.kind == detail::NodeKind::fan_out) {
    refuse(Errc::bad_option, graph, node.name,
           fmt::format("fan-out '{}' has Keep::until_used: the values of items always stay",
                       node.name),
           "leave it out, or make the values in a stage without items");
  }
  if (good) return;
  refuse(
      Errc::bad_option, graph, node.name,
      fmt::format("an option of stage '{}' is out of range", node.name),
      fmt::format("revision is at least 1, no duration is negative, and {}", core::retry_ranges));
}

void check_keys_agree(const Graph& graph, const Node& node) {
  for (const detail::Arg& arg : node.args) {
    if (arg.kind == detail::ArgKind::each && node.grows && !arg.list) {
      refuse(Errc::bad_option, graph, node.name,
             fmt::format("queue '{}' begins with the items of a fan-out", node.name),
             "start it from a list: a queue adds items itself");
    }
    if (arg.kind == detail::ArgKind::matching &&
        graph.nodes[arg.node].kind != detail::NodeKind::fan_out) {
      refuse(Errc::foreign_handle, graph, node.name,
             fmt::format("stage '{}' uses matching() on a stage that is not a fan-out", node.name),
             "");
    }
  }
}

}  // namespace

Name Name::checked(std::string_view text) {
  if (!fits(text)) {
    throw Error(Errc::bad_name,
                {.what = fmt::format("'{}' is not a name", core::printable(text)),
                 .next = "a name is 1 to 64 characters of a-z, A-Z, 0-9, '_', '-', '.', the first "
                         "one a letter"});
  }
  return Name{text, Unchecked{}};
}

Pipeline::Pipeline(Name name) : graph_(std::make_shared<Graph>()) {
  graph_->pipeline = std::string{name.view()};
}
Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

const Graph& detail::graph_of(const Pipeline& pipeline) noexcept { return *pipeline.graph_; }

Pipeline detail::pipeline_of(std::shared_ptr<Graph> graph) { return Pipeline{std::move(graph)}; }

namespace {

Node input_node(const InputOptions& options) {
  Node node;
  node.name = std::string{options.name.view()};
  node.was.assign(options.was.names().begin(), options.was.names().end());
  return node;
}

}  // namespace

detail::Handle Pipeline::add_input(const InputOptions& options, const detail::ValueType& type,
                                   detail::AnyValue given) {
  Node node = input_node(options);
  node.kind = detail::NodeKind::input;
  node.type = &type;
  node.given = std::move(given);
  return add(std::move(node));
}

namespace {

/// A former name must lead to one node: its records may be those of no other.
void check_names(const Graph& graph, const Node& node) {
  if (const auto taken = graph.names.find(core::lower(node.name)); taken != graph.names.end()) {
    const Node& other = graph.nodes[taken->second];
    const bool was = core::lower(other.name) != core::lower(node.name);
    refuse(Errc::duplicate_name, graph, node.name,
           was ? fmt::format("'{}' is declared, and '{}' was called '{}' before", node.name,
                             other.name, node.name)
           : other.name == node.name
               ? fmt::format("'{}' is declared twice", node.name)
               : fmt::format("'{}' and '{}' differ only in case", other.name, node.name),
           was ? "give it a name that nothing else has had"
               : "give stages, inputs and conditions different names, not only in case");
  }
  for (const std::string& former : node.was) {
    const auto taken = graph.names.find(core::lower(former));
    if (taken == graph.names.end() && former != node.name) continue;
    const bool own = taken == graph.names.end();
    refuse(
        Errc::duplicate_name, graph, node.name,
        fmt::format("'{}' cannot have been called '{}' before: {}", node.name, former,
                    own ? "that is its name"
                        : fmt::format("that is a name of '{}'", graph.nodes[taken->second].name)),
        "leave this former name out");
  }
}

}  // namespace

detail::Handle Pipeline::add(Node node) {
  Graph& graph = *graph_;
  check_names(graph, node);
  for (const detail::Arg& arg : node.args) check_handle(graph, node, arg.graph, arg.node);
  if (node.when.graph != nullptr) check_handle(graph, node, node.when.graph, node.when.node);
  check_options(graph, node);
  check_keys_agree(graph, node);
  const auto index = static_cast<std::uint32_t>(graph.nodes.size());
  graph.names.emplace(core::lower(node.name), index);
  for (const std::string& former : node.was) graph.names.emplace(core::lower(former), index);
  graph.nodes.push_back(std::move(node));
  graph.patterns.emplace_back();
  return {index, &graph};
}

Stage<std::vector<SourceFile>> Pipeline::files(const InputOptions& options,
                                               const std::filesystem::path& folder) {
  Node node = input_node(options);
  node.kind = detail::NodeKind::files;
  node.type = &detail::value_type<std::vector<SourceFile>>();
  node.folder = folder.string();
  return Stage<std::vector<SourceFile>>{add(std::move(node))};
}

Stage<std::vector<SourceFile>> Pipeline::files(Name name, const std::filesystem::path& folder) {
  return files(InputOptions{name}, folder);
}

void Pipeline::redact(const std::vector<std::string>& fields) {
  auto& redaction = graph_->redaction;
  if (!redaction) redaction = std::make_shared<core::Redaction>();
  for (const std::string& field : fields) redaction->add_field(field);
}

// The node of a stage whose checkpoints hold what the handle says. A Stage of the list of a fan-out
// has the fan-out's node, but no checkpoint holds the list.
detail::Node& Pipeline::held_by(const Holder& held, std::string_view what) {
  Graph& graph = *graph_;
  const detail::Handle stage = held.stage;
  if (stage.graph != &graph || stage.node >= graph.nodes.size() ||
      !is_stage(graph.nodes[stage.node])) {
    refuse(Errc::foreign_handle, graph, "", fmt::format("{}: not a stage of this pipeline", what),
           "pass the handle that stage() of this pipeline returned");
  }
  Node& node = graph.nodes[stage.node];
  if (*node.type->cpp_type != *held.type->cpp_type) {
    refuse(Errc::foreign_handle, graph, node.name,
           fmt::format("{}: the handle of stage '{}' is not of the type of its {}", what, node.name,
                       node.kind == detail::NodeKind::fan_out ? "items" : "value"),
           node.kind == detail::NodeKind::fan_out
               ? "pass the FanOut itself, not a Stage of its list: a checkpoint holds one item"
               : "pass the handle that stage() returned");
  }
  return node;
}

// The stage of an artifact with this pattern, after checking that it may have it.
detail::Node& Pipeline::exporter(const Holder& held, const core::Pattern& pattern) {
  Graph& graph = *graph_;
  Node& node = held_by(held, fmt::format("artifact '{}'", core::printable(pattern.text())));
  const detail::Handle stage = held.stage;
  const auto [from, to] = graph.exported.equal_range(pattern.folded());
  for (auto other = from; other != to; ++other) {
    const std::uint32_t i = other->second;
    const bool chained = i != stage.node && (i < stage.node ? graph.depends(stage.node, i)
                                                            : graph.depends(i, stage.node));
    if (chained) continue;
    refuse(Errc::path_conflict, graph, node.name,
           fmt::format("stages '{}' and '{}' both export '{}' and neither depends on the other",
                       graph.nodes[i].name, node.name, pattern.text()),
           "let one take the other's value, or order them by after(), or use two paths");
  }
  graph.exported.emplace(pattern.folded(), stage.node);
  return node;
}

void Pipeline::add_artifact(const Holder& stage, std::string_view pattern,
                            std::shared_ptr<const detail::Render> render,
                            std::shared_ptr<const detail::Parse> parse) {
  core::Pattern parsed{pattern};
  Node& node = exporter(stage, parsed);
  if (parsed.per_item() != (node.kind == detail::NodeKind::fan_out)) {
    refuse(Errc::bad_name, *graph_, node.name,
           fmt::format("artifact '{}' of stage '{}' {}", pattern, node.name,
                       parsed.per_item() ? "has a field for items, but the stage has none"
                                         : "would be written by every item"),
           "a fan-out's pattern has {item} or {position}, another stage's has neither; for one "
           "file of all items there is append()");
  }
  if (parsed.has_position() && node.grows) {
    refuse(Errc::bad_name, *graph_, node.name,
           fmt::format("artifact '{}' of queue '{}' names a position", pattern, node.name),
           "an item's place in a queue is known at the end: use {item}");
  }
  node.artifacts.push_back({std::string{pattern}, std::move(render), std::move(parse)});
  graph_->patterns[stage.stage.node].push_back(std::move(parsed));
}

void Pipeline::add_check(const Holder& stage, std::shared_ptr<const detail::Check> check) {
  held_by(stage, "validate()").check = std::move(check);
}

void Pipeline::add_adopt(const Holder& stage, std::shared_ptr<const detail::Adopt> read) {
  held_by(stage, "adopt_as()").adopt = std::move(read);
}

void Pipeline::add_adopt_if(const Holder& stage, std::function<bool(const FoundFile&)> shows) {
  held_by(stage, "adopt_if()").adopt_if = std::move(shows);
}

void Pipeline::add_appended(const Holder& stage, std::string_view path,
                            std::shared_ptr<const detail::Render> render,
                            std::shared_ptr<const detail::Parse> parse) {
  const core::Pattern parsed{path};
  Node& node = exporter(stage, parsed);
  if (parsed.per_item()) {
    refuse(Errc::bad_name, *graph_, node.name,
           fmt::format("'{}' of stage '{}' is one file for all items", path, node.name),
           "its path has no {item} and no {position}");
  }
  node.appended.push_back({parsed.path("", 0), std::move(render), std::move(parse)});
}

}  // namespace v0
}  // namespace resumable
