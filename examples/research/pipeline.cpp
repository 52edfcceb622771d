#include "research/pipeline.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>
#include <resumable/pipeline.hpp>

#include "model/model.hpp"
#include "research/crawl.hpp"
#include "research/extractive.hpp"
#include "research/fetch.hpp"
#include "research/phases.hpp"
#include "research/report.hpp"
#include "research/site_server.hpp"

namespace research {
namespace {

namespace rs = resumable;
using Pace = std::chrono::milliseconds;

void pause(Pace time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock{mutex};
  never.wait_for(lock, stop, time, [] { return false; });
}

/// Every page is a step: what was fetched once is not fetched again, whatever happens later. A step
/// is the answer as it came; reading it is not part of it, so a new reader fetches nothing either.
Scrape scrape(rs::Context& ctx, const std::string& site, Pace pace) {
  std::unique_ptr<SiteServer> server;
  if (!is_origin(site)) server = std::make_unique<SiteServer>(load_site(site));
  const std::string origin = server ? server->url() : site;
  return crawl(origin, [&](const std::string& path) {
    const rs::StepOptions step{.name = "page " + path,
                               .retry = {.attempts = 4,
                                         .first = std::chrono::milliseconds{200},
                                         .cap = std::chrono::seconds{10}}};
    return ctx.step(step, rs::with(site, path), [&] {
      pause(pace, ctx.stop());
      return fetch(origin, path, ctx.stop());
    });
  });
}

/// Calls a phase with the provider of this name.
template <class F>
auto ask_provider(rs::Context& ctx, const std::string& name, Pace pace, F phase) {
  model::Model model{name, std::make_unique<ExtractiveProvider>(), pace};
  return model::ask(ctx, model.get(), phase);
}

rs::StageOptions paid(rs::Name name) {
  return {.name = name,
          .retry = {.attempts = 4,
                    .first = std::chrono::milliseconds{500},
                    .cap = std::chrono::seconds{30}},
          .timeout = std::chrono::minutes{5}};
}

}  // namespace

ResearchPipeline::ResearchPipeline(const Settings& settings)
    : pipeline_{std::make_unique<rs::Pipeline>(rs::Name{"research"})} {
  rs::Pipeline& research = *pipeline_;
  const auto given = [&research](rs::Name name, const std::optional<std::string>& value) {
    return value ? research.input(name, *value) : research.input<std::string>(name);
  };
  given("batch", settings.batch);         // read by no phase: what a session is found by
  given("created_at", settings.created);  // and what lists show
  const auto topic = given("topic", settings.topic);
  const auto site = given("site", settings.site);
  const auto provider = given("provider", settings.provider);
  const Pace pace = settings.pace;

  const auto pages = research.stage(
      "phase0", inputs(site),
      [pace](rs::Context& ctx, const std::string& from) { return scrape(ctx, from, pace); });

  const auto roles = research.stage(
      paid("phase0_5"), inputs(provider, topic, pages),
      [pace, this](rs::Context& ctx, const std::string& model, const std::string& t,
                   const Scrape& s) {
        try {
          return ask_provider(ctx, model, pace,
                              [&](const model::Call& call) { return make_roles(call, t, s); });
        } catch (const OffTopic&) {
          off_topic_ = true;
          throw;
        }
      });

  const auto goals = research.stage(
      paid("phase1"), inputs(provider, roles, pages),
      [pace](rs::Context& ctx, const std::string& model, const Roles& r, const Scrape& s) {
        return ask_provider(ctx, model, pace,
                            [&](const model::Call& call) { return find_goals(call, r, s); });
      });

  const auto plan = research.stage(
      paid("phase2"), inputs(provider, roles, goals),
      [pace](rs::Context& ctx, const std::string& model, const Roles& r,
             const std::vector<Goal>& g) {
        return ask_provider(ctx, model, pace,
                            [&](const model::Call& call) { return make_plan(call, r, g); });
      });

  const auto results = research.stage(
      paid("phase3"), inputs(provider, each(plan, &Step::id), pages),
      [pace](rs::Context& ctx, const std::string& model, const Step& step, const Scrape& s) {
        return ask_provider(ctx, model, pace,
                            [&](const model::Call& call) { return execute(call, step, s); });
      });

  const auto synthesis = research.stage(
      paid("phase4"), inputs(provider, roles, goals, results),
      [pace](rs::Context& ctx, const std::string& model, const Roles& r, const std::vector<Goal>& g,
             const std::vector<StepResult>& found) {
        return ask_provider(ctx, model, pace,
                            [&](const model::Call& call) { return synthesize(call, r, g, found); });
      });
  research.artifact(synthesis, "report.md", markdown);
}

ResearchPipeline::~ResearchPipeline() = default;

}  // namespace research
