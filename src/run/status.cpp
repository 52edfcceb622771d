#include "resumable/status.hpp"

#include <map>
#include <utility>

#include "core/savings.hpp"
#include "exports/place.hpp"
#include "exports/set_aside.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "run/session.hpp"
#include "run/spending.hpp"

namespace resumable {
inline namespace v0 {
namespace {

/// What values, failed attempts and steps have cost, by the path of the value.
using Paid = std::map<std::string, Cost, std::less<>>;

void add_record(const record::RunFacts& facts, std::string_view path,
                std::span<const plan::Row> rows, StageStatus& to, Paid& paid) {
  const plan::Row* row = plan::newest_whole(rows);
  if (row == nullptr) return;
  const auto* kept = facts.kept(*row);
  std::optional<core::Header> read;
  if (kept == nullptr && !(read = facts.header(path, row->generation))) return;
  ++to.records;
  to.duration += Seconds{kept != nullptr ? kept->seconds : read->seconds};
  const Cost cost = kept != nullptr ? kept->cost : read->cost;
  if (cost != Cost{}) paid[std::string{path}] += cost;
  const core::Header* header = kept != nullptr ? kept->header.get() : &*read;
  if (header == nullptr) return;  // it exports nothing
  for (const core::Export& one : header->exports) {
    if (!one.is_nothing()) to.artifacts.push_back(one.path);
  }
}

/// What failed attempts have cost since the last value: no value's record has it yet.
void add_failures(const record::RunFacts& facts, const std::string& stage, Paid& paid) {
  const std::string path = core::about_path("attempt", stage, "");
  const auto add = [&](std::string_view of, std::span<const plan::Row> rows) {
    const Cost cost = run::spent_on(facts, of, plan::newest_whole(rows)).cost;
    if (cost != Cost{}) paid[std::string{of.substr(of.find('/') + 1)}] += cost;
  };
  add(path, facts.rows(path));
  facts.each_item(path, add);
}

/// Steps and loops of a call that was killed are in no value's cost, whether or not there is one by
/// now.
Cost with_inside(const record::RunFacts& facts, const std::string& stage, Paid paid) {
  for (const auto& [path, inside] : run::spent_inside(facts, stage)) {
    Cost& cost = paid[path];
    cost = core::larger({.cost = cost}, inside).cost;
  }
  Cost sum;
  for (const auto& [path, cost] : paid) sum += cost;
  return sum;
}

}  // namespace

RunStatus status(const Pipeline& pipeline, const CheckpointStore& store, std::string_view run) {
  const auto manifest = run::Manifest::read(store, run);
  const bool begun = run_state(store, run) != RunState::not_begun;
  const ResumeOptions options{.run = std::string{run},
                              .create = begun ? Create::never : Create::if_absent,
                              .artifact_folder = manifest.artifact_folder};
  run::Session session{pipeline, store, options};
  RunStatus result{.run = options.run};
  result.plan = Plan{session.plan(true)};
  result.owner = store.owner(run);
  if (const auto* queue = store.capability<WorkQueue>()) {
    result.work = queue->work(run);
    if (!result.work.empty()) result.workers = queue->workers();
  }
  result.state = manifest.state_in(store, run, result.owner);
  result.at = manifest.at;
  result.signal = manifest.signal;
  const bool ended = result.state == RunState::refused || result.state == RunState::failed;
  if (result.plan.refused()) {
    result.why = session.refusal(result.plan).info().what;
  } else if (ended) {
    result.why = manifest.why;
  }
  result.folder = exports::artifact_folder(store, run);
  if (!result.folder.empty()) {
    record::World world;
    const auto aside = exports::total_set_aside(world.files(), result.folder);
    result.set_aside = aside.files;
    result.set_aside_bytes = aside.bytes;
  }
  const record::RunFacts& facts = session.facts();
  Cost paid;
  for (const Decision& decision : result.plan) {
    StageStatus stage{.stage = decision.stage};
    const std::string& name = facts.graph().nodes[facts.graph().stage(decision.stage)].name;
    Paid of_stage;
    if (decision.fan_out) {
      facts.each_item(name, [&](std::string_view path, const auto& rows) {
        add_record(facts, path, rows, stage, of_stage);
      });
    } else {
      const std::string path = core::stage_key(name).path;
      add_record(facts, path, facts.rows(path), stage, of_stage);
    }
    add_failures(facts, name, of_stage);
    stage.cost = with_inside(facts, name, std::move(of_stage));
    paid += stage.cost;
    result.stages.push_back(std::move(stage));
  }
  // A call that is killed, or still runs, has not added its own to the manifest.
  result.cost = manifest.cost.usd < paid.usd ? paid : manifest.cost;
  result.checkpoints = facts.count();
  result.bytes = facts.bytes();
  return result;
}

}  // namespace v0
}  // namespace resumable
