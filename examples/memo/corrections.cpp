#include "memo/corrections.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

constexpr std::size_t reach_after = 60;   // bytes between a measure and its figure
constexpr std::size_t reach_before = 25;  // the same, the figure in front

struct Amount {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string unit;   ///< a currency's sign, `%`, or empty
  std::string value;  ///< with its scale, `22 million`
};

struct Use {
  std::string figure;  ///< as written
  Amount parsed;
  const Passage* passage = nullptr;
};

bool is_numeral(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string unit_before(std::string_view text, std::size_t at) {
  for (const std::string_view sign : {"€", "$", "£"}) {
    if (text.substr(0, at).ends_with(sign)) return std::string{sign};
  }
  return {};
}

/// A scale or a per cent sign behind the digits.
std::string_view word_after(std::string_view rest) {
  for (const std::string_view word : {" million", " billion", " thousand", "%"}) {
    if (rest.starts_with(word)) return word;
  }
  return {};
}

std::vector<Amount> figures_in(std::string_view text) {
  std::vector<Amount> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_numeral(text[at]) || (at > 0 && is_word(text[at - 1]))) continue;
    auto end = text.find_first_not_of("0123456789.,", at);
    end = end == npos ? text.size() : end;
    while (!is_numeral(text[end - 1])) --end;
    const auto word = word_after(text.substr(end));
    const std::string currency = unit_before(text, at);
    found.push_back({at - currency.size(), end + word.size(), word == "%" ? "%" : currency,
                     numbers(text.substr(at, end - at)).front() + std::string{word}});
    at = end;
  }
  return found;
}

bool speaks_of_plans(std::string_view text) {
  static const Signs signs{{"target", "plan", "expect", "forecast", "goal", "aim", "intend", "will",
                            "hope", "project*"}};
  return signs.in_text(WordIndex{text});
}

bool is_former(std::string_view text, const Amount& figure) {
  const auto head = text.substr(0, figure.begin);
  return head.ends_with("from ") || head.ends_with("than ");
}

/// The figure that follows `phrase` or, if none does, stands in front of it.
std::optional<Amount> figure_of(std::string_view text, std::string_view phrase) {
  const std::string lower = to_lower(text);
  const auto at = lower.find(phrase);
  if (at == std::string::npos) return std::nullopt;
  const auto end = at + phrase.size();
  const auto figures = figures_in(text);
  for (const auto& figure : figures) {
    const bool near = figure.begin >= end && figure.begin - end <= reach_after;
    if (near && !is_former(text, figure)) return figure;
  }
  for (const auto& figure : figures) {
    if (figure.end <= at && at - figure.end <= reach_before) return figure;
  }
  return std::nullopt;
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

/// The figure of `measure` in each source that gives one, and only one.
std::map<std::string, Use> uses_of(const Measure& measure, const Corpus& corpus) {
  std::map<std::string, Use> uses;
  std::set<std::string> ambiguous;
  for (const auto& passage : corpus.passages()) {
    if (passage.lead != 0 || speaks_of_plans(passage.text)) continue;
    for (const auto& phrase : measure.phrases) {
      const auto figure = figure_of(passage.text, phrase);
      if (!figure) continue;
      const auto text = passage.text.substr(figure->begin, figure->end - figure->begin);
      const auto [known, added] = uses.emplace(passage.source, Use{text, *figure, &passage});
      if (!added && known->second.parsed.value != figure->value) ambiguous.insert(passage.source);
      break;
    }
  }
  for (const auto& source : ambiguous) uses.erase(source);
  return uses;
}

void add_corrections(std::vector<Correction>& out, const Measure& measure,
                     const std::map<std::string, Use>& uses) {
  for (const auto& [source, use] : uses) {
    for (const auto& [other_source, other] : uses) {
      const bool later = date_of(source) < date_of(other_source);
      const bool comparable = use.parsed.unit == other.parsed.unit &&
                              !are_of_other_years(use.passage->text, other.passage->text);
      if (!later || !comparable || use.parsed.value == other.parsed.value) continue;
      out.push_back({measure.name, use.figure, source, use.passage->text, other.figure,
                     other_source, other.passage->text});
    }
  }
}

}  // namespace

std::vector<Correction> corrections(const Corpus& corpus, const std::vector<Measure>& measures) {
  std::vector<Correction> out;
  for (const auto& measure : measures) add_corrections(out, measure, uses_of(measure, corpus));
  return out;
}

}  // namespace memo
