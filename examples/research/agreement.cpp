#include "research/agreement.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "research/figures.hpp"
#include "research/text.hpp"

namespace research {
namespace {

const std::set<std::string_view> moves{
    "gone",     "went",      "goes",    "go",        "rises",      "rise",     "rose",
    "risen",    "falls",     "fall",    "fell",      "fallen",     "raised",   "raise",
    "raises",   "cut",       "up",      "down",      "back",       "forward",  "increased",
    "reduced",  "lowered",   "grown",   "grew",      "grows",      "drops",    "dropped",
    "moved",    "moves",     "move",    "changed",   "changes",    "change",   "shrunk",
    "extended", "postponed", "delayed", "put",       "shifted",    "switched", "corrected",
    "renewed",  "doubled",   "halved",  "shortened", "lengthened", "enlarged", "brings",
    "brought",  "revised",   "adjusted"};

/// Whether it is the first figure of `has gone from sixteen to 64`; of `from 8:00 to 10:00` it is
/// not, as nothing has changed.
bool is_left_behind(std::string_view text, std::size_t at, const std::vector<std::string>& clause) {
  constexpr std::ptrdiff_t near = 3;  // `from the promised £12 to`
  const auto from = std::find(clause.rbegin(), clause.rend(), "from");
  if (from == clause.rend() || from - clause.rbegin() >= near) return false;
  const bool moved = std::any_of(from, clause.rend(),
                                 [](const std::string& word) { return moves.contains(word); });
  const bool straight = from + 1 != clause.rend() && (from[1] == "up" || from[1] == "down");
  return straight || (moved && text.substr(at, 60).find(" to ") != text.npos);
}

constexpr std::size_t soon = 5;  ///< words between a denial and what it denies

/// Whether `not` stands in a clause and denies what comes soon behind: not so `not more than 12`.
bool says_not(std::string_view clause) {
  static const std::set<std::string_view> limits{
      "more", "less", "fewer",  "before", "after",   "only",    "until",       "just",  "exceed",
      "even", "over", "longer", "later",  "earlier", "limited", "necessarily", "always"};
  for (const std::string_view denial : {" not ", "n't "}) {
    const auto at = clause.rfind(denial);
    if (at == clause.npos) continue;
    const auto behind = words(clause.substr(at + denial.size()));
    if (behind.empty() || (behind.size() <= soon && !limits.contains(behind.front()))) return true;
  }
  return false;
}

/// Not `must be no longer than 12 m`.
bool says_no_longer(std::string_view clause) {
  const auto at = clause.find(" no longer ");
  return at != clause.npos && !clause.substr(at).starts_with(" no longer than ");
}

/// `The key used to be held`, not `is used to hold` and not `words used to tell the size of all`.
bool says_used_to(std::string_view clause) {
  static const std::set<std::string_view> passive{"is", "are",  "was",  "were",
                                                  "be", "been", "being"};
  constexpr std::string_view phrase = " used to ";
  const auto at = clause.find(phrase);
  if (at == clause.npos || words(clause.substr(at + phrase.size())).size() > soon) return false;
  const auto before = words(clause.substr(0, at));
  return before.empty() || !passive.contains(before.back());
}

/// Whether what stands behind a figure takes it back: `£5, now £7`, `1 MiB → 512 KiB`, `the 38 ha
/// were wrong`, `for 12 read 15`.
bool is_replaced_behind(std::string_view behind, const std::vector<std::string>& before) {
  constexpr std::size_t unit = 16;  // bytes
  const std::string_view next = behind.substr(0, 40);
  const auto has_other = [&](std::size_t at) {
    return at < next.size() && has_figure(words(next.substr(at, 24)));
  };
  const auto is_last = [&](std::string_view word, std::ptrdiff_t most) {
    const auto from = before.end() - std::min(most, std::ssize(before));
    return std::find(from, before.end(), word) != before.end();
  };
  const auto arrow = std::min(next.find("\u2192"), next.find("->"));
  const auto now = std::min(
      {next.find(", now "), next.find("; now "), next.find(" is now "), next.find(" are now ")});
  const auto becomes = std::min(next.find(" become "), next.find(" becomes "));
  const auto read = next.find(" read ");
  return (arrow < unit && has_other(arrow)) || has_other(becomes) ||
         (now < unit && has_other(now) && (is_last("was", 4) || is_last("were", 4))) ||
         (read < unit && is_last("for", 1));
}

/// Whether the figure is denied in its clause: `will not reopen on 12 January but on …`, `£8 (was
/// £6)`, `the 38 ha were wrong`.
bool is_denied(std::string_view text, const Figure& figure) {
  std::string_view clause = text.substr(0, figure.begin);
  for (const std::string_view end : {". ", ", ", "; ", ": ", " but ", " ("}) {
    const auto found = clause.rfind(end);
    if (found != clause.npos) clause.remove_prefix(found + end.size() - 1);
  }
  const auto before = words(clause);
  if (is_left_behind(text, figure.end, before) || says_not(clause)) return true;
  if (is_replaced_behind(text.substr(figure.end), before)) return true;
  constexpr std::array<std::string_view, 9> denials{
      " instead of ",  " in stead of ", " rather than ", " previously ", " formerly ",
      " in place of ", " had been ",    " in lieu of ",  " originally "};
  const auto is_in = [](std::string_view part) {
    return [part](auto denial) { return part.find(denial) != part.npos; };
  };
  if (std::ranges::any_of(denials, is_in(clause)) || says_used_to(clause) || says_no_longer(clause))
    return true;
  const bool bracket = clause.starts_with('(');
  static const std::set<std::string_view> earlier{"was",      "were",       "before", "previously",
                                                  "formerly", "originally", "old",    "not"};
  if (bracket && !before.empty() && earlier.contains(before[0])) return true;
  std::string_view behind = text.substr(figure.end);
  for (const std::string_view end : {". ", ", ", "; ", ": "})
    behind = behind.substr(0, behind.find(end));
  constexpr std::array<std::string_view, 13> ends{
      " wrong",       " no longer ", " mistake",  " in error",         " before)",
      " out of date", " given up",   " misprint", " should have been", " should read",
      " superseded",  " outdated",   " incorrect"};
  return std::ranges::any_of(ends, is_in(behind));
}

/// Whether a text says that something is no longer as it was: `now`, `no longer`, `down from`,
/// `moved the last bus to`.
bool speaks_of_end(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "now" || words[i] == "instead") return true;
    if (i == 0) continue;
    const bool no_longer = words[i] == "longer" && words[i - 1] == "no" &&
                           (i + 1 == words.size() || words[i + 1] != "than");
    const bool moved = words[i] == "from" && (words[i - 1] == "down" || words[i - 1] == "up");
    const auto to = std::find(words.begin() + static_cast<std::ptrdiff_t>(i), words.end(), "to");
    const bool figure = to != words.end() && to + 1 != words.end() && has_figure({to[1]});
    const bool goes =
        moves.contains(words[i]) && figure && to - words.begin() - std::ptrdiff_t(i) < 6;
    if (no_longer || moved || goes) return true;
  }
  return false;
}

