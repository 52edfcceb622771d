#include "research/pipeline.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>
#include <resumable/pipeline.hpp>

#include "model/model.hpp"
#include "model/pause.hpp"
#include "research/crawl.hpp"
#include "research/extractive.hpp"
#include "research/fetch.hpp"
#include "research/phases.hpp"
#include "research/report.hpp"
#include "research/site_server.hpp"
#include "research/text.hpp"

namespace research {
namespace {

namespace rs = resumable;
using Pace = std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Keeps requests apart: from the end of one to the beginning of the next.
class Visits {
 public:
  explicit Visits(Pace delay) : delay_{delay} {}
  void slow_down(Pace delay) { delay_ = std::max(delay_, delay); }
  /// How long the next request has to wait.
  [[nodiscard]] Pace ahead() const {
    if (!last_) return Pace{0};
    return std::max(Pace{0}, std::chrono::duration_cast<Pace>(*last_ + delay_ - Clock::now()));
  }
  void done() { last_ = Clock::now(); }

 private:
  Pace delay_;
  std::optional<Clock::time_point> last_;
};

/// Every page is a step: what was fetched once is not fetched again, whatever happens later. A step
/// is the answer as it came; reading it is not part of it, so a new reader fetches nothing either.
Scrape scrape(rs::Context& ctx, const std::string& site, const Limits& limits,
              const Settings& settings) {
  std::unique_ptr<SiteServer> server;
  std::map<std::string, std::string> files;
  if (!is_origin(site)) {
    Site folder = load_site(site);
    files = folder.files;
    server = std::make_unique<SiteServer>(std::move(folder));
  }
  const std::string origin = server ? server->url() : site;
  Visits visits{settings.delay.value_or(Pace{is_loopback(origin) ? 0 : 1000})};
  const auto end = Clock::now() + std::chrono::seconds{limits.seconds};
  std::set<std::string> asked;
  const auto get = [&](const std::string& path) {
    asked.insert(path);
    const rs::StepOptions step{.name = "page " + path,
                               .retry = {.attempts = 4,
                                         .initial_delay = std::chrono::milliseconds{200},
                                         .max_delay = std::chrono::seconds{10}}};
    return ctx.step(step, rs::with(site, path, limits.bytes), [&] {
      model::pause(visits.ahead(), ctx.stop_token());
      model::pause(settings.pace, ctx.stop_token());
      Response response = fetch(origin, path, ctx.stop_token(), {limits.bytes, settings.ca});
      visits.done();
      return response;
    });
  };
  Scrape found = crawl(origin, get,
                       {.paths = limits.pages,
                        .out_of_time = [&] { return Clock::now() + visits.ahead() > end; },
                        .crawl_delay = [&](Pace delay) { visits.slow_down(delay); }});
  std::vector<std::string> unlinked;
  for (const auto& [path, file] : files) {
    if (!asked.contains(path)) unlinked.push_back(file);
  }
  const bool is_whole = asked.size() < limits.pages && Clock::now() < end;
  if (is_whole && !unlinked.empty()) {
    found.notes.push_back(fmt::format("No link leads to {} of the folder, not read: {}.",
                                      counted(unlinked.size(), "file"), listed(unlinked)));
  }
  for (Page& page : found.pages) {
    if (page.url != page.path) continue;
    const auto file = files.find(page.path);
    if (file != files.end()) {
      page.url = site + "/" + file->second;
    } else if (!server) {  // whose port says nothing
      page.url = origin + page.path;
    }
  }
  return found;
}

}  // namespace

ResearchPipeline::ResearchPipeline(const Settings& settings) { declare(settings); }

// Not in the constructor: clang 14 crashes on a name that is checked while compiling one.
void ResearchPipeline::declare(const Settings& settings) {
  rs::Pipeline& research = pipeline_;
  model::given(research, "batch", settings.batch);         // read by no phase: sessions are found
  model::given(research, "created_at", settings.created);  // and listed by these two
  const auto topic = model::given(research, "topic", settings.topic);
  const auto site = model::given(research, "site", settings.site);
  const auto provider = model::given(research, "provider", settings.provider);
  const auto limits = model::given(research, "limits", settings.limits);
  const model::Calling calling{settings.pace, settings.retry_first, settings.terms};
  const auto asking = [calling](auto phase) {
    return model::asking<ExtractiveProvider>(calling, phase);
  };

  const auto pages =
      research.stage("phase0", inputs(site, limits),
                     [settings](rs::Context& ctx, const std::string& from, const Limits& most) {
                       return scrape(ctx, from, most, settings);
                     });

  const auto roles = research.stage(
      "phase0_5", inputs(provider, topic, pages),
      asking([this](const model::Call& call, const std::string& about, const Scrape& found) {
        try {
          return make_roles(call, about, found);
        } catch (const OffTopic&) {
          off_topic_ = true;
          throw;
        }
      }));

  const auto goals = research.stage("phase1", inputs(provider, roles), asking(find_goals));
  const auto plan = research.stage("phase2", inputs(provider, roles, goals), asking(make_plan));
  const auto results =
      research.stage("phase3", inputs(provider, each(plan, &Step::id)), asking(execute));
  const auto synthesis =
      research.stage("phase4", inputs(provider, roles, goals, results), asking(synthesize));
  research.artifact(synthesis, "report.md", markdown);
}

}  // namespace research
