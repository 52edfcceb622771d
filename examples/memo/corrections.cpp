#include "memo/corrections.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/restated.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

struct Use {
  std::string figure;  ///< as written
  Amount parsed;
  const Passage* passage = nullptr;
};

bool speaks_of_plans(const WordIndex& words) {
  static const Signs signs{{"target", "plan", "expect", "forecast", "goal", "aim", "intend", "will",
                            "hope", "project*"}};
  return signs.in_text(words);
}

std::set<std::string> years_in(std::string_view text) {
  std::set<std::string> years;
  for (const auto& number : numbers(text)) {
    if (number.size() == 4 && (number.starts_with("19") || number.starts_with("20"))) {
      years.insert(number);
    }
  }
  return years;
}

bool are_of_other_years(std::string_view one, std::string_view other) {
  const auto first = years_in(one);
  const auto second = years_in(other);
  return !first.empty() && !second.empty() && first != second;
}

/// The figure of a measure in each source that gives one, and only one.
class Uses {
 public:
  void add(const Passage& passage, const Amount& figure) {
    const auto text = passage.text.substr(figure.begin, figure.end - figure.begin);
    const auto [known, added] = uses_.emplace(passage.source, Use{text, figure, &passage});
    if (!added && known->second.parsed.value != figure.value) ambiguous_.insert(passage.source);
  }
  [[nodiscard]] std::map<std::string, Use> all() const {
    auto uses = uses_;
    for (const auto& source : ambiguous_) uses.erase(source);
    return uses;
  }

 private:
  std::map<std::string, Use> uses_;
  std::set<std::string> ambiguous_;
};

/// Passages that say how things are.
template <class Visit>
void for_each_fact(const Corpus& corpus, const Visit& visit) {
  for (const auto& passage : corpus.passages()) {
    if (passage.lead == 0 && !speaks_of_plans(corpus.words(passage))) visit(passage);
  }
}

Uses uses_of(const Measure& measure, const Corpus& corpus) {
  Uses uses;
  for_each_fact(corpus, [&](const Passage& passage) {
    for (const auto& phrase : measure.phrases) {
      const auto figure = amount_of(passage.text, phrase);
      if (!figure) continue;
      uses.add(passage, *figure);
      break;
    }
  });
  return uses;
}

bool is_time(const std::string& word) {
  static const std::set<std::string> units{"second", "minut", "hour",    "day",   "week",
                                           "month",  "year",  "quarter", "decad", "time"};
  return units.contains(stem_of(word));
}

/// Names inside a sentence: words with a capital, but for the first.
std::set<std::string> names_inside(std::string_view sentence) {
  std::set<std::string> names;
  for (auto at = sentence.find(' '); at != npos; at = sentence.find(' ', at + 1)) {
    const auto word = sentence.substr(at + 1, sentence.find_first_of(" ,.;:", at + 1) - at - 1);
    if (word.size() > 3 && std::isupper(static_cast<unsigned char>(word[0])) != 0) {
      names.emplace(word);
    }
  }
  return names;
}

/// `38% of our volume` gives `volume`; empty for what is no share.
std::string whole_of(const Amount& figure, const std::vector<std::string>& words) {
  static const std::set<std::string> articles{"the", "our", "its", "their", "all"};
  if (figure.unit != "%" || words.size() < 3 || words[0] != "of") return {};
  return articles.contains(words[1]) ? words[2] : words[1];
}

/// Quantities that no outline names: what a figure counts, by the two words behind it (`104
/// practices pay` and `83 practices pay`), and the share that somebody has in something. Lasting
/// pages are as current as news, so only dated sources and decks count.
std::map<std::string, Uses> quantities_in(const Corpus& corpus) {
  std::map<std::string, Uses> found;
  for_each_fact(corpus, [&](const Passage& passage) {
    if (corpus.date(passage.source).empty() && !is_deck(passage.source)) return;
    for (const auto& figure : amounts_in(passage.text)) {
      if (is_former(passage.text, figure)) continue;
      const auto words = lower_words(std::string_view{passage.text}.substr(figure.end));
      if (const std::string whole = whole_of(figure, words); !whole.empty()) {
        for (const std::string& name : names_inside(passage.text)) {
          found["share of " + name + " in the " + whole].add(passage, figure);
        }
      }
      if (!figure.unit.empty() || words.size() < 2 || is_time(words[0])) continue;
      if (std::ranges::any_of(words[0], [](char c) { return c >= '0' && c <= '9'; })) continue;
      if (terms(words[1]).empty()) continue;  // `30 of the`: it does not tell what they are
      found["number of " + words[0] + '\n' + stem_of(words[1])].add(passage, figure);
    }
  });
  return found;
}