/// Whether a heading or a text speaks of a change: `has been moved by a week`, `goes earlier`,
/// `New prices`.
bool speaks_of_change(const std::vector<std::string>& words) {
  static const std::set<std::string_view> changes{
      "changed",   "changes",   "change",    "moved",     "moves",     "moving",   "raised",
      "raise",     "raises",    "increased", "increases", "reduced",   "lowered",  "extended",
      "postponed", "shortened", "replaced",  "replaces",  "revised",   "adjusted", "dearer",
      "cheaper",   "doubled",   "halved",    "abolished", "introduced"};
  static const std::set<std::string_view> rules{
      "rule", "rules",   "price",     "prices", "time",  "times", "hours",  "fee",
      "fees", "charges", "timetable", "tariff", "rates", "dates", "opening"};
  static const std::set<std::string_view> goings{
      "goes", "go",   "leaves", "leave", "starts", "start", "begins",  "begin", "opens",
      "open", "ends", "closes", "close", "comes",  "runs",  "departs", "meets", "meet"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (changes.contains(words[i])) return true;
    if (i == 0) continue;
    const bool shifted = words[i] == "earlier" || words[i] == "later";
    if (shifted && goings.contains(words[i - 1])) return true;
    if (words[i - 1] == "new" && rules.contains(words[i])) return true;
  }
  return false;
}

