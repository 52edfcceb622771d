// explain: why one stage or item is kept or runs again, and what that depends on.
#include <algorithm>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "inspector/recorded.hpp"
#include "resumable/error.hpp"
#include "survey/graph_view.hpp"
#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

class Explanation {
 public:
  Explanation(const Request& request, const RunInfo& run, const Pipeline& pipeline,
              std::string_view selector)
      : request_(request),
        run_(run),
        selector_(present(survey::graph_view(pipeline), selector)),
        stage_(selector_.substr(0, selector_.find('/'))),
        plan_(ResumePlanner{*request.store}.plan(pipeline,
                                                 {.run = run.run, .create = Create::never})),
        view_(survey::graph_view(pipeline)),
        decision_(decide()) {
    if (!decision_.fan_out || selector_ != stage_) {
      record_ = survey::current(*request.store, run.run,
                                survey::path_of(*request.store, run.run, selector_));
    }
    while (node_ < view_.nodes.size() && view_.nodes[node_].name != stage_) ++node_;
  }

  void print_json() const {
    Document json{{"schema", 1},
                  {"run", run_.run},
                  {"stage", stage_},
                  {"action", to_string(decision_.action)},
                  {"causes", Document::array()},
                  {"depends_on", Document::array()},
                  {"read_by", readers()}};
    if (selector_ != stage_) json["item"] = decision_.item;
    for (const Cause& cause : decision_.causes) json["causes"].push_back(cause_json(cause));
    for (const survey::Edge& edge : view_.nodes.at(node_).edges) {
      json["depends_on"].push_back({{"name", view_.nodes[edge.from].name},
                                    {"as", edge.as},
                                    {"action", action_of(view_.nodes[edge.from].name)}});
    }
    if (record_) json["record"] = record_json(*record_);
    print(request_.console, json);
  }

  void print_text() const {
    const std::string dot = cli::dot(request_.console);
    std::string text = fmt::format("{}{}{}{}{}{}{}\n", run_.pipeline, dot, run_.run, dot, selector_,
                                   dot, to_string(decision_.action));
    for (const Cause& cause : decision_.causes) {
      text += "  why         " + cause.text(cli::program_flag) + "\n";
      if (!cause.file.empty()) text += "  file        " + cause.file + "\n";
    }
    std::set<std::string> told{stage_};
    text += because(node_, "              ", told);
    if (decision_.fan_out) {
      text += fmt::format("  items       {}, {} kept, {} to run\n", decision_.items,
                          decision_.skipped, decision_.to_run);
    }
    text += made() + takes();
    if (const auto names = readers(); !names.empty()) {
      text += fmt::format("  read by     {}\n", fmt::join(names, ", "));
    }
    request_.console.out << request_.console.wrap(core::escaped(text));
  }

 private:
  /// With the present name of a stage that is named as it is recorded.
  static std::string present(const survey::GraphView& view, std::string_view selector) {
    const std::string_view stage = selector.substr(0, selector.find('/'));
    const auto node = std::ranges::find(view.nodes, stage, &survey::GraphNode::recorded);
    if (node == view.nodes.end()) return std::string{selector};
    return node->name + std::string{selector.substr(stage.size())};
  }

  Decision decide() const {
    const Decision& whole = decision_of_stage();
    if (selector_ == stage_) return whole;
    const std::string key = selector_.substr(stage_.size() + 1);
    if (auto item = plan_.item(stage_, key)) return *std::move(item);
    std::vector<std::string> keys;
    plan_.items(stage_, [&](std::string_view known, Action, Reason) {
      keys.emplace_back(known);
      return keys.size() < 1000;
    });
    const std::string guess = core::did_you_mean(key, keys);
    throw Error(Errc::unknown_stage,
                {.what = fmt::format("stage '{}' has no item '{}'{}", stage_, core::printable(key),
                                     guess.empty() ? "" : ". Did you mean '" + guess + "'?"),
                 .next = typed(request_, "show", {run_.run, "--all"})});
  }

