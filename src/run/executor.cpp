#include "run/executor.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>
#include <unordered_map>

#include "core/key.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "run/values.hpp"

namespace resumable::inline v0::run {

using detail::Arg;
using detail::ArgKind;
using detail::Node;
using detail::NodeKind;

namespace {

unsigned threads(unsigned wanted) {
  return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

std::vector<Reason> reasons_of(const std::vector<Cause>& causes) {
  std::vector<Reason> reasons;
  for (const Cause& cause : causes) reasons.push_back(cause.reason);
  return reasons;
}

}  // namespace

Executor::Executor(Tools tools, std::vector<plan::NodeState> planned)
    : tools_(tools), states_(std::move(planned)), timer_(tools.world.clock()) {
  worker_ = std::make_unique<Worker>(Worker::Tools{
      tools_.graph, tools_.facts, tools_.recorder, tools_.events, tools_.folder, timer_,
      tools_.world.clock(), tools_.options.stop.token(), tools_.options.run, tools_.resumed});
  for (std::size_t i = 0; i < tools_.graph.nodes.size(); ++i) {
    StageReport report;
    report.stage = tools_.graph.nodes[i].name;
    report.causes = states_[i].decision.causes;
    reports_.push_back(std::move(report));
  }
  const unsigned count = threads(tools_.options.concurrency);
  if (count > 1) pool_ = sys::thread_pool(count);
}

Executor::~Executor() = default;

bool Executor::stopping() const { return tools_.options.stop.token().stop_requested(); }
bool Executor::may_start() const { return !stopping() && !damage_ && !halted_; }

void Executor::run() {
  for (const DamagedRecord& record : tools_.facts.torn()) set_aside(record);
  begin();
  while (true) {
    loop();
    if (!damage_) return retire_left();
    replan();
    if (worst_ == Outcome::refused) return;
  }
}

/// Builds the running state from the facts alone.
void Executor::begin() {
  const auto& nodes = tools_.graph.nodes;
  runs_.assign(nodes.size(), {});
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

// ---- deciding ----------------------------------------------------------------------------------

void Executor::resolve(std::uint32_t node) {
  const Happened before = report(node).happened;  // other than not_started when planned anew
  if (before == Happened::failed || before == Happened::waiting || before == Happened::interrupted) {
    runs_[node].phase = Phase::stuck;
    return;
  }
  plan::NodeState state = tools_.decider.decide(node, states_);
  const Node& declared = tools_.graph.nodes[node];
  if (declared.kind == NodeKind::fan_out && state.taken && !state.list) {
    expand(node);
    state = tools_.decider.decide(node, states_);
  }
  const bool new_list = state.list && !states_[node].list;
  // What planning found on disk stays true; a decision that was open is settled now.
  const bool was_open = states_[node].decision.action == Action::decide ||
                        !states_[node].decision.listed;
  if (!was_open && states_[node].decision.action == state.decision.action) {
    state.decision.causes = states_[node].decision.causes;
    for (auto& [item, causes] : states_[node].causes) state.causes[item] = causes;
  }
  states_[node] = std::move(state);
  report(node).causes = states_[node].decision.causes;
  report(node).items = states_[node].items.size();
  const std::size_t kept = states_[node].decision.skipped;
  report(node).items_skipped = kept - std::min(kept, report(node).items_run);
  if (is_input(declared)) return settle(node);
  if (new_list && states_[node].taken) check_places(node);
  switch (states_[node].decision.action) {
    case Action::skip: return skip(node);
    case Action::run:
    case Action::decide: return activate(node);
    case Action::wait:
      if (declared.kind == NodeKind::fan_out) return activate(node);
      runs_[node].phase = Phase::stuck;
      return ask(node, "", states_[node].decision.causes.front().detail);
    case Action::refuse: {
      const Cause& cause = states_[node].decision.causes.front();
      throw Error(Errc::unreadable, {.what = fmt::format("stage '{}': {}", declared.name, cause.text()),
                                     .stage = declared.name,
                                     .file = cause.file,
                                     .kept = "everything that was saved before"});
    }
  }
}

/// Takes the list apart into items and puts their keys on record.
void Executor::expand(std::uint32_t node) {
  const Node& declared = tools_.graph.nodes[node];
  const Arg& each = tools_.graph.each_arg(node);
  const detail::AnyValue list = value_of(each.node);
  auto items = std::make_shared<plan::ItemList>();
  items->list = states_[each.node].identity.value();
  const std::size_t count = each.list->size(list.get());
  for (std::size_t i = 0; i < count; ++i) {
    const detail::AnyValue element = each.list->at(list, i);
    items->keys.push_back((*each.list->key)(element.get()));
    core::check_item_key(declared.name, items->keys.back());
    items->digests.push_back(core::digest_of(*each.list->element->encode(element.get())));
  }
  if (const auto clash = items->find_repeats()) {
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("stage '{}' has two items with the key '{}' and different "
                                     "content: at places {} and {} of the list",
                                     declared.name, items->keys[clash->first], clash->first + 1,
                                     clash->second + 1),
                 .stage = declared.name,
                 .item = items->keys[clash->first],
                 .kept = "no item of this stage has run",
                 .next = "give each() a key that tells them apart"});
  }
  Draft draft;
  draft.key = core::own_key("items", declared.name);
  draft.generation = tools_.facts.next_generation(draft.key.path);
  draft.head.kind = core::Kind::items;
  draft.head.codec = CodecId::text;
  draft.head.revision = declared.revision;
  draft.head.fingerprint = items->list;
  draft.payload = std::make_shared<StringPayload>(encode_items(*items));
  draft.head.identity = core::digest_of(*draft.payload);
  if (draft.generation > 2) draft.erase.emplace_back(draft.key.path, draft.generation - 2);
  const Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  tools_.facts.note_items(declared.name, std::move(items));
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
  if (tools_.graph.nodes[node].when.graph != nullptr) sources.insert(tools_.graph.nodes[node].when.node);
  for (const std::uint32_t source : sources) release(source);
}

/// A value is dropped after its last consumer; the report loads it again if asked.
void Executor::release(std::uint32_t node) {
  NodeRun& run = runs_[node];
  if (run.consumers > 0 && --run.consumers > 0) return;
  run.value = nullptr;
  run.items = {};
}

/// The worst of what happened to its items is what happened to a stage.
void Executor::worsen(std::uint32_t node, Happened how) {
  const auto weight = [](Happened one) {
    switch (one) {
      case Happened::failed: return 3;
      case Happened::interrupted: return 2;
      case Happened::waiting: return 1;
      default: return 0;
    }
  };
  Happened& happened = report(node).happened;
  if (weight(how) > weight(happened)) happened = how;
}

/// A person has to act before this stage, or item, can go on.
void Executor::ask(std::uint32_t node, std::string_view item, const std::string& message) {
  worsen(node, Happened::waiting);
  if (report(node).message.empty()) report(node).message = message;
  if (worst_ == Outcome::done) worst_ = Outcome::waiting;
  Event event;
  event.kind = EventKind::waiting;
  event.stage = report(node).stage;
  event.item = std::string{item};
  event.message = message;
  tools_.events.emit(std::move(event));
}

void Executor::skip(std::uint32_t node) {
  const bool taken = states_[node].taken;
  if (taken && states_[node].list) check_paths(node);
  restore(node);
  if (!taken) give_back(node);
  Happened& happened = report(node).happened;
  const bool first = happened == Happened::not_started;  // not so when planned anew after damage
  if (first) happened = taken ? Happened::skipped : Happened::not_taken;
  if (first && is_stage(tools_.graph.nodes[node])) {
    tell_notes(node);
    Event event;
    event.kind = EventKind::skipped;
    event.stage = report(node).stage;
    event.reasons = reasons_of(states_[node].decision.causes);
    tools_.events.emit(std::move(event));
  }
  settle(node);
}

/// What was worked around, for those that log: the values of older generations or schemas.
void Executor::tell_notes(std::uint32_t node) {
  const plan::NodeState& state = states_[node];
  const auto tell = [&](const std::vector<Cause>& causes, std::string_view item) {
    for (const Cause& cause : causes) {
      if (cause.reason != Reason::fell_back && cause.reason != Reason::migrated) continue;
      Event event;
      event.kind = cause.reason == Reason::migrated ? EventKind::migrated : EventKind::fell_back;
      event.stage = report(node).stage;
      event.item = std::string{item};
      event.file = cause.file;
      event.message = cause.text();
      tools_.events.emit(std::move(event));
    }
  };
  if (!state.list) return tell(state.decision.causes, "");
  for (const auto& [i, causes] : state.causes) {
    if (state.items[i].action == Action::skip) tell(causes, state.list->keys[i]);
  }
}

// ---- starting ----------------------------------------------------------------------------------

void Executor::activate(std::uint32_t node) {
  NodeRun& run = runs_[node];
  run.phase = Phase::active;
  if (tools_.graph.nodes[node].kind != NodeKind::fan_out) {
    run.queue.push_back(0);
    active_.insert(node);
    return;
  }
  check_paths(node);
  restore(node);
  const plan::NodeState& state = states_[node];
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    if (state.items[i].action == Action::wait && !state.list->repeats.contains(i)) {
      run.broken = true;
      ask(node, state.list->keys[i], state.causes.at(i).front().detail);
    }
    // All inputs are settled: what is still open (no item to match) is told when it starts.
    const bool runs = state.items[i].action == Action::run || state.items[i].action == Action::decide;
    if (runs && !state.list->repeats.contains(i)) run.queue.push_back(i);
  }
  tell_notes(node);
  Event event;
  event.kind = EventKind::stage_started;
  event.stage = report(node).stage;
  event.reasons = reasons_of(state.decision.causes);
  tools_.events.emit(std::move(event));
  active_.insert(node);
  if (run.queue.empty()) finish_item(node);
}

