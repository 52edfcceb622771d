#include "run/reports.hpp"

#include "core/key.hpp"

namespace resumable::run {
namespace {

int weight(StageOutcome outcome) {
  switch (outcome) {
    case StageOutcome::failed: return 3;
    case StageOutcome::interrupted: return 2;
    case StageOutcome::waiting: return 1;
    default: return 0;
  }
}

}  // namespace

Counts count_stages(const detail::Graph& graph, const std::vector<plan::NodeState>& states) {
  Counts counts;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!is_stage(graph.nodes[i])) continue;
    ++counts.total;
    counts.kept += states[i].decision.action == Action::skip ? 1U : 0U;
    counts.to_run += states[i].decision.action == Action::run ? 1U : 0U;
  }
  counts.done = counts.kept;
  return counts;
}

Reports::Reports(const detail::Graph& graph, const std::vector<plan::NodeState>& planned)
    : graph_(graph), items_(graph.nodes.size()) {
  stages_.reserve(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    stages_.push_back({.stage = graph.nodes[i].shown(), .causes = planned[i].decision.causes});
  }
}

void Reports::add(std::uint32_t node, const std::string& item, const Work& work) {
  const auto add_to = [&](auto& report) {
    report.attempts += work.attempts;
    report.duration += work.duration;
    report.cost += work.cost;
  };
  add_to(stages_[node]);
  if (!item.empty()) add_to(items_[node][item]);
  if (work.continued == Savings{}) return;
  const std::string& stage = graph_.nodes[node].name;
  const core::Key key = item.empty() ? core::stage_key(stage) : core::item_key(stage, item);
  continued_.insert_or_assign(key.path, work.continued);
}

void Reports::ran(std::uint32_t node, const std::string& item) {
  ++stages_[node].items_run;
  items_[node][item].outcome = StageOutcome::ran;
}

void Reports::adopted(std::uint32_t node, const std::string& item) {
  ++stages_[node].items_skipped;
  items_[node][item].outcome = StageOutcome::skipped;
}

void Reports::stopped(std::uint32_t node, std::string_view item, StageOutcome how,
                      const std::string& message, std::exception_ptr error) {
  const auto note = [&](auto& report) {
    if (weight(how) > weight(report.outcome)) report.outcome = how;
    if (report.message.empty()) report.message = message;
    if (!report.error) report.error = error;
  };
  StageReport& stage = stages_[node];
  note(stage);
  if (item.empty()) return;
  if (how == StageOutcome::failed) ++stage.items_failed;
  note(items_[node][std::string{item}]);
}

std::vector<StageReport> Reports::stages() const {
  std::vector<StageReport> list;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (is_stage(graph_.nodes[i])) list.push_back(stages_[i]);
  }
  return list;
}

std::vector<FanOutReport> Reports::fan_outs(const std::vector<plan::NodeState>& states) {
  std::vector<FanOutReport> all(states.size());
  for (std::size_t node = 0; node < states.size(); ++node) {
    const plan::NodeState& state = states[node];
    if (!state.list) continue;
    FanOutReport& report = all[node];
    report.list = state.list;
    report.worked = std::move(items_[node]);
    report.outcomes.reserve(state.items.size());
    for (std::size_t i = 0; i < state.items.size(); ++i) {
      const ItemReport* worked = report.find(state.list->keys[i]);
      const bool kept = state.items[i].action == Action::skip;
      report.outcomes.push_back(worked != nullptr ? worked->outcome
                                : kept            ? StageOutcome::skipped
                                                  : StageOutcome::not_started);
    }
  }
  return all;
}

}  // namespace resumable::run
