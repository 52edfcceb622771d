// What a call records besides values: the run's creation, inputs, requests, and the manifest for
// people.
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "core/time.hpp"
#include "record/small_records.hpp"
#include "resumable/error.hpp"
#include "run/session.hpp"

namespace resumable::run {

using plan::Request;

namespace {

std::string_view name_of(Request::What what) {
  static constexpr std::string_view names[] = {"redo", "from", "fresh"};
  return core::name_in(names, what);
}

}  // namespace

/// The run's creation, and from which fence on its records are made by which build of the program.
void Session::begin_run(record::Recorder& recorder, bool complete) {
  constexpr std::size_t most = 64;
  const core::Key key = core::run_key();
  const plan::Row* row = facts_->current(key.path);
  record::RunRecord run{
      .run = options_.run, .pipeline = graph_.pipeline, .created = {}, .programs = {}};
  if (row != nullptr) run = record::decode_run(facts_->text_of(key.path, *row));
  const std::string build = world_->build_id();
  const bool same = run.programs.empty() ? build.empty() : run.programs.rbegin()->second == build;
  if (row != nullptr && (complete || same)) return;
  if (row == nullptr) run.created = core::format_utc(world_->clock().wall());
  if (!same) run.programs[recorder.lease().fence()] = build;
  if (run.programs.size() > most) run.programs.erase(run.programs.begin());
  facts_->commit(recorder,
                 record::Draft::small(core::Kind::run, key, CodecId::json, encode_run(run)));
}

void Session::record_inputs(record::Recorder& recorder) {
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
    if (!is_input(graph_.nodes[i])) continue;
    const record::Input& input = facts_->host_input(i);
    if (!input.to_record) continue;
    auto draft =
        record::Draft::value(core::Kind::input, core::own_key("input", graph_.nodes[i].name),
                             *graph_.nodes[i].type, input.to_record);
    draft.head.identity = input.fact.identity;
    facts_->commit(recorder, std::move(draft));
  }
}

void Session::record_requests(record::Recorder& recorder) {
  std::vector<Request> all = decider_->requests();
  for (Request& request : all) {
    if (request.fence != UINT64_MAX) continue;
    const std::string stage =
        request.what == Request::What::fresh ? std::string{} : graph_.nodes[request.node].name;
    std::string id = fmt::format("{}.{}", name_of(request.what), stage);
    if (!request.item.empty()) id += "." + request.item;
    const nlohmann::ordered_json json{
        {"what", name_of(request.what)}, {"stage", stage}, {"item", request.item}};
    facts_->commit(recorder, record::Draft::small(core::Kind::request, core::own_key("request", id),
                                                  CodecId::json, json.dump()));
    request.fence = recorder.lease().fence();
  }
  decider_->requests(std::move(all));
}

void Session::write_manifest(Lease& lease, std::string_view status, const Executor* executor) {
  nlohmann::ordered_json json{
      {"schema", 1},           {"run", options_.run},
      {"uid", facts_->uid()},  {"pipeline", graph_.pipeline},
      {"status", status},      {"at", core::format_utc(world_->clock().wall())},
      {"fence", lease.fence()}};
  if (report_->signal != 0) json["signal"] = report_->signal;
  auto& stages = json["stages"] = nlohmann::ordered_json::array();
  const std::vector<StageReport> reports =
      executor ? executor->reports() : std::vector<StageReport>{};
  std::size_t index = 0;
  for (const detail::Node& node : graph_.nodes) {
    if (!is_stage(node)) continue;
    nlohmann::ordered_json entry{{"stage", node.name}};
    if (index < reports.size()) {
      const StageReport& report = reports[index++];
      entry["outcome"] = to_string(report.outcome);
      if (report.items > 0) entry["items"] = report.items;
      if (!report.message.empty()) entry["message"] = report.message;
    }
    stages.push_back(std::move(entry));
  }
  lease.manifest(json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace resumable::run
