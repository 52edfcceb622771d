#include <algorithm>

#include "memo/corrections.hpp"
#include "memo/gathering.hpp"
#include "memo/outline.hpp"
#include "memo/papers.hpp"
#include "memo/prose.hpp"
#include "memo/ranking.hpp"
#include "memo/restating.hpp"
#include "memo/stages.hpp"
#include "memo/statements.hpp"
#include "memo/tasks.hpp"
#include "memo/vocabulary.hpp"

namespace memo {
namespace {

constexpr std::size_t research_limit = 5;  // findings per question in the research …
constexpr std::size_t wide_search = 16;    // candidates for a question
constexpr std::size_t brief_limit = 3;     // … and in a section
constexpr std::int64_t near_fit = 50;      // of what is shown as the nearest to an answer

/// With the words that answers often hold, but not their kinds.
Question question_for(const Topic& topic, std::vector<Candidate> candidates, std::size_t limit) {
  auto signs = topic.signs;
  std::erase_if(signs, [](const std::string& sign) {
    return sign.starts_with('@') || sign.starts_with('!');
  });
  return {topic.question, std::move(candidates), limit, std::move(signs)};
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

/// The other topic under which the best candidate for `topic` was filed; null if it was filed
/// nowhere, or is worth little more than what `topic` has.
const Topic* covering(const Topic& topic, const Research& research, const Ranking& ranking) {
  const std::int64_t least = Vocabulary::own().knows(topic.id) ? clear_fit : least_fit;
  std::int64_t own = 0;
  for (const auto& candidate : ranking.filed(topic, research.findings)) {
    own = std::max(own, candidate.score);
  }
  for (const auto& candidate : ranking.best(topic, wide_search)) {
    if (candidate.score < least || candidate.score <= own) break;
    const auto finding = std::ranges::find(research.findings, candidate.text, &Finding::quote);
    if (finding == research.findings.end() || finding->topic == topic.id) continue;
    const auto found = std::ranges::find(research.asked, finding->topic, &Topic::id);
    if (found != research.asked.end()) return &*found;
  }
  return nullptr;
}

/// What puts the figure of another year right goes along with what stands before it.
void add_corrections_behind(std::vector<Finding>& findings, const Corpus& corpus) {
  for (std::size_t i = findings.size(); i-- > 0;) {
    auto behind = correction_behind(findings[i], corpus);
    const bool stated = std::ranges::any_of(findings, [&](const Finding& one) {
      return one.quote.find(behind) != std::string::npos ||
             behind.find(one.quote) != std::string::npos;
    });
    if (behind.empty() || stated) continue;
    findings.push_back({findings[i].topic, std::move(behind), findings[i].source});
  }
}

/// The passage that comes nearest to an answer without being sure enough; none if no one comes
/// near, or a later source gives its figures differently.
std::vector<Finding> nearest(const Topic& topic, const Papers& papers) {
  for (const auto& candidate : papers.ranking.best(topic, wide_search)) {
    if (candidate.score < near_fit) break;
    const auto& [text, source, heading, score] = candidate;
    if (is_corrected(papers.corrected, source, text)) continue;
    if (later_than(papers.corrected, source, text).empty()) return {{topic.id, text, source}};
  }
  return {};
}

void add_part(SectionBrief& brief, const Topic& topic, const std::vector<Finding>& findings,
              const Research& research, const Papers& papers) {
  Part part{topic.heading, topic.question, {}};
  std::ranges::copy_if(findings, std::back_inserter(part.findings),
                       [&](const Finding& finding) { return finding.topic == topic.id; });
  const bool empty = part.findings.empty();
  const Topic* other = covering(topic, research, papers.ranking);
  if (other != nullptr) {
    const auto mark = empty ? see_mark : see_also_mark;
    brief.remarks.push_back(topic.heading + std::string{mark} + other->heading + "”.");
  } else if (empty) {
    brief.silent.push_back(to_lower_first(topic.heading));
    auto found = nearest(topic, papers);
    if (!found.empty()) brief.nearest.push_back({topic.heading, topic.question, std::move(found)});
  }
  if (empty) return;
  add_corrections_behind(part.findings, papers.corpus);
  put_in_reading_order(part.findings, papers.corpus);
  put_later_first(part.findings, papers.corrected, papers.corpus);
  brief.parts.push_back(std::move(part));
}

/// How far the sources reach, in the memo's own words.
std::vector<std::string> reach(std::size_t asked, const std::vector<Topic>& open) {
  std::vector<std::string> remarks{"The memo answers " + std::to_string(asked - open.size()) +
                                   " of the " + std::to_string(asked) + " questions that it asks."};
  std::vector<std::string> headings;
  for (const auto& topic : open) headings.push_back(to_lower_first(topic.heading));
  if (!open.empty()) remarks.push_back("It leaves open: " + listed(headings) + ".");
  return remarks;
}

/// What the memo itself concludes, and what is still to be asked.
std::vector<std::string> conclusions(const Request& request, const std::vector<Topic>& open) {
  if (open.empty()) return {"None of the questions that this memo asks is open."};
  std::vector<std::string> remarks;
  if (std::ranges::find(open, "funding.terms", &Topic::id) != open.end()) {
    remarks.emplace_back(
        request.mode == "justify"
            ? "It is open on which terms the decision was taken, so it can be justified only on "
              "the points above."
            : "The terms of an investment are open, so neither a commitment nor a refusal can rest "
              "on them.");
  }
  remarks.emplace_back("Before a decision, these questions need an answer from the company:");
  for (const auto& topic : open) remarks.push_back("- " + topic.question);
  return remarks;
}

/// Names both sources where a stated figure corrects another.
void note_corrections(SectionBrief& brief, const std::vector<Finding>& findings,
                      const Papers& papers) {
  for (const auto& correction : papers.corrected) {
    const bool stated = correction.sure && !correction.later.empty() &&
                        std::ranges::any_of(findings, [&](const Finding& finding) {
                          return finding.source == correction.later_source &&
                                 finding.quote.find(correction.later_text) != std::string::npos;
                        });
    if (stated) brief.remarks.push_back(note_of(correction, papers.corpus));
  }
}

}  // namespace

Deck analyze_deck(const model::Call& call, const Request& request,
                  const std::vector<std::string>& files, const Sources& sources) {
  const Sources deck = only(sources, files.empty() ? default_deck(sources) : files);
  const Corpus corpus{deck};
  const auto topics = deck_topics(request);
  const Ranking ranking{corpus, all_topics(request)};
  std::vector<Question> questions;
  for (const auto& topic : topics) {
    questions.push_back(question_for(topic, ranking.best(topic, 10), 2));
  }
  auto found =
      gather(call, "Read the pitch deck of " + request.company + ".", topics, questions, 2);
  Deck result{request.company, {}, std::move(found.findings), std::move(found.silent)};
  for (const auto& source : deck) result.files.push_back(source.path);
  return result;
}

Research research(const model::Call& call, const Request& request, const Deck& deck,
                  const Sources& sources) {
  const auto read = papers(request, sources);
  std::vector<Question> questions;
  for (const auto& topic : read->topics) {
    auto found = read->ranking.filed(topic, deck.findings);
    for (auto& one : read->ranking.best(topic, wide_search)) {
      const bool known = std::ranges::count(found, one.text, &Candidate::text) > 0;
      if (!known) found.push_back(std::move(one));
    }
    std::erase_if(found, [&](const Candidate& one) {
      return is_corrected(read->corrected, one.source, one.text);
    });
    questions.push_back(question_for(topic, std::move(found), 2 * research_limit));
  }
  auto found = gather(call, "Research " + request.company + " for an investment memo.",
                      read->topics, questions, research_limit);
  Research result{
      request.company, read->topics, std::move(found.findings), std::move(found.silent), {}};
  for (const auto& source : sources) result.sources.push_back(source.path);
  return result;
}

namespace {

/// A memo is no copy of its sources, however short they are.
std::size_t room_for(const Sources& sources) {
  std::size_t words = 0;
  for (const auto& source : sources) words += words_in(source.text);
  return words * 60 / 100;
}

/// What the sections say of what research found. What has several figures, of which a later paper
/// may give one differently, is no second answer.
Research as_filed(Research research, const Papers& papers, const Sources& sources) {
  const auto all =
      filed(research.asked, papers.ranking, research.findings, {brief_limit, room_for(sources)});
  research.findings.clear();
  for (const auto& one : all) {
    const bool first = research.findings.empty() || research.findings.back().topic != one.topic;
    const bool several = numbers(one.quote).size() > 1;
    if (!first && several && !later_than(papers.corrected, one.source, one.quote).empty()) continue;
    research.findings.push_back(one);
  }
  return research;
}

SectionBrief brief_of(const model::Call& call, const SectionPlan& plan, const Research& research,
                      const Papers& papers) {
  std::vector<Question> questions;
  for (const auto& topic : plan.topics) {
    questions.push_back(
        question_for(topic, papers.ranking.filed(topic, research.findings), brief_limit));
  }
  auto found = gather(call, "Choose what belongs in the section '" + plan.title + "'.", plan.topics,
                      questions, brief_limit, plan.key);
  SectionBrief brief{plan.key, plan.title, {}, {}, {}};
  for (const auto& topic : plan.topics) {
    add_part(brief, topic, found.findings, research, papers);
  }
  note_corrections(brief, found.findings, papers);
  return brief;
}

/// What the sections neither answer nor refer to.
std::vector<Topic> open_topics(std::vector<Topic> asked, const std::vector<SectionBrief>& briefs) {
  std::erase_if(asked, [&](const Topic& topic) {
    return std::ranges::any_of(briefs,
                               [&](const SectionBrief& brief) { return answers(brief, topic); });
  });
  return asked;
}

}  // namespace

SectionResearch research_sections(const model::Call& call, const Request& request,
                                  const std::vector<SectionPlan>& plans, const Research& research,
                                  const Sources& sources) {
  const auto read = papers(request, sources);
  const Research sorted = as_filed(research, *read, sources);
  SectionResearch result;
  for (const auto& plan : plans) {
    result.sections.push_back(brief_of(call, plan, sorted, *read));
  }
  const auto open = open_topics(research.asked, result.sections);
  for (auto& brief : result.sections) {
    const auto more = brief.key == "summary"          ? reach(research.asked.size(), open)
                      : brief.key == "recommendation" ? conclusions(request, open)
                                                      : std::vector<std::string>{};
    brief.remarks.insert(brief.remarks.end(), more.begin(), more.end());
  }
  return result;
}

}  // namespace memo
