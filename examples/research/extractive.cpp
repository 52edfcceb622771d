#include "research/extractive.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "research/text.hpp"

namespace research {
namespace {

using Json = nlohmann::json;

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

/// Takes the focus with the greatest weight of pages; pages that somebody reads count half for the
/// next, so that roles share the pages out.
Json roles(const Json& input) {
  const auto limit = input.at("limit").get<std::size_t>();
  std::map<std::size_t, std::size_t> readers;
  std::set<std::size_t> taken;
  Json chosen = Json::array();
  while (chosen.size() < std::min(limit, input.at("candidates").size())) {
    const Json* best = nullptr;
    std::size_t most = 0;
    for (const Json& candidate : input.at("candidates")) {
      if (taken.contains(candidate.at("id").get<std::size_t>())) continue;
      std::size_t weight = 0;
      for (const Json& page : candidate.at("pages")) {
        weight +=
            page.at("weight").get<std::size_t>() >> readers[page.at("page").get<std::size_t>()];
      }
      if (best == nullptr || weight > most) {
        best = &candidate;
        most = weight;
      }
    }
    taken.insert(best->at("id").get<std::size_t>());
    for (const Json& page : best->at("pages")) ++readers[page.at("page").get<std::size_t>()];
    const auto focus = best->at("focus").get<std::string>();
    chosen.push_back({{"candidate", best->at("id")}, {"name", capitalised(focus) + " researcher"}});
  }
  return {{"roles", std::move(chosen)}};
}

bool share_a_term(const std::string& one, const std::string& other) {
  const auto here = terms(one);
  const auto there = terms(other);
  return std::ranges::any_of(
      here, [&](const auto& term) { return std::ranges::find(there, term) != there.end(); });
}

/// The first two phrases of each role that add something to its focus and were not taken before.
Json goals(const Json& input) {
  constexpr std::size_t phrases_per_goal = 2;
  std::set<std::string> used;
  for (const Json& role : input.at("roles")) used.insert(role.at("focus").get<std::string>());
  Json goals = Json::array();
  for (const Json& role : input.at("roles")) {
    const auto focus = role.at("focus").get<std::string>();
    std::string question = "What do the pages say about " + focus;
    std::string chosen_words = focus;
    Json chosen = Json::array();
    const Json& phrases = role.at("phrases");
    for (std::size_t i = 0; i < phrases.size() && chosen.size() < phrases_per_goal; ++i) {
      const auto phrase = phrases[i].get<std::string>();
      if (share_a_term(phrase, chosen_words) || !used.insert(phrase).second) continue;
      question += (chosen.empty() ? ", above all on " : " and ") + phrase;
      chosen_words += " " + phrase;
      chosen.push_back(i);
    }
    goals.push_back({{"role", role.at("id")}, {"question", question + "?"}, {"phrases", chosen}});
  }
  return {{"goals", std::move(goals)}};
}

Json plan(const Json& input) {
  Json steps = Json::array();
  for (const Json& goal : input.at("goals")) {
    const auto about =
        fmt::format("{}", fmt::join(goal.at("phrases").get<std::vector<std::string>>(), ", "));
    steps.push_back({{"goal", goal.at("id")},
                     {"seek", "reports"},
                     {"task", "Collect what the pages report on " + about + "."}});
    steps.push_back({{"goal", goal.at("id")},
                     {"seek", "advice"},
                     {"task", "Collect what the pages advise on " + about + "."}});
  }
  return {{"steps", std::move(steps)}};
}

/// More than half the terms in common: the second sentence says nothing new.
bool repeats(const std::set<std::string>& one, const std::vector<std::set<std::string>>& chosen) {
  return std::ranges::any_of(chosen, [&](const std::set<std::string>& before) {
    const auto common =
        std::ranges::count_if(one, [&](const auto& t) { return before.contains(t); });
    return static_cast<std::size_t>(common) * 2 > std::min(one.size(), before.size());
  });
}

/// Candidates come best first: takes them in that order, two of a page at most.
Json execute(const Json& input) {
  Json chosen = Json::array();
  std::vector<std::set<std::string>> said;
  std::map<std::string, int> from;
  for (const Json& candidate : input.at("candidates")) {
    if (chosen.size() == input.at("limit").get<std::size_t>()) break;
    const auto of_text = terms(candidate.at("text").get<std::string>());
    const std::set<std::string> now(of_text.begin(), of_text.end());
    int& of_page = from[candidate.at("page").get<std::string>()];
    if (of_page == 2 || repeats(now, said)) continue;
    ++of_page;
    said.push_back(now);
    chosen.push_back(candidate.at("id"));
  }
  return {{"findings", std::move(chosen)}};
}

/// The first report of each goal leads; the rest follows as it was found.
Json synthesize(const Json& input) {
  Json lead = Json::array();
  Json sections = Json::array();
  for (const Json& goal : input.at("goals")) {
    Json section{{"goal", goal.at("id")},
                 {"heading", capitalised(goal.at("phrases").at(0).get<std::string>())},
                 {"reports", Json::array()},
                 {"advice", Json::array()}};
    bool leads = true;
    for (const Json& finding : goal.at("findings")) {
      Json statement{{"text", finding.at("text")}, {"finding", finding.at("id")}};
      const auto seek = finding.at("seek").get<std::string>();
      Json& place = leads && seek == "reports" ? lead : section.at(seek);
      if (seek == "reports") leads = false;
      place.push_back(std::move(statement));
    }
    sections.push_back(std::move(section));
  }
  return {{"lead", std::move(lead)}, {"sections", std::move(sections)}};
}

}  // namespace

model::Answer ExtractiveProvider::do_ask(const model::Task& task, const std::stop_token&) {
  const Json input = Json::parse(task.input);
  if (task.name == "roles") return {roles(input).dump(), {}};
  if (task.name == "goals") return {goals(input).dump(), {}};
  if (task.name == "plan") return {plan(input).dump(), {}};
  if (task.name == "execute") return {execute(input).dump(), {}};
  if (task.name == "synthesize") return {synthesize(input).dump(), {}};
  throw model::ProviderError{"the extractive provider knows no task '" + task.name + "'", {}};
}

}  // namespace research
