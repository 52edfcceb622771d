#include "run/executor.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "resumable/error.hpp"
#include "run/shared_pool.hpp"

namespace resumable::run {

using detail::Arg;

Executor::Executor(Tools tools, std::vector<plan::NodeState> planned)
    : tools_(tools),
      states_(std::move(planned)),
      reports_(tools.graph, states_),
      stage_events_(tools.graph, tools.events),
      damage_(tools.facts, tools.recorder, tools.events),
      values_(tools.graph, tools.facts, states_),
      exporter_(
          {tools.graph, tools.facts, tools.ledger, tools.recorder, tools.events, tools.folder,
           states_, [this](std::uint32_t node) { return runs_[node].phase == Phase::settled; },
           [this](std::uint32_t node, std::size_t item) { return values_.in_memory(node, item); }}),
      tasks_(
          {tools.graph, tools.facts, tools.decider, states_, values_, exporter_, tools.adoption}),
      on_stop_(tools.options.stop.token(), [this] { stop_.request_stop(); }),
      on_lost_(tools.recorder.lease().lost(), [this] { stop_.request_stop(); }),
      time_({tools.graph, tools.options, tools.facts, tools.recorder, tools.limits,
             tools.world.clock(), timer_, stop_}),
      timer_(tools.world.clock()),
      worker_({tools.graph, tools.facts, tools.recorder, tools.events, exporter_.publisher(),
               timer_, tools.world.clock(), stop_.get_token(), tools.options.run, tools.resumed,
               tools.limits, tools.cache}),
      pool_(make_pool()) {
  time_.begin();
}

std::unique_ptr<TaskPool> Executor::make_pool() {
  const ResumeOptions& options = tools_.options;
  if (tools_.shared == nullptr) {
    return std::make_unique<ThreadPool>(worker_, options.concurrency, options.executor);
  }
  ClaimRunner::Tools runner{
      .graph = tools_.graph,
      .store = tools_.store,
      .queue = *tools_.shared,
      .clock = tools_.world.clock(),
      .files = tools_.world.files(),
      .timer = timer_,
      .limits = tools_.limits,
      .ttl = worker_ttl,
      .events = [this](const std::string& /*ours*/) -> record::Events& { return tools_.events; }};
  return std::make_unique<SharedPool>(
      SharedPool::Tools{.worker = worker_,
                        .runner = std::move(runner),
                        .events = tools_.events,
                        .run = options.run,
                        .fence = tools_.recorder.lease().fence(),
                        .uid = tools_.facts.uid(),
                        .program = program_of(tools_.graph, tools_.world.build()),
                        .concurrency = options.concurrency,
                        .stop = stop_.get_token()});
}

Executor::~Executor() = default;

bool Executor::may_start() const {
  return !time_.is_stopping() && !damage_.is_open() && lacking_.empty() && !halted_;
}

void Executor::run() {
  for (const record::DamagedRecord& record : tools_.facts.torn()) damage_.set_aside(record);
  begin();
  while (true) {
    loop();
    exporter_.confirm_appended();
    if (!damage_.is_open() && lacking_.empty()) {
      time_.finish();
      return exporter_.retire();
    }
    replan();
    if (worst_ == Outcome::refused) return;
  }
}

/// Builds the running state from the facts alone.
void Executor::begin() {
  const auto& nodes = tools_.graph.nodes;
  runs_ = std::vector<NodeRun>(nodes.size());
  exporter_.reset();
  ready_.clear();
  active_.clear();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    std::set<std::uint32_t> sources;
    for (const Arg& arg : nodes[i].args) sources.insert(arg.node);
    if (nodes[i].when.graph != nullptr) sources.insert(nodes[i].when.node);
    for (const std::uint32_t source : sources) runs_[source].dependents.push_back(i);
    runs_[i].waits_on = sources.size();
    if (sources.empty()) ready_.push_back(i);
  }
  std::vector<std::size_t> dependents;
  for (const NodeRun& run : runs_) dependents.push_back(run.dependents.size());
  values_.reset(dependents);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) stage_events_.items_listed(i, states_[i]);
}

void Executor::loop() {
  while (true) {
    while (!ready_.empty() && may_start()) {
      const std::uint32_t node = ready_.front();
      ready_.pop_front();
      guard(node, [&] { resolve(node); });
    }
    while (may_start() && ready_.empty() && start_one()) {
    }
    if (pool_->is_idle() && (!may_start() || (ready_.empty() && active_.empty()))) return;
    if (pool_->is_idle() && ready_.empty()) return;  // what is left does not fit into the budget
    if (pool_->is_idle()) continue;
    if (!may_start()) pool_->hold(time_.is_stopping());
    for (Completion& completion : pool_->take()) {
      const std::uint32_t node = completion.task.node;
      guard(node, [&] { complete(std::move(completion)); });
    }
  }
}

