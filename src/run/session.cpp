#include "run/session.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "core/fault.hpp"
#include "core/text.hpp"
#include "exports/place.hpp"
#include "plan/requests.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"
#include "resumable/status.hpp"
#include "run/options.hpp"
#include "run/refusal.hpp"
#include "store/queued_store.hpp"
#include "sys/process.hpp"

namespace resumable::run {

namespace {

bool has_artifacts(const detail::Graph& graph) {
  return std::any_of(graph.patterns.begin(), graph.patterns.end(),
                     [](const auto& patterns) { return !patterns.empty(); });
}

/// Whether the store is one that nobody can write to, for want of the right or of space.
bool cannot_be_written(const Error& error) {
  const std::error_code cause = error.info().cause;
  return cause == std::errc::read_only_file_system || cause == std::errc::no_space_on_device ||
         cause.value() == EDQUOT;
}

/// All is kept, and no artifact is missing.
bool needs_nothing(const detail::PlanData& planned) {
  const auto restores = [](const std::vector<Cause>& causes) {
    return std::ranges::count(causes, Reason::restored, &Cause::reason) > 0;
  };
  return std::ranges::all_of(planned.nodes, [&](const plan::NodeState& state) {
    return state.decision.action == Action::skip && !restores(state.decision.causes) &&
           std::ranges::none_of(state.causes, restores, [](const auto& of) { return of.second; });
  });
}

/// Thrown to the caller; every other error ends in the report.
bool is_usage(const Error& error) { return core::fault_of(error.errc()) == core::Fault::usage; }

std::shared_ptr<store::TimedStore> timed(const CheckpointStore& store,
                                         const ResumeOptions& options) {
  const store::Patience patience{.timeout = options.store_timeout, .stop = options.stop.token()};
  // A caller that has only a constant store gets only a constant one.
  return std::make_shared<store::TimedStore>(const_cast<CheckpointStore&>(store), patience);
}

}  // namespace

Session::Session(const Pipeline& pipeline, const CheckpointStore& store,
                 const ResumeOptions& options)
    : declared_(detail::graph_of(pipeline)),
      timed_(timed(store, options)),
      store_(timed_.get()),
      options_(options),
      world_(std::make_shared<record::World>()),
      begun_(world_->clock().boot()),
      limits_(world_->clock()),
      report_(std::make_shared<detail::ReportData>()) {
  check_options(options);
  if (options.budget.count() > 0) {
    limits_.end_call_at(detail::later(begun_, options.budget - options.reserve));
  }
  ask_runs();
  ask_choices();
  std::string folder;
  if (!options.artifact_folder.empty()) {
    folder = sys::absolute_path(options.artifact_folder.string());
  } else if (declared_.recorded) {
    folder = exports::artifact_folder(*timed_, options.run);
  } else if (const auto* found = store.capability<ArtifactFolder>()) {
    folder = found->artifact_folder(options.run);
  }
  if (!folder.empty()) folder_.emplace(world_->files(), world_->random(), folder);
  report_->graph = declared_.shared_from_this();
  report_->run = options.run;
  report_->world = world_;
  report_->on_damage = options_.on_damage;
}

std::shared_ptr<const detail::PlanData> Session::plan(bool all_headers) {
  return plan_as(false, all_headers ? record::Headers::of_stages : needed_headers());
}

/// Those that say what was exported, where anything is.
record::Headers Session::needed_headers() const {
  return folder_ && has_artifacts(graph()) ? record::Headers::of_exporters : record::Headers::none;
}

std::shared_ptr<const detail::PlanData> Session::plan_as(bool owned, record::Headers headers) {
  return record::look_until_found([&](bool last) {
    facts_ = std::make_shared<record::RunFacts>(declared_, *store_, options_.run, world_->clock(),
                                                world_->files());
    if (!declared_.recorded) facts_->program(world_->build());
    facts_->owned(owned || last);
    auto planned = plan_once(headers);
    facts_->owned(true);
    return planned;
  });
}

std::shared_ptr<const detail::PlanData> Session::plan_once(record::Headers headers) {
  facts_->gather(options_.verify_payloads, headers);
  if (facts_->is_of_another_pipeline()) {
    throw Error(
        Errc::foreign,
        {.what = fmt::format("run '{}' belongs to pipeline '{}', not to '{}'",
                             core::printable(options_.run), facts_->pipeline(), graph().pipeline),
         .run = options_.run,
         .kept = "nothing was changed",
         .next = "resume it with the program that created it, or choose another id"});
  }
  report_->graph = graph().shared_from_this();
  ledger_.emplace(graph(), *facts_, folder_ ? &*folder_ : nullptr);
  ledger_->read();
  edits_.reset();
  if (folder_) {
    edits_.emplace(exports::Edits::Tools{graph(), *facts_, *ledger_, *folder_}, reject_, accept_,
                   asked_again(), sys::user_name());
    edits_->find();
  }
  if (options_.create == Create::never && !facts_->begun() && !run_state(*store_, options_.run)) {
    throw Error(Errc::unknown_run,
                {.what = fmt::format("there is no run '{}' in {}", options_.run, store_->url()),
                 .run = options_.run,
                 .kept = "nothing was changed",
                 .next = "list_runs() and `resumable list` show the existing runs"});
  }
  if (options_.create == Create::never) refuse_not_begun();
  decider_.emplace(graph(), *facts_,
                   plan::merge_requests(graph(), *facts_, facts_->requests(), asked_,
                                        options_.on_damage == OnDamage::refuse),
                   options_.on_damage == OnDamage::refuse);
  adoption_.reset();
  if (folder_ && options_.adopt) {
    adoption_.emplace(exports::Adoption::Tools{graph(), *facts_, *ledger_, *folder_, *decider_},
                      sys::user_name());
    ledger_->adopting(true);
  }
  const auto planned = plan::make_plan(graph(), *facts_, *ledger_, *decider_, options_.run,
                                       adoption_ ? &*adoption_ : nullptr);
  ledger_->finish_planning();
  planned->concurrency = options_.concurrency;
  plan::note_caps(graph(), options_.concurrency, *planned);
  planned->options = std::make_shared<const ResumeOptions>(options_);
  return planned;
}

/// Nothing can be continued of a run whose first call was killed before its inputs were recorded.
void Session::refuse_not_begun() const {
  bool lacks_input = false;
  for (std::uint32_t i = 0; i < graph().nodes.size(); ++i) {
    lacks_input = lacks_input || (is_input(graph().nodes[i]) && !facts_->input(i).known);
  }
  if (!lacks_input || run_state(*store_, options_.run) != RunState::not_begun) return;
  throw Error(Errc::unknown_run,
              {.what = fmt::format("run '{}' was not begun: its first call ended before its inputs "
                                   "were recorded",
                                   core::printable(options_.run)),
               .run = options_.run,
               .kept = "nothing: there was nothing to keep",
               .next = "begin it again with the same id"});
}

// ---- running -----------------------------------------------------------------------------------

std::shared_ptr<detail::ReportData> Session::resume(CheckpointStore& store,
                                                    const std::optional<Digest>& expected) {
  if (graph().recorded) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("run '{}' cannot be resumed without its program: what is "
                                     "recorded of a pipeline has no functions",
                                     core::printable(options_.run)),
                 .run = options_.run,
                 .kept = "nothing was changed",
                 .next = "resume it with the program that created it"});
  }
  if (options_.budget.count() > 0) {  // not of a plan, which is no work
    timed_->end_reading_at(
        detail::later(std::chrono::steady_clock::now(), options_.budget - options_.reserve));
  }
  if (options_.durability == Durability::queued) {
    queue_ = std::make_shared<store::QueuedStore>(*timed_);
    report_->layers.push_back(queue_);
  }
  report_->layers.push_back(timed_);
  store_ = writable_ = queue_ ? queue_.get() : timed_.get();
  if (options_.share) work_ = &work_queue_of(store);
  if (options_.adopt) work_ = nullptr;  // the values come from files that the owner has read
  report_->store = &store;
  resume_or_report(expected);
  if (may_find_out()) find_out();
  return report_;
}

