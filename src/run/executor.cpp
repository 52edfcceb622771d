#include "run/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "core/key.hpp"
#include "core/time.hpp"
#include "resumable/error.hpp"

namespace resumable::inline v0::run {

using detail::Arg;

Executor::Executor(Tools tools, std::vector<plan::NodeState> planned)
    : tools_(tools),
      states_(std::move(planned)),
      alive_generation_(tools.facts.next_generation(core::alive_key().path)),
      recorded_alive_(tools.facts.alive()),
      limit_(tools.options.concurrency),
      on_stop_(tools.options.stop.token(), [this] { stop_.request_stop(); }),
      timer_(tools.world.clock()) {
  worker_ = std::make_unique<Worker>(
      Worker::Tools{tools_.graph, tools_.facts, tools_.recorder, tools_.events, tools_.folder,
                    timer_, tools_.world.clock(), stop_.get_token(), tools_.options.run,
                    tools_.resumed, tools_.limits, tools_.cache});
  if (const auto end = tools_.limits.call_end()) {
    timer_.call_at(*end, [this] { stop_.request_stop(); });
  }
  if (tools_.limits.counts_run()) beat();
  for (std::size_t i = 0; i < tools_.graph.nodes.size(); ++i) {
    StageReport report;
    report.stage = tools_.graph.nodes[i].name;
    report.causes = states_[i].decision.causes;
    reports_.push_back(std::move(report));
  }
  if (limit_ == 0) limit_ = std::max(1U, std::thread::hardware_concurrency());
  if (limit_ > 1) pool_ = sys::thread_pool(limit_);
}

Executor::~Executor() = default;

bool Executor::stopping() const { return stop_.stop_requested() || is_out_of_time(); }
bool Executor::is_out_of_time() const { return tools_.limits.is_over(); }

/// While this call lives: how long the run was alive is on record to within a second.
void Executor::beat() {
  const auto alive = tools_.limits.beat();
  if (tools_.limits.run_is_over()) stop_.request_stop();
  bool due = false;
  {
    const std::scoped_lock lock{alive_guard_};
    due = alive - recorded_alive_ >= std::chrono::seconds{1};
  }
  if (due) record_alive();
  timer_.call_at(tools_.world.clock().boot() + Limits::beat_interval, [this] { beat(); });
}

void Executor::record_alive() {
  const std::scoped_lock lock{alive_guard_};
  const auto alive = tools_.limits.beat();
  Draft draft;
  draft.key = core::alive_key();
  draft.generation = alive_generation_;
  draft.head.kind = core::Kind::alive;
  draft.head.codec = CodecId::json;
  draft.payload = std::make_shared<StringPayload>(fmt::format(
      R"({{"alive_ms":{}}})", std::chrono::ceil<std::chrono::milliseconds>(alive).count()));
  draft.header.payload_digest = core::digest_of(*draft.payload);
  draft.head.identity = draft.header.payload_digest;
  if (alive_generation_ > 2) draft.erase.emplace_back(draft.key.path, alive_generation_ - 2);
  try {
    tools_.recorder.commit(std::move(draft));
    ++alive_generation_;
    recorded_alive_ = alive;
  } catch (...) {
    // The next beat tries again; what else wants to commit says why it cannot.
  }
}
bool Executor::may_start() const { return !stopping() && !damage_ && !halted_; }

void Executor::run() {
  for (const DamagedRecord& record : tools_.facts.torn()) set_aside(record);
  begin();
  while (true) {
    loop();
    confirm_appended();
    if (!damage_) {
      if (tools_.limits.counts_run()) record_alive();
      return retire_left();
    }
    replan();
    if (worst_ == Outcome::refused) return;
  }
}

/// Whether there is time for a task, as far as it is known how long it takes. One that no budget
/// has time for, or that saves within itself, begins with a call.
bool Executor::fits(std::uint32_t node, std::size_t item) {
  if (!tools_.limits.any()) return true;
  const detail::Node& declared = tools_.graph.nodes[node];
  const bool fan_out = declared.kind == detail::NodeKind::fan_out;
  const std::string key = fan_out ? states_[node].list->keys[item] : std::string{};
  const std::string path =
      fan_out ? core::item_key(declared.name, key).path : core::stage_key(declared.name).path;
  const plan::Row* row = tools_.facts.current(path);
  const auto header = row != nullptr ? tools_.facts.header(path, row->generation) : std::nullopt;
  if (!header) return true;
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  const double left = seconds(tools_.limits.left());
  if (header->seconds <= left) return true;
  const double whole = tools_.options.budget.count() > 0
                           ? seconds(tools_.options.budget - tools_.options.reserve)
                           : left;
  const bool saves_within = !tools_.facts.inside_paths(declared.name, key).empty();
  if (!any_started_ && (header->seconds > whole || saves_within)) return true;
  held_ = true;
  report(node).message = fmt::format("needs about {}, and {} of the budget are left",
                                     core::format_duration(header->seconds),
                                     core::format_duration(std::max(left, 0.0)));
  return false;
}

/// Builds the running state from the facts alone.
void Executor::begin() {
  const auto& nodes = tools_.graph.nodes;
  runs_ = std::vector<NodeRun>(nodes.size());
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
  for (NodeRun& run : runs_) run.consumers = run.dependents.size();
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

/// Runs `action` for a node and turns what it throws into an outcome.
void Executor::guard(std::uint32_t node, const std::function<void()>& action) {
  try {
    action();
  } catch (const DamagedRecord& record) {
    damage_ = record;
  } catch (const Error& error) {
    failed(node, std::current_exception(), error.what(), error.info().item, error.errc());
  } catch (...) {
    const auto error = std::current_exception();
    failed(node, error, words_of(error), "", Errc::no_value);
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
  for (const std::uint32_t source : sources) release(source);
}

/// A value is dropped after its last consumer; the report loads it again if asked.
void Executor::release(std::uint32_t node) {
  NodeRun& run = runs_[node];
  if (run.consumers > 0 && --run.consumers > 0) return;
  run.value = nullptr;
  run.items = {};
}

void Executor::set_aside(const DamagedRecord& record) {
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
  const DamagedRecord record = *std::exchange(damage_, std::nullopt);
  if (tools_.options.strict) {
    tools_.facts.note_damage(record, false);
    worst_ = Outcome::refused;
    failure_.error = std::make_exception_ptr(
        Error(Errc::damaged, {.what = fmt::format("the checkpoint '{}' is damaged", record.path),
                              .file = tools_.facts.locate(record.path, record.generation),
                              .kept = "everything that was saved before; nothing was deleted",
                              .next = "resume without --strict: it is set aside and made again"}));
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
  event.file = file;
  event.message = "a checkpoint is damaged; the plan was made anew";
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
  return held_ || is_out_of_time() ? Outcome::suspended : worst_;
}

std::vector<std::shared_ptr<const plan::ItemList>> Executor::lists() const {
  std::vector<std::shared_ptr<const plan::ItemList>> all;
  for (const plan::NodeState& state : states_) all.push_back(state.list);
  return all;
}

std::vector<StageReport> Executor::reports() const {
  std::vector<StageReport> list;
  for (std::size_t i = 0; i < reports_.size(); ++i) {
    if (is_stage(tools_.graph.nodes[i])) list.push_back(reports_[i]);
  }
  return list;
}

}  // namespace resumable::inline v0::run
