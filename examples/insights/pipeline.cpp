// The whole job on one page. What survives a kill: the request and the tables, as inputs; each
// turn of the loop, as an entry of a history; the results of tools, in the store's cache.
#include "insights/pipeline.hpp"

#include <memory>

#include "insights/clerk.hpp"

namespace insights {

InsightsPipeline::InsightsPipeline(std::optional<Given> given, model::Calling calling, Told told,
                                   std::function<std::chrono::system_clock::time_point()> now) {
  const auto request = given ? pipeline_.input("request", std::move(given->request))
                             : pipeline_.input<Request>("request");
  const auto readings = given ? pipeline_.input("readings", std::move(given->readings))
                              : pipeline_.input<Readings>("readings");

  insights_ = pipeline_.stage(
      "insights", inputs(request, readings),
      [calling, told, now](resumable::Context& ctx, const Request& asked, const Readings& tables) {
        model::Model named{asked.provider, std::make_unique<Clerk>(), calling};
        const model::Call call = model::call_in(ctx, named.get());
        return run_loop(ctx, asked, tables, call, calling.retry_first, told, now);
      });

  drawings_ = pipeline_.stage(
      "drawings", inputs(readings, *insights_),
      [](const Readings& tables, const Insights& found) { return pictures_of(tables, found); });
  const auto pictures = pipeline_.stage("pictures", inputs(each(*drawings_, &Picture::name)),
                                        [](const Picture& picture) { return picture; });
  pipeline_.artifact(pictures, "pictures/{item}.svg", &Picture::svg);
}

}  // namespace insights
