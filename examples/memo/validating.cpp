#include <algorithm>

#include "memo/backing.hpp"
#include "memo/figures.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/ranking.hpp"
#include "memo/stages.hpp"
#include "memo/statements.hpp"
#include "memo/table.hpp"
#include "memo/tasks.hpp"

namespace memo {
namespace {

const Citation* find(const std::vector<Citation>& citations, int number) {
  const auto found = std::ranges::find(citations, number, &Citation::number);
  return found == citations.end() ? nullptr : &*found;
}

bool cell_is_in(const std::string& cell, const std::string& source, const Corpus& corpus) {
  return cell.empty() || corpus.holds(source, cell) || source.find(cell) != std::string::npos;
}

bool cells_are_in(const Statement& statement, const std::string& source, const Corpus& corpus) {
  return std::ranges::all_of(statement.cells,
                             [&](const auto& cell) { return cell_is_in(cell, source, corpus); });
}

/// A line like `GitHub: github.com/acme` is backed by the address, not by its words.
bool is_backed_link(const Statement& statement, const std::string& source, const Corpus& corpus) {
  const auto colon = statement.text.rfind(": ");
  return colon != std::string::npos && statement.text.find(' ', colon + 2) == std::string::npos &&
         corpus.holds(source, statement.text.substr(colon + 2));
}

/// Why the citation does not back the statement; empty if it does.
std::string flaw(const Statement& statement, const Citation* citation, const Corpus& corpus) {
  if (citation == nullptr) return "no such citation";
  if (citation->source.empty()) return "the citation names no source";
  if (corpus.body(citation->source).empty()) return "no source " + citation->source;
  if (!statement.cells.empty()) {
    return cells_are_in(statement, citation->source, corpus) ? "" : "a cell is not in the source";
  }
  const auto quote =
      citation->quote.empty() ? std::string{unquoted(statement.text)} : citation->quote;
  if (corpus.holds(citation->source, quote)) return "";
  return is_backed_link(statement, citation->source, corpus) ? "" : "not in the source";
}

bool is_remark(const FinalDraft& draft, const std::string& text) {
  return std::ranges::find(draft.remarks, text) != draft.remarks.end();
}

/// Statements in words of their own, whose quote is real: does the quote say the same?
struct Paraphrase {
  int number;
  Claim claim;
};

void judge_paraphrases(const model::Call& call, const std::vector<Paraphrase>& paraphrases,
                       CitationValidation& result) {
  std::vector<Claim> claims;
  for (const auto& paraphrase : paraphrases) claims.push_back(paraphrase.claim);
  const auto verdicts = judge(call, claims);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i]) {
      ++result.valid;
    } else {
      result.invalid.push_back(
          {paraphrases[i].number, claims[i].text, "the quote does not say this"});
    }
  }
}

class CitationCheck {
 public:
  CitationCheck(const FinalDraft& draft, const Sources& sources)
      : draft_{draft}, corpus_{sources}, citations_{citations(draft.markdown)} {}

  CitationValidation run(const model::Call& call) {
    for (const auto& statement : statements(draft_.markdown)) look_at(statement);
    judge_paraphrases(call, paraphrases_, result_);
    return std::move(result_);
  }

 private:
  void look_at(const Statement& statement) {
    if (statement.citations.empty()) {
      if (!is_remark(draft_, statement.text)) result_.uncited.push_back(statement.text);
      return;
    }
    ++result_.cited;
    for (const int number : statement.citations) {
      const Citation* citation = find(citations_, number);
      const std::string why = flaw(statement, citation, corpus_);
      if (!why.empty()) return result_.invalid.push_back({number, statement.text, why});
    }
    accept(statement);
  }

  void accept(const Statement& statement) {
    const Citation* citation = find(citations_, statement.citations.front());
    if (citation->quote.empty()) {
      ++result_.valid;
    } else {
      paraphrases_.push_back(
          {citation->number, {statement.text, citation->quote, citation->source}});
    }
  }

  const FinalDraft& draft_;
  Corpus corpus_;
  std::vector<Citation> citations_;
  CitationValidation result_;
  std::vector<Paraphrase> paraphrases_;
};

/// Whether `words` are whole sentences or cells of the source.
bool is_verbatim(const std::string& words, std::string_view body) {
  const auto at = body.find(words);
  if (words.empty() || at == npos) return false;
  const bool begins = at == 0 || body[at - 1] == '\n' || body[at - 1] == ' ';
  const bool ends = at + words.size() == body.size() || body[at + words.size()] == '\n' ||
                    words.find_last_of(".!?") + 4 > words.size();
  return begins && ends;
}

