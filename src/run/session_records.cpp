// What a call records besides values: the run's creation, inputs, requests, and the manifest.
#include <algorithm>
#include <array>

#include "core/graph_record.hpp"
#include "core/key.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "plan/choices.hpp"
#include "record/items.hpp"
#include "record/left.hpp"
#include "record/requests.hpp"
#include "record/small_records.hpp"
#include "record/tags.hpp"
#include "resumable/error.hpp"
#include "run/labels.hpp"
#include "run/session.hpp"

namespace resumable::run {

using plan::Request;

/// Of a new run, or of one whose record of this is lost: the manifest has a copy.
void Session::restore_description(record::RunRecord& run) const {
  const auto former = facts_->begun() ? Manifest::read(*store_, options_.run) : Manifest{};
  const auto now = std::chrono::floor<std::chrono::milliseconds>(world_->clock().wall());
  run.created = core::format_utc(former.created.value_or(now));
  run.labels = former.labels;
  run.time_to_live = former.time_to_live;
}

/// The run's creation, from which fence on its records are made by which build of the program, and
/// the graph that the last program declared.
void Session::begin_run(record::Recorder& recorder, bool complete) {
  constexpr std::size_t most = 64;
  const core::Key key = core::run_key();
  const plan::Row* row = facts_->current(key.path);
  record::RunRecord run{.run = options_.run, .pipeline = graph().pipeline, .created = {}};
  if (row != nullptr) run = record::decode_run(facts_->text_of(key.path, *row));
  if (row == nullptr) restore_description(run);
  created_ = Manifest::time_of(run.created);
  const bool described = describe(run, options_);
  manifest_.labels = run.labels;
  manifest_.time_to_live = run.time_to_live;
  const sys::Build build = world_->build();
  const bool same =
      run.programs.empty() ? build.program.empty() : run.programs.rbegin()->second == build;
  std::string declared = core::encode_graph(graph());
  const bool renames = core::has_renamed(run.graph) || core::has_renamed(declared);
  const bool same_graph = run.graph == declared;
  const bool known = same_graph ? complete || same : complete && !renames;
  if (row != nullptr && !described && known) return;
  run.graph = std::move(declared);
  if (!run.forgotten) run.forgotten = recorder.lease().fence() - 1;
  if (!same) run.programs[recorder.lease().fence()] = build;
  if (run.programs.size() > most) run.programs.erase(run.programs.begin());
  facts_->commit(recorder,
                 record::Draft::small(core::Kind::run, key, CodecId::json, encode_run(run)));
}

namespace {

/// The newest whole record of an input, to be made again.
record::Draft draft_again(const record::RunFacts& facts, const core::Key& key,
                          const plan::Row& row) {
  record::Draft draft{.key = key, .head = row.head, .header = {}, .payload = nullptr, .erase = {}};
  if (auto header = facts.header(key.path, row.generation)) draft.header = *std::move(header);
  draft.header.at.clear();
  draft.header.payload_digest = {};
  draft.payload = facts.payload(key.path, row.generation);
  draft.head.revision = 1;
  return draft;
}

}  // namespace

/// Each value twice: a program may be unable to give it again, and without it a run cannot go on.
void Session::record_inputs(record::Recorder& recorder) {
  for (std::uint32_t i = 0; i < graph().nodes.size(); ++i) {
    const detail::Node& declared = graph().nodes[i];
    if (!is_input(declared) || declared.kind == detail::NodeKind::secret) continue;
    const record::Input& input = facts_->host_input(i);
    const core::Key key = core::own_key("input", declared.name);
    if (!input.to_record && facts_->is_recorded_twice(i)) continue;
    const plan::Row* row = facts_->current(key.path);
    if (!input.to_record && row == nullptr) continue;
    auto draft = input.to_record
                     ? record::Draft::value(core::Kind::input, key, *declared.type, input.to_record)
                     : draft_again(*facts_, key, *row);
    if (input.to_record) draft.head.identity = input.fact.identity;
    record::Draft again = draft;
    again.head.revision = core::repeated_input;
    const bool is_first = !input.to_record && !plan::is_lost(facts_->rows(key.path)) &&
                          row->head.revision != core::repeated_input;
    if (!is_first) facts_->commit(recorder, std::move(draft));
    // The value before stays: a plan says what has changed.
    again.generation = facts_->next_generation(key.path);
    const record::Committed repeated = recorder.commit(std::move(again));
    facts_->note(repeated.path, repeated.generation, repeated.head);
  }
}

/// What has records and is not in the plan any more, and since when: readers without the program
/// cannot know that. It is recorded by each call that ends `done` and has written anything, so that
/// a record with a higher fence shows that work has gone on since.
void Session::record_left(record::Recorder& recorder, const Executor& executor) {
  const core::Key key = core::left_key();
  const plan::Row* row = facts_->current(key.path);
  const auto before =
      row != nullptr ? record::decode_left(facts_->text_of(key.path, *row)) : record::Left{};
  const auto now = world_->clock().wall();
  record::Left left;
  for (std::string& path : executor.left()) {
    const auto known = before.find(path);
    std::string since = known != before.end() ? known->second : core::format_utc(now);
    left.emplace(std::move(path), std::move(since));
  }
  record::Draft draft;
  if (options_.left_older_than && !record::has_tags(*facts_)) {
    record::LeftRecords old{left, now - *options_.left_older_than};
    draft.erase = facts_->records_that_left(old);
    for (const auto& [path, since] : old.old()) left.erase(path);
  }
  const bool same = left == before && draft.erase.empty();
  if (same && (left.empty() || !recorder.saved_at())) return;
  if (!draft.erase.empty()) {
    if (auto run = facts_->forgetting(recorder.lease().fence())) {
      facts_->commit(recorder, *std::move(run));
    }
  }
  auto erase = std::move(draft.erase);
  draft = record::Draft::small(core::Kind::left, key, CodecId::json, record::encode_left(left));
  draft.erase = std::move(erase);
  facts_->commit(recorder, std::move(draft));
}

/// A program knows the items of a list that is an input. Readers without the program find them
/// here.
void Session::record_lists_of_inputs(record::Recorder& recorder) {
  for (std::uint32_t i = 0; i < graph().nodes.size(); ++i) {
    const detail::Node& declared = graph().nodes[i];
    if (declared.kind != detail::NodeKind::fan_out) continue;
    const detail::Arg& each = graph().each_arg(i);
    if (!each.list || !is_input(graph().nodes[each.node])) continue;
    const auto items = facts_->items(declared.name, declared.revision);
    const plan::Row* row = facts_->current(core::own_key("items", declared.name).path);
    const bool same = items && row != nullptr && row->head.revision == declared.revision &&
                      row->head.fingerprint == items->list;
    if (items && !same) facts_->commit(recorder, record::items_draft(declared, *items));
  }
}

void Session::record_requests(record::Recorder& recorder, std::span<const plan::NodeState> states) {
  std::vector<Request> all;
  std::vector<Request> asked;
  std::vector<std::uint32_t> accepting;  // one record has everything that is accepted for a stage
  for (const Request& request : decider_->requests()) {
    const bool accepts = request.what == Request::What::accept;
    if (accepts && request.is_new() && std::ranges::count(accepting, request.node) == 0) {
      accepting.push_back(request.node);
    }
    if (!request.is_new()) all.push_back(request);
    if (request.is_new() && !accepts) asked.push_back(request);
  }
  for (const std::uint32_t node : accepting) {
    Request accept{Request::What::accept, node, {}};
    accept.accepted = plan::accepted_records(*facts_, *decider_, node, states);
    const auto former = std::ranges::find_if(all, [&](const Request& one) {
      return one.what == Request::What::accept && one.node == node;
    });
    if (accept.accepted.empty() || (former != all.end() && former->accepted == accept.accepted)) {
      continue;
    }
    if (former != all.end()) all.erase(former);
    asked.push_back(std::move(accept));
  }
  for (Request& request : asked) {
    facts_->commit(recorder,
                   record::Draft::small(core::Kind::request, record::request_key(graph(), request),
                                        CodecId::json, record::encode_request(graph(), request)));
    request.fence = recorder.lease().fence();
    if (!request.off) all.push_back(std::move(request));
  }
  decider_->requests(std::move(all));
}

namespace {

/// What a plan says of stages before any has run: those that are kept are done.
std::vector<StageReport> planned_stages(const Plan& plan) {
  std::vector<StageReport> stages;
  for (const Decision& decision : plan) {
    StageReport stage{.stage = decision.stage, .items = decision.items};
    if (decision.action == Action::skip) {
      const bool taken =
          decision.causes.empty() || decision.causes.front().reason != Reason::not_taken;
      stage.outcome = taken ? StageOutcome::skipped : StageOutcome::not_taken;
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace

void Session::write_manifest(Lease& lease, std::string_view status, const Executor* executor) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(world_->clock().wall());
  if (executor == nullptr) {
    auto former = Manifest::read(*store_, options_.run);
    former.labels = std::move(manifest_.labels);
    former.time_to_live = manifest_.time_to_live;
    manifest_ = std::move(former);
    manifest_.begin_call({.fence = lease.fence(),
                          .at = now,
                          .resumed = report_->resumed && !report_->plan.complete()});
  }
  manifest_.run = options_.run;
  manifest_.uid = facts_->uid();
  manifest_.pipeline = graph().pipeline;
  manifest_.status = status;
  manifest_.at = now;
  manifest_.created = created_;
  manifest_.artifact_folder = options_.artifact_folder.empty() ? "" : folder_->root();
  manifest_.signal = report_->signal;
  manifest_.why = report_->error ? report_->error->info().what : "";
  manifest_.stages = executor ? executor->reports() : planned_stages(report_->plan);
  if (executor != nullptr) {
    report_->overhead = timed_->overhead();
    manifest_.end_call(*report_);
  }
  lease.manifest(manifest_.text());
}

/// Reads a header for each stage that may run again, because only the header says how long it took.
std::vector<PlannedStage> Session::outlook(const detail::PlanData& planned) const {
  std::vector<PlannedStage> stages;
  if (options_.observers.empty()) return stages;
  for (std::size_t i = 0; i < planned.nodes.size(); ++i) {
    const detail::Node& node = graph().nodes[i];
    if (!is_stage(node)) continue;
    PlannedStage& stage = stages.emplace_back();
    stage.stage = node.shown();
    stage.action = planned.nodes[i].decision.action;
    if (stage.action == Action::skip || node.kind == detail::NodeKind::fan_out) continue;
    const std::string path = core::stage_key(node.name).path;
    try {
      const plan::Row* row = facts_->current(path);
      const auto header = row != nullptr ? facts_->header(path, row->generation) : std::nullopt;
      if (header) stage.last = Seconds{header->seconds};
    } catch (const Error&) {
      // It is unknown, then. Code that needs the record will report why it cannot be read.
    }
  }
  return stages;
}

}  // namespace resumable::run
