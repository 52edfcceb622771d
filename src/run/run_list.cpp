#include "resumable/run_list.hpp"

#include <algorithm>
#include <functional>

#include "core/graph_record.hpp"
#include "core/key.hpp"
#include "core/record_format.hpp"
#include "record/small_records.hpp"
#include "resumable/pipeline.hpp"
#include "run/manifest.hpp"

namespace resumable {
inline namespace v0 {
namespace {

bool is_done(const StageReport& stage) {
  return stage.outcome == StageOutcome::skipped || stage.outcome == StageOutcome::ran ||
         stage.outcome == StageOutcome::not_taken;
}

/// What the newest whole `@run` record says; nullopt when there is none.
std::optional<record::RunRecord> run_record(const CheckpointStore& store, std::string_view run) {
  const std::string path = core::run_key().path;
  std::vector<std::uint64_t> generations;
  store.scan(run, {.prefix = path, .quarantined = false}, [&](const RecordHead& head) {
    if (head.id.path == path && head.damage == Damage::none) {
      generations.push_back(head.id.generation);
    }
    return true;
  });
  for (std::size_t i = generations.size(); i-- > 0;) {
    try {
      const auto stored = store.get(run, {path, generations[i]});
      const auto header = stored ? core::decode_header(stored->header, stored->tag) : std::nullopt;
      if (!header || !core::payload_matches(*header, *stored->payload)) continue;
      return record::decode_run(read_all(*stored->payload));
    } catch (const Error& error) {
      if (error.errc() != Errc::damaged) throw;
    }
  }
  return std::nullopt;
}

RunInfo read_info(const CheckpointStore& store, std::string_view run) {
  RunInfo info{.run = std::string{run}};
  try {
    info.owner = store.owner(run);
    const auto manifest = run::Manifest::read(store, run);
    info.pipeline = manifest.pipeline;
    info.state = manifest.state_in(store, run, info.owner);
    info.started = manifest.created;
    info.at = manifest.at;
    info.stages = manifest.stages.size();
    for (const StageReport& stage : manifest.stages) {
      if (!is_done(stage)) continue;
      ++info.stages_done;
      if (stage.outcome != StageOutcome::not_taken) info.last_stage = stage.stage;
    }
    info.cost = manifest.cost;
    info.overhead = manifest.overhead;
    info.labels = manifest.labels;
    auto time_to_live = manifest.time_to_live;
    info.calls = manifest.calls;
    if (!info.started || info.pipeline.empty()) {
      if (const auto record = run_record(store, run)) {
        info.started = run::Manifest::time_of(record->created);
        info.pipeline = record->pipeline;
        info.labels = record->labels;
        time_to_live = record->time_to_live;
      }
    }
    if (time_to_live.count() > 0) info.time_to_live = time_to_live;
  } catch (const Error& error) {
    info = {.run = std::string{run}, .error = error};
  }
  return info;
}

}  // namespace

std::vector<RunInfo> list_runs(const CheckpointStore& store, std::string_view prefix) {
  std::vector<std::string> ids;
  store.runs(prefix, [&](std::string_view run) {
    if (run.starts_with(prefix)) ids.emplace_back(run);
    return true;
  });
  std::vector<RunInfo> runs;
  runs.reserve(ids.size());
  for (const std::string& id : ids) runs.push_back(read_info(store, id));
  return runs;
}

namespace {

bool exists(const CheckpointStore& store, std::string_view run) {
  bool found = false;
  store.runs(run, [&](std::string_view id) {
    found = found || id == run;
    return !found && id.starts_with(run);
  });
  return found;
}

}  // namespace

std::optional<RunInfo> run_info(const CheckpointStore& store, std::string_view run) {
  if (!exists(store, run)) return std::nullopt;
  return read_info(store, run);
}

std::optional<RunState> run_state(const CheckpointStore& store, std::string_view run) {
  if (!exists(store, run)) return std::nullopt;
  return run::Manifest::read(store, run).state_in(store, run, store.owner(run));
}

namespace {

bool is_pattern(std::string_view word) { return word.find_first_of("*?") != word.npos; }

/// `*` is any text, `?` one byte.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t star = pattern.npos;
  std::size_t retry = 0;
  std::size_t at = 0;
  std::size_t in = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in])) {
      ++at;
      ++in;
    } else if (star != pattern.npos) {
      at = star + 1;
      in = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == pattern.npos;
}

Timestamp last_work(const RunInfo& run) {
  return run.at.value_or(run.started.value_or(Timestamp{}));
}

}  // namespace

std::vector<RunInfo> find_runs(const CheckpointStore& store, std::string_view word) {
  return find_runs(list_runs(store), word);
}

std::vector<RunInfo> find_runs(std::vector<RunInfo> runs, std::string_view word) {
  std::ranges::stable_sort(runs, std::ranges::greater{}, last_work);
  const auto same = std::ranges::find(runs, word, &RunInfo::run);
  if (same != runs.end()) return {*same};
  if (word == "latest") {
    if (runs.size() > 1) runs.erase(runs.begin() + 1, runs.end());
  } else {
    std::erase_if(runs,
                  [&](const RunInfo& run) { return !is_pattern(word) || !matches(word, run.run); });
  }
  return runs;
}

std::optional<Pipeline> recorded_pipeline(const CheckpointStore& store, std::string_view run) {
  const auto record = run_record(store, run);
  if (!record || record->graph.empty()) return std::nullopt;
  auto graph = core::decode_graph(record->graph, record->pipeline);
  if (!graph) return std::nullopt;
  return detail::pipeline_of(std::move(graph));
}

}  // namespace v0
}  // namespace resumable
