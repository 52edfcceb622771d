// Phases 3 and 4: from a plan to statements with their sources.
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include "model/asking.hpp"
#include "research/phases.hpp"
#include "research/shortening.hpp"
#include "research/text.hpp"
#include "text/bm25.hpp"

namespace research {
namespace {

using model::Misfit;
using model::offered;
using Json = nlohmann::json;

constexpr std::size_t most_offered = 60;

std::string digest_of(const Step& step, std::size_t offered, const std::vector<Finding>& findings) {
  std::set<std::string> from;
  for (const Finding& finding : findings) from.insert(finding.url);
  return fmt::format("{} ({}) read {} and took {}, from {}.", step.id, step.seek,
                     counted(offered, "passage"), findings.size(), counted(from.size(), "page"));
}

/// The step's evidence of the kind that it seeks, what answers its question best first.
std::vector<Finding> offers_of(const Step& step) {
  ::text::Index index;
  for (const Finding& finding : step.evidence) index.add(terms(finding.quote));
  const auto asked = terms(fmt::format("{}", fmt::join(step.phrases, " ")));
  const std::int64_t best = std::max<std::int64_t>(1, index.best_score(asked));
  std::vector<std::pair<std::int64_t, std::size_t>> ranked;
  for (std::size_t i = 0; i < step.evidence.size(); ++i) {
    const Finding& finding = step.evidence[i];
    if (finding.seek != step.seek) continue;
    const auto words = static_cast<std::int64_t>(20 + research::words(finding.quote).size());
    const std::int64_t answers = 4000 + 1000 * index.score(i, asked) / best;
    ranked.emplace_back(static_cast<std::int64_t>(finding.weight) * answers / words, i);
  }
  std::ranges::stable_sort(ranked, std::greater<>{}, [](const auto& one) { return one.first; });
  std::vector<Finding> offers;
  for (const auto& [value, i] : ranked) {
    if (offers.size() < most_offered) offers.push_back(step.evidence[i]);
  }
  return offers;
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
        findings.push_back({{"id", at},
                            {"seek", result.seek},
                            {"text", finding.quote},
                            {"columns", finding.columns},
                            {"page", finding.title},
                            {"path", finding.path},
                            {"date", finding.written},
                            {"heading", finding.heading},
                            {"place", finding.place},
                            {"passage", finding.passage},
                            {"newer", finding.newer},
                            {"weight", finding.weight}});
      }
    }
    asked.push_back({{"id", i},
                     {"question", goals[i].question},
                     {"phrases", goals[i].phrases},
                     {"findings", std::move(findings)}});
  }
  return asked;
}

/// Statements of an answer; a finding backs one of them and no more.
class Statements {
 public:
  explicit Statements(const std::vector<Finding>& pool) : pool_(pool) {}

  std::vector<Statement> take(const Json& list) {
    std::vector<Statement> taken;
    for (const Json& one : list) {
      const Finding& finding = offered(pool_, one.at("finding"));
      auto text = one.at("text").get<std::string>();
      if (text.empty()) throw Misfit{"an empty statement"};
      if (used_.insert(finding.quote).second) taken.push_back({std::move(text), finding});
    }
    return taken;
  }

 private:
  const std::vector<Finding>& pool_;
  std::set<std::string> used_;
};

}  // namespace

StepResult execute(const model::Call& call, const Step& step) {
  const auto offers = offers_of(step);
  Json candidates = Json::array();
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const Finding& one = offers[i];
    candidates.push_back({{"id", i},
                          {"text", one.quote},
                          {"words", words(one.quote).size()},
                          {"page", one.title},
                          {"heading", one.heading},
                          {"columns", one.columns}});
  }
  StepResult result{step.id, step.goal, step.seek, {}, {}};
  if (!offers.empty()) {
    const model::Task task{
        "execute",
        "Do the step: choose the passages that serve it, best first, none that repeats another, "
        "with `words` words together at most.",
        Json{{"step", step.task}, {"words", step.words}, {"candidates", std::move(candidates)}}
            .dump(),
        R"({"findings":[4,0]})"};
    result.findings = model::ask(call, task, [&](const Json& answer) {
      std::vector<Finding> findings;
      for (const Json& one : answer.at("findings")) {
        const Finding& finding = offered(offers, one);
        const bool twice = std::ranges::find(findings, finding) != findings.end();
        if (!twice) findings.push_back(finding);
      }
      return findings;
    });
  }
  result.digest = digest_of(step, offers.size(), result.findings);
  return result;
}

Synthesis synthesize(const model::Call& call, const Roles& roles, const std::vector<Goal>& goals,
                     const std::vector<StepResult>& results) {
  const auto pool = pool_of(results);
  const model::Task task{
      "synthesize",
      "Write a report on the topic: a lead of the few most telling statements, then a section for "
      "each goal, of paragraphs with one claim each. What several pages say on one thing belongs "
      "into one paragraph, the latest page first. Each statement has the id of the finding that it "
      "rests on and says no more than that; use each finding once, and keep figures and names as "
      "they are.",
      Json{{"topic", roles.topic}, {"goals", goals_json(goals, results, pool)}}.dump(),
      R"({"lead":[{"text":"…","finding":0}],"sections":[{"goal":0,"heading":"…",)"
      R"("paragraphs":[[{"text":"…","finding":1},{"text":"…","finding":2}]]}]})"};
  return model::ask(call, task, [&](const Json& answer) {
    Synthesis made{roles.topic, call.provider.name(), {}, {}, roles.silent, roles.notes, {}};
    made.lead = Statements{pool}.take(answer.at("lead"));
    Statements statements{pool};
    for (const Json& one : answer.at("sections")) {
      const Goal& goal = offered(goals, one.at("goal"));
      Section section{goal.question, one.at("heading").get<std::string>(), {}};
      for (const Json& list : one.at("paragraphs")) {
        Paragraph paragraph{statements.take(list)};
        if (!paragraph.statements.empty()) section.paragraphs.push_back(std::move(paragraph));
      }
      if (!section.paragraphs.empty()) made.sections.push_back(std::move(section));
    }
    for (const StepResult& result : results) made.digests.push_back(result.digest);
    return shortened(made, roles.most_words);
  });
}

}  // namespace research
