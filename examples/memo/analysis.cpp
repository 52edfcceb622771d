#include <algorithm>
#include <set>

#include "memo/outline.hpp"
#include "memo/prose.hpp"
#include "memo/ranking.hpp"
#include "memo/stages.hpp"
#include "memo/tasks.hpp"

namespace memo {
namespace {

constexpr std::size_t research_limit = 5;  // findings per question in the research …
constexpr std::size_t brief_limit = 3;     // … and in a section

Question question_for(const Topic& topic, std::vector<Candidate> candidates, std::size_t limit) {
  return {topic.question, std::move(candidates), limit, topic.signs};
}

std::vector<Candidate> candidates(const std::vector<Passage>& passages) {
  std::vector<Candidate> out;
  for (const auto& passage : passages) {
    out.push_back({passage.text, passage.source, passage.heading});
  }
  return out;
}

std::vector<Candidate> candidates(const std::vector<Finding>& findings, const Topic& topic,
                                  const Corpus& corpus) {
  std::vector<Candidate> out;
  for (const auto& finding : findings) {
    if (finding.topic != topic.id) continue;
    out.push_back(
        {finding.quote, finding.source, corpus.heading_of(finding.source, finding.quote)});
  }
  return out;
}

void append_new(std::vector<Candidate>& to, const std::vector<Candidate>& from) {
  for (const auto& candidate : from) {
    if (std::ranges::find(to, candidate.text, &Candidate::text) == to.end()) {
      to.push_back(candidate);
    }
  }
}

std::vector<Candidate> search(const Corpus& corpus, const Topic& topic, std::size_t limit) {
  return candidates(corpus.find({topic.query, topic.signs, limit}));
}

std::vector<Finding> chosen(const Topic& topic, const std::vector<std::size_t>& picks,
                            const Question& question) {
  std::vector<Finding> findings;
  for (const auto index : picks) {
    const auto& candidate = question.candidates[index];
    findings.push_back({topic.id, candidate.text, candidate.source});
  }
  return findings;
}

std::vector<Topic> all_topics(const Request& request) {
  std::vector<Topic> topics;
  for (const auto& plan : outline(request)) {
    topics.insert(topics.end(), plan.topics.begin(), plan.topics.end());
  }
  return topics;
}

/// Files findings under their topics. A sentence is used once; only the summary may repeat it. Each
/// topic takes its best one before any takes a second.
class Gathering {
 public:
  void add(const std::vector<std::vector<Finding>>& found, std::size_t limit) {
    std::vector<std::vector<Finding>> taken(found.size());
    const auto longest = std::ranges::max(found, {}, &std::vector<Finding>::size).size();
    for (std::size_t rank = 0; rank < longest; ++rank) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (rank < found[i].size() && taken[i].size() < limit) take(found[i][rank], taken[i]);
      }
    }
    for (const auto& part : taken) findings.insert(findings.end(), part.begin(), part.end());
  }

  std::vector<Finding> findings;
  std::vector<std::string> silent;

 private:
  void take(const Finding& finding, std::vector<Finding>& taken) {
    if (finding.topic.starts_with("summary.") || is_new(finding)) taken.push_back(finding);
  }

  bool is_new(const Finding& finding) {
    const auto parts = sentences(finding.quote);
    if (std::ranges::any_of(parts, [&](const auto& part) { return used_.contains(part); })) {
      return false;
    }
    used_.insert(parts.begin(), parts.end());
    return true;
  }

  std::set<std::string> used_;
};

/// Asks all questions in one call and gathers the answers.
Gathering gather(const model::Call& call, const std::string& purpose,
                 const std::vector<Topic>& topics, const std::vector<Question>& questions,
                 std::size_t limit, const std::string& subject = {}) {
  const auto picks = pick(call, purpose, questions, subject);
  Gathering gathering;
  std::vector<std::vector<Finding>> found;
  for (std::size_t i = 0; i < topics.size(); ++i) {
    found.push_back(chosen(topics[i], picks[i], questions[i]));
  }
  if (!found.empty()) gathering.add(found, limit);
  for (const auto& topic : topics) {
    const bool answered = std::ranges::any_of(
        gathering.findings, [&](const Finding& finding) { return finding.topic == topic.id; });
    if (!answered) gathering.silent.push_back(topic.id);
  }
  return gathering;
}

/// Puts findings in reading order: sources as ranked, each source's sentences as it has them.
void put_in_reading_order(std::vector<Finding>& findings, const Corpus& corpus) {
  std::vector<std::string> ranked;
  for (const auto& finding : findings) ranked.push_back(finding.source);
  std::ranges::stable_sort(findings, {}, [&](const Finding& finding) {
    return std::pair{std::ranges::find(ranked, finding.source) - ranked.begin(),
                     corpus.body(finding.source).find(finding.quote)};
  });
}

void add_part(SectionBrief& brief, const Topic& topic, const std::vector<Finding>& findings,
              const Corpus& corpus) {
  Part part{topic.heading, topic.question, {}};
  std::ranges::copy_if(findings, std::back_inserter(part.findings),
                       [&](const Finding& finding) { return finding.topic == topic.id; });
  if (part.findings.empty()) return brief.silent.push_back(to_lower_first(topic.heading));
  put_in_reading_order(part.findings, corpus);
  brief.parts.push_back(std::move(part));
}