void Session::resume_or_report(const std::optional<Digest>& expected) {
  try {
    resume_or_throw(expected);
  } catch (const Error& error) {
    if (is_usage(error)) throw;
    fail(error);
  } catch (const record::DamagedRecord& record) {
    fail(Error(Errc::damaged,
               {.what = fmt::format("the record '{}' is damaged", record.path),
                .run = options_.run,
                .file = store_->locate(options_.run, {record.path, record.generation}),
                .kept = "everything; nothing was changed",
                .next = "move it out of the way with `resumable verify --set-aside`, and resume"}));
  }
}

/// A new lease shows whether a commit has happened whose answer was lost.
bool Session::may_find_out() const {
  const bool unknown = report_->error && report_->error->errc() == Errc::outcome_unknown;
  const bool open = recorded_ != Recorded::edits && !(reject_.empty() && accept_.empty());
  const bool stops = options_.stop.token().stop_requested() || limits_.is_over();
  return unknown && !again_ && !open && !stops && !timed_->is_silent();
}

/// Takes the lease again, and plans again from what the run holds. What was asked for and is
/// recorded is not asked for twice.
void Session::find_out() {
  again_ = true;
  if (recorded_ != Recorded::nothing) asked_.clear();
  reject_.clear();
  accept_.clear();
  const auto before = std::exchange(report_->stages, {});
  report_->error.reset();
  report_->outcome = Outcome::done;
  report_->warnings.clear();
  resume_or_report(std::nullopt);
  for (const StageReport& former : before) {
    const auto now = std::ranges::find(report_->stages, former.stage, &StageReport::stage);
    if (now == report_->stages.end()) continue;
    const bool ran = former.attempts > 0;  // even if its commit was the one that was not known
    if (ran && now->outcome == StageOutcome::skipped) now->outcome = StageOutcome::ran;
    const std::size_t items = std::min(former.items_run + former.items_failed, now->items_skipped);
    now->items_run += items;
    now->items_skipped -= items;
    now->attempts += former.attempts;
    now->duration += former.duration;
    now->cost += former.cost;
  }
}

