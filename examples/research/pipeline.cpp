// The whole workflow: which phase reads what, what is tried again, and the file that it leaves.
// What the phases do is in phases.hpp; nothing there knows that it can be interrupted.
#include "research/pipeline.hpp"

#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>

#include "model/quoting.hpp"
#include "research/phases.hpp"

namespace research {
namespace {

namespace rs = resumable;

/// A phase that asks the provider. Each answer is a step of the phase: it is committed before
/// anything else is done with it, and a call that fails is tried up to four times
/// (model/model.cpp).
template <class F>
auto asking(const model::Calling& calling, F f) {
  return model::asking<model::QuotingProvider>(calling, std::move(f));
}

}  // namespace

ResearchPipeline::ResearchPipeline(const Settings& settings) { declare(settings); }

// Not in the constructor: clang 14 crashes on a name that is checked while compiling one.
void ResearchPipeline::declare(const Settings& given) {
  rs::Pipeline& research = pipeline_;
  model::given(research, "batch", given.batch);         // read by no phase: sessions are found
  model::given(research, "created_at", given.created);  // and listed by these two
  const auto topic = model::given(research, "topic", given.topic);
  const auto site = model::given(research, "site", given.site);
  const auto provider = model::given(research, "provider", given.provider);
  const auto limits = model::given(research, "limits", given.limits);

  // Each request is a step, tried four times: a page that was fetched is not fetched again
  // (scraping.cpp).
  const auto pages = research.stage(
      "phase0", inputs(site, limits),
      [how = given.visiting](rs::Context& ctx, const std::string& from, const Limits& most) {
        return scrape(ctx, from, most, how);
      });

  const auto roles = research.stage(
      "phase0_5", inputs(provider, topic, pages),
      asking(given.calling,
             [this](const model::Call& call, const std::string& about, const Scrape& found) {
               try {
                 return make_roles(call, about, found);
               } catch (const OffTopic&) {
                 off_topic_ = true;
                 throw;
               }
             }));
  const auto goals = research.stage("phase1", inputs(roles), find_goals);
  const auto plan = research.stage("phase2", inputs(provider, limits, goals, pages), make_plan);

  // A checkpoint for each step: a step whose question and passages are as before does not run
  // again.
  const auto results = research.stage("phase3", inputs(provider, each(plan, &Step::id)),
                                      asking(given.calling, execute));
  const auto synthesis = research.stage("phase4", inputs(provider, roles, results, pages),
                                        asking(given.calling, synthesize));
  // Read by people alone: an edited report stays as it is until phase 4 runs again.
  research.artifact(synthesis, "report.md", markdown);
}

}  // namespace research
