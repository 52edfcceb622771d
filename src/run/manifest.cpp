#include "run/manifest.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/cost_json.hpp"
#include "core/json.hpp"
#include "core/key.hpp"
#include "core/object_line.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "exports/place.hpp"
#include "resumable/error.hpp"
#include "run/report_data.hpp"

namespace resumable {
inline namespace v0 {
namespace {

constexpr std::string_view state_names[] = {"created", "running",  "done",        "failed",
                                            "refused", "waiting",  "interrupted", "suspended",
                                            "killed",  "not_begun"};
constexpr std::array stage_outcomes{StageOutcome::skipped,    StageOutcome::ran,
                                    StageOutcome::not_taken,  StageOutcome::failed,
                                    StageOutcome::waiting,    StageOutcome::interrupted,
                                    StageOutcome::not_started};

constexpr std::array outcomes{Outcome::done,     Outcome::failed,  Outcome::refused,
                              Outcome::busy,     Outcome::waiting, Outcome::interrupted,
                              Outcome::suspended};

}  // namespace

std::string_view to_string(RunState state) noexcept {
  return core::name_in<RunState::not_begun>(state_names, state);
}

}  // namespace v0

namespace run {
namespace {

using Document = core::OrderedJson;

Cost cost_of(const Document& json) {
  const auto found = json.find("cost");
  if (found == json.end() || !found->is_object()) return {};
  return {found->value("usd", 0.0), found->value("tokens", std::uint64_t{0})};
}

Overhead overhead_of(const Document& json) {
  const auto found = json.find("overhead");
  if (found == json.end() || !found->is_object()) return {};
  return {.loading = Seconds{found->value("loading_seconds", 0.0)},
          .saving = Seconds{found->value("saving_seconds", 0.0)},
          .commits = found->value("commits", std::uint64_t{0}),
          .bytes = found->value("bytes", std::uint64_t{0})};
}

/// As a document of theirs would be written: a run may have thousands of stages, and its manifest
/// is written twice a call.
std::string stages_text(const std::vector<StageReport>& stages) {
  std::string text = "[";
  for (const StageReport& stage : stages) {
    text += text.back() == '[' ? "\n  {\n" : ",\n  {\n";
    text.append("   \"stage\": ").append(core::json_text(stage.stage));
    text.append(",\n   \"outcome\": \"").append(to_string(stage.outcome)).append("\"");
    if (stage.items > 0) text.append(",\n   \"items\": ").append(std::to_string(stage.items));
    if (!stage.message.empty()) {
      text.append(",\n   \"message\": ").append(core::json_text(stage.message));
    }
    text += "\n  }";
  }
  return text + "\n ]";
}

StageReport stage_of(const Document& json) {
  StageReport stage{.stage = json.value("stage", std::string{})};
  const std::string outcome = json.value("outcome", std::string{});
  for (const StageOutcome one : stage_outcomes) {
    if (to_string(one) == outcome) stage.outcome = one;
  }
  stage.items = json.value("items", std::size_t{0});
  stage.message = json.value("message", std::string{});
  return stage;
}

Document call_json(const RunCall& call) {
  Document json{{"fence", call.fence},
                {"at", core::format_utc(call.at)},
                {"resumed", call.resumed},
                {"outcome", call.outcome ? to_string(*call.outcome) : "running"}};
  if (call.continued != Savings{}) json["continued"] = core::savings_json<Document>(call.continued);
  return json;
}

std::optional<Outcome> outcome_of(std::string_view name) {
  for (const Outcome one : outcomes) {
    if (to_string(one) == name) return one;
  }
  return std::nullopt;
}

Savings savings_of(const Document& json) {
  return {Seconds{json.value("seconds", 0.0)}, cost_of(json)};
}

RunCall call_of(const Document& json) {
  return {.fence = json.value("fence", std::uint64_t{0}),
          .at = Manifest::time_of(json.value("at", std::string{})).value_or(Timestamp{}),
          .resumed = json.value("resumed", false),
          .outcome = outcome_of(json.value("outcome", std::string{})),
          .continued = savings_of(json.value("continued", Document::object()))};
}

Manifest manifest_of(const Document& json) {
  Manifest manifest;
  manifest.run = json.value("run", std::string{});
  manifest.uid = json.value("uid", std::string{});
  manifest.pipeline = json.value("pipeline", std::string{});
  manifest.status = json.value("status", std::string{});
  manifest.at = Manifest::time_of(json.value("at", std::string{}));
  manifest.created = Manifest::time_of(json.value("created", std::string{}));
  manifest.signal = json.value("signal", 0);
  manifest.why = json.value("why", std::string{});
  manifest.cost = cost_of(json);
  manifest.overhead = overhead_of(json);
  manifest.artifact_folder = json.value(exports::folder_field, std::string{});
  manifest.labels = json.value("labels", manifest.labels);
  manifest.time_to_live = std::chrono::seconds{json.value("ttl_seconds", std::int64_t{0})};
  for (const Document& one : json.value("stages", Document::array())) {
    manifest.stages.push_back(stage_of(one));
  }
  for (const Document& one : json.value("calls", Document::array())) {
    manifest.calls.push_back(call_of(one));
  }
  return manifest;
}

}  // namespace

std::optional<Timestamp> Manifest::time_of(std::string_view utc) {
  const auto time = core::parse_utc(utc);
  if (!time) return std::nullopt;
  return std::chrono::floor<std::chrono::milliseconds>(*time);
}

Manifest Manifest::read(const CheckpointStore& store, std::string_view run) {
  const auto text = store.manifest(run);
  const auto json = Document::parse(text.value_or("{}"), nullptr, false);
  if (!json.is_object()) return {};
  if (json.contains("encrypted")) {  // as an EncryptedStore writes it; see core::refuse_sealed()
    throw Error(Errc::foreign,
                {.what = fmt::format("run '{}' is encrypted", core::printable(run)),
                 .run = std::string{run},
                 .kept = "everything: nothing was changed",
                 .next = "use a program that opens the store with resumable::EncryptedStore"});
  }
  try {
    return manifest_of(json);
  } catch (const core::Json::exception&) {
    return {};
  }
}

void Manifest::begin_call(const RunCall& call) {
  constexpr std::size_t most = 64;
  calls.push_back(call);
  calls.back().outcome.reset();
  if (calls.size() > most) calls.erase(calls.begin());
}

void Manifest::end_call(const detail::ReportData& report) {
  for (const StageReport& stage : stages) cost += stage.cost;
  overhead += report.overhead;
  if (calls.empty()) return;
  calls.back().outcome = report.outcome;
  for (const auto& [path, one] : report.continued) {
    calls.back().continued.duration += one.duration;
    calls.back().continued.cost += one.cost;
  }
}

std::string Manifest::text() const {
  Document json{
      {"schema", 1}, {"run", run}, {"uid", uid}, {"pipeline", pipeline}, {"status", status}};
  if (at) json["at"] = core::format_utc(*at);
  if (created) json["created"] = core::format_utc(*created);
  if (!calls.empty()) json["fence"] = calls.back().fence;
  if (signal != 0) json["signal"] = signal;
  if (!why.empty()) json["why"] = why;
  if (cost != Cost{}) json["cost"] = core::cost_json<Document>(cost);
  if (overhead.commits > 0) json["overhead"] = core::overhead_json<Document>(overhead);
  if (!artifact_folder.empty()) json[exports::folder_field] = artifact_folder;
  if (!labels.empty()) json["labels"] = labels;
  if (time_to_live.count() > 0) json["ttl_seconds"] = time_to_live.count();
  json["stages"] = Document::array();
  Document& of_calls = json["calls"] = Document::array();
  for (const RunCall& call : calls) of_calls.push_back(call_json(call));
  std::string text = json.dump(1, ' ', false, Document::error_handler_t::replace) + "\n";
  constexpr std::string_view none = "\n \"stages\": []";  // no text has a line feed like this
  if (!stages.empty()) {
    text.replace(text.find(none) + none.size() - 2, 2, stages_text(stages));
  }
  return text;
}

RunState Manifest::state(const std::optional<Owner>& owner) const {
  if (owner) return RunState::running;
  if (status == "running") return RunState::killed;
  const auto* const found = std::ranges::find(state_names, status);
  return found == std::end(state_names) ? RunState::created
                                        : static_cast<RunState>(found - std::begin(state_names));
}

namespace {

/// What a call records before it writes the manifest and runs anything.
bool is_of_beginning(std::string_view path) {
  return path == core::run_key().path || path.starts_with("@input/") ||
         path.starts_with("@items/") || path.starts_with("@request/");
}

}  // namespace

RunState Manifest::state_in(const CheckpointStore& store, std::string_view id,
                            const std::optional<Owner>& owner) const {
  if (owner || !status.empty()) return state(owner);
  bool has_results = false;
  store.scan(id, {}, [&](const RecordHead& head) {
    has_results = !is_of_beginning(head.id.path);
    return !has_results;
  });
  return has_results ? RunState::created : RunState::not_begun;
}

}  // namespace run
}  // namespace resumable
