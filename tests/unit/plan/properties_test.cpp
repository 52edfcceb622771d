// What holds for any graph and any facts.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "unit/plan/planned.hpp"

namespace resumable::test {
namespace {

/// What is recorded of one stage. `none` to `unreadable` are each its newest record.
enum class Recorded {
  none,
  fitting,
  other_inputs,
  other_code,
  torn,
  newer_schema,
  older_schema,
  too_old_schema,
  other_codec,
  newer,
  foreign,
  unreadable,
};

constexpr int all_recorded = 12;

/// Each of `low` to `high - 1` equally often; inRange() alone begins with small numbers.
int one_of(int low, int high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

bool refuses(Recorded what) {
  return what == Recorded::newer_schema || what == Recorded::too_old_schema ||
         what == Recorded::other_codec || what == Recorded::newer || what == Recorded::foreign ||
         what == Recorded::unreadable;
}

/// A graph of stages with a value each, which take any of those before them.
struct AnyRun {
  detail::Graph graph;
  std::optional<FakeFacts> facts;
  std::vector<Recorded> recorded;

  [[nodiscard]] Plan plan(std::vector<plan::Request> requests = {}) const {
    plan::Decider decider{graph, *facts, std::move(requests), false};
    return Plan{plan::make_plan(graph, *facts, *facts, decider, "r")};
  }
};

std::string name_of(std::size_t node) { return "s" + std::to_string(node); }
std::string text_of(std::size_t node) { return "value " + std::to_string(node); }

void add_node(detail::Graph& graph, const std::vector<std::uint32_t>& inputs) {
  detail::Node node;
  node.name = name_of(graph.nodes.size());
  node.revision = 3;
  node.type = &detail::value_type<Deck>();
  for (const std::uint32_t input : inputs) {
    node.args.push_back({.kind = detail::ArgKind::value, .node = input, .list = {}});
  }
  graph.names.emplace(node.name, static_cast<std::uint32_t>(graph.nodes.size()));
  graph.nodes.push_back(std::move(node));
  graph.patterns.emplace_back();
}

void record(FakeFacts& facts, std::size_t node, Recorded what, const Given& inputs) {
  if (what == Recorded::none) return;
  Given made_from = inputs;
  const bool stale_too = refuses(what) && *rc::gen::arbitrary<bool>();
  if (what == Recorded::other_inputs || stale_too) made_from.emplace_back("another", "input");
  const Written one = facts.value(name_of(node), text_of(node), made_from);
  one.revision(what == Recorded::other_code ? 2 : 3);
  switch (what) {
    case Recorded::torn: one.torn(); break;
    case Recorded::newer_schema: one.schema(4); break;
    case Recorded::older_schema: one.schema(2); break;
    case Recorded::too_old_schema: one.schema(1); break;
    case Recorded::other_codec: one.codec(CodecId::bytes); break;
    case Recorded::newer: one.damaged(Damage::newer); break;
    case Recorded::foreign: one.damaged(Damage::foreign); break;
    case Recorded::unreadable: one.damaged(Damage::unreadable); break;
    default: break;
  }
}

Given inputs_of(const detail::Graph& graph, std::size_t node) {
  Given inputs;
  for (const detail::Arg& arg : graph.nodes[node].args) {
    inputs.emplace_back(name_of(arg.node), text_of(arg.node));
  }
  return inputs;
}

/// A graph of up to eight stages; what is recorded of each is `any` or fits.
void make(AnyRun& run, bool completed) {
  const int count = one_of(1, 9);
  for (int i = 0; i < count; ++i) {
    std::vector<std::uint32_t> inputs;
    for (int before = 0; before < i; ++before) {
      if (*rc::gen::arbitrary<bool>()) inputs.push_back(static_cast<std::uint32_t>(before));
    }
    add_node(run.graph, inputs);
  }
  run.facts.emplace(run.graph);
  for (std::size_t i = 0; i < run.graph.nodes.size(); ++i) {
    const auto what =
        completed ? Recorded::fitting : static_cast<Recorded>(one_of(0, all_recorded));
    run.recorded.push_back(what);
    record(*run.facts, i, what, inputs_of(run.graph, i));
  }
}

/// Whether a cause can be the one that decides for this action.
bool decides(Reason reason, Action action) {
  switch (reason) {
    case Reason::done:
    case Reason::not_taken:
    case Reason::migrated:
    case Reason::fell_back:
    case Reason::accepted:
    case Reason::pinned:
    case Reason::ignored: return action == Action::skip;
    case Reason::first_run:
    case Reason::failed:
    case Reason::code_changed:
    case Reason::input_changed:
    case Reason::expired:
    case Reason::requested:
    case Reason::damaged:
    case Reason::lost: return action == Action::run;
    case Reason::upstream: return action == Action::decide;
    case Reason::waiting: return action == Action::wait;
    case Reason::newer:
    case Reason::foreign:
    case Reason::unreadable:
    case Reason::shape_changed:
    case Reason::no_migration:
    case Reason::codec_changed: return action == Action::refuse;
    default: return false;
  }
}

RC_GTEST_PROP(AnyPlan, OfACompletedRunSkipsAll, ()) {
  AnyRun run;
  make(run, true);
  const Plan plan = run.plan();
  RC_ASSERT(plan.complete());
  for (const Decision& decision : plan)
    RC_ASSERT(outline({decision}) == decision.stage + " skip done");
}

RC_GTEST_PROP(AnyPlan, HasAReasonThatFitsEachDecision, ()) {
  AnyRun run;
  make(run, false);
  for (const Decision& decision : run.plan()) {
    RC_ASSERT(!decision.causes.empty());
    RC_ASSERT(decides(decision.causes.front().reason, decision.action));
  }
}

RC_GTEST_PROP(AnyPlan, IsTheSameEachTimeItIsMade, ()) {
  AnyRun run;
  make(run, false);
  RC_ASSERT(run.plan().digest() == run.plan().digest());
  RC_ASSERT(run.plan().text(true) == run.plan().text(true));
}

RC_GTEST_PROP(AnyPlan, RefusesExactlyWhereARecordMustNotBeTouched, ()) {
  AnyRun run;
  make(run, false);
  const Plan plan = run.plan();
  for (std::size_t i = 0; i < run.recorded.size(); ++i) {
    RC_ASSERT((plan.stages()[i].action == Action::refuse) == refuses(run.recorded[i]));
  }
}

RC_GTEST_PROP(AnyPlan, SkipsOnlyWhatDependsOnNothingThatMayChange, ()) {
  AnyRun run;
  make(run, false);
  const Plan plan = run.plan();
  for (std::size_t i = 0; i < run.graph.nodes.size(); ++i) {
    if (plan.stages()[i].action != Action::skip) continue;
    for (const detail::Arg& arg : run.graph.nodes[i].args) {
      RC_ASSERT(plan.stages()[arg.node].action == Action::skip);
    }
  }
}

/// Adds facts of one kind that say nothing about whether a gated record may be touched.
void add_something(AnyRun& run) {
  const auto node = static_cast<std::size_t>(one_of(0, static_cast<int>(run.graph.nodes.size())));
  const std::string stage = name_of(node);
  const Given inputs = inputs_of(run.graph, node);
  FakeFacts& facts = *run.facts;
  switch (one_of(0, 6)) {
    case 0: facts.failed(stage, "", inputs).revision(3); break;
    case 1: facts.inside(core::Kind::step, stage, "", "step", inputs); break;
    case 2: facts.inside(core::Kind::intent, stage, "", "effect", inputs); break;
    case 3: facts.approval(stage, "", inputs, plan::Approval::approved); break;
    case 4:
      facts.add(core::stage_key("gone"), core::Kind::value, nullptr, "", {})
          .damaged(*rc::gen::element(Damage::none, Damage::torn, Damage::unreadable));
      break;
    default:
      facts.value(stage, text_of(node), inputs).revision(3).torn();  // above the gated record
      break;
  }
}

RC_GTEST_PROP(AnyPlan, AddedFactsNeverTurnARefusalIntoASilentRun, ()) {
  AnyRun run;
  make(run, false);
  const Plan before = run.plan();
  const int more = one_of(1, 9);
  for (int i = 0; i < more; ++i) add_something(run);
  std::vector<plan::Request> requests;
  if (*rc::gen::arbitrary<bool>()) requests.push_back(Memo::fresh());
  const Plan after = run.plan(requests);
  for (std::size_t i = 0; i < run.recorded.size(); ++i) {
    if (before.stages()[i].action != Action::refuse) continue;
    RC_ASSERT(after.stages()[i].action == Action::refuse);
    RC_ASSERT(after.refused());
  }
}

RC_GTEST_PROP(AnyPlan, ARequestOnlyMakesMoreRun, ()) {
  AnyRun run;
  make(run, false);
  const Plan before = run.plan();
  const Plan after = run.plan({Memo::fresh()});
  for (std::size_t i = 0; i < run.recorded.size(); ++i) {
    RC_ASSERT(!plan::outweighs(before.stages()[i].action, after.stages()[i].action));
    RC_ASSERT(after.stages()[i].action != Action::skip);
  }
}

}  // namespace
}  // namespace resumable::test
