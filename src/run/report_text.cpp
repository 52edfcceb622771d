// What a report says to people and to programs.
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/advice.hpp"
#include "core/cost_json.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/resume.hpp"
#include "run/report_data.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using Document = nlohmann::ordered_json;

Document error_json(const Error& error) {
  const ErrorInfo& info = error.info();
  Document json{{"code", to_string(error.errc())},
                {"what", info.what},
                {"file", info.file},
                {"kept", info.kept},
                {"next", info.next}};
  if (!info.advice.empty()) json["advice"] = core::advice_json<Document>(info.advice);
  return json;
}

Document failed_items_json(const Report& report, const StageReport& stage) {
  Document failed = Document::array();
  for (const ItemReport& item : report.items(stage.stage)) {
    if (item.outcome != StageOutcome::failed) continue;
    failed.push_back({{"item", item.key}, {"attempts", item.attempts}, {"message", item.message}});
  }
  return failed;
}

Document stage_json(const Report& report, const StageReport& stage) {
  Document entry{{"stage", stage.stage}, {"outcome", to_string(stage.outcome)}};
  for (const Cause& cause : stage.causes) entry["reasons"].push_back(to_string(cause.reason));
  if (stage.items > 0) {
    entry["items"] = {{"total", stage.items},
                      {"run", stage.items_run},
                      {"kept", stage.items_skipped},
                      {"failed", stage.items_failed}};
  }
  if (stage.items_failed > 0) entry["failed"] = failed_items_json(report, stage);
  if (stage.attempts > 0) entry["attempts"] = stage.attempts;
  entry["seconds"] = stage.duration.count();
  entry["cost"] = core::cost_json<Document>(stage.cost);
  if (!stage.message.empty()) entry["message"] = stage.message;
  return entry;
}

/// Items that failed beside the one that the error names; the first few of many.
std::string failed_items(const Report& report, const StageReport& stage) {
  constexpr std::size_t shown = 10;
  const ErrorInfo named = report.error() != nullptr ? report.error()->info() : ErrorInfo{};
  std::string text = fmt::format("{} of {} items of stage '{}' failed\n", stage.items_failed,
                                 stage.items, stage.stage);
  std::size_t count = 0;
  for (const ItemReport& item : report.items(stage.stage)) {
    const bool told = named.stage == stage.stage && named.item == item.key;
    if (item.outcome != StageOutcome::failed || told || ++count > shown) continue;
    text += fmt::format("also failed: {}/{}: {} ({} attempt{})\n", stage.stage,
                        core::printable(item.key), core::printable(item.message), item.attempts,
                        item.attempts == 1 ? "" : "s");
  }
  if (count > shown) text += fmt::format("and {} more of '{}'\n", count - shown, stage.stage);
  return text;
}

/// What the call has paid, whether or not it got a value for it; "" if that is nothing.
std::string paid(const Cost& cost) {
  if (cost == Cost{}) return {};
  std::string text = "cost of this call: " + core::format_cost(cost);
  if (cost.usd > 0 && cost.tokens > 0) text += fmt::format(", {} tokens", cost.tokens);
  return text + "\n";
}

/// Why a call ended early, in a sentence; "" when it did not.
std::string ending(const Report& report, AdviceWriter write) {
  const char* const saved = "everything that was committed is saved";
  if (report.outcome() == Outcome::interrupted) return fmt::format("interrupted; {}\n", saved);
  if (report.outcome() != Outcome::suspended) return {};
  if (report.suspension()->can_resume) {
    return fmt::format("suspended: the time budget of this call is used up; {}\n", saved);
  }
  return fmt::format(
      "suspended: the time budget of the run is used up, over all its calls; {}\n  next  {}\n",
      saved,
      core::with_advice("resume with a larger budget, or without one",
                        std::array{Advice{.option = Option::run_budget}}, write));
}

}  // namespace

std::string Report::summary() const {
  if (outcome() == Outcome::refused || outcome() == Outcome::busy || !resumed()) return {};
  std::string line =
      fmt::format("resumed: {} of {} stages skipped", stages_skipped(), stages_total());
  const Savings& saved = savings();
  if (saved.duration >= Seconds{0.05} || saved.cost.usd > 0) {
    line += fmt::format(", saving {}{}", core::format_duration(saved.duration),
                        saved.cost.usd > 0 ? " and " + core::format_cost(saved.cost) : "");
  }
  return line;
}

std::string Report::text(AdviceWriter write) const {
  std::string text;
  for (const std::string& warning : warnings()) text += "warning: " + warning + "\n";
  if (error() != nullptr) text += error()->explain(write) + "\n";
  for (const StageReport& stage : stages()) {
    if (stage.outcome == StageOutcome::failed && error() == nullptr) {
      text += fmt::format(
          "error: stage '{}' failed: {}\n"
          "  kept  everything that was committed\n"
          "  next  fix the cause and resume; it continues from here\n",
          stage.stage, stage.message);
    }
    if (stage.items_failed > 1) text += failed_items(*this, stage);
    if (stage.outcome == StageOutcome::waiting) {
      text += fmt::format("{} waits: {}\n", stage.stage,
                          core::with_advice(stage.message, stage.advice, write));
    }
  }
  return text + ending(*this, write) + paid(cost());
}

std::string Report::json() const {
  Document json{{"schema", 1},
                {"run", run_id()},
                {"outcome", to_string(outcome())},
                {"exit", exit_code()},
                {"resumed", resumed()},
                {"stages_skipped", stages_skipped()},
                {"stages_total", stages_total()},
                {"seconds", duration().count()},
                {"cost", core::cost_json<Document>(cost())},
                {"saved", core::savings_json<Document>(savings())},
                {"overhead", core::overhead_json<Document>(overhead())}};
  if (!warnings().empty()) json["warnings"] = warnings();
  if (error() != nullptr) json["error"] = error_json(*error());
  Document& all = json["stages"] = Document::array();
  for (const StageReport& stage : stages()) all.push_back(stage_json(*this, stage));
  return json.dump(-1, ' ', false, Document::error_handler_t::replace);
}

}  // namespace v0
}  // namespace resumable
