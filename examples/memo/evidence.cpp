// The first three stages: from files to what each section is written from.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "memo/memo_text.hpp"
#include "memo/outline.hpp"
#include "memo/stages.hpp"
#include "model/answering.hpp"

namespace memo {
namespace {

constexpr std::size_t found_for_a_model = 8;  // passages to a question
constexpr std::size_t found_to_quote = 4;     // some of them are quoted elsewhere
constexpr std::size_t quotes_to_a_question = 2;
constexpr std::size_t quotes_in_a_section = 8;

/// Without the first word of the question, which only says that it is one: `What`.
std::string words_for(const Question& question) {
  const auto first = std::min(question.asked.find(' '), question.asked.size());
  return question.asked.substr(first) + ' ' + question.search;
}

text::Passage as_passage(const Quote& quote) {
  return {quote.title, quote.text, quote.file, quote.line};
}

/// What was written by hand to a question, or found before, then `more`; no passage twice.
std::vector<Quote> joined(std::vector<Quote> quotes, const std::vector<Quote>& more) {
  for (const auto& quote : more) {
    if (std::ranges::find(quotes, quote) == quotes.end()) quotes.push_back(quote);
  }
  return quotes;
}

std::vector<Quote> found_in(const std::vector<Finding>& findings, const std::string& question) {
  std::vector<Quote> quotes;
  for (const auto& finding : findings) {
    if (finding.question == question) quotes = joined(std::move(quotes), finding.quotes);
  }
  return quotes;
}

/// Shares passages out among questions. The best one to a question is quoted there, also if another
/// section has it, so that each section can be read alone; a second one only if nobody has it.
class Sharing {
 public:
  void begin_section() {
    here_.clear();
    room_ = quotes_in_a_section;
  }

  /// Sets `part.see` if the best passage stands in this section already.
  void share_out(Part& part, const std::vector<Quote>& found) {
    bool is_best = true;
    std::size_t taken = 0;
    for (const auto& quote : found) {
      if (quote.by_hand) {
        part.quotes.push_back(quote);
        continue;
      }
      const Place place{quote.file, quote.line, quote.text};
      const auto here = here_.find(place);
      const bool is_free = here == here_.end() && (is_best || !used_.contains(place));
      if (is_free && taken < quotes_to_a_question && (is_best || room_ > 0)) {
        part.quotes.push_back(quote);
        here_.emplace(place, part.heading);
        used_.insert(place);
        room_ -= std::min<std::size_t>(room_, 1);
        ++taken;
      } else if (here != here_.end() && part.see.empty()) {
        part.see = here->second;
      }
      is_best = false;
    }
    if (!part.quotes.empty()) part.see.clear();
  }

 private:
  using Place = std::tuple<std::string, int, std::string>;

  std::set<Place> used_;
  std::map<Place, std::string> here_;  // with the heading that quotes it
  std::size_t room_ = 0;
};

/// What the last section without questions says: which questions are open.
std::vector<std::string> summary_of(const std::vector<Brief>& briefs) {
  std::size_t all = 0;
  std::vector<std::string> open;
  for (const auto& brief : briefs) {
    for (const auto& part : brief.parts) {
      ++all;
      if (part.quotes.empty() && part.see.empty()) open.push_back(part.heading);
    }
  }
  std::vector<std::string> lines{fmt::format(
      "There are passages to {} of the {} questions that this memo asks; it recommends nothing.",
      all - open.size(), all)};
  if (!open.empty()) lines.push_back(fmt::format("*Open:* {}.", fmt::join(open, "; ")));
  return lines;
}

}  // namespace

Deck analyze_deck(const model::Call& call, const Request& request,
                  const std::vector<std::string>& deck, const Sources& sources) {
  const Outline outline = outline_of(request);
  Deck result{request.company, deck.empty() ? default_deck(sources) : deck, outline.deck, {}};
  const Library library{only(sources, result.files)};
  std::vector<model::Question> questions;
  std::vector<std::string> ids;
  for (const auto& section : outline.sections) {
    for (const auto& question : section.questions) {
      if (std::ranges::count(outline.deck, question.id) == 0) continue;
      ids.push_back(question.id);
      questions.push_back({question.asked, {}});
      for (const auto& quote :
           library.best(words_for(question), request.company, found_for_a_model)) {
        questions.back().passages.push_back(as_passage(quote));
      }
    }
  }
  const auto answers = model::answer(call, questions, quotes_to_a_question);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Finding finding{ids[i], {}};
    for (const auto& statement : answers[i]) {
      for (const auto& passage : statement.cited) {
        finding.quotes = joined(std::move(finding.quotes),
                                {{passage.body, passage.title, passage.file, passage.line}});
      }
    }
    if (!finding.quotes.empty()) result.findings.push_back(std::move(finding));
  }
  return result;
}

Research research(const Request& request, const Deck& deck, const Sources& sources, bool quoting) {
  const Outline outline = outline_of(request);
  const Library library{sources};
  Research result{request.company, {}, outline.ids(), {}};
  for (const auto& source : sources) result.files.push_back(source.file);
  for (const auto& section : outline.sections) {
    for (const auto& question : section.questions) {
      auto quotes = joined(found_in(deck.findings, question.id),
                           library.best(words_for(question), request.company,
                                        quoting ? found_to_quote : found_for_a_model));
      if (!quotes.empty()) result.findings.push_back({question.id, std::move(quotes)});
    }
  }
  return result;
}

std::vector<Brief> research_sections(const Request& request, const Research& research,
                                     bool quoting) {
  std::vector<Brief> briefs;
  Sharing sharing;
  for (const auto& section : outline_of(request).sections) {
    Brief brief{section.key, section.title, {}, {}};
    sharing.begin_section();
    for (const auto& question : section.questions) {
      Part part{question.id, question.heading, question.asked, {}};
      const auto found = found_in(research.findings, question.id);
      if (quoting) {
        sharing.share_out(part, found);
      } else {
        part.quotes = found;
      }
      brief.parts.push_back(std::move(part));
    }
    briefs.push_back(std::move(brief));
  }
  for (auto& brief : briefs) {
    if (brief.parts.empty()) brief.remarks = summary_of(briefs);
  }
  return briefs;
}

}  // namespace memo
