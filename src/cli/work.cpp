#include <csignal>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "resumable/cli.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {

namespace {

std::string json_of(const WorkReport& report) {
  nlohmann::ordered_json json{{"schema", 1},
                              {"committed", report.committed},
                              {"failed", report.failed},
                              {"lost", report.lost},
                              {"given_back", report.given_back}};
  if (!report.warnings.empty()) json["warnings"] = report.warnings;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string summary_of(const WorkReport& report) {
  std::string text = number_of(report.committed, "item") + " committed";
  if (report.failed > 0) text += fmt::format(", {} failed", report.failed);
  if (report.given_back > 0) text += fmt::format(", {} given back", report.given_back);
  if (report.lost > 0) text += fmt::format(", {} lost to other workers", report.lost);
  return text;
}

}  // namespace

int work(Console& console, const Pipeline& pipeline, CheckpointStore& store, WorkOptions options,
         const OutputOptions& output) {
  std::optional<EventFile> events;
  if (!output.events.empty()) options.observers.push_back(&events.emplace(output.events));
  std::optional<StopOnSignal> signals;
  if (!options.stop.token().stop_possible()) {
    options.stop = signals.emplace({SIGHUP, SIGINT, SIGTERM}).stop();
  }
  const WorkReport report = resumable::work(pipeline, store, options);
  for (const std::string& warning : report.warnings) {
    console.err << console.wrap("warning: " + core::escaped(warning) + "\n");
  }
  console.out << (output.json ? json_of(report) : console.wrap(summary_of(report))) << "\n";
  console.out.flush();
  return 0;
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
