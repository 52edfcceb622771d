#include "research/extractive.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "research/arranging.hpp"
#include "research/text.hpp"
#include "research/topic.hpp"

namespace research {
namespace {

using Json = nlohmann::json;

constexpr std::size_t half_named = 500;  // by the topic: half of the words of a title

/// All of them, those with a page on the topic itself first, then the weightiest: the candidates
/// share the evidence out as they are.
Json roles(const Json& input) {
  auto candidates = input.at("candidates").get<std::vector<Json>>();
  const auto topic = input.at("topic").get<std::string>();
  std::ranges::stable_sort(candidates, std::greater<>{}, [&](const Json& one) {
    std::size_t named = 0;
    for (const Json& page : one.at("pages")) {
      const std::size_t title_names = closeness(page.get<std::string>(), topic);
      if (title_names >= half_named) named = std::max(named, title_names);
    }
    return std::pair{named, one.at("weight").get<std::size_t>()};
  });
  Json chosen = Json::array();
  for (const Json& candidate : candidates) {
    if (chosen.size() == input.at("limit").get<std::size_t>()) break;
    chosen.push_back({{"candidate", candidate.at("id")},
                      {"name", candidate.at("focus").get<std::string>() + " researcher"}});
  }
  return {{"roles", std::move(chosen)}};
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

/// Candidates come best first: takes them in that order as long as they fit.
Json pick(const Json& input) {
  auto left = input.at("words").get<std::size_t>();
  Json chosen = Json::array();
  for (const Json& candidate : input.at("candidates")) {
    const auto words = candidate.at("words").get<std::size_t>();
    if (words > left) continue;
    left -= words;
    chosen.push_back(candidate.at("id"));
  }
  return {{"findings", std::move(chosen)}};
}

}  // namespace

model::Answer ExtractiveProvider::do_ask(const model::Task& task, const std::stop_token&) {
  const Json input = Json::parse(task.input);
  if (task.name == "roles") return {roles(input).dump(), {}};
  if (task.name == "goals") return {goals(input).dump(), {}};
  if (task.name == "plan") return {plan(input).dump(), {}};
  if (task.name == "execute") return {pick(input).dump(), {}};
  if (task.name == "synthesize") return {report_on(input).dump(), {}};
  throw model::ProviderError{"the extractive provider knows no task '" + task.name + "'", {}};
}

}  // namespace research
