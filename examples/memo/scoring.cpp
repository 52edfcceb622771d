// The score: from counts alone, each term with its points, and what keeps it below the mark at
// which no person has to look.
#include <algorithm>

#include <fmt/format.h>

#include "memo/stages.hpp"

namespace memo {
namespace {

constexpr double below_the_mark = 7.9;  ///< with what a person has to look at
constexpr int enough_answers = 3;       ///< one question in so many: a short deck can be honest

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

/// Questions with an answer of their own, references aside.
int parts_of(const SectionResearch& research) {
  int count = 0;
  for (const auto& brief : research.sections) count += static_cast<int>(brief.parts.size());
  return count;
}

/// All answers count, but the first third counts most, and what the sources leave open need not be
/// answered.
std::vector<Term> answers(const SectionResearch& research, const std::vector<LeftOut>& left_out) {
  const int given = answered(research.sections);
  int asked = given;
  for (const auto& brief : research.sections) asked += static_cast<int>(brief.silent.size());
  Term some = term("Questions answered (a third of them is enough)", given, asked, 1);
  some.share = share(enough_answers * given, asked);
  const int in_place = parts_of(research);
  const int answerable = in_place + static_cast<int>(left_out.size());
  return {
      term("Questions answered", given, asked, 1), some,
      term("Answered in place, of those for which a passage was found", in_place, answerable, 1)};
}

/// Without figures none is wrong.
Term figures(const FactCheck& facts, const CitationValidation& citations) {
  Term result = term("Statements with figures that hold", facts.supported, facts.checked, 3);
  if (facts.checked == 0 && citations.cited > 0) result.share = 1000;
  return result;
}

/// Without statements under questions none is under a wrong one.
Term fitting(const Placing& placing, const CitationValidation& citations) {
  const int far_off = static_cast<int>(placing.far_off.size());
  Term result =
      term("Statements that fit no other question much better, by the words that placed them",
           placing.placed - far_off, placing.placed, 1);
  if (placing.placed == 0 && citations.cited > 0) result.share = 1000;
  return result;
}

std::vector<Term> terms_of(const CitationValidation& citations, const FactCheck& facts,
                           const Placing& placing, std::vector<Term> terms) {
  const int statements = citations.cited + static_cast<int>(citations.uncited.size());
  terms.push_back(term("Citations that hold", citations.valid, citations.cited, 2));
  terms.push_back(fitting(placing, citations));
  terms.push_back(figures(facts, citations));
  terms.push_back(term("Statements with a citation", citations.cited, statements, 1));
  return terms;
}

ScoreTerm scored(const Term& term) {
  return {term.what,   term.part,           term.whole,
          term.points, term.share / 1000.0, term.points * term.share / 1000.0};
}

std::string line_of(const ScoreTerm& term) {
  return fmt::format("{}: {} of {} ({:.2f} of {} {})", term.name, term.part, term.whole,
                     term.points, term.weight, term.weight == 1 ? "point" : "points");
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

/// What the sources hold and the memo does not say.
std::vector<std::string> lines_of(const std::vector<LeftOut>& left_out) {
  std::vector<std::string> lines;
  for (const auto& one : left_out) {
    lines.push_back(fmt::format("left out, though `{}` seems to answer it: {}: {}", one.source,
                                one.heading, one.passage));
  }
  return lines;
}

/// What stands under a question that it hardly fits.
std::vector<std::string> lines_of(const std::vector<Misplaced>& far_off) {
  std::vector<std::string> lines;
  for (const auto& one : far_off) {
    lines.push_back(fmt::format("under “{}”, though it fits “{}” much better: {}", one.heading,
                                one.better, one.statement));
  }
  return lines;
}

/// What answers a question only loosely.
std::vector<std::string> lines_of(const std::vector<LooseAnswer>& loose) {
  std::vector<std::string> lines;
  for (const auto& one : loose) {
    lines.push_back(fmt::format("loose: under “{}”: {}", one.heading, one.passage));
  }
  return lines;
}

std::vector<std::string> lines_of(const std::vector<std::string>& unnamed) {
  std::vector<std::string> lines;
  for (const auto& path : unnamed) lines.push_back(fmt::format("does not name it: `{}`", path));
  return lines;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Caps the score, and says why, and what is meant by that.
void keep_below_the_mark(Validation& after, const std::string& why,
                         const std::vector<std::string>& about = {}) {
  after.overall_score = std::min(*after.overall_score, below_the_mark);
  after.caps.push_back({below_the_mark, why});
  after.remarks.push_back(
      fmt::format("At most {:.1f}, because {}{}", below_the_mark, why, about.empty() ? "." : ":"));
  append(after.remarks, about);
}

/// What earns no points, but caps the score if it is less than that.
void tell(Validation& after, const char* name, auto part, auto whole, const char* least) {
  after.remarks.push_back(fmt::format("{}: {} of {} (no points; the score is at most {:.1f} {})",
                                      name, part, whole, below_the_mark, least));
}

/// Whether the memo says what matters most.
void judge_core(Validation& after, const std::vector<CoreMatter>& core) {
  const auto answered = std::ranges::count(core, true, &CoreMatter::answered);
  const CoreMatter& what = core.front();
  if (!what.answered) {
    keep_below_the_mark(after, "it does not say what the company does");
  }
  if (answered == (what.answered ? 1 : 0) && core.size() > 1) {
    keep_below_the_mark(after, "it says nothing else of what matters most");
  }
  tell(after, "Core questions answered", answered, core.size(),
       "unless the first and one other are");
  for (const auto& matter : core) {
    if (!matter.answered) after.remarks.push_back("core questions left open: " + matter.headings);
  }
}

/// Whether the sources are about the company, and its questions are answered.
void judge_grounds(Validation& after, const Grounds& grounds) {
  if (grounds.sources > 0) {
    if (grounds.naming == 0) {
      keep_below_the_mark(after, "no source that is cited names the company",
                          lines_of(grounds.unnamed));
    }
    tell(after, "Cited sources that name the company", grounds.naming, grounds.sources,
         "if none does");
  }
  if (grounds.answers > 0) {
    if (2 * grounds.firm < grounds.answers) {
      keep_below_the_mark(after, "most answers fit their questions only loosely",
                          lines_of(grounds.loose));
    }
    tell(after, "Answers that fit their question clearly, by its words", grounds.firm,
         grounds.answers, "if fewer than half do");
  }
  if (!grounds.core.empty()) judge_core(after, grounds.core);
}

}  // namespace

Validation validate(const Validation& before, const SectionResearch& research,
                    const std::vector<Section>& sections, const std::vector<LeftOut>& left_out,
                    const Placing& placing, const Grounds& grounds,
                    const std::vector<Conflict>& differing) {
  const auto citations = before.citation_validation.value_or(CitationValidation{});
  const auto facts = before.fact_check_results.value_or(FactCheck{});
  Validation after = before;
  if (after.fact_check_results) {
    auto& conflicts = after.fact_check_results->conflicts;
    conflicts.insert(conflicts.end(), differing.begin(), differing.end());
  }
  after.remarks.clear();
  after.terms.clear();
  after.caps.clear();
  int points = 0;  // in thousandths
  for (const Term& term : terms_of(citations, facts, placing, answers(research, left_out))) {
    points += term.points * term.share;
    after.terms.push_back(scored(term));
    after.remarks.push_back(line_of(after.terms.back()));
  }
  after.remarks.emplace_back(
      "Whether a statement answers the question it stands under is not measured: the words that "
      "placed it are those that judge it");
  after.overall_score = points / 100 / 10.0;
  const auto doubts = unsupported(citations, facts);
  if (!doubts.empty()) {
    keep_below_the_mark(
        after, fmt::format("{} of the statements are not backed by their source", doubts.size()),
        doubts);
  }
  if (2 * static_cast<int>(left_out.size()) > parts_of(research)) {
    keep_below_the_mark(after, "more than a third of what the sources seem to answer is left out",
                        lines_of(left_out));
  } else {
    append(after.remarks, lines_of(left_out));
  }
  if (3 * static_cast<int>(placing.far_off.size()) > placing.placed) {
    keep_below_the_mark(after, "more than a third of the statements stand under a wrong question",
                        lines_of(placing.far_off));
  } else {
    append(after.remarks, lines_of(placing.far_off));
  }
  judge_grounds(after, grounds);
  const auto silent = std::ranges::count_if(sections, is_silent);
  after.remarks.push_back(
      fmt::format("Sections without a statement: {} of {} (not scored)", silent, sections.size()));
  return after;
}

}  // namespace memo
