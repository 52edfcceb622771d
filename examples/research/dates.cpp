#include "research/dates.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "research/html_text.hpp"
#include "research/text.hpp"
#include "research/units.hpp"

namespace research {
namespace {

constexpr std::size_t first_passages = 12;  ///< with those of a menu
constexpr std::size_t short_line = 14;      ///< words

/// Letters, or digits, that follow one another.
struct Token {
  std::string text;  ///< lower case
  char behind = ' ';
  [[nodiscard]] bool is_number() const { return text[0] >= '0' && text[0] <= '9'; }
  [[nodiscard]] int number() const { return text.size() < 5 ? std::stoi(text) : 0; }
};

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const auto kind = is_decimal(text[at]) ? is_decimal : is_letter;
    std::size_t end = at;
    while (end < text.size() && kind(text[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    tokens.push_back({lower(text.substr(at, end - at)), end < text.size() ? text[end] : ' '});
    at = end;
  }
  return tokens;
}

/// 1 to 12; 0 if it is no month.
int month_of(const Token& token) {
  static constexpr std::array<std::string_view, 12> names{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_short = token.text.size() == 3 || token.text == "sept";
    const bool fits = is_short ? names[i].starts_with(token.text) : names[i] == token.text;
    if (fits) return static_cast<int>(i) + 1;
  }
  return 0;
}

bool is_year(const Token& token) {
  return token.is_number() && token.text.size() == 4 && token.number() >= 1900 &&
         token.number() < 2100;
}

bool is_day(const Token& token) {
  return token.is_number() && token.text.size() < 3 && token.number() > 0 && token.number() < 32;
}

/// What may stand behind a day, or between it and the month.
bool is_filler(const Token& token) {
  return token.text == "st" || token.text == "nd" || token.text == "rd" || token.text == "th" ||
         token.text == "of";
}

bool is_weekday(const Token& token) {
  static constexpr std::array<std::string_view, 7> names{
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
  return std::ranges::any_of(names, [&](auto name) {
    return token.text == name || (token.text.size() == 3 && name.starts_with(token.text));
  });
}

std::string date(int year, int month, int day) {
  return fmt::format("{}-{:02}-{:02}", year, month, day);
}

/// A number in front of a year may be a day and a month: which is which?
std::optional<std::string> date_in_numbers(const Token& first, const Token& second,
                                           const Token& year) {
  const bool day_first = first.number() > 12 || first.behind == '.';
  if (day_first && second.number() > 12) return std::nullopt;
  if (day_first) return date(year.number(), second.number(), first.number());
  if (second.number() > 12) return date(year.number(), first.number(), second.number());
  return year.text;
}

/// What begins at a token: at most three parts, without fillers.
std::optional<std::string> date_at(const std::vector<Token>& tokens, std::size_t at) {
  std::vector<Token> parts;
  for (; at < tokens.size() && parts.size() < 3; ++at) {
    if (!is_filler(tokens[at])) parts.push_back(tokens[at]);
  }
  if (parts.size() < 2) return std::nullopt;
  const int month = month_of(parts[0]);
  if (month > 0 && is_year(parts[1])) return fmt::format("{}-{:02}", parts[1].text, month);
  if (parts.size() < 3) return std::nullopt;
  const auto& [first, second, third] = std::tie(parts[0], parts[1], parts[2]);
  if (month > 0 && is_day(second) && is_year(third)) {
    return date(third.number(), month, second.number());
  }
  if (is_day(first) && month_of(second) > 0 && is_year(third)) {
    return date(third.number(), month_of(second), first.number());
  }
  const bool is_iso = is_year(first) && (first.behind == '-' || first.behind == '/') &&
                      is_day(second) && second.number() < 13 && is_day(third);
  if (is_iso) return date(first.number(), second.number(), third.number());
  const bool in_numbers = is_day(first) && is_day(second) && is_year(third) &&
                          first.behind == second.behind &&
                          (first.behind == '/' || first.behind == '.' || first.behind == '-');
  return in_numbers ? date_in_numbers(first, second, third) : std::nullopt;
}

/// The date behind `last updated on`, `posted`: the words of those who date their pages.
std::optional<std::string> date_of_page(const std::string& text) {
  static constexpr std::array<std::string_view, 10> signs{
      "updated", "touched", "modified",  "revised", "reviewed",
      "edited",  "posted",  "published", "changed", "as of"};
  const std::string all = lower(text);
  for (const std::string_view sign : signs) {
    const auto at = all.find(sign);
    if (at == all.npos) continue;
    const auto behind = date_in(all.substr(at));
    return behind ? behind : date_in(all);
  }
  return std::nullopt;
}

/// Of `1 March 2025, Ada`.
std::size_t comma_before_name(std::string_view text) {
  std::size_t at = text.find(", ");
  const auto is_name = [&] {
    return at + 2 < text.size() && text[at + 2] >= 'A' && text[at + 2] <= 'Z';
  };
  while (at != text.npos && !is_name()) at = text.find(", ", at + 2);
  return at;
}

/// `5 December 2022. We have …`: what a text begins with.
std::optional<std::string> date_before(const std::string& text) {
  const std::string beginning = text.substr(0, text.find_first_of(":.|"));
  const bool is_date = is_only_date(beginning) && beginning != text;
  return is_date ? date_in(beginning) : std::nullopt;
}

/// What stands behind the label of something that was added: `3 May 2025: …` of `Update 3 May
/// 2025: …`; empty if there is none.
std::string behind_label(const std::string& text) {
  static const std::set<std::string_view> labels{"update",    "updated",  "edit",  "correction",
                                                 "corrected", "addendum", "added", "erratum"};
  const auto end = text.find_first_of(" ,(");
  if (end == text.npos || !labels.contains(lower(text.substr(0, end)))) return {};
  return text.substr(std::min(text.size(), text.find_first_not_of(" ,(", end)));
}

/// `from 1 March 2025`: since or until when something is so.
bool has_span(const std::vector<Token>& tokens) {
  static const std::set<std::string_view> spans{"from",  "to",     "until", "till", "since",
                                                "after", "before", "by",    "for",  "valid"};
  const auto is_of_date = [](const Token& token) {
    return token.is_number() || month_of(token) > 0 || is_weekday(token);
  };
  return std::ranges::adjacent_find(tokens, [&](const Token& one, const Token& next) {
           return (spans.contains(one.text) && is_of_date(next)) ||
                  (is_of_date(one) && next.text == "to");
         }) != tokens.end();
}

}  // namespace

std::optional<std::string> date_in(std::string_view text) {
  const auto tokens = tokens_of(text);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (auto found = date_at(tokens, at)) return found;
  }
  return std::nullopt;
}

bool is_only_date(std::string_view text) {
  return std::ranges::all_of(tokens_of(text), [](const Token& token) {
    return token.is_number() || month_of(token) > 0 || is_filler(token);
  });
}

bool is_dateline(std::string_view text) {
  static const std::set<std::string_view> about{
      "page",   "last",   "updated",   "touched", "modified", "revised", "reviewed",
      "edited", "posted", "published", "changed", "written",  "created", "edited",
      "date",   "dated",  "as",        "on",      "at",       "utc",     "gmt",
      "in",     "this",   "was",       "and",     "by",       "valid",   "from",
      "since",  "prices", "fees",      "charges", "rates",    "force",   "effective"};
  if (!date_in(text)) return false;
  const std::size_t by = std::min({text.find(" by "), comma_before_name(text), text.size()});
  const auto tokens = tokens_of(text.substr(0, by));
  const bool dated = std::ranges::all_of(tokens, [&](const Token& token) {
    return token.is_number() || month_of(token) > 0 || is_filler(token) || is_weekday(token) ||
           about.contains(token.text);
  });
  // Behind `by`, or the comma, are names.
  const std::size_t names = by + (text.substr(by).starts_with(',') ? 2 : 4);
  std::size_t small = 0;
  bool inside = false;
  for (const char c : text.substr(std::min(text.size(), names))) {
    small += !inside && c >= 'a' && c <= 'z' ? 1U : 0U;
    inside = c != ' ';
  }
  return dated && small < 2;  // `and`
}

std::string date_within(const Passage& passage, const std::string& date_of_page) {
  constexpr std::ptrdiff_t most_words = 4;  // besides the date
  if (const auto added = date_before(behind_label(passage.text))) {
    return std::max(*added, date_of_page);
  }
  auto found = date_before(passage.text);
  const auto tokens = tokens_of(passage.heading);
  const auto others = std::ranges::count_if(tokens, [](const Token& token) {
    return !token.is_number() && month_of(token) == 0 && !is_filler(token) && !is_weekday(token);
  });
  if (!found && others <= most_words && !has_span(tokens)) found = date_in(passage.heading);
  if (!found && tokens.size() == 1 && is_year(tokens[0])) found = tokens[0].text;
  const bool earlier = found && (date_of_page.empty() || *found <= date_of_page);
  return earlier ? *found : date_of_page;
}

bool holds_no_longer(const Page& page) {
  constexpr std::size_t most_words = 40;
  static constexpr std::array<std::string_view, 9> itself{
      "this page",   "these pages", "this text",    "this version", "this document",
      "these rules", "this manual", "this article", "this guide"};
  static constexpr std::array<std::string_view, 11> ends{
      "superseded",        "out of date",
      "outdated",          "obsolete",
      "been replaced",     "withdrawn",
      "archived",          "no longer valid",
      "no longer current", "no longer maintained",
      "no longer in force"};
  return std::ranges::any_of(page.passages, [](const Passage& one) {
    const std::string text = lower(one.text);
    const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
    return words(text).size() <= most_words && std::ranges::any_of(itself, has) &&
           std::ranges::any_of(ends, has);
  });
}

namespace {

/// `Prices valid from 1 March 2025`: the page is as old as what it lists.
bool says_since_when(const std::string& text) {
  static const std::set<std::string_view> signs{"valid", "prices", "fees",     "charges",
                                                "rates", "force",  "effective"};
  const auto tokens = tokens_of(text);
  return is_dateline(text) && !tokens.empty() && signs.contains(tokens.front().text);
}

}  // namespace

std::string date_of(const std::string& path, const Document& document) {
  if (!document.date.empty()) return document.date;
  const auto& passages = document.passages;
  const auto is_short = [](const Passage& one) { return words(one.text).size() <= short_line; };
  const auto tells_of_else = [](const Passage& one) {  // `Closed since | 1 March 2025`
    return is_definition(one.text, one.columns) && !is_dateline(with_term(one.text, one.columns));
  };
  for (const Passage& one : passages) {
    if (one.is_row || !is_short(one)) continue;
    if (auto found = date_of_page(one.text)) return *found;
    if (says_since_when(one.text)) return *date_in(one.text);
  }
  for (std::size_t i = 0; i < std::min(first_passages, passages.size()); ++i) {
    const bool is_sentence = passages[i].text.ends_with('.') || passages[i].text.ends_with(':');
    if (passages[i].is_row || is_sentence || !is_short(passages[i])) continue;
    if (tells_of_else(passages[i]) || has_span(tokens_of(passages[i].text))) continue;
    if (auto found = date_in(passages[i].text)) return *found;
  }
  std::set<std::string> dated;  // the entries of a list have many
  for (const Passage& one : passages) {
    if (const auto found = date_before(one.text)) dated.insert(*found);
  }
  if (dated.size() == 1) return *dated.begin();
  const std::string heading = passages.empty() ? "" : passages.front().heading;
  for (const std::string& text : {document.title, heading, path}) {
    if (auto found = date_in(text)) return *found;
  }
  // `/minutes/2024-11.html`
  const auto tokens = tokens_of(path);
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const bool month =
        is_day(tokens[at + 1]) && tokens[at + 1].text.size() == 2 && tokens[at + 1].number() < 13;
    const bool parted = tokens[at].behind == '-' || tokens[at].behind == '/';
    if (is_year(tokens[at]) && month && parted) return tokens[at].text + "-" + tokens[at + 1].text;
  }
  return {};
}

}  // namespace research
