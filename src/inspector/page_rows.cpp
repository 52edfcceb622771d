#include "inspector/page_rows.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/advice.hpp"
#include "core/time.hpp"
#include "inspector/history.hpp"
#include "inspector/json.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// Fan-outs with more items have them in brief, with texts for the first of those that run.
constexpr std::size_t most_in_full = 300;

/// `draft` and `draft/team` have one node; `@input/x` and `@condition/x` each their own.
std::string node_path(const std::string& path) {
  if (path.starts_with('@')) return path;
  return path.substr(0, path.find('/'));
}

bool is_shown(const survey::RecordView& record) {
  if (!record.path.starts_with('@')) return true;
  return record.path.starts_with("@input/") || record.path.starts_with("@condition/");
}

std::string path_of(const survey::GraphNode& node) {
  if (node.kind == "input" || node.kind == "secret")
    return survey::path_of("@input/" + node.recorded);
  if (node.kind == "condition") return survey::path_of("@condition/" + node.recorded);
  return survey::path_of(node.recorded);
}

Document causes_json(const Decision& decision) {
  Document json = Document::array();
  for (const Cause& cause : decision.causes) {
    Document one{{"reason", to_string(cause.reason)}, {"text", cause.text(core::no_advice)}};
    if (!cause.subject.empty()) one["subject"] = cause.subject;
    if (!cause.before.empty()) one["before"] = cause.before;
    if (!cause.after.empty()) one["after"] = cause.after;
    if (!cause.file.empty()) one["file"] = cause.file;
    if (!cause.detail.empty()) one["detail"] = cause.detail;
    json.push_back(std::move(one));
  }
  return json;
}

int state_number(const survey::RecordView& record) {
  if (record.quarantined) return 3;
  if (record.damage != Damage::none) return 2;
  return record.current ? 0 : 1;
}

}  // namespace

std::optional<std::int64_t> milliseconds_of(std::string_view utc) {
  const auto at = core::parse_utc(utc);
  if (!at) return std::nullopt;
  return std::chrono::floor<std::chrono::milliseconds>(*at).time_since_epoch().count();
}

struct PageRows::Node {
  Document json;
  std::string recorded{};  ///< the name under which its records are
  std::vector<Row> rows{};
  std::map<std::string, std::size_t> by_path{};
  bool fan_out = false;
};

PageRows::PageRows(const std::vector<survey::RecordView>& records, std::int64_t zero, Texts& texts)
    : records_(records), zero_(zero), texts_(texts) {}

PageRows::~PageRows() = default;

