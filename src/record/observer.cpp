#include "resumable/observer.hpp"

#include <cerrno>

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/remedy.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {

Observer::~Observer() = default;

std::string_view to_string(EventKind kind) noexcept {
  static constexpr std::string_view names[] = {
      "run_started",  "planned",      "plan_revised",   "items_listed",   "stage_started",
      "item_started", "step_started", "committed",      "progress_saved", "enqueued",
      "uncertain",    "cache_missed", "stage_finished", "skipped",        "retried",
      "failed",       "overdue",      "exported",       "edited",         "restored",
      "quarantined",  "fell_back",    "migrated",       "waiting",        "interrupted",
      "suspended",    "cancelled",    "warning",        "run_finished"};
  return core::name_in<EventKind::run_finished>(names, kind);
}

std::string Event::json() const {
  core::OrderedJson json{{"event", to_string(kind)},
                         {"at", core::format_utc(at)},
                         {"run", run},
                         {"pipeline", pipeline}};
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) json[name] = value;
  };
  text("stage", stage);
  text("item", item);
  text("step", step);
  json["seq"] = seq;
  if (attempt > 0) json["attempt"] = attempt;
  if (attempts_allowed > 0) json["attempts_allowed"] = attempts_allowed;
  for (const Reason reason : reasons) core::list_in(json, "reasons").push_back(to_string(reason));
  if (duration) json["seconds"] = duration->count();
  if (save_duration) json["save_seconds"] = save_duration->count();
  if (durability) json["durability"] = to_string(*durability);
  if (bytes) json["bytes"] = *bytes;
  if (changed) json["changed"] = *changed;
  if (cost != Cost{}) json["cost"] = {{"usd", cost.usd}, {"tokens", cost.tokens}};
  if (counts) {
    json["counts"] = {{"total", counts->total},
                      {"kept", counts->kept},
                      {"to_run", counts->to_run},
                      {"done", counts->done},
                      {"failed", counts->failed}};
  }
  for (const PlannedStage& one : stages) {
    core::OrderedJson planned{{"stage", one.stage}, {"action", to_string(one.action)}};
    if (one.last) planned["seconds"] = one.last->count();
    core::list_in(json, "stages").push_back(std::move(planned));
  }
  text("file", file);
  text("message", message);
  text("code", code);
  return json.dump(-1, ' ', false, core::OrderedJson::error_handler_t::replace);
}

EventFile::EventFile(const std::filesystem::path& file) {
  file_.reset(std::fopen(file.c_str(), "a+e"));
  if (!file_) {
    const std::error_code error{errno, std::generic_category()};
    throw Error(
        Errc::store_failed,
        {.what = "the events file cannot be opened for appending",
         .operation = "open",
         .file = file.string(),
         .kept = "nothing was changed",
         .next = core::remedy(error, "name a file in a folder that exists and can be written"),
         .cause = error});
  }
  // A killed process may have left half a line: terminate it, so that the next line is separate.
  if (std::fseek(file_.get(), -1, SEEK_END) == 0 && std::fgetc(file_.get()) != '\n') {
    std::fputc('\n', file_.get());
  }
  std::fseek(file_.get(), 0, SEEK_END);
}

EventFile::~EventFile() = default;

void EventFile::on_event(const Event& event) {
  const std::string line = event.json() + "\n";
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() ||
      std::fflush(file_.get()) != 0) {
    throw std::system_error(errno, std::generic_category(), "the events file cannot be written");
  }
}

}  // namespace v0
}  // namespace resumable
