#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "resumable/cli.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

nlohmann::ordered_json summary_json(const RunSummary& run) {
  return {{"run", run.run},
          {"state", run.state},
          {"at", utc_text(run.at)},
          {"stages", {{"done", run.done}, {"total", run.stages}}},
          {"bytes", run.bytes}};
}

std::string when(const RunSummary& run) {
  const std::string text = ago(run.at);
  return text.empty() ? "-" : text.substr(1);
}

}  // namespace

RunSummary summary_of(const Pipeline& pipeline, const CheckpointStore& store,
                      std::string_view run) {
  RunSummary summary{.run = std::string{run}};
  try {
    const RunStatus status = resumable::status(pipeline, store, run);
    summary.state = to_string(status.state);
    summary.at = status.at;
    summary.stages = status.plan.stages().size();
    summary.bytes = status.bytes;
    for (const Decision& decision : status.plan) {
      summary.done += decision.action == Action::skip ? 1U : 0U;
    }
  } catch (const Error& error) {
    summary.state = to_string(error.errc());
  }
  return summary;
}

int list(Console& console, const Pipeline& pipeline, const CheckpointStore& store,
         const OutputOptions& output, std::string_view prefix) {
  std::vector<RunSummary> runs;
  std::size_t of_others = 0;
  store.runs(prefix, [&](std::string_view run) {
    if (!run.starts_with(prefix)) return true;
    RunSummary one = summary_of(pipeline, store, run);
    // Runs of several programs may share a store.
    const bool of_another = one.state == to_string(Errc::foreign);
    if (of_another && !output.json) {
      ++of_others;
    } else {
      runs.push_back(std::move(one));
    }
    return true;
  });
  std::ranges::stable_sort(runs, std::ranges::greater{}, &RunSummary::at);
  if (output.json) {
    nlohmann::ordered_json json{{"schema", 1}, {"runs", nlohmann::ordered_json::array()}};
    for (const RunSummary& run : runs) json["runs"].push_back(summary_json(run));
    console.out << json.dump() << "\n";
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"RUN", "STATE", "WHEN", "DONE", "SIZE"}};
  for (const RunSummary& run : runs) {
    const bool readable = run.stages > 0;
    rows.push_back({run.run, run.state, when(run),
                    readable ? fmt::format("{} of {}", run.done, run.stages) : "-",
                    readable ? format_size(run.bytes) : "-"});
  }
  if (!runs.empty()) console.out << console.wrap(table(rows));
  const std::string others =
      of_others == 0 ? ""
                     : fmt::format("; {} of other programs not shown", number_of(of_others, "run"));
  console.err << fmt::format("{} in {}{}\n", number_of(runs.size(), "run"), store.url(), others);
  return 0;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> columns;
  for (const auto& row : rows) {
    columns.resize(std::max(columns.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) columns[i] = std::max(columns[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += pad(row[i], columns[i]) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
