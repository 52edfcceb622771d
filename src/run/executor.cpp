#include "run/executor.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/time.hpp"
#include "resumable/error.hpp"

namespace resumable::run {

using detail::Arg;

Executor::Executor(Tools tools, std::vector<plan::NodeState> planned)
    : tools_(tools),
      states_(std::move(planned)),
      reports_(tools.graph, states_),
      values_(tools.graph, tools.facts, states_),
      exporter_(
          {tools.graph, tools.facts, tools.ledger, tools.recorder, tools.events, tools.folder,
           states_, [this](std::uint32_t node) { return runs_[node].phase == Phase::settled; },
           [this](std::uint32_t node, std::size_t item) { return values_.in_memory(node, item); }}),
      tasks_({tools.graph, tools.facts, tools.decider, states_, values_, exporter_}),
      limit_(tools.options.concurrency),
      on_stop_(tools.options.stop.token(), [this] { stop_.request_stop(); }),
      time_({tools.graph, tools.options, tools.facts, tools.recorder, tools.limits,
             tools.world.clock(), timer_, stop_}),
      timer_(tools.world.clock()) {
  worker_ = std::make_unique<Worker>(
      Worker::Tools{tools_.graph, tools_.facts, tools_.recorder, tools_.events,
                    exporter_.publisher(), timer_, tools_.world.clock(), stop_.get_token(),
                    tools_.options.run, tools_.resumed, tools_.limits, tools_.cache});
  time_.begin();
  if (limit_ == 0) limit_ = std::max(1U, std::thread::hardware_concurrency());
  if (limit_ > 1) pool_ = sys::thread_pool(limit_);
}

Executor::~Executor() = default;

bool Executor::stopping() const { return stop_.stop_requested() || time_.is_over(); }
bool Executor::may_start() const { return !stopping() && !damage_ && !halted_; }

void Executor::run() {
  for (const record::DamagedRecord& record : tools_.facts.torn()) set_aside(record);
  begin();
  while (true) {
    loop();
    exporter_.confirm_appended();
    if (!damage_) {
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
  for (std::uint32_t i = 0; i < nodes.size(); ++i) tell_items(i);
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
    if (running_ == 0 && (!may_start() || (ready_.empty() && active_.empty()))) return;
    if (running_ == 0 && ready_.empty()) return;  // what is left does not fit into the budget
    if (running_ == 0) continue;
    std::unique_lock lock{guard_};
    done_.wait(lock, [&] { return !completions_.empty(); });
    std::deque<Completion> batch = std::exchange(completions_, {});
    lock.unlock();
    for (Completion& completion : batch) {
      --running_;
      complete(std::move(completion));
    }
  }
}

/// Starts the next task, in the order of declaration; false when there is none or no room.
bool Executor::start_one() {
  if (running_ >= limit_) return false;
  for (const std::uint32_t node : active_) {
    NodeRun& run = runs_[node];
    const unsigned limit = tools_.graph.nodes[node].concurrency;
    if (run.queue.empty() || (limit != 0 && run.running >= limit)) continue;
    const std::size_t item = run.queue.front();
    const bool fan_out = tools_.graph.nodes[node].kind == detail::NodeKind::fan_out;
    const std::string key = fan_out ? states_[node].list->keys[item] : std::string{};
    if (auto reason = time_.why_not(tools_.graph.nodes[node], key, !any_started_)) {
      held_ = true;
      report(node).message = *std::move(reason);
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
  Task task = tasks_.make(node, fan_out ? std::optional{item} : std::nullopt);
  ++runs_[node].running;
  any_started_ = true;
  if (!pool_) {
    complete(worker_->run(std::move(task)));
    return;
  }
  ++running_;
  pool_->post([this, shared = std::make_shared<Task>(std::move(task))] {
    Completion completion = worker_->run(std::move(*shared));
    const std::scoped_lock lock{guard_};
    completions_.push_back(std::move(completion));
    done_.notify_one();
  });
}

/// Runs `action` for a node and turns what it throws into an outcome.
void Executor::guard(std::uint32_t node, const std::function<void()>& action) {
  try {
    action();
  } catch (const record::DamagedRecord& record) {
    damage_ = record;
  } catch (const Error& error) {
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

void Executor::set_aside(const record::DamagedRecord& record) {
  Event event;
  event.kind = EventKind::quarantined;
  event.file = tools_.facts.locate(record.path, record.generation);
  try {
    event.message =
        "kept as " + tools_.recorder.lease().quarantine({record.path, record.generation});
    tools_.facts.note_damage(record, true);
  } catch (const std::exception& error) {
    event.message = std::string{"it could not be set aside: "} + error.what();
    tools_.facts.note_damage(record, false);
  }
  tools_.events.emit(std::move(event));
}

void Executor::replan() {
  const record::DamagedRecord record = *std::exchange(damage_, std::nullopt);
  tools_.facts.suspect(record.path, record.generation);
  if (tools_.options.on_damage == OnDamage::refuse) {
    tools_.facts.note_damage(record, false);
    worst_ = Outcome::refused;
    failure_.error = std::make_exception_ptr(
        Error(Errc::damaged,
              {.what = fmt::format("the checkpoint '{}' is damaged", record.path),
               .file = tools_.facts.locate(record.path, record.generation),
               .kept = "everything that was saved before; nothing was deleted",
               .next = "resume without OnDamage::refuse: it is set aside and made again"}));
    return;
  }
  const std::string file = tools_.facts.locate(record.path, record.generation);
  tools_.facts.note_damage(record, false);
  std::vector<plan::NodeState> fresh;
  for (std::uint32_t i = 0; i < tools_.graph.nodes.size(); ++i) {
    fresh.push_back(tools_.decider.decide(i, fresh));
  }
  Event event;
  event.kind = EventKind::plan_revised;
  event.counts = count_stages(tools_.graph, fresh);
  event.file = file;
  event.message = "a checkpoint is damaged; replanned";
  tools_.events.emit(std::move(event));
  set_aside(record);
  states_ = std::move(fresh);
  begin();
}

Outcome Executor::outcome() const {
  if (worst_ == Outcome::refused || worst_ == Outcome::failed) return worst_;
  bool open = false;
  for (const NodeRun& run : runs_) open = open || run.phase != Phase::settled;
  if (!open) return worst_;
  if (tools_.options.stop.token().stop_requested()) return Outcome::interrupted;
  return held_ || time_.is_over() ? Outcome::suspended : worst_;
}

}  // namespace resumable::run