/// What the operating system said when this record or artifact could not be read.
std::error_code Session::cause_of(const std::string& file) const {
  const auto cause = facts_->cause_of(file);
  return cause ? cause : ledger_->cause_of(file);
}

Error Session::refusal(const Plan& plan) const {
  return run::refusal(plan, [this](const std::string& file) { return cause_of(file); });
}

void Session::refuse(const Plan& plan) {
  report_->plan = plan;
  throw refusal(plan);
}

void Session::check_expected(const Plan& plan, const std::optional<Digest>& expected) const {
  if (!expected || *expected == plan.digest()) return;
  throw Error(Errc::plan_outdated, {.what = "the run has changed since this plan was made",
                                    .run = options_.run,
                                    .kept = "nothing was changed",
                                    .next = "make a new plan and look at it"});
}

/// Refusals come before anything is written, including the owner file. If another process owns the
/// run, its records may be half done: then the answer is that the run is busy, and there is no
/// plan.
std::shared_ptr<const detail::PlanData> Session::look_before(
    const std::optional<Digest>& expected) {
  try {
    auto planned = plan();
    const Plan first{planned};
    if (first.refused()) refuse(first);
    check_expected(first, expected);
    return planned;
  } catch (const Error& error) {
    const bool of_store = core::fault_of(error.errc()) == core::Fault::store;
    if (is_usage(error) || of_store || !store_->owner(options_.run)) throw;
  }
  return nullptr;
}

/// nullopt also when it cannot be read: the lease will say why.
std::optional<std::uint64_t> Session::stamp() const {
  try {
    return store_->stamp(options_.run);
  } catch (const Error& error) {
    if (core::fault_of(error.errc()) == core::Fault::store) throw;
    return std::nullopt;
  }
}

/// The name of a run that was not begun is free.
Create Session::how_to_create() const {
  if (again_) return Create::if_absent;
  const bool taken =
      options_.create == Create::must && run_state(*store_, options_.run) == RunState::not_begun;
  return taken ? Create::if_absent : options_.create;
}

void Session::resume_or_throw(const std::optional<Digest>& expected) {
  const auto before = stamp();
  auto planned = look_before(expected);
  std::unique_ptr<Lease> lease;
  try {
    lease = writable_->lease(options_.run,
                             {how_to_create(), options_.lock_wait, options_.stop.token()});
  } catch (const Error& error) {
    // Requests have to be recorded, even if nothing runs.
    const bool asks = planned && std::ranges::any_of(decider_->requests(), &plan::Request::is_new);
    if (!cannot_be_written(error) || !planned || asks || !needs_nothing(*planned)) throw;
    return report_kept(*planned);
  }
  // From here on, workers commit under this lease: what they commit is read, or collected.
  if (work_ != nullptr) work_->take_over(options_.run, lease->fence());
  // The records are read only once if the store guarantees that no one has written since.
  const bool unchanged =
      planned && work_ == nullptr && before && lease->stamp_when_taken() == before;
  if (!unchanged) planned = plan_as(true, needed_headers());
  report_->plan = Plan{planned};
  report_->facts = facts_;
  if (!again_) {
    report_->fence = lease->fence();
    report_->resumed = facts_->begun();
  }
  if (report_->plan.refused()) refuse(report_->plan);
  check_expected(report_->plan, expected);
  execute_under(*lease, *planned);
}

namespace {

std::string new_uid(sys::Random& random) {
  std::string uid;
  std::string more;
  if (sys::random_name(random, uid) || sys::random_name(random, more)) {
    throw Error(Errc::store_failed, {.what = "the system's random number generator failed"});
  }
  return uid + more;
}

}  // namespace