std::size_t PageRows::node_of(const std::string& name, const std::string& kind) {
  Node node;
  node.json = {{"name", name}, {"kind", kind}, {"takes", Document::array()}};
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

PageRows::Row& PageRows::row_of(Node& node, const std::string& path, const std::string& key) {
  const auto [known, added] = node.by_path.try_emplace(path, node.rows.size());
  if (added) node.rows.push_back({.key = key});
  return node.rows[known->second];
}

void PageRows::add(const survey::GraphView& view, const Plan& plan) {
  for (const survey::GraphNode& one : view.nodes) {
    const std::size_t number = node_of(one.name, one.kind);
    by_name_.emplace(path_of(one), number);
    Node& node = nodes_[number];
    node.recorded = one.recorded;
    node.json["revision"] = one.revision;
    for (const survey::Edge& edge : one.edges) node.json["takes"].push_back({edge.from, edge.as});
    node.json["patterns"] = one.artifacts;
    node.fan_out = one.kind == "fan_out" || one.kind == "queue";
    const auto decision = std::ranges::find(plan.stages(), one.name, &Decision::stage);
    if (decision != plan.end()) add_decision(node, *decision, plan);
  }
  add_recorded();
}

void PageRows::add_decision(Node& node, const Decision& decision, const Plan& plan) {
  ++stages_;
  node.json["action"] = to_string(decision.action);
  node.json["causes"] = causes_json(decision);
  if (!node.fan_out) return;
  node.json["items"] = {{"listed", decision.listed},
                        {"total", decision.items},
                        {"kept", decision.skipped},
                        {"to_run", decision.to_run}};
  std::size_t told = 0;
  plan.items(decision.stage, [&](std::string_view key, Action action, Reason reason) {
    const std::string item{key};
    Row& row = row_of(node, survey::path_of(node.recorded + "/" + item), item);
    row.action = texts_(std::string{to_string(action)});
    row.reason = texts_(std::string{to_string(reason)});
    if (action != Action::skip && told < most_in_full) {
      ++told;
      const auto exact = plan.item(decision.stage, key);
      if (exact && !exact->causes.empty())
        row.why = texts_(exact->causes.front().text(core::no_advice));
    }
    return true;
  });
}

void PageRows::add_recorded() {
  for (const survey::RecordView& record : records_) {
    if (is_shown(record) && record.kind != "tombstone") place(record);
  }
}

/// A record of a stage that is not in the graph makes a node of its own.
void PageRows::place(const survey::RecordView& record) {
  const std::string above = node_path(record.path);
  const bool item = !record.path.starts_with('@') && above != record.path;
  auto known = by_name_.find(above);
  if (known == by_name_.end()) {
    const bool input = above.starts_with("@input/");
    const bool condition = above.starts_with("@condition/");
    const std::string& full = record.key;
    const std::string name = input       ? full.substr(7)
                             : condition ? full.substr(11)
                                         : full.substr(0, full.find('/'));
    const std::size_t number = node_of(name, input       ? "input"
                                             : condition ? "condition"
                                             : item      ? "fan_out"
                                                         : "stage");
    if (!input && !condition) ++stages_;
    nodes_[number].fan_out = item;
    nodes_[number].json["unplanned"] = true;
    known = by_name_.emplace(above, number).first;
  }
  Node& node = nodes_[known->second];
  const std::size_t slash = record.key.find('/');
  const bool named = item && slash != std::string::npos;
  Row& row = row_of(node, record.path, named ? record.key.substr(slash + 1) : std::string{});
  row.records.push_back(&record);
  if (!record.current) return;
  for (const std::string& path : record.exports) {
    const auto number = static_cast<std::size_t>(&row - node.rows.data());
    const auto [place, added] = exported_.try_emplace(path);
    if (!added && place->second.order > record.export_order) continue;
    place->second = {.stage = known->second, .row = number, .order = record.export_order};
  }
}

void PageRows::add_errors(const std::map<std::string, std::string>& errors) {
  for (const auto& [path, text] : errors) {
    const auto known = by_name_.find(node_path(path));
    if (known == by_name_.end()) continue;
    Node& node = nodes_[known->second];
    row_of(node, path,
           node.fan_out && path.find('/') != path.npos ? path.substr(path.find('/') + 1)
                                                       : std::string{})
        .error = texts_(text);
  }
}

/// [generation, at, seconds, attempts, dollars, tokens, bytes, fence, state, why, identity,
/// fingerprint, who edited it]; the fingerprint and `more` only in full.
Document PageRows::generation_json(const survey::RecordView& record,
                                   const survey::RecordView* before, bool in_full) {
  const auto at = milliseconds_of(record.at);
  Document json = Document::array();
  json.push_back(record.generation);
  json.push_back(at ? Document(*at - zero_) : Document(nullptr));
  json.push_back(record.seconds);
  json.push_back(record.attempts);
  json.push_back(record.cost.usd);
  json.push_back(record.cost.tokens);
  json.push_back(record.payload_bytes);
  json.push_back(record.fence);
  json.push_back(state_number(record));
  const History history = record.is_whole() ? history_of(record, before, in_full)
                                            : History{.why = "its bytes cannot be trusted"};
  json.push_back(texts_(history.why));
  json.push_back(record.identity.substr(0, in_full ? 32 : 8));
  json.push_back(record.edited ? texts_(record.edited_by.empty() ? "a user" : record.edited_by)
                               : -1);
  if (!in_full) return json;
  Document more{{"fingerprint", record.fingerprint}, {"codec", record.codec},
                {"schema", record.schema},           {"revision", record.revision},
                {"inputs", Document::array()},       {"changed", history.changed},
                {"exports", record.exports}};
  for (const auto& [name, identity] : record.inputs) {
    more["inputs"].push_back({name, identity.substr(0, 8)});
  }
  if (record.disputed) more["collisions"] = record.collisions;
  json.push_back(std::move(more));
  return json;
}

/// [key, action, reason, why, error, generations].
Document PageRows::row_json(const Row& row, bool in_full) {
  Document generations = Document::array();
  const survey::RecordView* before = nullptr;
  for (const survey::RecordView* record : row.records) {
    generations.push_back(generation_json(*record, before, in_full));
    if (record->is_whole()) before = record;
  }
  return {row.key, row.action, row.reason, row.why, row.error, std::move(generations)};
}

Document PageRows::json() {
  Document list = Document::array();
  for (Node& node : nodes_) {
    Document json = node.json;
    json["fan_out"] = node.fan_out;
    json["rows"] = Document::array();
    const bool in_full = node.rows.size() <= most_in_full;
    for (const Row& row : node.rows) json["rows"].push_back(row_json(row, in_full));
    if (node.fan_out) items_ += node.rows.size();
    list.push_back(std::move(json));
  }
  return list;
}

/// [first part of the path, records, bytes of current ones, bytes of the others], the largest
/// first.
Document PageRows::space() const {
  struct Sum {
    std::size_t records = 0;
    std::uint64_t current = 0;
    std::uint64_t other = 0;
  };
  std::map<std::string, Sum> sums;
  for (const survey::RecordView& record : records_) {
    const auto known = by_name_.find(node_path(record.path));
    const std::string name = known == by_name_.end() || record.path.starts_with('@')
                                 ? record.path.substr(0, record.path.find('/'))
                                 : nodes_[known->second].json["name"].get<std::string>();
    Sum& sum = sums[name];
    ++sum.records;
    (record.current ? sum.current : sum.other) += record.header_bytes + record.payload_bytes;
  }
  std::vector<std::pair<std::string, Sum>> sorted(sums.begin(), sums.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) {
    return a.second.current + a.second.other > b.second.current + b.second.other;
  });
  Document json = Document::array();
  for (const auto& [name, sum] : sorted) {
    json.push_back({name, sum.records, sum.current, sum.other});
  }
  return json;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