/// Two items that map to one path, and an item and a stage that do, are found before any item runs.
void Executor::check_paths(std::uint32_t node) const {
  const auto& nodes = tools_.graph.nodes;
  const auto& patterns = tools_.graph.patterns;
  std::unordered_map<std::string, std::string> seen;  // folded path, to who exports it
  const auto refuse = [&](const std::string& one, const std::string& other, const std::string& path) {
    throw Error(Errc::path_conflict, {.what = fmt::format("{} and {} both export '{}'", one, other, path),
                                      .stage = nodes[node].name,
                                      .kept = "no item of this stage has run",
                                      .next = "use {item} or {position} in the artifact's pattern"});
  };
  const auto name_of = [&](std::uint32_t at, std::size_t item) {
    return fmt::format("item '{}' of stage '{}'", core::printable(states_[at].list->keys[item]),
                       nodes[at].name);
  };
  const auto for_each_path = [&](std::uint32_t at, const auto& visit) {
    for (const core::Pattern& pattern : patterns[at]) {
      if (nodes[at].kind != NodeKind::fan_out) {
        visit(pattern.path("", 0), fmt::format("stage '{}'", nodes[at].name));
        continue;
      }
      for (std::size_t i = 0; states_[at].list && i < states_[at].list->keys.size(); ++i) {
        if (states_[at].list->repeats.contains(i)) continue;
        visit(pattern.path(states_[at].list->keys[i], i + 1), name_of(at, i));
      }
    }
  };
  for_each_path(node, [&](const std::string& path, const std::string& who) {
    const auto [other, fresh] = seen.emplace(core::fold_path(path), who);
    if (!fresh) refuse(other->second, who, path);
  });
  for (std::uint32_t i = 0; i < nodes.size() && !seen.empty(); ++i) {
    const bool chained = tools_.graph.depends(std::max(i, node), std::min(i, node));
    if (i == node || chained || !states_[i].taken) continue;
    for_each_path(i, [&](const std::string& path, const std::string& who) {
      const auto other = seen.find(core::fold_path(path));
      if (other != seen.end()) refuse(other->second, who, path);
    });
  }
}

