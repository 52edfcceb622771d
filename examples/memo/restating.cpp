#include "memo/restating.hpp"

#include <algorithm>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/papers.hpp"
#include "memo/prose.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

/// The sentence of `text` that holds `figure`, without its full stop.
std::string sentence_with(const std::string& figure, const std::string& text) {
  auto all = sentences(text);
  const auto found = std::ranges::find_if(
      all, [&](const std::string& one) { return one.find(figure) != std::string::npos; });
  std::string sentence = found == all.end() || figure.empty() ? all.back() : *found;
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

/// `` `deck.md` (2025-07) ``, `` `deck.md` (undated) ``
std::string named(const std::string& source, const Corpus& corpus) {
  auto date = corpus.date(source);
  if (date.empty()) date = corpus.year(source);
  return "`" + source + "` (" + std::string{date.empty() ? "undated" : date} + ")";
}

bool is_meant(const std::vector<std::string>& row, const Table& table, const Correction& one) {
  const bool here = one.earlier_source == table.source && one.earlier_text.starts_with(row[0]);
  return here && std::ranges::any_of(row, [&](const std::string& cell) {
           return cell.find(one.earlier) != std::string::npos;
         });
}

bool gives_amount(std::string_view sentence) {
  return std::ranges::any_of(amounts_in(sentence), [](const Amount& amount) {
    return !amount.unit.empty() || amount.value.find(' ') != std::string::npos;
  });
}

/// `For 2023 …`, `The year before …`
bool is_of_another_year(std::string_view sentence, std::string_view before) {
  if (sentence.starts_with("The year before")) return true;
  for (const std::string_view head : {"For ", "In ", "Of "}) {
    if (!sentence.starts_with(head)) continue;
    const auto year = sentence.substr(head.size(), 4);
    const bool is_year = year.starts_with("19") || year.starts_with("20");
    return is_year && numbers(year).size() == 1 && before.find(year) == npos;
  }
  return false;
}

bool takes_back(std::string_view sentence) {
  static const Signs signs{{"had spoken of", "had said", "had been given", "was before", "we once",
                            "used to say", "is restated", "was restated"}};
  return signs.in_text(WordIndex{sentence});
}

}  // namespace

std::string note_of(const Correction& correction, const Corpus& corpus) {
  return "Taken as outdated: “" + sentence_with(correction.earlier, correction.earlier_text) +
         "” in " + named(correction.earlier_source, corpus) + "; " +
         named(correction.later_source, corpus) + " says " + to_lower_first(correction.later) + ".";
}

std::vector<std::string> without_corrected(Table& table, const std::vector<Correction>& corrected,
                                           const Corpus& corpus) {
  std::vector<std::string> notes;
  if (table.source.empty()) return notes;
  std::erase_if(table.rows, [&](const std::vector<std::string>& row) {
    const auto one = std::ranges::find_if(
        corrected, [&](const Correction& other) { return is_meant(row, table, other); });
    if (one == corrected.end()) return false;
    notes.push_back("Left out of this table: “" + row[0] + "”, " + one->earlier + ", since " +
                    named(one->later_source, corpus) + " says: “" +
                    sentence_with(one->later, one->later_text) + "”.");
    return true;
  });
  return notes;
}

std::string correction_behind(const Finding& finding, const Corpus& corpus) {
  const auto body = corpus.body(finding.source);
  const auto at = body.find(finding.quote);
  if (at == npos || !gives_amount(finding.quote)) return {};
  const auto begin = at + finding.quote.size();
  const auto rest = trim(body.substr(begin, body.find('\n', begin) - begin));
  const auto next = sentences(rest);
  if (next.empty() || !gives_amount(next[0])) return {};
  if (!is_of_another_year(next[0], finding.quote) && !takes_back(next[0])) return {};
  const bool more = takes_back(next[0]) && next.size() > 1 && gives_amount(next[1]);
  return more ? next[0] + ' ' + next[1] : next[0];
}

std::vector<Conflict> differing(const Request& request, const std::vector<Section>& sections,
                                const Sources& sources) {
  const auto read = papers(request, sources);
  std::string said;
  for (const auto& section : sections) said += plain(section.markdown) + '\n';
  std::vector<Conflict> found;
  for (const auto& one : read->corrected) {
    if (one.later.empty()) continue;
    const std::string then = sentence_with(one.earlier, one.earlier_text);
    const bool before = said.find(then) != npos;
    const bool after = said.find(sentence_with(one.later, one.later_text)) != npos;
    if (one.sure ? before || after : before && after) {
      found.push_back(
          {"“" + then + "”", one.earlier, one.earlier_source, one.later, one.later_source});
    }
  }
  return found;
}

}  // namespace memo