void Session::execute_under(Lease& lease, const detail::PlanData& planned) {
  if (facts_->uid().empty()) facts_->uid(new_uid(world_->random()));
  if (folder_) folder_->marks().of_run(facts_->uid());
  record::Recorder recorder{lease, world_->clock(), facts_->uid(), graph().pipeline,
                            options_.durability};
  record_beginning(recorder, planned);
  record::Events events{world_->clock(), options_.run, graph().pipeline, options_.observers};
  if (options_.run_budget.count() > 0) {
    limits_.end_run_after(
        detail::saturated<stage::Limits::Duration>(options_.run_budget - options_.reserve),
        facts_->alive());
  }
  if (options_.durability == Durability::queued) events.follow(lease);
  stage::Cache cache{*writable_, world_->clock(), [this] { return timed_->reading({}); }};
  Executor executor{{.graph = graph(),
                     .options = options_,
                     .facts = *facts_,
                     .ledger = *ledger_,
                     .decider = *decider_,
                     .recorder = recorder,
                     .events = events,
                     .folder = folder_ ? &*folder_ : nullptr,
                     .world = *world_,
                     .resumed = report_->resumed,
                     .limits = limits_,
                     .cache = cache,
                     .adoption = adoption_ ? &*adoption_ : nullptr,
                     .store = *writable_,
                     .shared = work_},
                    planned.nodes};
  write_manifest(lease, "running", nullptr);
  tell_beginning(events, planned);
  if (edits_) take_edits_over(recorder, events);
  recorded_ = Recorded::edits;
  executor.run();
  take_results(executor);
  const bool stopped =
      report_->outcome == Outcome::interrupted || report_->outcome == Outcome::suspended;
  if (stopped && lease.lost().stop_requested()) fail(lost());
  record_end(recorder, lease, executor);
  if (report_->outcome == Outcome::suspended) tell_suspended(events, recorder);
  if (may_find_out()) return;
  Cost paid;
  for (const StageReport& stage : report_->stages) paid += stage.cost;
  events.emit({.kind = EventKind::run_finished,
               .cost = paid,
               .code = std::string{to_string(report_->outcome)}});
  for (std::string& warning : events.warnings()) report_->warnings.push_back(std::move(warning));
}

/// Records everything that the next call needs if this one is killed, before anything runs.
void Session::record_beginning(record::Recorder& recorder, const detail::PlanData& planned) {
  recorder.keep(record::tagged(*facts_));
  begin_run(recorder, report_->plan.complete());
  warn_of_notes();
  record_inputs(recorder);
  record_lists_of_inputs(recorder);
  record_requests(recorder, planned.nodes);
  if (recorded_ == Recorded::nothing) recorded_ = Recorded::requests;
  if (folder_) {
    folder_->clean([&](const Digest& content) { return ledger_->is_export(content); },
                   ledger_->unfinished_paths());
    // What a killed process had recorded, before its records are superseded.
    ledger_->save(*facts_, recorder);
  } else if (has_artifacts(graph())) {
    report_->warnings.emplace_back(
        "artifacts are not exported: this store has no folder for them, and the program named "
        "none");
  }
}

/// If this is impossible, it is a failure for results, and a warning for what the next call can
/// find out.
void Session::record_end(record::Recorder& recorder, Lease& lease, Executor& executor) {
  try {
    recorder.flush();
  } catch (const Error& error) {
    if (!report_->error) fail(error);
  }
  try {
    if (folder_) folder_->marks().sync();
    ledger_->save(*facts_, recorder);
    if (report_->outcome == Outcome::done) {
      record_left(recorder, executor);
      executor.drop_used();
    }
    write_manifest(lease, to_string(report_->outcome), &executor);
  } catch (const Error& error) {
    // What was saved may be out of reach.
    if (error.errc() == Errc::fenced && !report_->error) return fail(error);
    report_->warnings.emplace_back(error.what());
  }
}

Error Session::lost() const {
  return {Errc::fenced,
          {.what = fmt::format("run '{}' was taken over by another process, or its lease could not "
                               "be renewed in time",
                               core::printable(options_.run)),
           .file = store_->url(),
           .kept = "everything that was committed",
           .next = "resume again, where it is not running already"}};
}

void Session::take_results(Executor& executor) {
  report_->outcome = executor.outcome();
  report_->stages = executor.reports();
  report_->fan_outs = executor.fan_outs();
  report_->continued = executor.continued();
  report_->signal = options_.stop.signal();
  try {
    for (std::string& warning : store_->warnings()) {
      report_->warnings.push_back(std::move(warning));
    }
  } catch (const Error& error) {
    report_->warnings.emplace_back(error.what());
  }
  for (std::string& warning : executor.warnings()) report_->warnings.push_back(std::move(warning));
  if (executor.failure().error) adopt(executor.failure());
}

}  // namespace resumable::run