/// Planning did not know these paths: whatever is there now and is not ours stays, and is named
/// before any item runs.
void Executor::check_places(std::uint32_t node) const {
  if (tools_.folder == nullptr) return;
  const plan::NodeState& state = states_[node];
  const std::string& stage = tools_.graph.nodes[node].name;
  for (const core::Pattern& pattern : tools_.graph.patterns[node]) {
    for (std::size_t i = 0; i < state.list->keys.size(); ++i) {
      if (state.list->repeats.contains(i)) continue;
      const std::string path = pattern.path(state.list->keys[i], i + 1);
      const plan::Look look = tools_.facts.look(path);
      if (look.state == plan::Look::State::missing) continue;
      if (look.state == plan::Look::State::file && tools_.facts.is_known(path, look.digest)) continue;
      throw Error(Errc::edited,
                  {.what = fmt::format("stage '{}': {} is in the place of artifact '{}'", stage,
                                       look.problem.empty() ? "a file that is not ours" : look.problem,
                                       path),
                   .stage = stage,
                   .item = state.list->keys[i],
                   .file = tools_.folder->full(path),
                   .kept = "it is untouched, and no item of this stage has run",
                   .next = "move the file away and resume"});
    }
  }
}

/// Starts the next task, in the order of declaration; false when there is none or no room.
bool Executor::start_one() {
  if (running_ >= threads(tools_.options.concurrency)) return false;
  for (const std::uint32_t node : active_) {
    NodeRun& run = runs_[node];
    const unsigned limit = tools_.graph.nodes[node].concurrency;
    if (run.queue.empty() || (limit != 0 && run.running >= limit)) continue;
    const std::size_t item = run.queue.front();
    run.queue.pop_front();
    guard(node, [&] { start(node, item); });
    return true;
  }
  return false;
}

