#include <unordered_set>

#include <fmt/format.h>

#include "core/savings.hpp"
#include "core/text.hpp"
#include "record/values.hpp"
#include "resumable/resume.hpp"
#include "run/late_damage.hpp"
#include "run/report_data.hpp"
#include "run/spending.hpp"

namespace resumable {
inline namespace v0 {

using detail::AnyValue;
using detail::Node;
using detail::NodeKind;
using detail::ReportData;

std::string_view to_string(Outcome outcome) noexcept {
  static constexpr std::string_view names[] = {"done",    "failed",      "refused",  "busy",
                                               "waiting", "interrupted", "suspended"};
  return core::name_in<Outcome::suspended>(names, outcome);
}

std::string_view to_string(StageOutcome outcome) noexcept {
  static constexpr std::string_view names[] = {"skipped", "ran",         "not_taken",  "failed",
                                               "waiting", "interrupted", "not_started"};
  return core::name_in<StageOutcome::not_started>(names, outcome);
}

Report::Report(std::shared_ptr<ReportData> data) : data_(std::move(data)) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;

Outcome Report::outcome() const noexcept { return data_->outcome; }
const Error* Report::error() const noexcept { return data_->error ? &*data_->error : nullptr; }
const std::string& Report::run_id() const noexcept { return data_->run; }
bool Report::resumed() const noexcept { return data_->resumed; }
const Plan& Report::plan() const noexcept { return data_->plan; }
const std::vector<StageReport>& Report::stages() const noexcept { return data_->stages; }
const std::vector<std::string>& Report::warnings() const noexcept { return data_->warnings; }
std::size_t Report::stages_total() const noexcept { return data_->stages.size(); }

int Report::exit_code() const noexcept {
  switch (outcome()) {
    case Outcome::done: return 0;
    case Outcome::failed: return 1;
    case Outcome::busy: return 4;
    case Outcome::waiting:
    case Outcome::suspended: return 75;
    case Outcome::interrupted: return data_->signal == 0 ? 75 : 128 + data_->signal;
    case Outcome::refused: break;
  }
  // A clash of items' files is one of data: no program's declaration is wrong.
  const bool usual = data_->error && data_->error->errc() != Errc::path_conflict;
  return usual ? data_->error->exit_code() : 3;
}

const StageReport& Report::stage(std::string_view name) const {
  for (const StageReport& stage : stages()) {
    if (stage.stage == name) return stage;
  }
  throw Error(Errc::unknown_stage,
              {.what = fmt::format("no stage '{}' in the report", core::printable(name))});
}

std::size_t Report::stages_skipped() const noexcept {
  std::size_t count = 0;
  for (const StageReport& stage : stages()) {
    count +=
        stage.outcome == StageOutcome::skipped || stage.outcome == StageOutcome::not_taken ? 1 : 0;
  }
  return count;
}

std::size_t Report::items_skipped() const noexcept {
  std::size_t count = 0;
  for (const StageReport& stage : stages()) count += stage.items_skipped;
  return count;
}

Seconds Report::duration() const noexcept {
  Seconds sum{};
  for (const StageReport& stage : stages()) sum += stage.duration;
  return sum;
}

Cost Report::cost() const noexcept {
  Cost sum;
  for (const StageReport& stage : stages()) sum += stage.cost;
  return sum;
}

const Overhead& Report::overhead() const noexcept { return data_->overhead; }

namespace {

Savings of_path(const run::SpentInside& spent, const std::string& path) {
  const auto found = spent.find(path);
  return found != spent.end() ? found->second : Savings{};
}

/// Adds what a kept value took to make; of another, the loops that this call continued and, if it
/// has made the value, the earlier steps. Steps without a value are left out: they may never be
/// used.
void add_saved(const ReportData& data, const std::string& path, bool is_kept,
               const run::SpentInside& inside, Savings& saved) {
  const plan::Row* row = data.facts->current(path);
  Savings spent = of_path(data.continued, path);
  if (row != nullptr) spent = core::larger(spent, of_path(inside, path));
  if (row != nullptr && is_kept) {
    spent = core::larger(spent, run::spent_on(*data.facts, path, row));
  }
  saved.duration += spent.duration;
  saved.cost += spent.cost;
}

std::shared_ptr<const plan::ItemList> list_of(const ReportData& data, std::uint32_t fan_out) {
  return fan_out < data.fan_outs.size() ? data.fan_outs[fan_out].list : nullptr;
}

/// Kept are the items that the plan skips, and those whose record turned out to be of an earlier
/// call.
void add_saved_items(const ReportData& data, std::uint32_t node, const run::SpentInside& inside,
                     Savings& saved) {
  const Node& declared = data.graph->nodes[node];
  std::unordered_set<std::string> kept;
  data.plan.items(declared.shown(), [&](std::string_view key, Action action, Reason) {
    if (action == Action::skip) kept.emplace(key);
    return true;
  });
  const auto list = list_of(data, node);
  for (std::size_t i = 0; list && i < list->keys.size(); ++i) {
    const std::string path = core::item_key(declared.name, list->keys[i]).path;
    const plan::Row* row = data.facts->current(path);
    const bool earlier = row != nullptr && row->head.fence < data.fence;
    if (list->repeats.contains(i)) continue;
    add_saved(data, path, earlier || kept.contains(std::string{list->keys[i]}), inside, saved);
  }
}

/// The value of a settled node, or nullptr. Loads what the store has.
AnyValue load(const ReportData& data, std::uint32_t node) {
  const Node& declared = data.graph->nodes[node];
  if (is_input(declared)) return data.facts->host_input(node).value;
  if (declared.kind != NodeKind::fan_out) {
    const core::Key key = declared.kind == NodeKind::condition
                              ? core::own_key("condition", declared.name)
                              : core::stage_key(declared.name);
    const plan::Row* row = data.facts->current(key.path);
    if (row == nullptr || row->head.has(core::dropped)) return nullptr;
    return record::load_record(*data.graph, *data.facts, node, "");
  }
  const auto list = list_of(data, node);
  if (!list) return nullptr;
  record::ReadAhead ahead{*data.facts};
  for (std::size_t i = 0; i < list->keys.size(); ++i) {
    record::expect_item(ahead, *data.facts, declared.name, list->keys[i]);
  }
  std::vector<AnyValue> items;
  for (std::size_t i = 0; i < list->keys.size(); ++i) {
    const std::string_view key = list->keys[i];
    if (data.facts->current(core::item_key(declared.name, key).path) == nullptr) return nullptr;
    items.push_back(record::load_record(*data.graph, *data.facts, node, key, ahead));
  }
  return declared.gather(items);
}

bool was_dropped(const ReportData& data, const Node& node) {
  const plan::Row* row = data.facts && node.kind == NodeKind::stage
                             ? data.facts->current(core::stage_key(node.name).path)
                             : nullptr;
  return row != nullptr && row->head.has(core::dropped);
}

bool has_value(const ReportData& data, std::uint32_t node) {
  if (!data.facts) return false;
  if (!is_stage(data.graph->nodes[node])) return true;
  for (const StageReport& stage : data.stages) {
    if (stage.stage != data.graph->nodes[node].shown()) continue;
    return stage.outcome == StageOutcome::skipped || stage.outcome == StageOutcome::ran;
  }
  return false;
}

}  // namespace

const Savings& Report::savings() const {
  const std::scoped_lock lock{data_->guard};
  if (data_->saved) return *data_->saved;
  Savings saved;
  for (const StageReport& stage : stages()) {
    if (!data_->facts || !data_->resumed) break;
    const std::uint32_t node = data_->graph->stage(stage.stage);
    const std::string& name = data_->graph->nodes[node].name;
    const auto inside = run::spent_inside(*data_->facts, name, data_->fence);
    if (stage.items > 0) {
      const bool any = stage.items_skipped > 0 || !inside.empty() || !data_->continued.empty();
      if (any) add_saved_items(*data_, node, inside, saved);
    } else {
      const bool is_kept = stage.outcome == StageOutcome::skipped;
      const bool has_value = is_kept || stage.outcome == StageOutcome::ran;
      const run::SpentInside none;
      add_saved(*data_, core::stage_key(name).path, is_kept, has_value ? inside : none, saved);
    }
  }
  data_->saved = saved;
  return *data_->saved;
}

const std::optional<Suspension>& Report::suspension() const noexcept { return data_->suspension; }

std::vector<ItemReport> Report::items_of(detail::Handle stage) const {
  if (stage.graph != data_->graph->own() || stage.node >= data_->graph->nodes.size()) {
    throw Error(Errc::foreign_handle, {.what = "the handle belongs to a different pipeline"});
  }
  std::vector<ItemReport> items;
  const auto list = list_of(*data_, stage.node);
  if (!list) return items;
  const run::FanOutReport& report = data_->fan_outs[stage.node];
  items.reserve(list->keys.size());
  for (std::size_t i = 0; i < list->keys.size(); ++i) {
    const ItemReport* worked = report.find(list->keys[i]);
    items.push_back(worked == nullptr ? ItemReport{} : *worked);
    items.back().key = list->keys[i];
    items.back().outcome = report.outcomes[i];
    const plan::Grown* grown = list->grown_at(i);
    if (grown != nullptr) items.back().parents.emplace_back(list->keys[grown->parent]);
  }
  for (const auto& [item, parent] : list->parents) {
    items[item].parents.emplace_back(list->keys[parent]);
  }
  return items;
}

std::vector<ItemReport> Report::items(std::string_view stage) const {
  return items_of({data_->graph->stage(stage), data_->graph->own()});
}

const void* Report::value_or_null(detail::Handle stage) const {
  if (stage.graph != data_->graph->own() || stage.node >= data_->graph->nodes.size()) {
    throw Error(Errc::foreign_handle, {.what = "a handle of another pipeline than the report's"});
  }
  const std::scoped_lock lock{data_->guard};
  const auto known = data_->values.find(stage.node);
  if (known != data_->values.end()) return known->second.get();
  if (!has_value(*data_, stage.node)) return nullptr;
  try {
    AnyValue value = load(*data_, stage.node);
    return (data_->values[stage.node] = std::move(value)).get();
  } catch (const record::DamagedRecord& record) {
    throw run::late_damage(*data_, record);
  }
}

const void* Report::value(detail::Handle stage) const {
  const void* value = value_or_null(stage);
  if (value != nullptr) return value;
  const std::string& name = data_->graph->nodes[stage.node].shown();
  if (was_dropped(*data_, data_->graph->nodes[stage.node])) {
    throw Error(Errc::no_value,
                {.what = fmt::format("the value of stage '{}' was dropped after use", name),
                 .run = data_->run,
                 .stage = name,
                 .next = "read what was made of it; or declare Keep::always, and make it again",
                 .advice = {{.option = Option::redo, .selector = name}}});
  }
  throw Error(Errc::no_value, {.what = fmt::format("stage '{}' has no value after this call", name),
                               .run = data_->run,
                               .stage = name,
                               .next = "look at report.outcome(), or use report.find()"});
}

}  // namespace v0
}  // namespace resumable
