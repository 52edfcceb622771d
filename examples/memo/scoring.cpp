// The score is a sum that a reader can repeat: counts of the two checks before it, nothing else.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "memo/memo_text.hpp"
#include "memo/stages.hpp"

namespace memo {
namespace {

constexpr double most_with_a_flaw = 7.9;
constexpr int fewest_statements = 3;

ScoreTerm term(std::string name, int part, int whole, double points) {
  const double share = whole > 0 ? static_cast<double>(part) / whole : 1.0;
  return {std::move(name), part, whole, points, std::round(share * points * 100) / 100};
}

/// Sections of the briefs that are there and say something, if only that the sources do not.
int sections_there(const std::vector<Section>& sections, const std::vector<Brief>& briefs) {
  return static_cast<int>(std::ranges::count_if(briefs, [&](const Brief& brief) {
    const auto section = std::ranges::find(sections, brief.key, &Section::key);
    return section != sections.end() && !statements(section->markdown, {}).empty();
  }));
}

/// Questions that no section lists as open.
int answered(const std::vector<Section>& sections, const std::vector<Brief>& briefs) {
  std::string memo;
  for (const auto& section : sections) memo += section.markdown;
  int count = 0;
  for (const auto& brief : briefs) {
    count += static_cast<int>(std::ranges::count_if(
        brief.parts, [&](const Part& part) { return memo.find(silence_item(part)) == memo.npos; }));
  }
  return count;
}

int asked(const std::vector<Brief>& briefs) {
  int count = 0;
  for (const auto& brief : briefs) count += static_cast<int>(brief.parts.size());
  return count;
}

std::string review_of(const Validation& validation) {
  std::string text = fmt::format(
      "\n## Review\n\nScore: {:.1f} of 10. It counts what can be checked without "
      "understanding; whether the memo is right, a reader has to judge.\n\n",
      validation.overall_score.value_or(0.0));
  for (const auto& term : validation.terms) {
    text += fmt::format("- {}: {} of {}, {:.2f} of {:.0f} points\n", term.name, term.part,
                        term.whole, term.earned, term.points);
  }
  for (const auto& cap : validation.caps)
    text += fmt::format("- At most {} points: {}\n", most_with_a_flaw, cap);
  if (validation.fact_check_results) {
    for (const auto& statement : validation.fact_check_results->doubted) {
      text += fmt::format("- Doubted: {}\n", statement);
    }
  }
  return text;
}

}  // namespace

Validation validate(const Validation& before, const std::vector<Section>& sections,
                    const std::vector<Brief>& briefs) {
  const auto citations = before.citation_validation.value_or(CitationValidation{});
  const auto facts = before.fact_check_results.value_or(FactCheck{});
  const int there = sections_there(sections, briefs);
  Validation result = before;
  result.terms = {
      term("statements with a citation", citations.cited, citations.statements, 2),
      term("citations that lead to what they say", citations.resolved, citations.citations, 2),
      term("statements whose numbers stand in what they cite", facts.numbers_stand,
           facts.statements, 3),
      term("statements whose names stand in what they cite", facts.names_stand, facts.statements,
           1),
      term("sections that are there", there, static_cast<int>(briefs.size()), 1),
      term("questions that are not left open", answered(sections, briefs), asked(briefs), 1)};
  result.caps.clear();
  for (const auto& broken : citations.broken) {
    result.caps.push_back(
        fmt::format("{}, cited for “{}”: {}", broken.citation, broken.statement, broken.why));
  }
  for (const auto& one : facts.unbacked) {
    if (one.numbers.empty()) continue;
    result.caps.push_back(fmt::format("{} stands in nothing that is cited for “{}”",
                                      fmt::join(one.numbers, ", "), one.statement));
  }
  if (there < static_cast<int>(briefs.size()))
    result.caps.emplace_back("a section is missing or empty");
  if (citations.statements < fewest_statements) {
    result.caps.push_back(fmt::format("there are only {} statements", citations.statements));
  }
  double sum = 0;
  for (const auto& one : result.terms) sum += one.earned;
  const double score = std::floor(sum * 10 + 1e-6) / 10;
  result.overall_score = result.caps.empty() ? score : std::min(score, most_with_a_flaw);
  return result;
}

MemoState finalize(const Request& request, const Deck& deck, const Research& research,
                   const std::vector<Brief>& briefs, const Text& header,
                   const std::vector<Section>& sections, const Text& draft,
                   const Validation& validation) {
  return {request, deck,     research,   {briefs},
          header,  sections, validation, draft.markdown + review_of(validation)};
}

}  // namespace memo
