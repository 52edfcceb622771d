#include "research/agreement.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "research/text.hpp"

namespace research {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<std::string_view, 4> currencies{"\u00A3", "\u20AC", "$", "\u00A5"};

/// The sign of a currency right before `at`; empty if there is none.
std::string_view currency_before(std::string_view text, std::size_t at) {
  while (at > 0 && text[at - 1] == ' ') --at;
  for (const auto sign : currencies) {
    if (text.substr(0, at).ends_with(sign)) return sign;
  }
  return {};
}

/// The word or sign behind a number: its unit.
std::string unit_after(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '%') return "percent";
  const auto behind = words(text.substr(at, 24));
  const bool apart = at < text.size() && text[at] != ' ';
  return behind.empty() || apart ? std::string{} : stem(behind.front());
}

/// Whether what stands at `at` is denied in its clause: `will not reopen on 12 January but on …`.
bool is_denied(std::string_view text, std::size_t at) {
  std::string_view clause = text.substr(0, at);
  for (const std::string_view end : {". ", ", ", "; ", ": ", " but "}) {
    const auto found = clause.rfind(end);
    if (found != clause.npos) clause.remove_prefix(found + end.size() - 1);
  }
  constexpr std::array<std::string_view, 5> denials{" not ", "n't ", " no longer ", " instead of ",
                                                    " rather than "};
  return std::ranges::any_of(denials,
                             [&](auto denial) { return clause.find(denial) != clause.npos; });
}

/// Reads what is counted, with the numbers that are named for it.
void read_figures(const std::string& text, Said& said) {
  std::string last;  // unit
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::size_t end = at;
    const auto goes_on = [&](std::size_t here) {
      const bool mark = text[here] == '.' || text[here] == ',' || text[here] == ':';
      return is_digit(text[here]) || (mark && here + 1 < text.size() && is_digit(text[here + 1]));
    };
    while (end < text.size() && goes_on(end)) ++end;
    const auto sign = currency_before(text, at);
    const bool time = text.substr(at, end - at).find(':') != std::string::npos;
    const std::string unit = time           ? "clock"
                             : sign.empty() ? unit_after(text, end)
                                            : std::string{sign};
    const bool counts = !unit.empty() && !is_stop_word(unit);
    const std::string number = text.substr(at, end - at);
    if (counts) said.figures[unit].insert(number);
    if (counts) last = unit;
    if (!counts) said.bare.insert(number);
    if (is_denied(text, at)) said.denied[last].insert(number);
    at = end;
  }
}

/// Whether `one` has a figure of `other` and, for the same unit, one that `other` has not.
bool replaces(const Said& one, const Said& other) {
  for (const auto& [unit, numbers] : one.figures) {
    const auto found = other.figures.find(unit);
    if (found == other.figures.end()) continue;
    const auto common = std::ranges::count_if(
        numbers, [&](const auto& number) { return found->second.contains(number); });
    if (common > 0 && std::cmp_less(common, numbers.size())) return true;
  }
  return false;
}

/// Whether two texts that have this number mean the same by it: a short one stands on many pages.
bool are_alike(const Said& one, const Said& other, const std::string& number) {
  constexpr std::size_t telling_length = 3;
  constexpr std::ptrdiff_t telling_terms = 3;  // the number and its unit are two
  const auto common = std::ranges::count_if(
      one.terms, [&](const auto& term) { return other.context.contains(term); });
  return number.size() >= telling_length || common >= telling_terms;
}

/// Whether it names another figure for the unit: `6 months, not 38`.
bool names_another(const Said& said, const std::string& unit, const std::string& number) {
  const auto figures = said.figures.find(unit);
  return figures != said.figures.end() &&
         std::ranges::any_of(figures->second, [&](const auto& other) { return other != number; });
}

/// Whether it has the number, for the unit if one is given; the unit may stand above it.
bool has(const Said& said, const std::string& unit, const std::string& number) {
  if (said.bare.contains(number)) return unit.empty() || said.context.contains(unit);
  return std::ranges::any_of(said.figures, [&](const auto& one) {
    return (unit.empty() || unit == one.first) && one.second.contains(number);
  });
}

