#include "inspector/page_data.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/advice.hpp"
#include "core/cost_json.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "inspector/history.hpp"
#include "inspector/json.hpp"
#include "inspector/page_rows.hpp"
#include "inspector/values.hpp"
#include "resumable/error.hpp"
#include "resumable/pipeline.hpp"
#include "survey/artifacts.hpp"
#include "survey/saved.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

std::int64_t since_epoch(Timestamp at) { return at.time_since_epoch().count(); }

class Builder {
 public:
  Builder(const Request& request, const RunInfo& run)
      : request_(request),
        run_(run),
        records_(survey::records(*request.store, run.run, survey::Depth::headers)),
        zero_(begin()),
        rows_(records_, zero_, texts_) {}

  PageData build() {
    PageData data;
    Document json = head();
    add_plan(json);
    json["calls"] = calls();
    json["saved"] = core::savings_json<Document>(survey::saved(records_, run_.calls));
    rows_.add_errors(last_errors());
    json["stages"] = rows_.json();
    json["artifacts"] = artifacts();
    json["damaged"] = damaged();
    json["space"] = rows_.space();
    json["notes"] = notes_;
    json["texts"] = texts_.all;
    data.json = json.dump(-1, ' ', false, Document::error_handler_t::replace);
    data.stages = rows_.stages();
    data.items = rows_.items();
    return data;
  }

 private:
  /// The first moment that is known.
  std::int64_t begin() const {
    std::int64_t first = since_epoch(run_.started.value_or(Timestamp{}));
    if (first == 0 && run_.at) first = since_epoch(*run_.at);
    for (const survey::RecordView& one : records_) {
      const auto at = milliseconds_of(one.at);
      if (at && (first == 0 || *at < first)) first = *at;
    }
    return first;
  }

  Document relative(std::optional<Timestamp> at) const {
    return at ? Document(since_epoch(*at) - zero_) : Document(nullptr);
  }

  Document head() const {
    Document json{{"schema", 1},
                  {"made", core::format_utc_seconds(std::chrono::system_clock::now())},
                  {"program", request_.options.program},
                  {"version", cli::library_version()},
                  {"store", request_.store->url()},
                  {"run", run_.run},
                  {"pipeline", run_.pipeline},
                  {"state", state_text(run_)},
                  {"zero", zero_},
                  {"started", relative(run_.started)},
                  {"at", relative(run_.at)},
                  {"spent", core::cost_json<Document>(run_.cost)},
                  {"next",
                   {typed(request_, "plan", {run_.run, "--explain"}),
                    typed(request_, "verify", {run_.run})}}};
    if (run_.owner) json["owner"] = fmt::format("pid {} on {}", run_.owner->pid, run_.owner->host);
    return json;
  }

  /// The stages with what a plan says of them; without the graph, those that have records.
  void add_plan(Document& json) {
    try {
      const auto pipeline = recorded_pipeline(*request_.store, run_.run);
      json["planned"] = pipeline.has_value();
      if (pipeline) {
        const survey::GraphView view = survey::graph_view(*pipeline);
        const Plan plan = ResumePlanner{*request_.store}.plan(
            *pipeline, {.run = run_.run, .create = Create::never});
        rows_.add(view, plan);
        json["plan"] = plan.summary();
        for (const Cause& note : plan.notes()) notes_.push_back(note.text(core::no_advice));
        return;
      }
      notes_.emplace_back(
          "The pipeline of this run is not recorded: its stages are those that have records.");
    } catch (const Error& error) {
      json["planned"] = false;
      notes_.push_back(fmt::format("What resuming would do is not known: {}", error.what()));
    }
    rows_.add_recorded();
  }

  /// The end of a call is recorded only for the last one: for others, their last record shows it.
  Document calls() const {
    std::map<std::uint64_t, std::int64_t> last;
    for (const survey::RecordView& one : records_) {
      const auto at = milliseconds_of(one.at);
      if (at && !one.edited) last[one.fence] = std::max(last[one.fence], *at);
    }
    Document json = Document::array();
    for (const RunCall& call : run_.calls) {
      std::int64_t end = std::max(since_epoch(call.at), last[call.fence]);
      const bool noted = &call == &run_.calls.back() && call.outcome && run_.at;
      if (noted) end = std::max(end, since_epoch(*run_.at));
      const bool alive = run_.state == RunState::running && &call == &run_.calls.back();
      const std::string_view without = alive ? "running" : "killed";
      const std::string_view outcome = call.outcome ? to_string(*call.outcome) : without;
      json.push_back({{"fence", call.fence},
                      {"at", since_epoch(call.at) - zero_},
                      {"end", end - zero_},
                      {"ended", noted ? "noted" : "estimated"},
                      {"resumed", call.resumed},
                      {"outcome", outcome}});
    }
    return json;
  }

  /// By path, what the last failed attempt said; of a few.
  std::map<std::string, std::string> last_errors() const {
    constexpr std::size_t most = 100;
    static constexpr std::string_view before = "@attempt/";
    std::map<std::string, std::string> errors;
    for (const survey::RecordView& one : records_) {
      if (errors.size() == most || one.kind != "attempt" || !one.current) continue;
      try {
        const Value value = value_of(request_, run_.run, content_of(request_, run_.run, one));
        if (!value.json || !value.json->is_object()) continue;
        const auto tried = value.json->value("total", value.json->value("tried", 0));
        errors[one.path.substr(before.size())] =
            fmt::format("{} failed: {}", cli::number_of(static_cast<std::size_t>(tried), "attempt"),
                        value.json->value("message", std::string{}));
      } catch (const std::exception&) {  // it is among the damaged ones
        continue;
      }
    }
    return errors;
  }

  Document artifacts() {
    survey::Artifacts found;
    try {
      found = survey::artifacts(*request_.store, run_.run);
    } catch (const Error& error) {
      notes_.push_back(fmt::format("The exported files could not be compared: {}", error.what()));
    }
    std::map<std::string, int> states;
    for (const std::string& path : found.edited) states[path] = 1;
    for (const std::string& path : found.missing) states[path] = 2;
    for (const std::string& path : found.unreadable) states[path] = 3;
    Document json = Document::array();
    for (const auto& [path, place] : rows_.exported()) {
      const auto state = states.find(path);
      json.push_back({path, place.stage, place.row, state == states.end() ? 0 : state->second});
    }
    return json;
  }

  Document damaged() const {
    Document json = Document::array();
    for (const survey::RecordView& one : records_) {
      if (one.is_whole()) continue;
      json.push_back({{"path", one.path},
                      {"generation", one.generation},
                      {"damage", one.quarantined ? "set aside" : damage_name(one.damage)}});
    }
    return json;
  }

  const Request& request_;
  const RunInfo& run_;
  std::vector<survey::RecordView> records_;
  std::int64_t zero_;
  Texts texts_;
  PageRows rows_;
  std::vector<std::string> notes_;
};

}  // namespace

PageData page_data(const Request& request, const RunInfo& run) {
  return Builder{request, run}.build();
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