/// A figure is corrected once, whatever it is called.
void add_new(std::vector<Correction>& out, Correction correction) {
  const bool known = std::ranges::any_of(out, [&](const Correction& other) {
    return other.earlier_text == correction.earlier_text && other.earlier == correction.earlier;
  });
  if (!known) out.push_back(std::move(correction));
}

/// A figure that corrects one of a source corrects no other of it.
void add_if_free(std::vector<Correction>& out, Correction correction) {
  const bool taken = std::ranges::any_of(out, [&](const Correction& other) {
    return other.later_text == correction.later_text && other.later == correction.later &&
           other.earlier_source == correction.earlier_source &&
           other.earlier != correction.earlier && !correction.later.empty();
  });
  if (!taken) add_new(out, std::move(correction));
}

/// The word behind a figure: what it counts.
std::string counted(const Passage& passage, const Amount& figure) {
  const auto words = lower_words(std::string_view{passage.text}.substr(figure.end));
  return words.empty() ? std::string{} : words.front();
}

void add_corrections(std::vector<Correction>& out, const Corpus& corpus, const std::string& measure,
                     const std::map<std::string, Use>& uses) {
  for (const auto& [source, use] : uses) {
    for (const auto& [other_source, other] : uses) {
      const bool later = corpus.date(source) < corpus.date(other_source);
      const bool comparable = use.parsed.unit == other.parsed.unit &&
                              !are_of_other_years(use.passage->text, other.passage->text);
      if (!later || !comparable || use.parsed.value == other.parsed.value) continue;
      add_new(out, {measure, use.figure, source, use.passage->text, other.figure, other_source,
                    other.passage->text});
    }
  }
}

/// `the number of buildings: it is 1,020` corrects `1,150 buildings`.
void add_numbered(std::vector<Correction>& out, const Corpus& corpus) {
  constexpr std::string_view phrase = "number of ";
  for_each_fact(corpus, [&](const Passage& later) {
    const auto at = later.text.find(phrase);
    if (at == std::string::npos) return;
    const auto words = lower_words(std::string_view{later.text}.substr(at + phrase.size()));
    const auto figure = amount_of(later.text, phrase);
    if (words.empty() || !figure || figure->begin < at || !figure->unit.empty()) return;
    Uses uses;
    uses.add(later, *figure);
    for_each_fact(corpus, [&](const Passage& other) {
      if (other.source == later.source) return;
      for (const auto& count : amounts_in(other.text)) {
        const bool same = count.unit.empty() && counted(other, count) == words.front();
        if (same && !is_former(other.text, count)) uses.add(other, count);
      }
    });
    add_corrections(out, corpus, "number of " + words.front(), uses.all());
  });
}

}  // namespace

std::vector<Correction> corrections(const Corpus& corpus, const std::vector<Measure>& measures) {
  std::vector<Correction> out;
  for (const auto& measure : measures) {
    add_corrections(out, corpus, measure.name, uses_of(measure, corpus).all());
  }
  for (const auto& [quantity, uses] : quantities_in(corpus)) {
    add_corrections(out, corpus, quantity.substr(0, quantity.find('\n')), uses.all());
  }
  add_numbered(out, corpus);
  for (auto& one : restated(corpus)) add_if_free(out, std::move(one));
  return out;
}

bool is_corrected(const std::vector<Correction>& corrections, const std::string& path,
                  const std::string& text) {
  return std::ranges::any_of(corrections, [&](const Correction& one) {
    return one.earlier_source == path && text.find(one.earlier_text) != std::string::npos;
  });
}

}  // namespace memo
