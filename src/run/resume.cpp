#include "resumable/resume.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/text.hpp"
#include "resumable/pipeline.hpp"
#include "run/session.hpp"

namespace resumable {
inline namespace v0 {

Plan ResumePlanner::plan(const Pipeline& pipeline, const ResumeOptions& options) const {
  return Plan{run::Session{pipeline, store_, options}.plan()};
}

namespace {

/// Calls that compile but cannot be intended.
void check(const Pipeline& pipeline, const ResumeOptions& options) {
  const detail::Graph& graph = detail::graph_of(pipeline);
  if (graph.nodes.empty()) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("pipeline '{}' declares nothing", graph.pipeline),
                 .run = options.run,
                 .kept = "nothing was changed",
                 .next = "declare a stage before resume() is called"});
  }
  if (std::ranges::count(options.observers, nullptr) != 0) {
    throw Error(Errc::bad_option, {.what = "an observer is a null pointer",
                                   .run = options.run,
                                   .kept = "nothing was changed",
                                   .next = "leave it out"});
  }
}

}  // namespace

Report resume(const Pipeline& pipeline, CheckpointStore& store, const ResumeOptions& options) {
  check(pipeline, options);
  return Report{run::Session{pipeline, store, options}.resume(store, std::nullopt)};
}

Report resume(const Pipeline& pipeline, CheckpointStore& store, const Plan& plan) {
  if (plan.options() == nullptr) {
    throw Error(Errc::bad_option, {.what = "an empty plan cannot be resumed",
                                   .kept = "nothing was changed",
                                   .next = "make the plan with ResumePlanner::plan()"});
  }
  check(pipeline, *plan.options());
  return Report{run::Session{pipeline, store, *plan.options()}.resume(store, plan.digest())};
}

namespace {

[[noreturn]] void nothing_waits(std::string_view run, std::string_view selector) {
  throw Error(Errc::unknown_stage,
              {.what = fmt::format("nothing in run '{}' is waiting for approval of '{}'",
                                   core::printable(run), core::printable(selector)),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "see the status of the run"});
}

[[noreturn]] void waits_with_others(std::string_view run, std::string_view selector) {
  throw Error(Errc::unknown_stage,
              {.what = fmt::format("the inputs of '{}' have changed since it asked",
                                   core::printable(selector)),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "resume: it will ask again if needed"});
}

}  // namespace

std::string approve(const Pipeline& pipeline, CheckpointStore& store, std::string_view run,
                    std::string_view stage, std::string_view who) {
  const detail::Graph& graph = detail::graph_of(pipeline);
  const auto selected = run::parse_selector(graph, stage, plan::Request::What::redo);
  const auto lease = store.lease(run, {.create = Create::never});
  const ResumeOptions options{.run = std::string{run}};
  run::Session session{pipeline, store, options};
  const Plan plan{session.plan()};
  record::World world;
  const record::RunFacts& facts = session.facts();
  const detail::Node& node = facts.graph().nodes[selected.node];
  const core::Key key = core::about_key("approval", node.name, selected.item);
  const plan::Row* row = facts.current(key.path);
  if (row == nullptr) nothing_waits(run, stage);
  const auto [state, message] = facts.approval(node.name, selected.item, row->head.fingerprint);
  if (state != plan::Approval::asked) nothing_waits(run, stage);
  const auto decision = selected.item.empty() ? std::optional{plan[node.shown()]}
                                              : plan.item(node.shown(), selected.item);
  if (!decision || decision->action != Action::wait) waits_with_others(run, stage);
  record::Recorder recorder{*lease, world.clock(), facts.uid(), graph.pipeline};
  recorder.keep(record::tagged(facts));
  const core::OrderedJson json{{"state", "approved"}, {"message", message}, {"who", who}};
  auto draft =
      record::Draft::small(core::Kind::approval, key, CodecId::json,
                           json.dump(-1, ' ', false, core::OrderedJson::error_handler_t::replace));
  draft.generation = facts.next_generation(key.path);
  draft.head.fingerprint = row->head.fingerprint;
  draft.erase = {{key.path, row->generation}};
  recorder.commit(std::move(draft));
  return message;
}

}  // namespace v0
}  // namespace resumable
