// Phases 0.5 to 2: from pages and a topic to a plan.
#include <algorithm>
#include <numeric>
#include <set>

#include "model/asking.hpp"
#include "research/phases.hpp"
#include "research/ranking.hpp"

namespace research {
namespace {

using model::misfit;
using model::offered;
using Json = nlohmann::json;

constexpr std::size_t most_roles = 4;
constexpr std::size_t pages_per_role = 14;
constexpr std::size_t fewest_pages = 3;  ///< that a focus must be on

/// Something that pages speak of, and how much they matter for the topic.
struct Focus {
  std::string words;
  std::vector<std::size_t> pages;
};

std::vector<Focus> focuses(const Scrape& scrape, const Ranking& ranking,
                           const std::vector<std::size_t>& relevant) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const std::size_t page : relevant) {
    for (const std::string& tag : scrape.pages[page].tags) add(tag);
  }
  for (const std::string& phrase : ranking.phrases(relevant, most_roles)) add(phrase);
  std::vector<Focus> found;
  for (const std::string& name : names) {
    Focus focus{name, {}};
    for (const std::size_t page : relevant) {
      if (ranking.mentions(page, name)) focus.pages.push_back(page);
    }
    if (focus.pages.size() >= fewest_pages) found.push_back(std::move(focus));
  }
  return found;
}

Role role_of(const std::string& name, const Focus& focus, const std::string& topic,
             const Scrape& scrape, const Ranking& ranking) {
  const auto weight = ranking.relevance(focus.words + " " + topic);
  std::vector<std::size_t> pages = focus.pages;
  std::ranges::stable_sort(pages,
                           [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
  pages.resize(std::min(pages.size(), pages_per_role));
  Role role{name, focus.words, {}};
  for (const std::size_t page : pages) role.pages.push_back(scrape.pages[page].path);
  return role;
}

std::vector<std::size_t> indices_of(const std::vector<std::string>& paths, const Scrape& scrape) {
  std::vector<std::size_t> indices;
  for (const std::string& path : paths) {
    const auto found = std::ranges::find(scrape.pages, path, &Page::path);
    if (found != scrape.pages.end()) {
      indices.push_back(static_cast<std::size_t>(found - scrape.pages.begin()));
    }
  }
  return indices;
}

}  // namespace

Roles make_roles(const model::Call& call, const std::string& topic, const Scrape& scrape) {
  Roles roles{topic.empty() ? scrape.title : topic, {}};
  const Ranking ranking{scrape};
  const auto weight = ranking.relevance(roles.topic);
  std::vector<std::size_t> relevant(scrape.pages.size());
  std::iota(relevant.begin(), relevant.end(), 0U);
  std::erase_if(relevant, [&](std::size_t page) { return weight[page] == 0; });
  const auto offers = focuses(scrape, ranking, relevant);
  if (offers.empty()) {
    throw OffTopic(fmt::format("the {} pages of the site say too little about '{}'",
                               scrape.pages.size(), roles.topic));
  }
  Json candidates = Json::array();
  for (std::size_t i = 0; i < offers.size(); ++i) {
    Json pages = Json::array();
    for (const std::size_t page : offers[i].pages) {
      pages.push_back({{"page", page}, {"weight", weight[page]}});
    }
    candidates.push_back({{"id", i}, {"focus", offers[i].words}, {"pages", std::move(pages)}});
  }
  const model::Task task{
      "roles",
      "Choose up to `limit` of the candidates as the focus of one researcher each, so that "
      "together "
      "they cover the topic with as little overlap as possible. Name each researcher.",
      Json{{"topic", roles.topic}, {"limit", most_roles}, {"candidates", std::move(candidates)}}
          .dump(),
      R"({"roles":[{"candidate":0,"name":"Security researcher"}]})"};
  roles.roles = model::ask(call, task, [&](const Json& answer) {
    std::vector<Role> chosen;
    for (const Json& one : answer.at("roles")) {
      const Focus& focus = offered(task.name, offers, one.at("candidate"));
      const bool twice = std::ranges::find(chosen, focus.words, &Role::focus) != chosen.end();
      if (twice || chosen.size() == most_roles) continue;
      chosen.push_back(
          role_of(one.at("name").get<std::string>(), focus, roles.topic, scrape, ranking));
    }
    if (chosen.empty()) misfit(task.name, "no role");
    return chosen;
  });
  return roles;
}

std::vector<Goal> find_goals(const model::Call& call, const Roles& roles, const Scrape& scrape) {
  constexpr std::size_t phrases_offered = 16;
  const Ranking ranking{scrape};
  std::vector<std::vector<std::string>> offers;
  Json asked = Json::array();
  for (std::size_t i = 0; i < roles.roles.size(); ++i) {
    const Role& role = roles.roles[i];
    offers.push_back(ranking.phrases(indices_of(role.pages, scrape), phrases_offered));
    asked.push_back(
        {{"id", i}, {"name", role.name}, {"focus", role.focus}, {"phrases", offers.back()}});
  }
  const model::Task task{
      "goals",
      "For each role state the one question about the topic that it is to answer, and choose by "
      "their positions up to two of its phrases to look for.",
      Json{{"topic", roles.topic}, {"roles", std::move(asked)}}.dump(),
      R"({"goals":[{"role":0,"question":"How …?","phrases":[0,3]}]})"};
  return model::ask(call, task, [&](const Json& answer) {
    std::vector<Goal> goals;
    for (const Json& one : answer.at("goals")) {
      const Role& role = offered(task.name, roles.roles, one.at("role"));
      Goal goal{fmt::format("goal-{}", goals.size() + 1),
                role.name,
                one.at("question").get<std::string>(),
                {role.focus}};
      for (const Json& phrase : one.at("phrases")) {
        goal.phrases.push_back(
            offered(task.name, offers[one.at("role").get<std::size_t>()], phrase));
      }
      goals.push_back(std::move(goal));
    }
    if (goals.empty()) misfit(task.name, "no goal");
    return goals;
  });
}

std::vector<Step> make_plan(const model::Call& call, const Roles& roles,
                            const std::vector<Goal>& goals) {
  Json asked = Json::array();
  for (std::size_t i = 0; i < goals.size(); ++i) {
    asked.push_back({{"id", i}, {"question", goals[i].question}, {"phrases", goals[i].phrases}});
  }
  const model::Task task{
      "plan",
      "Plan the steps that answer the goals' questions, at most two for each goal. A step seeks "
      "`reports` (how things are or went) or `advice` (what to do). Say each in a sentence.",
      Json{{"topic", roles.topic}, {"goals", std::move(asked)}}.dump(),
      R"({"steps":[{"goal":0,"seek":"reports","task":"Collect …"}]})"};
  return model::ask(call, task, [&](const Json& answer) {
    std::vector<Step> steps;
    for (const Json& one : answer.at("steps")) {
      const Goal& goal = offered(task.name, goals, one.at("goal"));
      const auto role = std::ranges::find(roles.roles, goal.role, &Role::name);
      const auto seek = one.at("seek").get<std::string>();
      if (seek != "reports" && seek != "advice") misfit(task.name, "seeks " + seek);
      steps.push_back({fmt::format("step-{}", steps.size() + 1), goal.id, seek,
                       one.at("task").get<std::string>(), goal.phrases, role->pages});
    }
    if (steps.empty()) misfit(task.name, "no step");
    return steps;
  });
}

}  // namespace research
