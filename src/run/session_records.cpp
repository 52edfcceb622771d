// What a call puts on record besides values: the run's birth, inputs, requests, confirmed exports,
// and the manifest for people.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/time.hpp"
#include "resumable/error.hpp"
#include "run/session.hpp"

namespace resumable::inline v0::run {

using plan::Request;

namespace {

std::string_view name_of(Request::What what) {
  static constexpr std::string_view names[] = {"redo", "from", "fresh"};
  return names[static_cast<std::size_t>(what)];
}

}  // namespace

void Session::commit(Recorder& recorder, Draft draft) {
  draft.generation = facts_->next_generation(draft.key.path);
  draft.head.identity =
      draft.head.identity == Digest{} ? core::digest_of(*draft.payload) : draft.head.identity;
  for (const plan::Row& row : facts_->rows(draft.key.path)) {
    const bool spare =
        !row.quarantined && row.damage == Damage::none && row.generation + 1 < draft.generation;
    if (spare) draft.erase.emplace_back(draft.key.path, row.generation);
  }
  const Committed record = recorder.commit(std::move(draft));
  facts_->note(record.path, record.generation, record.head);
}

void Session::begin_run(Recorder& recorder) {
  const core::Key key = core::run_key();
  if (facts_->current(key.path) != nullptr) return;
  Draft draft;
  draft.key = key;
  draft.head.kind = core::Kind::run;
  draft.head.codec = CodecId::json;
  draft.payload = std::make_shared<StringPayload>(nlohmann::ordered_json{
      {"run", options_.run},
      {"pipeline", graph_.pipeline},
      {"created",
       core::format_utc(world_->clock().wall())}}.dump());
  commit(recorder, std::move(draft));
}

void Session::record_inputs(Recorder& recorder) {
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
    if (!is_input(graph_.nodes[i])) continue;
    const Input& input = facts_->host_input(i);
    if (!input.to_record) continue;
    Draft draft;
    draft.key = core::own_key("input", graph_.nodes[i].name);
    draft.head.kind = core::Kind::input;
    draft.head.codec = graph_.nodes[i].type->codec;
    draft.head.schema = graph_.nodes[i].type->version;
    draft.head.identity = input.fact.identity;
    draft.payload = input.to_record;
    commit(recorder, std::move(draft));
  }
}

void Session::record_requests(Recorder& recorder) {
  std::vector<Request> all = decider_->requests();
  for (Request& request : all) {
    if (request.fence != UINT64_MAX) continue;
    const std::string stage =
        request.what == Request::What::fresh ? std::string{} : graph_.nodes[request.node].name;
    std::string id = fmt::format("{}.{}", name_of(request.what), stage);
    if (!request.item.empty()) id += "." + request.item;
    Draft draft;
    draft.key = core::own_key("request", id);
    draft.head.kind = core::Kind::request;
    draft.head.codec = CodecId::json;
    draft.payload = std::make_shared<StringPayload>(nlohmann::ordered_json{
        {"what", name_of(request.what)},
        {"stage", stage},
        {"item", request.item}}.dump());
    commit(recorder, std::move(draft));
    request.fence = recorder.lease().fence();
  }
  decider_->requests(std::move(all));
}

/// What is in place for sure when this call ends.
void Session::record_exports(Recorder& recorder) {
  while (!recorder.take_confirmed().empty()) {
  }
  if (!facts_->take_unrecorded()) return;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [path, one] : facts_->all_confirmed()) {
    list.push_back({{"path", path}, {"digest", one.digest.hex()}, {"order", one.order}});
  }
  Draft draft;
  draft.key = core::exported_key();
  draft.head.kind = core::Kind::exported;
  draft.head.codec = CodecId::json;
  draft.payload = std::make_shared<StringPayload>(
      nlohmann::ordered_json{{"order", recorder.order()}, {"paths", std::move(list)}}.dump());
  commit(recorder, std::move(draft));
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
      entry["happened"] = to_string(report.happened);
      if (report.items > 0) entry["items"] = report.items;
      if (!report.message.empty()) entry["message"] = report.message;
    }
    stages.push_back(std::move(entry));
  }
  lease.manifest(json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace resumable::inline v0::run
