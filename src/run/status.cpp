#include "resumable/status.hpp"

#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "run/session.hpp"

namespace resumable {
inline namespace v0 {
namespace {

void add_record(const record::RunFacts& facts, const std::string& path, StageStatus& to) {
  const plan::Row* row = facts.current(path);
  const auto header = row != nullptr ? facts.header(path, row->generation) : std::nullopt;
  if (!header) return;
  ++to.records;
  to.duration += Seconds{header->seconds};
  to.cost += header->cost;
  for (const core::Export& one : header->exports) {
    if (!one.is_nothing()) to.artifacts.push_back(one.path);
  }
}

}  // namespace

RunStatus status(const Pipeline& pipeline, const CheckpointStore& store, std::string_view run) {
  const ResumeOptions options{.run = std::string{run}, .create = Create::never};
  run::Session session{pipeline, store, options};
  RunStatus result{.run = options.run};
  result.plan = Plan{session.plan(true)};
  const auto manifest = run::Manifest::read(store, run);
  result.owner = store.owner(run);
  result.state = manifest.state(result.owner);
  result.at = manifest.at;
  result.signal = manifest.signal;
  const bool ended = result.state == RunState::refused || result.state == RunState::failed;
  if (result.plan.refused()) {
    result.why = session.refusal(result.plan).info().what;
  } else if (ended) {
    result.why = manifest.why;
  }
  if (const auto* folder = store.capability<ArtifactFolder>())
    result.folder = folder->artifact_folder(run);
  for (const Decision& decision : result.plan) {
    StageStatus stage{.stage = decision.stage};
    if (decision.fan_out) {
      for (const std::string& path : session.facts().item_paths(decision.stage)) {
        add_record(session.facts(), path, stage);
      }
    } else {
      add_record(session.facts(), core::stage_key(decision.stage).path, stage);
    }
    result.stages.push_back(std::move(stage));
  }
  result.checkpoints = session.facts().count();
  result.bytes = session.facts().bytes();
  return result;
}

}  // namespace v0
}  // namespace resumable
