#include <algorithm>
#include <map>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/advice.hpp"
#include "core/cost_json.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/cli.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

using Document = nlohmann::ordered_json;

struct Row {
  Mark mark = Mark::open;
  std::string text;
};

std::string headline(const Console& console, const RunStatus& status) {
  std::string state = std::string{to_string(status.state)} + ago(status.at);
  if (status.state == RunState::running && status.owner) {
    state = fmt::format("running, pid {} on {} since {}", status.owner->pid, status.owner->host,
                        core::format_utc_seconds(status.owner->since));
  }
  if (status.state == RunState::interrupted && status.signal != 0) {
    state += status.signal == 2 ? " (Ctrl-C)" : fmt::format(" (signal {})", status.signal);
  }
  if (status.plan.refused()) state += dot(console) + "resuming is refused";
  return status.plan.pipeline() + dot(console) + status.run + dot(console) + state;
}

Reason reason_of(const Decision& decision) {
  return decision.causes.empty() ? Reason::done : decision.causes.front().reason;
}

bool lacks_value(const Decision& decision) {
  const Reason reason = reason_of(decision);
  return reason == Reason::first_run || reason == Reason::failed || reason == Reason::lost;
}

/// What a stage that will run continues from: `6 steps kept, 12 saved turns`; or "".
std::string kept_text(const Decision& decision) {
  std::string text = decision.kept.text();
  for (const Cause& cause : decision.causes) {
    if (cause.reason != Reason::uncertain) continue;
    text += (text.empty() ? "" : ", ") + cause.text(core::no_advice);
  }
  return text;
}

/// Begun, and without a value yet.
bool is_part_done(const Decision& decision) {
  return decision.action == Action::run &&
         (decision.skipped > 0 || (lacks_value(decision) && !kept_text(decision).empty()));
}

std::string counts(const RunStatus& status) {
  std::size_t done = 0, part = 0, stale = 0, refused = 0, waiting = 0;
  for (const Decision& decision : status.plan) {
    done += decision.action == Action::skip ? 1U : 0U;
    part += is_part_done(decision) ? 1U : 0U;
    waiting += decision.action == Action::wait ? 1U : 0U;
    refused += decision.action == Action::refuse ? 1U : 0U;
    const bool runs_whole = decision.action == Action::run && decision.skipped == 0;
    stale += runs_whole && !lacks_value(decision) ? 1U : 0U;
  }
  std::string text = fmt::format("{} of {} stages done", done, status.plan.stages().size());
  if (part > 0) text += fmt::format(", {} part done", part);
  if (stale > 0) text += fmt::format(", {} stale", stale);
  if (waiting > 0) text += fmt::format(", {} waiting for a person", waiting);
  if (refused > 0) text += fmt::format(", {} refused", refused);
  return text;
}

std::string artifacts_text(const StageStatus& stage) {
  if (stage.artifacts.empty()) return {};
  if (stage.artifacts.size() == 1) return stage.artifacts.front();
  std::map<std::string, std::size_t> folders;  // a stage may export to several
  for (const std::string& file : stage.artifacts) ++folders[file.substr(0, file.find('/') + 1)];
  std::string text;
  for (const auto& [folder, files] : folders) {
    const std::string count = fmt::format("{} file{}", files, files == 1 ? "" : "s");
    if (!text.empty()) text += ", ";
    text += folder.empty() ? count : fmt::format("{} ({})", folder, count);
  }
  return text;
}

std::string file_of(const Decision& decision) {
  if (decision.causes.empty() || decision.causes.front().file.empty()) return {};
  return "  file " + decision.causes.front().file;
}

Row row_of(const Console& console, const Decision& decision, const StageStatus& stage) {
  const Reason reason = reason_of(decision);
  const std::string why = decision.causes.empty()
                              ? std::string{}
                              : core::escaped(decision.causes.front().text(flags_of(console)));
  const std::string made =
      fmt::format("{:>9}  {:>7}  ", stage.records > 0 ? core::format_duration(stage.duration) : "",
                  core::format_cost(stage.cost));
  switch (decision.action) {
    case Action::skip:
      if (reason == Reason::not_taken) return {Mark::note, why};
      return {Mark::done,
              made + artifacts_text(stage) + (reason == Reason::done ? "" : "  " + why)};
    case Action::wait: return {Mark::waiting, why};
    case Action::refuse: return {Mark::failed, why + file_of(decision)};
    case Action::decide:
      if (stage.records == 0 && decision.skipped == 0 && !decision.kept.any()) return {};
      return {Mark::stale, made + why};
    case Action::run: break;
  }
  const std::string kept = kept_text(decision);
  const std::string more = kept.empty() ? why : why + "; " + kept;
  if (decision.skipped > 0) return {Mark::partial, more};
  if (reason == Reason::failed) return {Mark::failed, more};
  if (reason != Reason::first_run) return {Mark::stale, made + more};
  return kept.empty() ? Row{Mark::open, {}} : Row{Mark::partial, kept};
}