/// Whether one row of a table of the source holds the cells, in their order.
bool is_row(const std::vector<std::string>& cells, const Source& source) {
  const auto holds = [&](const std::vector<std::string>& row) {
    std::size_t next = 0;
    for (const auto& cell : row) {
      if (next < cells.size() && plain(cell) == plain(cells[next])) ++next;
    }
    return next == cells.size();
  };
  return std::ranges::any_of(raw_tables_in(source), [&](const Table& table) {
    return std::ranges::any_of(table.rows, holds);
  });
}

/// Looks the figures of statements up.
class FigureCheck {
 public:
  FigureCheck(const FinalDraft& draft, const Sources& sources)
      : sources_{sources}, corpus_{sources}, citations_{citations(draft.markdown)} {}

  /// A fact is supported if the passage that it cites backs every figure of it.
  [[nodiscard]] Fact fact_from(const Statement& statement) const {
    const Citation* citation =
        statement.citations.empty() ? nullptr : find(citations_, statement.citations.front());
    const std::string source = citation == nullptr ? std::string{} : citation->source;
    Fact fact{statement.text, source, figures_written(statement.text), false, {}};
    fact.supported = citation != nullptr && is_backed(statement, *citation);
    return fact;
  }

 private:
  [[nodiscard]] bool is_backed(const Statement& statement, const Citation& citation) const {
    const std::string body{corpus_.body(citation.source)};
    const Source* source = find_source(sources_, citation.source);
    const std::string all = body + '\n' + citation.source;
    if (!statement.cells.empty()) {
      const auto backed = [&](const std::string& cell) {
        return unbacked_figures(cell, all, all).empty();
      };
      return source != nullptr &&
             (is_row(statement.cells, *source) || std::ranges::all_of(statement.cells, backed));
    }
    const std::string words{unquoted(statement.text)};
    if (is_verbatim(words, body)) return true;
    const std::string& text = citation.quote.empty() ? all : citation.quote;
    return unbacked_figures(words, text, all).empty();
  }

  const Sources& sources_;
  Corpus corpus_;
  std::vector<Citation> citations_;
};

std::string in_tenths(double score) {
  const int tenths = static_cast<int>(score * 10 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string conflict_line(const Conflict& conflict) {
  return "- " + conflict.thing + ": " + conflict.first + " (`" + conflict.first_source + "`), " +
         conflict.second + " (`" + conflict.second_source + "`)\n";
}

std::string review_of(const Validation& validation) {
  std::string text = "## Review\n\n";
  if (validation.overall_score) {
    text += "Score: " + in_tenths(*validation.overall_score) +
            " of 10. It counts answers, citations and figures; whether an answer is right is for a "
            "reader to say.\n\n";
  }
  for (const auto& remark : validation.remarks) text += "- " + remark + '\n';
  if (!validation.fact_check_results || validation.fact_check_results->conflicts.empty()) {
    return text + '\n';
  }
  text += "\nFigures that sources give differently:\n\n";
  for (const auto& conflict : validation.fact_check_results->conflicts) {
    text += conflict_line(conflict);
  }
  return text + '\n';
}

std::string with_review(const std::string& memo, const Validation& validation) {
  const auto at = memo.rfind(citations_heading);
  if (at == std::string::npos) return memo + '\n' + review_of(validation);
  return memo.substr(0, at) + review_of(validation) + memo.substr(at);
}

}  // namespace

Validation validate_citations(const model::Call& call, const FinalDraft& draft,
                              const Sources& sources) {
  Validation validation;
  validation.citation_validation = CitationCheck{draft, sources}.run(call);
  return validation;
}

Validation fact_check(const model::Call&, const Validation& before, const FinalDraft& draft,
                      const Sources& sources) {
  const FigureCheck figure_check{draft, sources};
  const Figures figures{sources};
  FactCheck check;
  for (const auto& statement : statements(draft.markdown)) {
    Fact fact = figure_check.fact_from(statement);
    if (fact.numbers.empty() || is_remark(draft, statement.text)) continue;
    ++check.checked;
    check.supported += fact.supported ? 1 : 0;
    fact.also_in = figures.also_in(statement.text, fact.source);
    if (!fact.source.empty()) {
      figures.find_conflicts(statement.text, fact.source, check.conflicts);
    }
    check.facts.push_back(std::move(fact));
  }
  Validation after = before;
  after.fact_check_results = std::move(check);
  return after;
}

MemoState finalize(const Request& request, const Deck& deck, const Research& research,
                   const SectionResearch& section_research, const Header& header,
                   const std::vector<Section>& sections, const FinalDraft& draft,
                   const Validation& validation) {
  return {request, deck,     research,   section_research,
          header,  sections, validation, with_review(draft.markdown, validation)};
}

}  // namespace memo
