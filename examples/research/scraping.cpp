// Every page is a step: what was fetched once is not fetched again, whatever happens later. A step
// is the answer as it came; reading it is not part of it, so a new reader fetches nothing either.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>
#include <resumable/step.hpp>

#include "model/provider.hpp"
#include "research/crawl.hpp"
#include "research/fetch.hpp"
#include "research/site_server.hpp"
#include "research/web_text.hpp"

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

rs::StepOptions step_for(const std::string& path) {
  return {.name = "page " + path,
          .retry = {.attempts = 4,
                    .initial_delay = std::chrono::milliseconds{200},
                    .max_delay = std::chrono::seconds{10}}};
}

/// The files of a folder that no link led to.
void tell_unlinked(Scrape& found, const std::map<std::string, std::string>& files,
                   const std::set<std::string>& asked) {
  std::vector<std::string> unlinked;
  for (const auto& [path, file] : files) {
    if (!asked.contains(path)) unlinked.push_back(file);
  }
  if (unlinked.empty()) return;
  found.notes.push_back(fmt::format("No link leads to {} of the folder, not read: {}.",
                                    counted(unlinked.size(), "file"), listed(unlinked)));
}

}  // namespace

Scrape scrape(rs::Context& ctx, const std::string& site, const Limits& limits,
              const Visiting& how) {
  std::unique_ptr<SiteServer> server;
  std::map<std::string, std::string> files;
  if (!is_origin(site)) {
    Site folder = load_site(site);
    files = folder.files;
    server = std::make_unique<SiteServer>(std::move(folder));
  }
  const std::string origin = server ? server->url() : site;
  Visits visits{how.delay.value_or(Pace{is_loopback(origin) ? 0 : 1000})};
  const auto end = Clock::now() + std::chrono::seconds{limits.seconds};
  std::set<std::string> asked;
  const auto get = [&](const std::string& path) {
    asked.insert(path);
    return ctx.step(step_for(path), rs::with(site, path, limits.bytes), [&] {
      model::pause(visits.ahead(), ctx.stop_token());
      model::pause(how.pace, ctx.stop_token());
      Response response = fetch(origin, path, ctx.stop_token(), {limits.bytes, how.ca});
      visits.done();
      return response;
    });
  };
  Scrape found = crawl(origin, get,
                       {.paths = limits.pages,
                        .out_of_time = [&] { return Clock::now() + visits.ahead() > end; },
                        .crawl_delay = [&](Pace delay) { visits.slow_down(delay); }});
  const bool is_whole = asked.size() < limits.pages && Clock::now() < end;
  if (is_whole) tell_unlinked(found, files, asked);
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

}  // namespace research