void Executor::start(std::uint32_t node, std::size_t item) {
  const bool fan_out = tools_.graph.nodes[node].kind == NodeKind::fan_out;
  Task task = make_task(node, fan_out ? std::optional{item} : std::nullopt);
  ++runs_[node].running;
  runs_[node].started = true;
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

Task Executor::make_task(std::uint32_t node, std::optional<std::size_t> item) {
  const Node& declared = tools_.graph.nodes[node];
  const plan::NodeState& state = states_[node];
  Task task;
  task.node = node;
  task.item = item;
  if (item) task.item_key = state.list->keys[*item];
  for (const Arg& arg : declared.args) {
    if (arg.kind != ArgKind::after) task.args.push_back(argument(node, arg, item));
  }
  const auto known = tools_.decider.inputs(node, state, item, states_);
  task.fingerprint = plan::Decider::fingerprint(known).value();
  for (const auto& input : known) {
    if (!input.exempt) task.inputs.push_back({input.name, *input.identity});
  }
  task.key = item ? core::item_key(declared.name, task.item_key)
             : declared.kind == NodeKind::condition ? core::own_key("condition", declared.name)
                                                    : core::stage_key(declared.name);
  const auto causes = item ? state.causes.find(*item) : state.causes.end();
  task.reasons = reasons_of(causes != state.causes.end() ? causes->second : state.decision.causes);
  task.approved = tools_.facts.approval(declared.name, task.item_key, task.fingerprint).first ==
                  plan::Approval::approved;
  add_history(task);
  if (tools_.folder != nullptr) add_exports(task);
  return task;
}

/// What is on record of it: the value before, generations that may go, failed attempts.
void Executor::add_history(Task& task) {
  const Node& declared = tools_.graph.nodes[task.node];
  task.generation = tools_.facts.next_generation(task.key.path);
  if (const plan::Row* row = tools_.facts.current(task.key.path)) task.previous = *row;
  for (const plan::Row& row : tools_.facts.rows(task.key.path)) {
    const bool whole = !row.quarantined && row.damage == Damage::none;
    const bool pinned = row.head.schema > declared.type->version;
    if (whole && !pinned && row.generation != task.previous->generation) {
      task.erase.emplace_back(task.key.path, row.generation);
    }
  }
  const core::Key attempts = core::about_key("attempt", declared.name, task.item_key);
  task.attempt_generation = tools_.facts.next_generation(attempts.path);
  const plan::Row* last = tools_.facts.current(attempts.path);
  if (last == nullptr) return;
  task.attempts_on_record = {{attempts.path, last->generation}};
  if (last->head.fingerprint != task.fingerprint || last->head.revision != declared.revision) return;
  const auto json = nlohmann::json::parse(
      read_all(*tools_.facts.payload(attempts.path, last->generation)), nullptr, false);
  if (!json.is_object()) return;
  task.tried.total = json.value("total", 0U);
  task.tried.now = json.value("final", false) ? 0 : json.value("tried", 0U);
  task.tried.cost = {json.value("usd", 0.0), json.value("tokens", std::uint64_t{0})};
}

void Executor::add_exports(Task& task) {
  const std::size_t position = task.item ? *task.item + 1 : 0;
  std::vector<core::Export> previous;
  if (task.previous && !tools_.graph.patterns[task.node].empty()) {
    const auto header = tools_.facts.header(task.key.path, task.previous->generation);
    if (header) previous = header->exports;
  }
  for (const core::Pattern& pattern : tools_.graph.patterns[task.node]) {
    ExportTo to;
    to.path = pattern.path(task.item_key, position);
    // Planning found these bytes to be ours; a file that came since is a conflict.
    const plan::Look look = tools_.facts.look(to.path);
    if (look.state == plan::Look::State::file) to.on_disk = look.digest;
    for (const core::Export& one : previous) {
      if (one.path == to.path) to.previous = one;
    }
    to.taken_over = to.previous && to.on_disk && *to.on_disk != to.previous->digest &&
                    is_of_later(task.node, to.path, *to.on_disk);
    task.exports.push_back(std::move(to));
  }
  for (core::Export& one : previous) {
    const bool stays = std::any_of(task.exports.begin(), task.exports.end(),
                                   [&](const ExportTo& to) { return to.path == one.path; });
    if (stays) continue;
    const plan::Look look = tools_.facts.look(one.path);
    one.before.reset();
    if (look.state == plan::Look::State::file && look.digest == one.digest) {
      task.left_in_place.push_back(one);
    }
    task.left.push_back(std::move(one));
  }
}

// ---- values ------------------------------------------------------------------------------------

detail::AnyValue Executor::argument(std::uint32_t node, const Arg& arg,
                                    std::optional<std::size_t> item) {
  if (arg.kind == ArgKind::value) return value_of(arg.node);
  if (arg.list) return arg.list->at(value_of(arg.node), item.value());
  return item_of(arg.node, states_[node].list->keys[item.value()], *item);
}

const detail::AnyValue& Executor::value_of(std::uint32_t node) {
  NodeRun& run = runs_[node];
  const Node& declared = tools_.graph.nodes[node];
  if (run.value) return run.value;
  if (is_input(declared)) {
    run.value = tools_.facts.host_input(node).value;
  } else if (declared.kind != NodeKind::fan_out) {
    run.value = load_record(tools_.graph, tools_.facts, node, "");
  } else {
    std::vector<detail::AnyValue> items;
    for (std::size_t i = 0; i < states_[node].items.size(); ++i) {
      items.push_back(item_of(node, states_[node].list->keys[i], i));
    }
    run.value = declared.gather(items);
  }
  return run.value;
}

detail::AnyValue Executor::item_of(std::uint32_t node, std::string_view key, std::size_t hint) {
  const std::size_t index = states_[node].list->find(key, hint);
  if (index == states_[node].list->keys.size()) {
    throw Error(Errc::no_value, {.what = fmt::format("stage '{}' has no item '{}' to match",
                                                     tools_.graph.nodes[node].name, key),
                                 .stage = tools_.graph.nodes[node].name,
                                 .item = std::string{key}});
  }
  auto& items = runs_[node].items;
  items.resize(states_[node].list->keys.size());
  if (!items[index]) items[index] = load_record(tools_.graph, tools_.facts, node, key);
  return items[index];
}

// ---- completing --------------------------------------------------------------------------------

void Executor::take_records(const Completion& completion) {
  for (const Committed& record : completion.records) {
    tools_.facts.note(record.path, record.generation, record.head);
  }
  const bool fewer = completion.how == Completion::How::committed && !completion.task.left.empty();
  if (!completion.exports.empty() || fewer) {
    tools_.facts.note_exports(completion.task.node, completion.task.item_key, completion.exports);
  }
  for (const core::Export& one : completion.exported) tools_.facts.note_published(one);
}

void Executor::complete(Completion completion) {
  const std::uint32_t node = completion.task.node;
  NodeRun& run = runs_[node];
  --run.running;
  take_records(completion);
  StageReport& told = report(node);
  told.attempts += completion.attempts;
  told.seconds += completion.seconds;
  told.cost += completion.cost;
  switch (completion.how) {
    case Completion::How::committed: committed(completion); break;
    case Completion::How::damaged: damage_ = completion.damage; break;
    case Completion::How::interrupted: {
      run.broken = true;
      worsen(node, Happened::interrupted);
      Event event;
      event.kind = EventKind::interrupted;
      event.stage = told.stage;
      event.item = completion.task.item_key;
      event.message = completion.message;
      tools_.events.emit(std::move(event));
      break;
    }
    case Completion::How::waiting:
      run.broken = true;
      guard(node, [&] { record_waiting(completion); });
      break;
    case Completion::How::failed:
    case Completion::How::store_failed:
      failed(node, completion.error, completion.message, completion.task.item_key,
             completion.how == Completion::How::failed ? Errc::no_value : Errc::store_failed);
      break;
    case Completion::How::conflict:
      failed(node, completion.error, completion.message, completion.task.item_key, Errc::edited);
      worst_ = Outcome::refused;
      break;
  }
  if (run.phase == Phase::active) finish_item(node);
}

void Executor::committed(Completion& completion) {
  const std::uint32_t node = completion.task.node;
  plan::NodeState& state = states_[node];
  NodeRun& run = runs_[node];
  const core::Head& head = completion.records.back().head;
  left_.insert(left_.end(), completion.task.left.begin(), completion.task.left.end());
  if (!completion.task.item) {
    state.identity = head.identity;
    if (tools_.graph.nodes[node].kind == NodeKind::condition) {
      state.outcome = *static_cast<const bool*>(completion.value.get());
    }
    if (run.consumers > 0) run.value = std::move(completion.value);
    return;
  }
  ++report(node).items_run;
  const std::size_t index = *completion.task.item;
  const auto mark = [&](std::size_t i) {
    state.items[i].identity = head.identity;
    state.items[i].known = true;
    state.items[i].action = Action::skip;
    state.items[i].reason = Reason::done;
  };
  mark(index);
  for (const auto& [repeat, first] : state.list->repeats) {
    if (first == index) mark(repeat);
  }
  if (run.consumers > 0) {
    run.items.resize(state.items.size());
    run.items[index] = std::move(completion.value);
  }
}

/// After each task of a node: is the node through?
void Executor::finish_item(std::uint32_t node) {
  NodeRun& run = runs_[node];
  if (run.running > 0 || damage_) return;
  StageReport& told = report(node);
  if (run.broken) {
    if (!run.queue.empty() && may_start()) return;
    run.phase = Phase::stuck;
    active_.erase(node);
    return;
  }
  if (!run.queue.empty()) return;
  told.happened = Happened::ran;
  states_[node].decision.action = Action::skip;
  if (tools_.graph.nodes[node].kind == NodeKind::fan_out) {
    states_[node].identity = plan::identity_of(states_[node]);
  }
  Event event;
  event.kind = EventKind::stage_finished;
  event.stage = told.stage;
  event.seconds = told.seconds;
  event.cost = told.cost;
  tools_.events.emit(std::move(event));
  settle(node);
}

void Executor::failed(std::uint32_t node, std::exception_ptr error, const std::string& message,
                      std::string_view item, Errc fallback) {
  NodeRun& run = runs_[node];
  run.broken = true;
  StageReport& told = report(node);
  told.happened = Happened::failed;
  if (told.message.empty()) told.message = message;
  if (!told.error) told.error = error;
  if (!failure_.error) failure_ = {error, told.stage, std::string{item}};
  const bool refused = fallback == Errc::unreadable || fallback == Errc::not_decodable ||
                       fallback == Errc::edited;
  worst_ = refused ? Outcome::refused : worst_ == Outcome::refused ? worst_ : Outcome::failed;
  const bool store = fallback == Errc::store_failed || fallback == Errc::fenced ||
                     fallback == Errc::forked;
  if (!tools_.options.keep_going || refused || store) halted_ = true;
  Event event;
  event.kind = EventKind::failed;
  event.stage = told.stage;
  event.item = std::string{item};
  event.message = message;
  event.code = code_of(error);
  tools_.events.emit(std::move(event));
  if (run.phase == Phase::pending) run.phase = Phase::stuck;
  if (run.running == 0 && run.phase == Phase::active && (halted_ || run.queue.empty())) {
    run.phase = Phase::stuck;
    active_.erase(node);
  }
}

/// The question is on record, bound to the inputs: the answer is valid for these alone.
void Executor::record_waiting(const Completion& completion) {
  const Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  Draft draft;
  draft.key = core::about_key("approval", node.name, task.item_key);
  draft.generation = tools_.facts.next_generation(draft.key.path);
  draft.head.kind = core::Kind::approval;
  draft.head.codec = CodecId::json;
  draft.head.fingerprint = task.fingerprint;
  draft.payload = std::make_shared<StringPayload>(
      nlohmann::ordered_json{{"state", "asked"}, {"message", completion.message}}.dump(
          -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  draft.head.identity = core::digest_of(*draft.payload);
  for (const plan::Row& row : tools_.facts.rows(draft.key.path)) {
    const bool whole = !row.quarantined && row.damage == Damage::none;
    if (whole && row.generation + 1 < draft.generation) {
      draft.erase.emplace_back(draft.key.path, row.generation);
    }
  }
  const Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  ask(task.node, task.item_key, completion.message);
}

// ---- damage ------------------------------------------------------------------------------------

void Executor::set_aside(const DamagedRecord& record) {
  Event event;
  event.kind = EventKind::quarantined;
  event.file = tools_.facts.locate(record.path, record.generation);
  try {
    event.message = "kept as " + tools_.recorder.lease().quarantine({record.path, record.generation});
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

// ---- the end -----------------------------------------------------------------------------------

Outcome Executor::outcome() const {
  if (worst_ == Outcome::refused || worst_ == Outcome::failed) return worst_;
  bool open = false;
  for (const NodeRun& run : runs_) open = open || run.phase != Phase::settled;
  if (open && stopping()) return Outcome::interrupted;
  return worst_;
}

std::vector<StageReport> Executor::reports() const {
  std::vector<StageReport> list;
  for (std::size_t i = 0; i < reports_.size(); ++i) {
    if (is_stage(tools_.graph.nodes[i])) list.push_back(reports_[i]);
  }
  return list;
}

}  // namespace resumable::inline v0::run
