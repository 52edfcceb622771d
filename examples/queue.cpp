// One idea: items that add items. A crawler begins with one page and enqueues the links it finds;
// the links are saved together with the page, and each page is fetched once.
#include <iostream>
#include <map>

#include <resumable/resumable.hpp>

namespace rs = resumable;

using Links = std::vector<std::string>;
const std::map<std::string, Links> site{
    {"/", {"/team", "/prices"}}, {"/team", {"/", "/jobs"}}, {"/prices", {"/team"}}, {"/jobs", {}}};

int main() {
  int fetched = 0;
  rs::Pipeline crawl{"crawl"};
  const auto seeds = crawl.input("seeds", Links{"/"});
  const auto pages =
      crawl.queue("pages", inputs(each(seeds)), [&](rs::Context& ctx, const std::string& url) {
        ++fetched;
        for (const std::string& link : site.at(url)) ctx.enqueue(link);
        return site.at(url).size();
      });
  const auto links = crawl.stage("links", inputs(pages), [](const std::vector<std::size_t>& all) {
    std::size_t sum = 0;
    for (const std::size_t count : all) sum += count;
    return sum;
  });

  rs::MemoryStore store;
  const rs::Report report = rs::resume(crawl, store, {.run = "monday"});
  if (!report) return report.exit_code();
  for (const rs::ItemReport& page : report.items(pages)) {
    std::cout << page.key << ", found on";
    for (const std::string& parent : page.parents) std::cout << ' ' << parent;
    std::cout << '\n';
  }
  return fetched == 4 && report[links] == 5 ? 0 : 1;
}
