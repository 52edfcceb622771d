#include "research/subject.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "research/opening.hpp"
#include "research/text.hpp"

namespace research {
namespace {

bool begins_clause(const std::string& word) {
  static const std::set<std::string_view> words{"who", "whom",  "whose", "which",
                                                "how", "where", "why",   "whether"};
  return words.contains(word);
}

}  // namespace

Subject::Subject(const std::string& topic)
    : terms_{subject_terms(topic)},
      asks_{asked_by(topic)},
      initials_{initials_of(topic)},
      head_{subject_head(topic)} {}

/// How many words of the topic stand near its beginning, and not only in a clause about something
/// else: `the first guest was a lady who had seen the mill as a child`.
std::ptrdiff_t Subject::names(const std::string& text) const {
  constexpr std::size_t early = 14;
  if (has_word(text, initials_)) return std::ssize(terms_);
  auto all = words(text);
  all.resize(std::min(early, all.size()));
  if (!all.empty()) all.erase(std::find_if(all.begin() + 1, all.end(), begins_clause), all.end());
  const auto said = terms(all);
  return std::ranges::count_if(
      terms_, [&](const auto& term) { return std::ranges::find(said, term) != said.end(); });
}

/// Whether it begins with the word that says what the topic is, or one that has a figure: `N2`.
bool Subject::calls_by_name(const std::string& text) const {
  constexpr std::size_t early = 8;
  auto all = words(text);
  all.resize(std::min(early, all.size()));
  return std::ranges::any_of(terms(all), [&](const std::string& term) {
    const bool asked = std::ranges::find(terms_, term) != terms_.end();
    const bool model = std::ranges::any_of(term, [](char c) { return c >= '0' && c <= '9'; });
    return asked && (term == head_ || model);
  });
}

/// How much of the topic it names, the word that says what it is more than another.
std::ptrdiff_t Subject::score(const std::string& text) const {
  return 2 * names(text) + (calls_by_name(text) ? 1 : 0);
}

/// `mill - grinds grain`
bool Subject::leads(const std::string& text) const {
  const auto at = std::min(text.find(" - "), text.find(" \u2013 "));
  if (at == text.npos) return false;
  const std::string name = text.substr(0, at);
  return words(name).size() < 4 && names(name) > 0 && words(text.substr(at)).size() >= 4;
}

/// Whether it says what the topic wants to know.
bool Subject::answers(const Piece& piece) const {
  const bool steps = piece.advises || piece.text.find("f you ") != std::string::npos;
  switch (asks_) {
    case Asks::money: return names_money(piece.said);
    case Asks::time: return names_time(piece.said) || has_condition(piece.text);
    case Asks::way: return steps;
    case Asks::anything: return false;
  }
  return false;
}

/// How many words of what the topic is about stand in it or above it.
std::ptrdiff_t Subject::covers(const Piece& piece) const {
  const auto has = [](const std::vector<std::string>& said, const std::string& term) {
    return std::ranges::find(said, term) != said.end();
  };
  const auto all = topic_terms(piece.text + " " + piece.heading + " " + piece.title);
  return std::ranges::count_if(terms_, [&](const auto& term) { return has(all, term); });
}

}  // namespace research
