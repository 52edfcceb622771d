/// @file
/// Counts which of the facts that a site's facts.json lists a report on its topic states.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "research/crawl.hpp"
#include "research/extractive.hpp"
#include "research/phases.hpp"
#include "research/report.hpp"
#include "research/site_server.hpp"
#include "research/text.hpp"
#include "research/units.hpp"

namespace research::testing {

/// What a report on a site says.
struct Count {
  std::vector<std::vector<std::string>> stated;
  std::vector<std::vector<std::string>> missed;
  std::vector<std::string> wrong;   ///< figures taken back by a later page, without the later one
  std::vector<std::string> beside;  ///< words of other topics
  std::string text;                 ///< the report
  std::size_t words = 0;            ///< of the report, with its sources and notes
  std::size_t site_words = 0;

  [[nodiscard]] std::size_t facts() const { return stated.size() + missed.size(); }
};

inline Scrape scrape_of(const std::filesystem::path& folder) {
  const Site site = load_site(folder);
  return crawl("http://site", [&](const std::string& path) {
    const auto page = site.pages.find(path);
    return page == site.pages.end() ? Response{404, "", ""}
                                    : Response{200, "text/html", page->second};
  });
}

inline Synthesis report_on(const Scrape& scrape, const std::string& topic) {
  ExtractiveProvider provider;
  const model::Call call{provider, {}, {}};
  const Roles roles = make_roles(call, topic, scrape);
  const auto goals = find_goals(call, roles);
  std::vector<StepResult> results;
  for (const Step& step : make_plan(call, roles, goals)) results.push_back(execute(call, step));
  return synthesize(call, roles, goals, results);
}

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Whether a line of the text, which is a paragraph or a row, has all parts of a fact.
inline bool states(const std::string& text, const std::vector<std::string>& fact) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    if (std::ranges::all_of(fact, [&](const auto& part) { return holds(line, part); })) return true;
  }
  return false;
}

/// An old figure stands beside the new one, or not at all, and never in the lead.
inline bool is_wrong(const Synthesis& made, const std::string& was, const std::string& now) {
  for (const Section& section : made.sections) {
    for (const Paragraph& paragraph : section.paragraphs) {
      std::string all;
      for (const Statement& one : paragraph.statements) all += one.text + "\n";
      if (holds(all, was) && !holds(all, now)) return true;
    }
  }
  return std::ranges::any_of(made.lead, [&](const Statement& one) { return holds(one.text, was); });
}

/// @param folder  with index.json, pages/ and facts.json: `topic`; `facts`, each as parts that
///                stand in one paragraph; `superseded`, pairs `was` and `now`; `beside_the_point`
inline Count count_facts(const std::filesystem::path& folder) {
  const auto table = nlohmann::json::parse(std::ifstream{folder / "facts.json"});
  const Scrape scrape = scrape_of(folder);
  const Synthesis made = report_on(scrape, table.at("topic"));
  Count count;
  count.text = markdown(made);
  const std::string body = count.text.substr(0, count.text.find("## Sources"));
  for (auto fact : table.at("facts").get<std::vector<std::vector<std::string>>>()) {
    (states(body, fact) ? count.stated : count.missed).push_back(std::move(fact));
  }
  for (const auto& pair : table.at("superseded")) {
    const std::string was = pair.at("was");
    if (is_wrong(made, was, pair.at("now"))) count.wrong.push_back(was);
  }
  for (const std::string word : table.at("beside_the_point")) {
    if (holds(body, word)) count.beside.push_back(word);
  }
  count.words = count_words(count.text);
  for (const Page& page : scrape.pages) {
    for (const Passage& passage : page.passages) count.site_words += count_words(passage);
  }
  return count;
}

}  // namespace research::testing
