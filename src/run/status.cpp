#include "resumable/status.hpp"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "run/session.hpp"

namespace resumable {
inline namespace v0 {
namespace {

constexpr std::string_view state_names[] = {"created",     "running",   "done",
                                            "failed",      "refused",   "waiting",
                                            "interrupted", "suspended", "killed"};

/// The manifest says `running` also after a kill: then nobody holds the lock.
RunState state_of(const nlohmann::json& manifest, const std::optional<Owner>& owner) {
  if (owner) return RunState::running;
  const std::string said = manifest.value("status", std::string{});
  if (said == "running") return RunState::killed;
  const auto* const found = std::ranges::find(state_names, said);
  return found == std::end(state_names) ? RunState::created
                                        : static_cast<RunState>(found - std::begin(state_names));
}

nlohmann::json manifest_of(const CheckpointStore& store, std::string_view run) {
  const auto text = store.manifest(run);
  auto json = nlohmann::json::parse(text.value_or("{}"), nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

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

std::string_view to_string(RunState state) noexcept { return core::name_in(state_names, state); }

std::optional<RunState> run_state(const CheckpointStore& store, std::string_view run) {
  bool exists = false;
  store.runs(run, [&](std::string_view id) {
    exists = exists || id == run;
    return !exists && id.starts_with(run);
  });
  if (!exists) return std::nullopt;
  return state_of(manifest_of(store, run), store.owner(run));
}

RunStatus status(const Pipeline& pipeline, CheckpointStore& store, std::string_view run) {
  const ResumeOptions options{.run = std::string{run}, .create = Create::never};
  run::Session session{pipeline, store, options};
  RunStatus result{.run = options.run};
  result.plan = Plan{session.plan(true)};
  const auto manifest = manifest_of(store, run);
  result.owner = store.owner(run);
  result.state = state_of(manifest, result.owner);
  if (const auto at = core::parse_utc(manifest.value("at", std::string{}))) {
    result.at = std::chrono::floor<std::chrono::milliseconds>(*at);
  }
  result.signal = manifest.value("signal", 0);
  if (auto* folder = store.capability<ArtifactFolder>())
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
