#include "core/graph_record.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <new>

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/kind.hpp"
#include "core/object_line.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

using detail::Arg;
using detail::ArgKind;
using detail::Graph;
using detail::Node;
using detail::NodeKind;
using Document = OrderedJson;

constexpr std::string_view kind_names[] = {"input",     "files", "secret",
                                           "condition", "stage", "fan_out"};
// Of an argument; `items` are those of another fan-out, `each` the elements of a list.
constexpr std::string_view as_items = "items";
constexpr std::string_view arg_names[] = {"value", "each", "matching", "after"};

template <std::size_t N>
std::size_t index_in(const std::string_view (&names)[N], std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - std::begin(names));
}

void write_arg(const Graph& graph, const Arg& arg, ObjectLine& to) {
  to.text("from", graph.nodes[arg.node].name);
  const bool items = arg.kind == ArgKind::each && !arg.list;
  if (arg.kind != ArgKind::value)
    to.text("as", items ? as_items : name_in<ArgKind::after>(arg_names, arg.kind));
}

void write_type(const detail::ValueType& type, ObjectLine& to) {
  to.number("codec", std::uint64_t{static_cast<unsigned>(type.codec)});
  if (type.version != 1) to.number("schema", std::uint64_t{type.version});
  if (type.oldest != type.version) to.number("oldest", std::uint64_t{type.oldest});
}

void write_node(const Graph& graph, const Node& node, ObjectLine& to) {
  const auto pattern = [](const detail::Artifact& one) { return one.pattern; };
  to.text("name", node.name);
  if (!node.declared.empty()) to.text("now", node.declared);
  if (node.kind != NodeKind::stage)
    to.text("kind", name_in<NodeKind::fan_out>(kind_names, node.kind));
  if (node.type != nullptr) write_type(*node.type, to);
  if (node.revision != 1) to.number("revision", std::uint64_t{node.revision});
  if (node.grows) to.yes("queue");
  to.list_if("takes", node.args,
             [&](const Arg& arg, ObjectLine& one) { write_arg(graph, arg, one); });
  if (node.when.graph != nullptr) {
    ObjectLine when = to.object("when");
    when.text("condition", graph.nodes[node.when.node].name);
    when.boolean("is", node.when.expected);
    when.end();
  }
  if (node.concurrency != 0) to.number("concurrency", std::uint64_t{node.concurrency});
  if (node.max_age.count() != 0) {
    to.number("max_age", static_cast<std::uint64_t>(node.max_age.count()));
  }
  to.texts_if("artifacts", node.artifacts, pattern);
  to.texts_if("appended", node.appended, pattern);
}

// ---- reading -----------------------------------------------------------------------------------

/// With a recorded graph no condition can be evaluated, and no list can be split.
detail::AnyValue no_value(std::shared_ptr<const Payload> payload, const detail::SavedAs&) {
  return payload;
}

[[noreturn]] std::size_t no_list(const void*) {
  throw Error(Errc::bad_option, {.what = "a recorded pipeline has no values"});
}

const std::shared_ptr<const detail::ListOps>& unknown_list() {
  static const auto list = std::make_shared<const detail::ListOps>(
      detail::ListOps{.size = no_list, .at = nullptr, .element = nullptr, .key = nullptr});
  return list;
}

class Reader {
 public:
  explicit Reader(Graph& graph) : graph_(graph) {}

  void add(const Document& json) {
    Node node;
    node.name = json.at("name").get<std::string>();
    node.declared = json.value("now", std::string{});
    const std::size_t kind = index_in(kind_names, json.value("kind", std::string{"stage"}));
    if (kind >= std::size(kind_names)) throw std::invalid_argument("kind");
    node.kind = static_cast<NodeKind>(kind);
    if (node.kind == NodeKind::files) node.kind = NodeKind::input;
    node.type = &type_of(json);
    node.revision = json.value("revision", 1U);
    node.grows = json.value("queue", false);
    node.concurrency = json.value("concurrency", 0U);
    node.max_age = std::chrono::seconds{json.value("max_age", std::int64_t{0})};
    for (const Document& one : json.value("takes", Document::array()))
      node.args.push_back(arg(one));
    if (const auto when = json.find("when"); when != json.end()) {
      node.when = {index(when->at("condition")), &graph_, when->value("is", true)};
    }
    patterns(json, "artifacts", node.artifacts);
    patterns(json, "appended", node.appended);
    must_have_items(node);
    graph_.patterns.emplace_back();
    for (const detail::Artifact& one : node.artifacts) {
      graph_.patterns.back().emplace_back(one.pattern);
    }
    const auto place = static_cast<std::uint32_t>(graph_.nodes.size());
    if (!graph_.names.emplace(lower(node.name), place).second) throw std::invalid_argument("name");
    if (!node.declared.empty()) graph_.names.emplace(lower(node.declared), place);
    graph_.nodes.push_back(std::move(node));
  }