/// Whether something holds from a day on: `from 17 January`, `since 1 June`, not `from 3 to 5 May`.
bool begins_on(std::string_view text, const Figure& date) {
  if (date.unit != "date") return false;
  const auto before = words(text.substr(0, date.begin));
  if (before.empty() || (before.back() != "from" && before.back() != "since")) return false;
  const auto behind = words(text.substr(date.end));
  return behind.empty() || (behind[0] != "to" && behind[0] != "until" && behind[0] != "till");
}

/// Whether it, or what stands above it, speaks of what is to be, or is thought to be.
bool speaks_of_plan(const std::vector<std::string>& words) {
  static const std::set<std::string_view> plans{
      "estimate", "estimated",   "estimates", "budget",    "budgeted", "plan",      "plans",
      "planned",  "planning",    "proposed",  "proposal",  "forecast", "expected",  "expects",
      "expect",   "hope",        "hopes",     "hoped",     "aim",      "aims",      "target",
      "targets",  "intend",      "intends",   "intended",  "quoted",   "quotation", "promised",
      "will",     "feasibility", "due",       "scheduled", "voted"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (plans.contains(words[i]) && (i == 0 || words[i - 1] != "than")) return true;
  }
  return false;
}

/// `The repair cost £131,400 all told`, `the heat was switched on on …`, not `it would cost`.
bool speaks_of_outcome(const std::vector<std::string>& words) {
  static const std::set<std::string_view> outcomes{
      "final",  "finally",  "finished", "completed", "cost",   "came",    "paid",     "spent",
      "opened", "reopened", "began",    "started",   "total",  "whole",   "actual",   "actually",
      "was",    "were",     "built",    "became",    "turned", "account", "accounts", "holds"};
  return std::ranges::find(words, "would") == words.end() &&
         std::ranges::any_of(words, [](const auto& word) { return outcomes.contains(word); });
}

/// Whether a date is the last of something: `runs to 3 May`, `closes on 3 May`, `by 3 May`.
bool is_last_day(std::string_view text, const Figure& date) {
  static const std::set<std::string_view> marks{"until",    "till",    "by",     "to",
                                                "deadline", "closing", "closes", "ends",
                                                "expires",  "expire",  "ending", "end"};
  const auto before = words(text.substr(0, date.begin));
  const auto near = before.end() - std::min<std::ptrdiff_t>(3, std::ssize(before));
  return std::any_of(near, before.end(), [](const auto& word) { return marks.contains(word); });
}

/// Whether a number names a version: `3.6.19`, `version 7`; so does a date in brackets behind it.
bool is_of_version(std::string_view text, const Figure& figure) {
  static const std::set<std::string_view> names{"version", "versions", "release", "releases"};
  if (std::ranges::count(figure.number, '.') > 1) return true;
  const auto before = words(text.substr(0, figure.begin));
  if (before.empty()) return false;
  const bool dated = figure.unit == "date" && text[figure.begin - 1] == '(';
  return names.contains(before.back()) || (dated && has_figure({before.back()}));
}

/// Whether a sentence ends between two places of a text.
bool ends_between(std::string_view text, std::size_t from, std::size_t to) {
  return text.substr(from, to - from).find(". ") != text.npos;
}

/// `Friday 28 November`: the day is told by its date.
bool is_of_date(const Figure& figure, const Figure& next) {
  constexpr std::size_t gap = 2;  ///< a comma and a space
  return figure.unit == "weekday" && next.unit == "date" && next.begin <= figure.end + gap;
}

