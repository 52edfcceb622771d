// research_count [--why] [--report] FOLDER...: how many of the facts that facts.json lists the
// report on a site states, which figures it states that a later page takes back, which words of
// other topics it has, and how long it is. With --why also each fact that it misses and how far
// that came, with --report the report. To count a new site:
//
//   cmake --build --preset release --target research_count
//   build/release/tests/bin/research_count --why FOLDER
//
// FOLDER has index.json and pages/ as the sites in examples/data have; tests/research/facts.hpp
// says what facts.json holds.
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../research/facts.hpp"
#include "research/evidence.hpp"

namespace {

using namespace research;
using namespace research::testing;

bool has_all(const std::string& text, const std::vector<std::string>& fact) {
  return std::ranges::all_of(fact, [&](const auto& part) { return holds(text, part); });
}

/// Where a fact that is not in the report was last seen.
std::string how_far(const Evidence& evidence, const Scrape& scrape,
                    const std::vector<std::string>& fact) {
  const auto relevant = evidence.relevant();
  std::vector<std::size_t> chosen;
  for (const auto& together : evidence.chosen(relevant)) {
    chosen.insert(chosen.end(), together.begin(), together.end());
  }
  const auto in = [&](const auto& units, std::size_t unit) {
    return std::ranges::find(units, unit) != units.end();
  };
  std::string found;
  for (std::size_t unit = 0; unit < evidence.units().size(); ++unit) {
    const Unit& one = evidence.units()[unit];
    if (!has_all(one.heading + " " + one.text, fact)) continue;
    found += fmt::format("\n      {} {}: {} (weight {}, value {}): {}", scrape.pages[one.page].path,
                         one.heading,
                         in(chosen, unit)     ? "chosen, not placed"
                         : in(relevant, unit) ? "not chosen"
                                              : "not taken for relevant",
                         evidence.weight(unit), evidence.value(unit), one.text);
  }
  if (!found.empty()) return found;
  for (const Page& page : scrape.pages) {
    for (const Passage& passage : page.passages) {
      if (has_all(passage.text, fact)) return " no unit, but in a passage: " + passage.text;
    }
  }
  return " in no passage";
}

void explain(const std::filesystem::path& folder, const Count& count) {
  const auto table = nlohmann::json::parse(std::ifstream{folder / "facts.json"});
  const Scrape scrape = scrape_of(folder);
  const Evidence evidence{scrape, table.at("topic")};
  for (const auto& fact : count.missed) {
    std::cout << fmt::format("  missed {}:{}\n", fact, how_far(evidence, scrape, fact));
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool why = false;
  bool whole = false;
  std::size_t stated = 0;
  std::size_t facts = 0;
  std::size_t sites = 0;
  for (const std::string& arg : std::vector<std::string>(argv + 1, argv + argc)) {
    why = why || arg == "--why";
    whole = whole || arg == "--report";
    if (arg.starts_with("--")) continue;
    const std::filesystem::path folder{arg};
    const Count count = count_facts(folder);
    std::cout << fmt::format("{}: {} of {} facts, wrong {}, beside the point {}, {} words of {}\n",
                             folder.filename().string(), count.stated.size(), count.facts(),
                             count.wrong, count.beside, count.words, count.site_words);
    if (why) explain(folder, count);
    if (whole) std::cout << "\n" << count.text << "\n";
    stated += count.stated.size();
    facts += count.facts();
    ++sites;
  }
  if (sites > 1) std::cout << fmt::format("{} sites: {} of {} facts\n", sites, stated, facts);
}
