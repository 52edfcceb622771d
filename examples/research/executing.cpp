// Phases 3 and 4: from a plan to statements with their sources.
#include <algorithm>
#include <set>

#include "model/asking.hpp"
#include "research/phases.hpp"
#include "research/ranking.hpp"

namespace research {
namespace {

using model::misfit;
using model::offered;
using Json = nlohmann::json;

constexpr std::size_t sentences_offered = 24;
constexpr std::size_t most_findings = 6;

std::string digest_of(const Step& step, std::size_t read, const std::vector<Finding>& findings) {
  std::set<std::string> from;
  for (const Finding& finding : findings) from.insert(finding.url);
  return fmt::format("{} ({}) read {} pages and took {} sentences from {} of them.", step.id,
                     step.seek, read, findings.size(), from.size());
}

/// All findings of the steps, none twice.
std::vector<Finding> pool_of(const std::vector<StepResult>& results) {
  std::vector<Finding> pool;
  std::set<std::string> seen;
  for (const StepResult& result : results) {
    for (const Finding& finding : result.findings) {
      if (seen.insert(finding.quote).second) pool.push_back(finding);
    }
  }
  return pool;
}

Json goals_json(const std::vector<Goal>& goals, const std::vector<StepResult>& results,
                const std::vector<Finding>& pool) {
  Json asked = Json::array();
  std::set<std::size_t> given;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    Json findings = Json::array();
    for (const StepResult& result : results) {
      if (result.goal != goals[i].id) continue;
      for (const Finding& finding : result.findings) {
        const auto at = static_cast<std::size_t>(
            std::ranges::find(pool, finding.quote, &Finding::quote) - pool.begin());
        if (!given.insert(at).second) continue;
        findings.push_back({{"id", at}, {"seek", result.seek}, {"text", finding.quote}});
      }
    }
    asked.push_back({{"id", i},
                     {"question", goals[i].question},
                     {"phrases", goals[i].phrases},
                     {"findings", std::move(findings)}});
  }
  return asked;
}

/// Statements of an answer; a finding backs one statement of the report and no more.
class Statements {
 public:
  explicit Statements(const std::vector<Finding>& pool) : pool_(pool) {}

  std::vector<Statement> take(const Json& list) {
    std::vector<Statement> taken;
    for (const Json& one : list) {
      const Finding& finding = offered("synthesize", pool_, one.at("finding"));
      auto text = one.at("text").get<std::string>();
      if (text.empty()) misfit("synthesize", "an empty statement");
      if (used_.insert(finding.quote).second) taken.push_back({std::move(text), finding});
    }
    return taken;
  }

 private:
  const std::vector<Finding>& pool_;
  std::set<std::string> used_;
};

}  // namespace

StepResult execute(const model::Call& call, const Step& step, const Scrape& scrape) {
  std::vector<std::size_t> pages;
  for (std::size_t i = 0; i < scrape.pages.size(); ++i) {
    const bool here = std::ranges::find(step.pages, scrape.pages[i].path) != step.pages.end();
    if (here) pages.push_back(i);
  }
  const Ranking ranking{scrape};
  const auto seek = step.seek == "advice" ? Seek::advice : Seek::reports;
  const auto offers = ranking.best(step.phrases, pages, sentences_offered, seek);
  Json candidates = Json::array();
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const Page& page = scrape.pages[offers[i]->page];
    candidates.push_back({{"id", i}, {"text", offers[i]->text}, {"page", page.title}});
  }
  StepResult result{step.id, step.goal, step.seek, {}, {}};
  if (!offers.empty()) {
    const model::Task task{
        "execute",
        "Do the step: choose the sentences that serve it, best first, at most `limit`, from "
        "several "
        "pages if possible, none that repeats another.",
        Json{{"step", step.task}, {"limit", most_findings}, {"candidates", std::move(candidates)}}
            .dump(),
        R"({"findings":[4,0]})"};
    result.findings = model::ask(call, task, [&](const Json& answer) {
      std::vector<Finding> findings;
      std::set<const Sentence*> chosen;
      for (const Json& one : answer.at("findings")) {
        const Sentence* sentence = offered(task.name, offers, one);
        if (chosen.size() == most_findings || !chosen.insert(sentence).second) continue;
        const Page& page = scrape.pages[sentence->page];
        findings.push_back({sentence->text, page.url, page.title, page.date});
      }
      return findings;
    });
  }
  result.digest = digest_of(step, pages.size(), result.findings);
  return result;
}

Synthesis synthesize(const model::Call& call, const Roles& roles, const std::vector<Goal>& goals,
                     const std::vector<StepResult>& results) {
  const auto pool = pool_of(results);
  const model::Task task{
      "synthesize",
      "Write a report on the topic: a lead of the few most telling statements, then a section for "
      "each goal. Each statement has the id of the finding that it rests on and says no more than "
      "that; use each finding once, and keep figures and names as they are.",
      Json{{"topic", roles.topic}, {"goals", goals_json(goals, results, pool)}}.dump(),
      R"({"lead":[{"text":"…","finding":0}],"sections":[{"goal":0,"heading":"…",)"
      R"("reports":[{"text":"…","finding":1}],"advice":[{"text":"…","finding":2}]}]})"};
  return model::ask(call, task, [&](const Json& answer) {
    Synthesis made{roles.topic, call.provider.name(), {}, {}, {}};
    Statements statements{pool};
    made.lead = statements.take(answer.at("lead"));
    for (const Json& one : answer.at("sections")) {
      const Goal& goal = offered(task.name, goals, one.at("goal"));
      Section section{goal.question, one.at("heading").get<std::string>(), {}, {}};
      section.reports = statements.take(one.at("reports"));
      section.advice = statements.take(one.at("advice"));
      made.sections.push_back(std::move(section));
    }
    for (const StepResult& result : results) made.digests.push_back(result.digest);
    return made;
  });
}

}  // namespace research