/// Reads what is counted, with the numbers that are named for it.
void read_figures(const std::string& text, Said& said) {
  std::string last;  // unit in the sentence
  std::size_t behind = 0;
  const auto figures = figures_in(text);
  for (auto at = figures.begin(); at != figures.end(); ++at) {
    const Figure& figure = *at;
    if (is_of_version(text, figure)) continue;
    if (at + 1 != figures.end() && is_of_date(figure, at[1])) continue;
    if (ends_between(text, behind, figure.begin)) last.clear();
    behind = figure.end;
    if (figure.unit.empty()) {
      said.bare.insert(figure.number);
    } else {
      said.figures[figure.unit].insert(figure.number);
      last = figure.unit;
    }
    said.names_end = said.names_end || (figure.unit == "date" && is_last_day(text, figure));
    said.tells_change = said.tells_change || begins_on(text, figure);
    if (is_denied(text, figure)) said.denied[last].insert(figure.number);
  }
}

/// Whether two texts that have this number mean the same by it: a short one stands on many pages.
bool are_alike(const Said& one, const Said& other, const std::string& unit,
               const std::string& number) {
  constexpr std::size_t telling_length = 3;
  constexpr std::ptrdiff_t telling_terms = 3;  // the number and its unit are two
  const auto common = std::ranges::count_if(
      one.terms, [&](const auto& term) { return other.terms.contains(term); });
  if (unit == "weekday") return common > 1;  // the day is one
  return number.size() >= telling_length || (number.size() > 1 && common >= telling_terms);
}

/// Whether it names another figure for the unit: `6 months, not 38`.
bool names_another(const Said& said, const std::string& unit, const std::string& number) {
  const auto figures = said.figures.find(unit);
  return figures != said.figures.end() &&
         std::ranges::any_of(figures->second,
                             [&](const auto& other) { return !are_same(unit, other, number); });
}

/// Whether it has the number, for the unit if one is given; the unit may stand above it.
bool has(const Said& said, const std::string& unit, const std::string& number) {
  if (said.bare.contains(number)) return unit.empty() || said.context.contains(unit);
  return std::ranges::any_of(said.figures, [&](const auto& one) {
    return (unit.empty() || unit == one.first) && has_same(one.second, one.first, number);
  });
}

}  // namespace

Said said_of(const std::string& text, const std::string& columns, const std::string& heading,
             const std::string& title) {
  const auto own = terms(text);
  const auto more = terms(columns + " " + heading + " " + title);
  Said said;
  said.terms = {own.begin(), own.end()};
  said.context = said.terms;
  const auto plain = terms(without_figures(text));
  const auto plain_above = terms(without_figures(columns + " " + heading + " " + title));
  said.words = {plain.begin(), plain.end()};
  std::ranges::copy_if(plain_above, std::inserter(said.above, said.above.end()),
                       [&](const auto& term) { return !said.terms.contains(term); });
  const auto all = words(text);
  said.tells_end = speaks_of_end(all);
  said.tells_change =
      said.tells_end || speaks_of_change(all) || speaks_of_change(words(heading + " " + title));
  said.plans = speaks_of_plan(all);
  said.is_of_plan = said.plans || speaks_of_plan(words(columns + " " + heading + " " + title));
  said.tells_outcome = !said.plans && speaks_of_outcome(all);
  read_figures(text, said);
  said.tells_change = said.tells_change || !said.denied.empty();
  said.context.insert(more.begin(), more.end());
  return said;
}

bool takes_back(const Said& one, const Said& other) {
  return std::ranges::any_of(one.denied, [&](const auto& denied) {
    const std::string& unit = denied.first;
    return std::ranges::any_of(denied.second, [&](const std::string& number) {
      return has(other, unit, number) &&
             (names_another(one, unit, number) || are_alike(one, other, unit, number));
    });
  });
}

}  // namespace research
