// The score: from counts alone, each term with its points, and what keeps it below the mark at
// which no person has to look.
#include <algorithm>

#include <fmt/format.h>

#include "memo/stages.hpp"

namespace memo {
namespace {

constexpr double best_unsupported = 7.9;  ///< with a statement that its source does not back
constexpr int enough_answers = 3;         ///< one question in so many: a short deck can be honest

/// A part of the score: `part` of `whole` earn that share of `points`.
struct Term {
  const char* what;
  int part;
  int whole;
  int points;
  int share;  ///< thousandths
};

/// part / whole in thousandths; of nothing there is no share.
int share(int part, int whole) { return whole == 0 ? 0 : std::min(1000, 1000 * part / whole); }

Term term(const char* what, int part, int whole, int points) {
  return {what, part, whole, points, share(part, whole)};
}

/// All answers count, but the first third counts most.
std::vector<Term> answers(const SectionResearch& research) {
  int asked = 0;
  int answered = 0;
  for (const auto& brief : research.sections) {
    answered += static_cast<int>(brief.parts.size());
    asked += static_cast<int>(brief.parts.size() + brief.silent.size());
  }
  Term most = term("Questions answered, a third of them being enough", answered, asked, 2);
  most.share = share(enough_answers * answered, asked);
  return {term("Questions answered", answered, asked, 1), most};
}

/// Without figures none is wrong.
Term figures(const FactCheck& facts, const CitationValidation& citations) {
  Term result = term("Statements with figures that hold", facts.supported, facts.checked, 3);
  if (facts.checked == 0 && citations.cited > 0) result.share = 1000;
  return result;
}

std::vector<Term> terms_of(const CitationValidation& citations, const FactCheck& facts,
                           const SectionResearch& research) {
  const int statements = citations.cited + static_cast<int>(citations.uncited.size());
  std::vector<Term> terms = answers(research);
  terms.push_back(term("Citations that hold", citations.valid, citations.cited, 3));
  terms.push_back(figures(facts, citations));
  terms.push_back(term("Statements with a citation", citations.cited, statements, 1));
  return terms;
}

std::string line_of(const Term& term) {
  return fmt::format("{}: {} of {}, {:.2f} of {} points", term.what, term.part, term.whole,
                     term.points * term.share / 1000.0, term.points);
}

/// Statements that keep the score below the mark.
std::vector<std::string> unsupported(const CitationValidation& citations, const FactCheck& facts) {
  std::vector<std::string> found;
  for (const auto& fact : facts.facts) {
    if (!fact.supported) found.push_back("figures not in the source: " + fact.statement);
  }
  for (const auto& invalid : citations.invalid) {
    found.push_back(invalid.reason + ": " + invalid.statement);
  }
  return found;
}

}  // namespace

Validation validate(const Validation& before, const SectionResearch& research,
                    const std::vector<Section>& sections) {
  const auto citations = before.citation_validation.value_or(CitationValidation{});
  const auto facts = before.fact_check_results.value_or(FactCheck{});
  Validation after = before;
  after.remarks.clear();
  int points = 0;  // in thousandths
  for (const Term& term : terms_of(citations, facts, research)) {
    points += term.points * term.share;
    after.remarks.push_back(line_of(term));
  }
  double score = points / 100 / 10.0;
  const auto doubts = unsupported(citations, facts);
  if (!doubts.empty()) {
    score = std::min(score, best_unsupported);
    after.remarks.push_back(
        fmt::format("At most {:.1f}, because {} of the statements are not backed by their source:",
                    best_unsupported, doubts.size()));
    after.remarks.insert(after.remarks.end(), doubts.begin(), doubts.end());
  }
  const auto silent = std::ranges::count_if(sections, is_silent);
  after.remarks.push_back(
      fmt::format("Sections without a statement: {} of {}, no points", silent, sections.size()));
  after.overall_score = score;
  return after;
}

}  // namespace memo