/// Starts the next task, in the order of declaration; false when there is none or no room.
bool Executor::start_one() {
  for (const std::uint32_t node : active_) {
    NodeRun& run = runs_[node];
    const unsigned limit = tools_.graph.nodes[node].concurrency;
    if (run.queue.empty() || (limit != 0 && run.running >= limit)) continue;
    if (!pool_->has_room(node)) continue;
    const std::size_t item = run.queue.front();
    const bool fan_out = tools_.graph.nodes[node].kind == detail::NodeKind::fan_out;
    const std::string key{fan_out ? states_[node].list->keys[item] : std::string_view{}};
    if (auto reason = time_.why_not(tools_.graph.nodes[node], key, !any_started_)) {
      held_ = true;
      reports_.of(node).message = *std::move(reason);
      continue;
    }
    run.queue.pop_front();
    guard(node, [&] { start(node, item); });
    return true;
  }
  return false;
}

void Executor::start(std::uint32_t node, std::size_t item) {
  const bool fan_out = tools_.graph.nodes[node].kind == detail::NodeKind::fan_out;
  Task task = pool_->shares(node)
                  ? tasks_.make_shared(node, item, tools_.resumed, tools_.options.durability)
                  : tasks_.make(node, fan_out ? std::optional{item} : std::nullopt);
  ++runs_[node].running;
  any_started_ = true;
  pool_->start(std::move(task));
}

/// Runs `action` for a node and turns what it throws into an outcome.
void Executor::guard(std::uint32_t node, const std::function<void()>& action) {
  try {
    action();
  } catch (const record::DamagedRecord& record) {
    damage_.found(record);
  } catch (const Error& error) {
    if (error.errc() == Errc::cancelled) return interrupted(node, error.info().item, error.what());
    failed(node, std::current_exception(), tools_.graph.message(error.what()), error.info().item,
           error.errc());
  } catch (...) {
    const auto error = std::current_exception();
    failed(node, error, tools_.graph.message(stage::words_of(error)), "", Errc::no_value);
  }
}

void Executor::settle(std::uint32_t node) {
  NodeRun& run = runs_[node];
  run.phase = Phase::settled;
  active_.erase(node);
  for (const std::uint32_t dependent : run.dependents) {
    if (--runs_[dependent].waits_on == 0) ready_.push_back(dependent);
  }
  std::set<std::uint32_t> sources;
  for (const Arg& arg : tools_.graph.nodes[node].args) sources.insert(arg.node);
  if (tools_.graph.nodes[node].when.graph != nullptr)
    sources.insert(tools_.graph.nodes[node].when.node);
  for (const std::uint32_t source : sources) values_.release(source);
}

void Executor::replan() {
  std::optional<record::DamagedRecord> damaged;
  if (damage_.is_open()) damaged = damage_.take();
  if (damaged && tools_.options.on_damage == OnDamage::refuse) {
    worst_ = Outcome::refused;
    failure_.error = std::make_exception_ptr(damage_.refusal(*damaged));
    return;
  }
  std::vector<plan::NodeState> fresh = tools_.decider.decide_all();
  const Counts counts = count_stages(tools_.graph, fresh);
  if (damaged) {
    damage_.tell_revised(*damaged, counts);
    damage_.set_aside(*damaged);
  } else {
    stage_events_.needs_dropped(lacking_, counts);
  }
  lacking_.clear();
  states_ = std::move(fresh);
  begin();
}

std::vector<std::string> Executor::left() const {
  std::vector<std::string> paths;
  const auto add = [&](std::vector<std::string> more) {
    std::ranges::move(more, std::back_inserter(paths));
  };
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    const detail::Node& node = tools_.graph.nodes[i];
    if (!is_stage(node)) continue;
    if (node.kind != detail::NodeKind::fan_out) {
      add(tools_.facts.item_paths(node.name));
    } else if (const auto& list = states_[i].list; list && states_[i].taken) {
      add(plan::orphans(tools_.facts, node.name, *list, list->keys.size() - list->repeats.size()));
    }
  }
  for (std::string& stage : tools_.facts.stored_stages()) {
    if (!tools_.graph.records(stage)) paths.push_back(std::move(stage));
  }
  return paths;
}

Outcome Executor::outcome() const {
  if (worst_ == Outcome::refused || worst_ == Outcome::failed) return worst_;
  bool open = false;
  for (const NodeRun& run : runs_) open = open || run.phase != Phase::settled;
  if (!open) return worst_;
  const bool lost = tools_.recorder.lease().lost().stop_requested();
  if (lost || tools_.options.stop.token().stop_requested()) return Outcome::interrupted;
  return held_ || time_.is_over() ? Outcome::suspended : worst_;
}

}  // namespace resumable::run