std::string named(const Finding& finding) {
  return finding.date.empty() ? fmt::format("*{}*", finding.title)
                              : fmt::format("*{}* ({})", finding.title, finding.date);
}

Said said_in(const Finding& finding) {
  return said_of(finding.quote, finding.heading + " " + finding.columns);
}

}  // namespace

Said said_of(const std::string& text, const std::string& above) {
  const auto own = terms(text);
  const auto more = terms(above);
  Said said{{own.begin(), own.end()}, {own.begin(), own.end()}, {}, {}, {}, {}};
  read_figures(text, said);
  const auto cell = text.find(" | ");
  if (cell != text.npos) {
    const auto label = terms(text.substr(0, cell));
    said.label.insert(label.begin(), label.end());
  }
  said.context.insert(more.begin(), more.end());
  return said;
}

std::set<std::string> rare_terms(const std::vector<const Said*>& all) {
  std::map<std::string, std::size_t> holding;
  for (const Said* one : all) {
    for (const std::string& term : one->terms) ++holding[term];
  }
  std::set<std::string> rare;
  for (const auto& [term, count] : holding) {
    if (count <= std::max<std::size_t>(3, all.size() / 6)) rare.insert(term);
  }
  return rare;
}

bool takes_back(const Said& one, const Said& other) {
  return std::ranges::any_of(one.denied, [&](const auto& denied) {
    const std::string& unit = denied.first;
    return std::ranges::any_of(denied.second, [&](const std::string& number) {
      return has(other, unit, number) &&
             (names_another(one, unit, number) || are_alike(one, other, number));
    });
  });
}

bool is_about(const Said& one, const Said& other, const std::set<std::string>& rare) {
  if (takes_back(one, other)) return true;
  std::size_t common = 0;
  bool telling = false;
  for (const std::string& term : one.terms) {
    if (!other.context.contains(term)) continue;
    ++common;
    telling = telling || rare.contains(term);
  }
  if (!telling && common < 5) return false;
  if (common < 3) return false;
  const std::size_t shorter = std::min(one.terms.size(), other.context.size());
  const std::size_t enough = disagree(one, other) && common >= 5 ? 5 : 7;
  const bool most = one.terms.size() > 3 && common * 10 >= shorter * enough;
  const bool labelled = other.label.size() > 1 && std::ranges::includes(one.terms, other.label);
  return most || labelled || replaces(one, other);
}

bool disagree(const Said& one, const Said& other) {
  if (takes_back(one, other) || takes_back(other, one)) return true;
  for (const auto& [unit, numbers] : one.figures) {
    const auto found = other.figures.find(unit);
    if (found == other.figures.end()) continue;
    const bool common = std::ranges::any_of(
        numbers, [&](const auto& number) { return found->second.contains(number); });
    if (!common) return true;
  }
  return replaces(one, other) || replaces(other, one);
}

std::string note_on(const std::vector<Statement>& statements) {
  std::vector<const Finding*> pages;   // one of each
  std::vector<const Finding*> differ;  // those with figures that another page contradicts
  for (const Statement& statement : statements) {
    const Finding& finding = statement.finding;
    const auto is_here = [&](const Finding* page) { return page->url == finding.url; };
    if (std::ranges::none_of(pages, is_here)) pages.push_back(&finding);
    const bool contradicted = std::ranges::any_of(statements, [&](const Statement& other) {
      return other.finding.url != finding.url && disagree(said_in(other.finding), said_in(finding));
    });
    if (contradicted && std::ranges::none_of(differ, is_here)) differ.push_back(&finding);
  }
  if (pages.size() < 2) return {};
  std::string names;
  for (const Finding* page : pages) {
    names += (page == pages.front() ? "" : page == pages.back() ? " and " : ", ") + named(*page);
  }
  const std::string note = fmt::format("{} pages speak of this: {}.", pages.size(), names);
  if (differ.empty()) return note;
  const Finding* latest = *std::ranges::max_element(differ, {}, &Finding::date);
  if (std::ranges::count(differ, latest->date, &Finding::date) > 1) {
    return note + " Their figures differ.";
  }
  return fmt::format("{} Their figures differ; the latest is *{}*.", note, latest->title);
}

}  // namespace research
