#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "memo/corrections.hpp"
#include "memo/outline.hpp"
#include "memo/prose.hpp"
#include "memo/ranking.hpp"
#include "memo/stages.hpp"
#include "memo/stemming.hpp"
#include "memo/tasks.hpp"

namespace memo {
namespace {

constexpr std::size_t research_limit = 5;  // findings per question in the research …
constexpr std::size_t wide_search = 16;    // candidates for a question
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

std::vector<Topic> all_topics(const Request& request) {
  std::vector<Topic> topics;
  for (const auto& plan : outline(request)) {
    topics.insert(topics.end(), plan.topics.begin(), plan.topics.end());
  }
  return topics;
}

/// A finding that a topic would take.
struct Pick {
  Finding finding;
  std::int64_t strength;  ///< how many signs of the topic it shows
};

using Picks = std::vector<std::vector<Pick>>;  // a list for each topic, best first

std::int64_t strength_of(const Signs& signs, const Candidate& candidate) {
  return signs.count_in(WordIndex{candidate.text}) +
         (signs.in_heading(WordIndex{candidate.heading}) ? 1 : 0);
}

bool may_repeat(const Finding& finding) { return finding.topic.starts_with("summary."); }

/// Gives each topic one pick, no quote twice: topics ask in order of
/// preference, and a quote stays with the topic whose signs it shows most of
/// (Gale and Shapley, 1962). Returns the pick of each topic; one beyond the end
/// for those that get none.
std::vector<std::size_t> matched(const Picks& picks) {
  std::vector<std::size_t> next(picks.size(), 0);
  std::map<std::string, std::size_t> owner;  // topics by quote
  std::vector<std::size_t> asking(picks.size());
  std::iota(asking.rbegin(), asking.rend(), std::size_t{0});
  while (!asking.empty()) {
    const std::size_t topic = asking.back();
    asking.pop_back();
    if (next[topic] >= picks[topic].size()) continue;
    const Pick& pick = picks[topic][next[topic]];
    if (may_repeat(pick.finding)) continue;
    const auto [held, is_free] = owner.emplace(pick.finding.quote, topic);
    if (is_free) continue;
    const std::size_t rival = held->second;
    const bool wins = pick.strength > picks[rival][next[rival]].strength;
    if (wins) held->second = topic;
    const std::size_t loser = wins ? rival : topic;
    ++next[loser];
    asking.push_back(loser);
  }
  return next;
}

/// Files findings under their topics. A sentence is used once; only the summary
/// may repeat it. Each topic gets one before any takes a second.
class Gathering {
 public:
  void add(const Picks& picks, std::size_t limit) {
    std::vector<std::vector<Finding>> taken(picks.size());
    const auto first = matched(picks);
    for (std::size_t i = 0; i < picks.size(); ++i) {
      if (first[i] < picks[i].size()) take(picks[i][first[i]].finding, taken[i]);
    }
    const auto longest = std::ranges::max(picks, {}, &std::vector<Pick>::size).size();
    for (std::size_t rank = 0; rank < longest; ++rank) {
      for (std::size_t i = 0; i < picks.size(); ++i) {
        if (rank < picks[i].size() && taken[i].size() < limit) {
          take(picks[i][rank].finding, taken[i]);
        }
      }
    }
    for (const auto& part : taken) findings.insert(findings.end(), part.begin(), part.end());
  }

  std::vector<Finding> findings;
  std::vector<std::string> silent;