 private:
  const detail::ValueType& type_of(const Document& json) {
    detail::ValueType type;
    type.codec = static_cast<CodecId>(json.value("codec", 0U));
    type.version = json.value("schema", 1U);
    type.oldest = json.value("oldest", type.version);
    type.decode = no_value;
    return graph_.types.emplace_back(type);
  }

  /// Only nodes before this one can be named: the order is topological.
  std::uint32_t index(const Document& name) const {
    const std::size_t found = graph_.find(name.get_ref<const std::string&>());
    if (found >= graph_.nodes.size()) throw std::invalid_argument("order");
    return static_cast<std::uint32_t>(found);
  }

  Arg arg(const Document& json) const {
    Arg arg{.node = index(json.at("from")), .graph = &graph_, .list = nullptr};
    const std::string as = json.value("as", std::string{arg_names[0]});
    if (as == as_items) {
      arg.kind = ArgKind::each;
      return arg;
    }
    const std::size_t kind = index_in(arg_names, as);
    if (kind >= std::size(arg_names)) throw std::invalid_argument("as");
    arg.kind = static_cast<ArgKind>(kind);
    if (arg.kind == ArgKind::each) arg.list = unknown_list();
    return arg;
  }

  void must_have_items(const Node& node) const {
    if (node.kind != NodeKind::fan_out) return;
    for (const Arg& one : node.args) {
      const bool fits = one.list || graph_.nodes[one.node].kind == NodeKind::fan_out;
      if (one.kind == ArgKind::each && fits) return;
    }
    throw std::invalid_argument("items");
  }

  static void patterns(const Document& json, const char* field, std::vector<detail::Artifact>& to) {
    for (const Document& one : json.value(field, Document::array())) {
      to.push_back({one.get<std::string>(), nullptr});
    }
  }

  Graph& graph_;
};

}  // namespace

std::string encode_graph(const Graph& graph) {
  std::string text = "{\"nodes\":[";
  for (const Node& node : graph.nodes) {
    if (text.back() == '}') text += ',';
    ObjectLine line{text};
    write_node(graph, node, line);
    line.end();
  }
  return text + "]}";
}

// Text in JSON has no quotation mark that is not escaped.
bool has_renamed(std::string_view json) noexcept { return json.find(R"("now":")") != json.npos; }

std::string with_recorded_name(const Graph& graph, std::string_view selector) {
  std::string text{selector};
  std::size_t begin = 0;
  if (text.starts_with('@')) {
    begin = std::min(text.find('/'), text.size() - 1) + 1;
    const std::string_view space = std::string_view{text}.substr(1, begin - 2);
    const auto names_node = [&](const KindTraits& one) {
      const bool of_node =
          one.inside || one.leaves || one.kind == Kind::input || one.kind == Kind::condition;
      return of_node && space == one.name;
    };
    if (!std::ranges::any_of(kind_traits, names_node)) return text;
  }
  const std::size_t end = std::min(text.find('/', begin), text.size());
  const std::size_t node = graph.find(text.substr(begin, end - begin));
  if (node < graph.nodes.size()) text.replace(begin, end - begin, graph.nodes[node].name);
  return text;
}

std::string with_recorded_name(std::string_view json, std::string_view selector) {
  const auto graph = has_renamed(json) ? decode_graph(json, "") : nullptr;
  return graph ? with_recorded_name(*graph, selector) : std::string{selector};
}

std::shared_ptr<Graph> decode_graph(std::string_view json, std::string_view pipeline) {
  const auto document = Document::parse(json, nullptr, false);
  if (!document.is_object() || !document.contains("nodes")) return nullptr;
  auto graph = std::make_shared<Graph>();
  graph->pipeline = std::string{pipeline};
  graph->recorded = true;
  try {
    Reader reader{*graph};
    for (const Document& node : document.at("nodes")) reader.add(node);
  } catch (const std::bad_alloc&) {  // says nothing of the record
    throw;
  } catch (const std::exception&) {
    return nullptr;
  }
  return graph;
}

}  // namespace resumable::core