std::string rows_text(const Console& console, const RunStatus& status) {
  std::size_t columns = 16;
  for (const Decision& decision : status.plan) columns = std::max(columns, decision.stage.size());
  std::vector<std::string> open;
  std::string text;
  for (std::size_t i = 0; i < status.stages.size(); ++i) {
    const Decision& decision = status.plan.stages()[i];
    const Row row = row_of(console, decision, status.stages[i]);
    if (row.mark == Mark::open) {
      open.push_back(decision.stage);
      continue;
    }
    std::string line = fmt::format("  {} {}  {}", symbol(console, row.mark),
                                   pad(decision.stage, columns), row.text);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  if (open.empty()) return text;
  const std::size_t shown = std::min<std::size_t>(open.size(), 4);
  return text + fmt::format("  {} {}  {}{}\n", symbol(console, Mark::open),
                            pad(fmt::format("{} not started", open.size()), columns),
                            fmt::join(open.begin(),
                                      open.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                            shown < open.size() ? (console.ascii ? ", ..." : ", …") : "");
}

/// Why the last call failed, or why resuming is refused if no stage's row says so: refusals come
/// first among the notes. Something that the last call found while it ran may not show up until the
/// next one runs.
std::string refusal_text(const Console& console, const RunStatus& status) {
  const Plan& plan = status.plan;
  const bool told = std::any_of(plan.begin(), plan.end(), [](const Decision& decision) {
    return decision.action == Action::refuse;
  });
  if (!plan.refused() && status.state == RunState::refused && !status.why.empty()) {
    return fmt::format("  {} the last call was refused: {}\n", symbol(console, Mark::failed),
                       core::escaped(status.why));
  }
  const bool shown = std::any_of(plan.begin(), plan.end(), [](const Decision& decision) {
    return reason_of(decision) == Reason::failed;  // the row of an item's stage does not say it
  });
  if (status.state == RunState::failed && !status.why.empty() && !shown) {
    return fmt::format("  {} the last call failed: {}\n", symbol(console, Mark::failed),
                       core::escaped(status.why));
  }
  if (!plan.refused() || told) return {};
  const Cause& cause = plan.notes().front();
  return fmt::format("  {} {}{}\n", symbol(console, Mark::failed),
                     core::escaped(cause.text(flags_of(console))),
                     cause.file.empty() ? "" : "  file " + cause.file);
}

/// Who computes which items of a run that is shared.
std::string work_text(const Console& console, const RunStatus& status) {
  std::string text;
  std::size_t claimed = 0;
  for (const WorkerInfo& worker : status.workers) {
    constexpr std::size_t most = 4;
    std::string items;
    std::size_t count = 0;
    for (const WorkItem& item : status.work) {
      if (item.worker != worker.id || ++count > most) continue;
      items += fmt::format("{}{}/{} since {}", items.empty() ? "" : ", ", item.stage, item.item,
                           core::format_utc_seconds(item.since));
    }
    claimed += count;
    if (count > most) items += fmt::format(" and {} more", count - most);
    text += fmt::format("  {} worker pid {} on {}, {}: {}\n", symbol(console, Mark::note),
                        worker.pid, core::printable(worker.host), number_of(worker.slots, "slot"),
                        items.empty() ? "nothing" : core::escaped(items));
  }
  if (claimed < status.work.size()) {
    const std::size_t waiting = status.work.size() - claimed;
    text += fmt::format("  {} {} for a worker\n", symbol(console, Mark::note),
                        waiting == 1 ? "1 item waits" : fmt::format("{} items wait", waiting));
  }
  return text;
}

Document workers_json(const RunStatus& status) {
  Document workers = Document::array();
  for (const WorkerInfo& worker : status.workers) {
    workers.push_back({{"id", worker.id},
                       {"pid", worker.pid},
                       {"host", worker.host},
                       {"slots", worker.slots},
                       {"since", core::format_utc_seconds(worker.since)}});
  }
  return workers;
}

/// The items that are open; those that a worker has claimed say which.
Document work_json(const RunStatus& status) {
  Document work = Document::array();
  for (const WorkItem& item : status.work) {
    Document entry{{"stage", item.stage}, {"item", item.item}, {"losses", item.losses}};
    if (item.worker != 0) {
      entry["worker"] = item.worker;
      entry["since"] = core::format_utc_seconds(item.since);
    }
    work.push_back(std::move(entry));
  }
  return work;
}

Document status_json(const RunStatus& status) {
  Document json{{"schema", 1},
                {"run", status.run},
                {"pipeline", status.plan.pipeline()},
                {"state", to_string(status.state)},
                {"at", utc_text(status.at)},
                {"checkpoints", status.checkpoints},
                {"bytes", status.bytes},
                {"folder", status.folder},
                {"set_aside", {{"files", status.set_aside}, {"bytes", status.set_aside_bytes}}},
                {"cost", core::cost_json<Document>(status.cost)}};
  if (!status.why.empty()) json["why"] = status.why;
  if (status.owner) {
    json["owner"] = {{"pid", status.owner->pid},
                     {"host", status.owner->host},
                     {"since", core::format_utc_seconds(status.owner->since)}};
  }
  if (!status.work.empty()) {
    json["workers"] = workers_json(status);
    json["work"] = work_json(status);
  }
  Document& stages = json["stages"] = Document::array();
  for (std::size_t i = 0; i < status.stages.size(); ++i) {
    const StageStatus& stage = status.stages[i];
    const Decision& decision = status.plan.stages()[i];
    Document entry{{"stage", stage.stage},
                   {"action", to_string(decision.action)},
                   {"records", stage.records},
                   {"seconds", stage.duration.count()},
                   {"cost", core::cost_json<Document>(stage.cost)},
                   {"artifacts", stage.artifacts}};
    for (const Cause& cause : decision.causes) entry["reasons"].push_back(to_string(cause.reason));
    if (const Kept& kept = decision.kept; kept.any()) {
      auto& parts =
          entry["kept"] = {{"steps", kept.steps}, {"turns", kept.turns}, {"states", kept.states}};
      if (kept.passes > 0) parts["passes"] = kept.passes;
      if (kept.states > 0) parts["bytes"] = kept.bytes;
      if (kept.saved) parts["saved"] = to_string(*kept.saved);
    }
    if (decision.fan_out) entry["items"] = {{"total", decision.items}, {"kept", decision.skipped}};
    stages.push_back(std::move(entry));
  }
  return json;
}

}  // namespace

int status(Console& console, const Pipeline& pipeline, const CheckpointStore& store,
           std::string_view run, const OutputOptions& output,
           const std::vector<std::string>& next) {
  if (output.alive) return store.owner(run) ? 0 : 1;
  const RunStatus status = resumable::status(pipeline, store, run);
  if (output.json) {
    console.out << status_json(status).dump(-1, ' ', false, Document::error_handler_t::replace)
                << "\n";
  } else {
    const std::string paid = core::format_cost(status.cost);
    std::string text =
        bold(console, headline(console, status)) + "\n" + counts(status) + dot(console) +
        fmt::format("store {} ({}, {} checkpoints){}\n\n", store.url(), format_size(status.bytes),
                    status.checkpoints, paid.empty() ? "" : dot(console) + paid + " spent") +
        rows_text(console, status) + work_text(console, status) + refusal_text(console, status);
    if (status.set_aside > 0) {
      text += fmt::format("  {} {} set aside, {}, in {}/.resumable\n", symbol(console, Mark::note),
                          number_of(status.set_aside, "file"), format_size(status.set_aside_bytes),
                          core::escaped(status.folder));
    }
    if (!status.plan.complete() && !next.empty()) {
      text += "\n";
      for (const std::string& line : next) text += "  " + line + "\n";
    }
    console.out << console.wrap(text);
  }
  if (status.plan.refused()) return 3;
  return output.exit_code && !status.plan.complete() ? 5 : 0;
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
