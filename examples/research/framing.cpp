// Phases 0.5 to 2: from pages and a topic to a plan.
#include <algorithm>
#include <map>
#include <set>

#include "model/asking.hpp"
#include "research/clusters.hpp"
#include "research/phases.hpp"
#include "research/text.hpp"
#include "research/units.hpp"

namespace research {
namespace {

using model::Misfit;
using model::offered;
using Json = nlohmann::json;

constexpr std::size_t most_roles = 4;

Finding finding_of(std::size_t place, const Evidence& evidence, const Scrape& scrape) {
  const Unit& unit = evidence.units()[place];
  const Page& page = scrape.pages[unit.page];
  Finding finding;
  finding.quote = unit.text;
  finding.columns = unit.columns;
  finding.heading = unit.heading;
  finding.path = page.path;
  finding.url = page.url;
  finding.title = page.title;
  finding.date = page.date;
  finding.written = unit.date;
  finding.place = place;
  finding.passage = unit.passage;
  finding.weight = evidence.prominence(place);
  finding.seek = kind_of(unit) == Seek::advice ? "advice" : "reports";
  finding.page_words = evidence.words_of_page(unit.page);
  finding.newer = evidence.newer_than(place);
  return finding;
}

/// What a report quotes, with its rank, and of that what corrects the rest.
struct Quotable {
  std::map<std::size_t, std::size_t> units;
  std::set<std::size_t> corrections;
};

Quotable choose(const Evidence& evidence, const std::vector<std::size_t>& relevant) {
  Quotable found;
  std::vector<std::size_t> all;
  std::size_t rank = 0;
  for (const auto& together : evidence.chosen(relevant)) {
    ++rank;
    for (const std::size_t unit : together) found.units.emplace(unit, rank);
    all.insert(all.end(), together.begin(), together.end());
  }
  const auto corrections = evidence.corrections(all);
  found.corrections.insert(corrections.begin(), corrections.end());
  return found;
}

/// A report has less than half of the words of its site, or a few words about a site of a few
/// lines.
std::size_t most_words_on(const Scrape& scrape) {
  constexpr std::size_t few_words = 120;
  constexpr std::size_t margin = 3;
  std::size_t words = 0;
  for (const Page& page : scrape.pages) {
    for (const Passage& passage : page.passages) words += count_words(passage);
  }
  return std::max(few_words, words / 2 - std::min<std::size_t>(words / 2, margin));
}

/// What was not chosen for the report counts so many times less: it comes after all that was.
constexpr std::size_t second_choice = 1000;

/// A role may quote as much of its cluster as was chosen of it for the whole report. What corrects
/// something has the most weight: a report without it would state what is no longer so.
Role role_of(const std::string& name, const Cluster& cluster, const Evidence& evidence,
             const Quotable& chosen, const Scrape& scrape) {
  Role role{name, cluster.label, {}, {}};
  std::size_t heaviest = 0;
  for (const std::size_t unit : cluster.units) {
    role.evidence.push_back(finding_of(unit, evidence, scrape));
    heaviest = std::max(heaviest, role.evidence.back().weight);
    std::size_t& words =
        role.evidence.back().seek == "advice" ? role.words.advice : role.words.reports;
    const auto found = chosen.units.find(unit);
    if (found == chosen.units.end()) continue;
    words += evidence.units()[unit].words;
    role.evidence.back().rank = found->second;
  }
  for (std::size_t i = 0; i < cluster.units.size(); ++i) {
    if (chosen.corrections.contains(cluster.units[i])) role.evidence[i].weight = heaviest;
    if (!chosen.units.contains(cluster.units[i])) role.evidence[i].weight /= second_choice;
  }
  return role;
}

/// What a report quotes and a half more, for a provider to choose among.
std::vector<std::size_t> pool_of(const std::vector<std::size_t>& relevant,
                                 const std::map<std::size_t, std::size_t>& chosen) {
  std::vector<std::size_t> pool;
  std::size_t others = 0;
  for (const std::size_t unit : relevant) {
    if (chosen.contains(unit) || others++ * 2 < chosen.size()) pool.push_back(unit);
  }
  for (const auto& [unit, rank] : chosen) {  // those that correct what is relevant
    if (std::ranges::find(pool, unit) == pool.end()) pool.push_back(unit);
  }
  return pool;
}

Json cluster_json(std::size_t id, const Cluster& cluster, const Evidence& evidence,
                  const Scrape& scrape) {
  std::set<std::string> pages;
  std::size_t weight = 0;
  for (const std::size_t unit : cluster.units) {
    pages.insert(scrape.pages[evidence.units()[unit].page].title);
    weight += evidence.weight(unit);
  }
  return {{"id", id}, {"focus", cluster.label}, {"weight", weight}, {"pages", pages}};
}

}  // namespace

Roles make_roles(const model::Call& call, const std::string& topic, const Scrape& scrape) {
  const Evidence evidence{scrape, topic};
  Roles roles{topic.empty() ? scrape.title : topic,
              {},
              evidence.silent(),
              scrape.notes,
              most_words_on(scrape)};
  const auto relevant = evidence.relevant();
  const Quotable chosen = choose(evidence, relevant);
  const auto offers = clusters_of(scrape, evidence, pool_of(relevant, chosen.units), most_roles);
  if (offers.empty()) {
    throw OffTopic(resumable::Errc::stage_failed,
                   {.what = fmt::format("the {} pages of the site say too little about '{}'",
                                        scrape.pages.size(), roles.topic),
                    .kept = "the pages that were read",
                    .next = "ask in other or more general words that the site uses, or name a site "
                            "that has pages about it; then type"});
  }
  Json candidates = Json::array();
  for (std::size_t i = 0; i < offers.size(); ++i) {
    candidates.push_back(cluster_json(i, offers[i], evidence, scrape));
  }
  const model::Task task{
      "roles",
      "Choose up to `limit` of the candidates as the focus of one researcher each, all that bear "
      "on "
      "the topic. Name each researcher.",
      Json{{"topic", roles.topic}, {"limit", most_roles}, {"candidates", std::move(candidates)}}
          .dump(),
      R"({"roles":[{"candidate":0,"name":"Security researcher"}]})"};
  roles.roles = model::ask(call, task, [&](const Json& answer) {
    std::vector<Role> taken;
    for (const Json& one : answer.at("roles")) {
      const Cluster& focus = offered(offers, one.at("candidate"));
      const bool twice = std::ranges::find(taken, focus.label, &Role::focus) != taken.end();
      if (twice || taken.size() == most_roles) continue;
      taken.push_back(role_of(one.at("name").get<std::string>(), focus, evidence, chosen, scrape));
    }
    if (taken.empty()) throw Misfit{"no role"};
    return taken;
  });
  return roles;
}

std::vector<Goal> find_goals(const model::Call& call, const Roles& roles) {
  constexpr std::size_t phrases_offered = 16;
  ::text::Index index;
  for (const Role& role : roles.roles) {
    for (const Finding& finding : role.evidence) index.add(terms(finding.quote));
  }
  std::vector<std::vector<std::string>> offers;
  Json asked = Json::array();
  for (std::size_t i = 0; i < roles.roles.size(); ++i) {
    const Role& role = roles.roles[i];
    std::vector<std::string> texts;
    for (const Finding& finding : role.evidence) texts.push_back(finding.quote);
    offers.push_back(phrases_of(texts, index, phrases_offered));
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
      const Role& role = offered(roles.roles, one.at("role"));
      Goal goal{fmt::format("goal-{}", goals.size() + 1),
                role.name,
                one.at("question").get<std::string>(),
                {role.focus}};
      for (const Json& phrase : one.at("phrases")) {
        goal.phrases.push_back(offered(offers[one.at("role").get<std::size_t>()], phrase));
      }
      goals.push_back(std::move(goal));
    }
    if (goals.empty()) throw Misfit{"no goal"};
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
      const Goal& goal = offered(goals, one.at("goal"));
      const auto role = std::ranges::find(roles.roles, goal.role, &Role::name);
      const auto seek = one.at("seek").get<std::string>();
      if (seek != "reports" && seek != "advice") throw Misfit{"seeks " + seek};
      steps.push_back({fmt::format("step-{}", steps.size() + 1), goal.id, seek,
                       one.at("task").get<std::string>(), goal.phrases, role->evidence,
                       seek == "advice" ? role->words.advice : role->words.reports});
    }
    if (steps.empty()) throw Misfit{"no step"};
    return steps;
  });
}

}  // namespace research
