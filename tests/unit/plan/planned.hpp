/// @file
/// A small memo with a stage of each kind, the facts of a completed run of it, and what is planned.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "plan/planner.hpp"
#include "plan/requests.hpp"
#include "resumable/error.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/plan.hpp"
#include "unit/plan/fake_facts.hpp"

namespace resumable::test {

/// The third version of a type, of which the second can still be read.
struct Deck {
  std::string title;
  int slides = 0;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Deck, title, slides)
};

}  // namespace resumable::test

template <>
struct resumable::Schema<resumable::test::Deck> {
  static constexpr std::string_view name = "memo.deck";
  static void count_slides(Json& document) { document["slides"] = 0; }
  static constexpr Migrations migrations{oldest(2), count_slides};
};

namespace resumable::test {

using Strings = std::vector<std::string>;

/// `deck run code_changed+input_changed, topics decide upstream, …`
[[nodiscard]] inline std::string outline(const std::vector<Decision>& decisions) {
  std::string text;
  for (const Decision& decision : decisions) {
    if (!text.empty()) text += ", ";
    text += decision.stage + " " + std::string{to_string(decision.action)};
    char before = ' ';
    for (const Cause& cause : decision.causes) {
      text += before + std::string{to_string(cause.reason)};
      before = '+';
    }
  }
  return text;
}

[[nodiscard]] inline std::string reasons(const std::vector<Cause>& causes) {
  std::string text;
  for (const Cause& cause : causes) {
    if (!text.empty()) text += "+";
    text += to_string(cause.reason);
  }
  return text;
}

[[nodiscard]] inline std::optional<Errc> code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.errc();
  }
  return std::nullopt;
}

struct MemoOptions {
  std::uint32_t deck_revision = 1;
  std::uint32_t section_revision = 1;
  std::chrono::seconds max_age{0};
};

/// company -> deck -> topics -> sections (one per topic) -> draft; deck -> deep? -> study (if deep)
struct Memo {
  Memo() : Memo(MemoOptions{}) {}
  explicit Memo(const MemoOptions& options)
      : pipeline(declare(options)), facts(detail::graph_of(pipeline)) {
    facts.input("company", "Acme");
    facts.value("deck", "a deck", {{"company", "Acme"}});
    facts.value("topics", "team, market", {{"deck", "a deck"}});
    facts.list("sections", "team, market", {"team", "market"});
    facts.item("sections", "team", "4", {{"topics[]", "team"}});
    facts.item("sections", "market", "6", {{"topics[]", "market"}});
    facts.value("draft", "a draft", {{"sections", "{team=4, market=6}"}});
    facts.outcome("deep", true, {{"deck", "a deck"}});
    facts.value("study", "a study", {{"company", "Acme"}});
  }

  static Pipeline declare(const MemoOptions& options) {
    Pipeline memo{"memo"};
    const auto company = memo.input("company", std::string{"Acme"});
    const auto deck =
        memo.stage({.name = "deck", .revision = options.deck_revision, .max_age = options.max_age},
                   inputs(company), [](const std::string& name) {
                     return Deck{name, 1};
                   });
    const auto topics = memo.stage("topics", inputs(deck), [](const Deck&) { return Strings{}; });
    const auto sections =
        memo.stage({.name = "sections", .revision = options.section_revision}, inputs(each(topics)),
                   [](const std::string& topic) { return topic; });
    memo.stage("draft", inputs(sections), [](const Strings&) { return std::string{}; });
    const auto deep = memo.condition("deep", inputs(deck), [](const Deck&) { return true; });
    memo.stage({.name = "study", .when = deep}, inputs(company),
               [](const std::string& name) { return name; });
    return memo;
  }

  [[nodiscard]] std::uint32_t node(std::string_view name) const {
    return static_cast<std::uint32_t>(detail::graph_of(pipeline).find(name));
  }
  [[nodiscard]] plan::Request redo(std::string_view stage, std::string item = {}) const {
    return {plan::Request::What::redo, node(stage), std::move(item)};
  }
  [[nodiscard]] plan::Request from(std::string_view stage) const {
    return {plan::Request::What::from, node(stage), {}};
  }
  static plan::Request fresh() { return {plan::Request::What::fresh, 0, {}}; }

  [[nodiscard]] Plan plan(std::vector<plan::Request> requests = {}, bool strict = false) const {
    plan::Decider decider{detail::graph_of(pipeline), facts, std::move(requests), strict};
    return Plan{plan::make_plan(detail::graph_of(pipeline), facts, facts, decider, "r")};
  }
  /// The decision for one stage, as outline() writes it, without its name.
  [[nodiscard]] std::string decides(std::string_view stage,
                                    std::vector<plan::Request> requests = {},
                                    bool strict = false) const {
    const Plan planned = plan(std::move(requests), strict);
    return outline({planned[stage]}).substr(stage.size() + 1);
  }
  /// The causes of one stage.
  [[nodiscard]] std::vector<Cause> causes(std::string_view stage,
                                          std::vector<plan::Request> requests = {}) const {
    return plan(std::move(requests))[stage].causes;
  }
  /// The states of all nodes.
  [[nodiscard]] std::vector<plan::NodeState> states() const {
    plan::Decider decider{detail::graph_of(pipeline), facts, {}, false};
    std::vector<plan::NodeState> all;
    for (std::uint32_t i = 0; i < detail::graph_of(pipeline).nodes.size(); ++i) {
      all.push_back(decider.decide(i, all));
    }
    return all;
  }

  Pipeline pipeline;
  FakeFacts facts;
};

}  // namespace resumable::test
