#include "resumable/plan.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/advice.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "plan/state.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace {

const detail::PlanData& empty() {
  static const detail::PlanData data;
  return data;
}

std::vector<Cause> causes_of(const plan::NodeState& state, std::size_t item) {
  const auto found = state.causes.find(item);
  if (found != state.causes.end()) return found->second;
  return {{.reason = state.items[item].reason}};
}

}  // namespace

std::string Kept::text() const {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  const auto count = [&](std::uint64_t number, std::string_view what, std::string_view after) {
    if (number == 0) return;
    add(fmt::format("{} {}{}{}", number, what, number == 1 ? "" : "s", after));
  };
  count(steps, "step", " kept");
  count(turns, "saved turn", "");
  count(states, "saved state", "");
  if (saved) text += " of " + core::format_utc_seconds(*saved);
  if (states > 0) add(core::format_size(bytes));
  count(passes, "pass", "");
  if (passes > 1) text.insert(text.size() - 1, "e");
  return text;
}

Plan::Plan() : data_(std::shared_ptr<const detail::PlanData>{}, &empty()) {}
Plan::Plan(std::shared_ptr<const detail::PlanData> data) : data_(std::move(data)) {}
Plan::~Plan() = default;
Plan::Plan(const Plan&) = default;
Plan& Plan::operator=(const Plan&) = default;

const ResumeOptions* Plan::options() const noexcept { return data_->options.get(); }
const std::string& Plan::pipeline() const noexcept { return data_->pipeline; }
const std::string& Plan::run_id() const noexcept { return data_->run; }
const std::vector<Decision>& Plan::stages() const noexcept { return data_->stages; }
const std::vector<Cause>& Plan::notes() const noexcept { return data_->notes; }

const Decision& Plan::operator[](std::string_view stage) const {
  const auto found = std::ranges::find(stages(), stage, &Decision::stage);
  if (found != stages().end()) return *found;
  std::vector<std::string> names;
  for (const Decision& decision : stages()) names.push_back(decision.stage);
  const std::string guess = core::did_you_mean(stage, names);
  throw Error(
      Errc::unknown_stage,
      {.what = fmt::format("no stage '{}' in the plan of pipeline {}.{}", core::printable(stage),
                           pipeline(), guess.empty() ? "" : " Did you mean '" + guess + "'?")});
}

const Decision& Plan::at(detail::Handle stage) const {
  const bool ours = stage.graph == data_->graph && stage.node < data_->nodes.size();
  if (!ours) {
    throw Error(Errc::foreign_handle, {.what = "a handle of another pipeline than the plan's"});
  }
  return data_->nodes[stage.node].decision;
}

std::optional<Decision> Plan::item(std::string_view stage, std::string_view key) const {
  for (const plan::NodeState& state : data_->nodes) {
    if (state.decision.stage != stage || !state.list) continue;
    const std::size_t i = state.list->find(key, 0);
    if (i >= state.items.size()) continue;
    return Decision{.stage = std::string{stage},
                    .item = std::string{key},
                    .action = state.items[i].action,
                    .causes = causes_of(state, i)};
  }
  return std::nullopt;
}

void Plan::items(std::string_view stage,
                 FunctionRef<bool(std::string_view, Action, Reason)> visit) const {
  for (const plan::NodeState& state : data_->nodes) {
    if (state.decision.stage != stage || !state.list) continue;
    for (std::size_t i = 0; i < state.items.size(); ++i) {
      if (!visit(state.list->keys[i], state.items[i].action, state.items[i].reason)) return;
    }
  }
}

bool Plan::refused() const noexcept {
  if (data_->refusals > 0) return true;
  for (const plan::NodeState& state : data_->nodes) {
    if (state.decision.action == Action::refuse) return true;
  }
  return false;
}

bool Plan::complete() const noexcept {
  for (const plan::NodeState& state : data_->nodes) {
    if (state.decision.action != Action::skip) return false;
  }
  return true;
}

Digest Plan::digest() const noexcept {
  Digester digester;
  const auto add = [&](Action action, const std::vector<Cause>& causes) {
    digester.add(to_string(action));
    for (const Cause& cause : causes) {
      // How much space there is for files changes meanwhile, and changes no plan.
      const bool restored = cause.reason == Reason::restored;
      digester.add(restored ? "restored " + cause.subject : cause.text()).add(cause.file);
    }
  };
  for (const plan::NodeState& state : data_->nodes) {
    digester.add(state.decision.stage);
    add(state.decision.action, state.decision.causes);
    if (state.identity) digester.add(*state.identity);
    for (std::size_t i = 0; i < state.items.size(); ++i) {
      digester.add(state.list->keys[i]).add(to_string(state.items[i].action));
      digester.add(state.items[i].identity);
    }
  }
  return digester.finish();
}

namespace {

using Document = core::OrderedJson;

Document causes_json(const std::vector<Cause>& causes) {
  Document list = Document::array();
  for (const Cause& cause : causes) {
    Document entry{{"reason", to_string(cause.reason)}};
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) entry[name] = value;
    };
    add("subject", cause.subject);
    add("before", cause.before);
    add("after", cause.after);
    add("file", cause.file);
    add("detail", cause.detail);
    if (!cause.advice.empty()) entry["advice"] = core::advice_json<Document>(cause.advice);
    list.push_back(std::move(entry));
  }
  return list;
}

Document decision_json(const Plan& plan, const Decision& decision) {
  Document entry{{"stage", decision.stage},
                 {"action", to_string(decision.action)},
                 {"causes", causes_json(decision.causes)}};
  if (const Kept& kept = decision.kept; kept.any()) {
    Document& json =
        entry["kept"] = {{"steps", kept.steps}, {"turns", kept.turns}, {"states", kept.states}};
    if (kept.passes > 0) json["passes"] = kept.passes;
    if (kept.states > 0) json["bytes"] = kept.bytes;
    if (kept.saved) json["saved"] = to_string(*kept.saved);
  }
  if (!decision.fan_out) return entry;
  entry["items"] = {{"listed", decision.listed},
                    {"total", decision.items},
                    {"skip", decision.skipped},
                    {"run", decision.to_run}};
  Document& open = entry["items"]["open"] = Document::array();
  plan.items(decision.stage, [&](std::string_view key, Action action, Reason reason) {
    if (action != Action::skip) {
      open.push_back({{"item", key}, {"action", to_string(action)}, {"reason", to_string(reason)}});
    }
    return true;
  });
  return entry;
}

}  // namespace

std::string Plan::json() const {
  Document json{
      {"schema", 1},          {"pipeline", pipeline()}, {"run", run_id()},
      {"refused", refused()}, {"complete", complete()}, {"concurrency", data_->concurrency}};
  Document& list = json["stages"] = Document::array();
  for (const Decision& decision : stages()) list.push_back(decision_json(*this, decision));
  json["notes"] = causes_json(notes());
  return json.dump();
}

}  // namespace v0
}  // namespace resumable