/// What research found for this topic, then what it has not used elsewhere.
std::vector<Candidate> candidates_for(const Topic& topic, const Research& research,
                                      const Corpus& corpus) {
  auto out = candidates(research.findings, topic, corpus);
  auto more = search(corpus, topic, 8);
  std::erase_if(more, [&](const Candidate& candidate) {
    return std::ranges::any_of(research.findings, [&](const Finding& finding) {
      return finding.quote.find(candidate.text) != std::string::npos ||
             candidate.text.find(finding.quote) != std::string::npos;
    });
  });
  append_new(out, more);
  return out;
}

std::string heading_of(const Research& research, const std::string& id) {
  const auto topic = std::ranges::find(research.asked, id, &Topic::id);
  return topic == research.asked.end() ? id : to_lower_first(topic->heading);
}

std::string question_of(const Research& research, const std::string& id) {
  const auto topic = std::ranges::find(research.asked, id, &Topic::id);
  return topic == research.asked.end() ? id : topic->question;
}

/// How far the sources reach, in the memo's own words.
std::vector<std::string> reach(const Research& research) {
  const auto asked = research.asked.size();
  std::vector<std::string> silent;
  for (const auto& id : research.silent) silent.push_back(heading_of(research, id));
  std::string counts = "The sources answer " + std::to_string(asked - silent.size()) + " of the " +
                       std::to_string(asked) + " questions that this memo asks.";
  if (silent.empty()) return {std::move(counts)};
  return {std::move(counts), "They say nothing about " + listed(silent) + "."};
}

std::string verdict(const Request& request, const Research& research) {
  const bool no_terms = std::ranges::none_of(
      research.findings, [](const Finding& finding) { return finding.topic == "funding.terms"; });
  if (request.mode == "justify") {
    return no_terms ? "The sources do not show on which terms the decision was taken, so it can be "
                      "justified only on the points above."
                    : "The decision can be checked against the points above.";
  }
  return no_terms ? "The sources name no terms of an investment, so neither a commitment nor a "
                    "refusal can rest on them."
                  : "The sources name terms, so the points above can be weighed against them.";
}

/// What the memo itself concludes, and what is still to be asked.
std::vector<std::string> conclusions(const Request& request, const Research& research) {
  std::vector<std::string> remarks{verdict(request, research)};
  if (research.silent.empty()) return remarks;
  remarks.push_back("Before a decision, these questions need an answer from the company:");
  for (const auto& id : research.silent) remarks.push_back("- " + question_of(research, id));
  return remarks;
}

}  // namespace

Deck analyze_deck(const model::Call& call, const Request& request,
                  const std::vector<std::string>& files, const Sources& sources) {
  const Sources deck = only(sources, files.empty() ? default_deck(sources) : files);
  const Corpus corpus{deck};
  const auto topics = deck_topics(request);
  std::vector<Question> questions;
  for (const auto& topic : topics) {
    questions.push_back(question_for(topic, search(corpus, topic, 10), 2));
  }
  auto found =
      gather(call, "Read the pitch deck of " + request.company + ".", topics, questions, 2);
  Deck result{request.company, {}, std::move(found.findings), std::move(found.silent)};
  for (const auto& source : deck) result.files.push_back(source.path);
  return result;
}

Research research(const model::Call& call, const Request& request, const Deck& deck,
                  const Sources& sources) {
  const Corpus corpus{sources};
  const auto topics = all_topics(request);
  std::vector<Question> questions;
  for (const auto& topic : topics) {
    auto found = candidates(deck.findings, topic, corpus);
    append_new(found, search(corpus, topic, 16));
    questions.push_back(question_for(topic, std::move(found), 2 * research_limit));
  }
  auto found = gather(call, "Research " + request.company + " for an investment memo.", topics,
                      questions, research_limit);
  Research result{request.company, topics, std::move(found.findings), std::move(found.silent), {}};
  for (const auto& source : sources) result.sources.push_back(source.path);
  return result;
}

SectionBrief research_section(const model::Call& call, const Request& request,
                              const SectionPlan& plan, const Research& research,
                              const Sources& sources) {
  const Corpus corpus{sources};
  std::vector<Question> questions;
  for (const auto& topic : plan.topics) {
    questions.push_back(question_for(topic, candidates_for(topic, research, corpus), brief_limit));
  }
  auto found = gather(call, "Choose what belongs in the section '" + plan.title + "'.", plan.topics,
                      questions, brief_limit, plan.key);
  SectionBrief brief{plan.key, plan.title, {}, {}, {}};
  for (const auto& topic : plan.topics) add_part(brief, topic, found.findings, corpus);
  if (plan.key == "summary") brief.remarks = reach(research);
  if (plan.key == "recommendation") brief.remarks = conclusions(request, research);
  return brief;
}

SectionResearch research_sections(const model::Call& call, const Request& request,
                                  const std::vector<SectionPlan>& plans, const Research& research,
                                  const Sources& sources) {
  SectionResearch result;
  for (const auto& plan : plans) {
    result.sections.push_back(research_section(call, request, plan, research, sources));
  }
  return result;
}

}  // namespace memo