  const Decision& decision_of_stage() const {
    try {
      return plan_[stage_];
    } catch (const Error& error) {
      ErrorInfo info = error.info();
      info.what += " (in run " + core::printable(run_.run) + ")";
      throw Error(error.errc(), std::move(info));
    }
  }

  static Document cause_json(const Cause& cause) {
    return {{"reason", to_string(cause.reason)},
            {"subject", cause.subject},
            {"before", cause.before},
            {"after", cause.after},
            {"file", cause.file},
            {"detail", cause.detail},
            {"text", cause.text()}};
  }

  const Decision* of(const std::string& name) const {
    const auto found = std::ranges::find(plan_.stages(), name, &Decision::stage);
    return found == plan_.end() ? nullptr : &*found;
  }

  std::string action_of(const std::string& name) const {
    const Decision* known = of(name);
    return known ? std::string{to_string(known->action)} : std::string{};
  }

  /// What it depends on that is not simply kept, and why, and so on.
  std::string because(std::size_t node, const std::string& indent,
                      std::set<std::string>& told) const {
    std::string text;
    for (const survey::Edge& edge : view_.nodes.at(node).edges) {
      const Decision* known = of(view_.nodes[edge.from].name);
      if (known == nullptr || known->action == Action::skip) continue;
      if (!told.insert(known->stage).second) continue;
      const std::string why =
          known->causes.empty() ? "" : known->causes.front().text(cli::program_flag);
      text +=
          fmt::format("{}{} is to {}: {}\n", indent, known->stage, to_string(known->action), why);
      text += because(edge.from, indent + "  ", told);
    }
    return text;
  }

  std::string made() const {
    if (!record_) return decision_.fan_out ? "" : "  made        not yet\n";
    const std::string cost = core::format_cost(record_->cost);
    return fmt::format("  made        {} in {}{}, {}, generation {}, revision {}\n",
                       time_text(request_, record_->at),
                       core::format_duration(std::chrono::duration<double>{record_->seconds}),
                       cost.empty() ? "" : " for " + cost,
                       cli::number_of(record_->attempts, "attempt"), record_->generation,
                       record_->revision);
  }

  std::string takes() const {
    std::vector<std::string> names;
    for (const survey::Edge& edge : view_.nodes.at(node_).edges) {
      const std::string& name = view_.nodes[edge.from].name;
      const std::string action = action_of(name);
      const std::string how = edge.as == "value" ? "" : edge.as + " ";
      names.push_back(how + name + (action.empty() ? "" : " (" + action + ")"));
    }
    return names.empty() ? "" : fmt::format("  depends on  {}\n", fmt::join(names, ", "));
  }

  std::vector<std::string> readers() const {
    std::vector<std::string> names;
    for (const survey::GraphNode& node : view_.nodes) {
      const auto reads = [&](const survey::Edge& edge) { return edge.from == node_; };
      if (std::ranges::any_of(node.edges, reads)) names.push_back(node.name);
    }
    return names;
  }

  const Request& request_;
  const RunInfo& run_;
  std::string selector_;
  std::string stage_;
  Plan plan_;
  survey::GraphView view_;
  Decision decision_;
  std::optional<survey::RecordView> record_;
  std::size_t node_ = 0;
};

}  // namespace

int explain(Request& request) {
  if (request.selector.empty() && !request.runs.empty()) {  // `explain STAGE`
    request.selector = request.runs.front();
    request.runs.clear();
  }
  if (request.selector.empty()) {
    throw Error(Errc::bad_option,
                {.what = "which stage?", .next = typed(request, "explain", {"latest", "STAGE"})});
  }
  scan_once(request, Scan::heads);
  const RunInfo run = chosen_run(request);
  const auto pipeline = pipeline_of(request, run);
  if (!pipeline) return 1;
  const Explanation explanation{request, run, *pipeline, request.selector};
  if (request.output.json) {
    explanation.print_json();
  } else {
    explanation.print_text();
  }
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