 private:
  void take(const Finding& finding, std::vector<Finding>& taken) {
    if (std::ranges::find(taken, finding) != taken.end()) return;
    if (may_repeat(finding) || is_new(finding)) taken.push_back(finding);
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

/// Asks all questions in one call and gathers the answers. A topic is silent if
/// nothing was picked for it, not if other topics have taken all that was.
Gathering gather(const model::Call& call, const std::string& purpose,
                 const std::vector<Topic>& topics, const std::vector<Question>& questions,
                 std::size_t limit, const std::string& subject = {}) {
  const auto chosen = pick(call, purpose, questions, subject);
  Gathering gathering;
  Picks picks(topics.size());
  for (std::size_t i = 0; i < topics.size(); ++i) {
    const Signs signs{topics[i].signs};
    for (const auto index : chosen[i]) {
      const Candidate& candidate = questions[i].candidates[index];
      picks[i].push_back(
          {{topics[i].id, candidate.text, candidate.source}, strength_of(signs, candidate)});
    }
    if (chosen[i].empty()) gathering.silent.push_back(topics[i].id);
  }
  if (!picks.empty()) gathering.add(picks, limit);
  return gathering;
}

/// Puts findings in reading order: sources as ranked, each source's sentences
/// as it has them.
void put_in_reading_order(std::vector<Finding>& findings, const Corpus& corpus) {
  std::vector<std::string> ranked;
  for (const auto& finding : findings) ranked.push_back(finding.source);
  std::ranges::stable_sort(findings, {}, [&](const Finding& finding) {
    return std::pair{std::ranges::find(ranked, finding.source) - ranked.begin(),
                     corpus.body(finding.source).find(finding.quote)};
  });
}

/// The topic under which the best candidate for `topic` was filed; null if none
/// was.
const Topic* covering(const Topic& topic, const Research& research, const Corpus& corpus) {
  const Signs signs{topic.signs};
  for (const auto& candidate : search(corpus, topic, wide_search)) {
    if (strength_of(signs, candidate) == 0) break;
    const auto finding = std::ranges::find(research.findings, candidate.text, &Finding::quote);
    if (finding == research.findings.end() || finding->topic == topic.id) continue;
    const auto found = std::ranges::find(research.asked, finding->topic, &Topic::id);
    if (found != research.asked.end()) return &*found;
  }
  return nullptr;
}

/// Where a question has no answer of its own: says under which other one it was
/// answered, or that the sources are silent.
void add_silence(SectionBrief& brief, const Topic& topic, const Research& research,
                 const Corpus& corpus) {
  const bool silent = std::ranges::count(research.silent, topic.id) > 0;
  const Topic* other = silent ? nullptr : covering(topic, research, corpus);
  if (other == nullptr) return brief.silent.push_back(to_lower_first(topic.heading));
  brief.remarks.push_back(topic.heading + ": see “" + other->heading + "”.");
}

void add_part(SectionBrief& brief, const Topic& topic, const std::vector<Finding>& findings,
              const Research& research, const Corpus& corpus) {
  Part part{topic.heading, topic.question, {}};
  std::ranges::copy_if(findings, std::back_inserter(part.findings),
                       [&](const Finding& finding) { return finding.topic == topic.id; });
  if (part.findings.empty()) return add_silence(brief, topic, research, corpus);
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
    return no_terms ? "The sources do not show on which terms the decision was "
                      "taken, so it can be "
                      "justified only on the points above."
                    : "The decision can be checked against the points above.";
  }
  return no_terms ? "The sources name no terms of an investment, so neither a "
                    "commitment nor a "
                    "refusal can rest on them."
                  : "The sources name terms, so the points above can be "
                    "weighed against them.";
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

namespace {

/// Takes out what a later source has corrected.
void drop_corrected(std::vector<Candidate>& candidates, const std::vector<Correction>& corrected) {
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return std::ranges::any_of(corrected, [&](const Correction& correction) {
      return candidate.source == correction.earlier_source &&
             candidate.text.find(correction.earlier_text) != std::string::npos;
    });
  });
}

/// Names both sources where a stated figure corrects another.
void note_corrections(SectionBrief& brief, const std::vector<Finding>& findings,
                      const std::vector<Correction>& corrected) {
  for (const auto& correction : corrected) {
    const bool stated = std::ranges::any_of(findings, [&](const Finding& finding) {
      return finding.source == correction.later_source &&
             finding.quote.find(correction.later_text) != std::string::npos;
    });
    if (!stated) continue;
    brief.remarks.push_back("Of the " + correction.measure + ", `" + correction.earlier_source +
                            "` says " + correction.earlier + "; the later `" +
                            correction.later_source + "` says " + correction.later +
                            ", which is stated here.");
  }
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
  const auto corrected = corrections(corpus, measures(request));
  std::vector<Question> questions;
  for (const auto& topic : topics) {
    auto found = candidates(deck.findings, topic, corpus);
    append_new(found, search(corpus, topic, wide_search));
    drop_corrected(found, corrected);
    questions.push_back(question_for(topic, std::move(found), 2 * research_limit));
  }
  auto found = gather(call, "Research " + request.company + " for an investment memo.", topics,
                      questions, research_limit);
  Research result{request.company, topics, std::move(found.findings), std::move(found.silent), {}};
  for (const auto& source : sources) result.sources.push_back(source.path);
  return result;
}

namespace {

SectionBrief brief_of(const model::Call& call, const SectionPlan& plan, const Research& research,
                      const Corpus& corpus, const std::vector<Correction>& corrected) {
  std::vector<Question> questions;
  for (const auto& topic : plan.topics) {
    auto found = candidates_for(topic, research, corpus);
    drop_corrected(found, corrected);
    questions.push_back(question_for(topic, std::move(found), brief_limit));
  }
  auto found = gather(call, "Choose what belongs in the section '" + plan.title + "'.", plan.topics,
                      questions, brief_limit, plan.key);
  SectionBrief brief{plan.key, plan.title, {}, {}, {}};
  for (const auto& topic : plan.topics) add_part(brief, topic, found.findings, research, corpus);
  note_corrections(brief, found.findings, corrected);
  return brief;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The research with the ids alone that no section answers, those that it found
/// nothing for.
Research with_what_is_silent(Research research, const std::vector<SectionBrief>& briefs) {
  std::erase_if(research.silent, [&](const std::string& id) {
    return std::ranges::any_of(briefs, [&](const SectionBrief& brief) {
      return std::ranges::any_of(brief.parts, [&](const Part& part) {
        return part.question == question_of(research, id);
      });
    });
  });
  return research;
}

}  // namespace

SectionResearch research_sections(const model::Call& call, const Request& request,
                                  const std::vector<SectionPlan>& plans, const Research& research,
                                  const Sources& sources) {
  const Corpus corpus{sources};
  const auto corrected = corrections(corpus, measures(request));
  SectionResearch result;
  for (const auto& plan : plans) {
    result.sections.push_back(brief_of(call, plan, research, corpus, corrected));
  }
  const Research known = with_what_is_silent(research, result.sections);
  for (auto& brief : result.sections) {
    if (brief.key == "summary") append(brief.remarks, reach(known));
    if (brief.key == "recommendation") append(brief.remarks, conclusions(request, known));
  }
  return result;
}

}  // namespace memo
