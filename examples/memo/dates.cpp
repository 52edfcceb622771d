// When a document was written: by its name, or by its first lines.
#include <algorithm>
#include <array>
#include <cctype>

#include "memo/markdown.hpp"
#include "memo/periods.hpp"
#include "memo/source.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

constexpr std::size_t head_lines = 6;
constexpr std::size_t longest_line = 90;  // bytes; a longer one is prose, and may tell of the past

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Whether `text` begins with `shape`, in which `0` is any digit; no digit may follow.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  if (text.size() > shape.size() && is_digit(text[shape.size()])) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '0' ? !is_digit(text[i]) : text[i] != shape[i]) return false;
  }
  return true;
}

bool is_year(std::string_view word) {
  return has_shape(word, "0000") && word.size() == 4 &&
         (word.starts_with("19") || word.starts_with("20"));
}

bool is_month(std::string_view digits) { return digits >= "01" && digits <= "12"; }

/// `2024-05-31` or `2024-05` in `text`; empty if there is none.
std::string numeric_date(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at]) || (at > 0 && is_digit(text[at - 1]))) continue;
    const auto rest = text.substr(at);
    const bool month =
        rest.size() >= 7 && is_year(rest.substr(0, 4)) && is_month(rest.substr(5, 2));
    for (const std::string_view shape : {"0000-00-00", "0000-00"}) {
      if (month && has_shape(rest, shape)) return std::string{rest.substr(0, shape.size())};
    }
  }
  return {};
}

/// `05` of `may`; empty for no month.
std::string month_of(std::string_view word) {
  const int month = month_named(word);
  return month == 0 ? std::string{} : (month < 10 ? "0" : "") + std::to_string(month);
}

bool is_day(std::string_view word) {
  return !word.empty() && word.size() <= 2 && is_digit(word[0]);
}

std::string two_digits(std::string_view day) {
  return (day.size() == 1 ? "0" : "") + std::string{day};
}

/// `3 May 2024`, `May 3, 2024` and `May 2024` in `line`; empty if there is none.
std::string written_date(std::string_view line) {
  const auto words = lower_words(line);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto month = month_of(words[i]);
    if (month.empty()) continue;
    const bool day_behind = i + 2 < words.size() && is_day(words[i + 1]) && is_year(words[i + 2]);
    if (day_behind) return words[i + 2] + '-' + month + '-' + two_digits(words[i + 1]);
    if (!is_year(words[i + 1])) continue;
    const bool day_before = i > 0 && is_day(words[i - 1]);
    return words[i + 1] + '-' + month + (day_before ? '-' + two_digits(words[i - 1]) : "");
  }
  return {};
}

/// The date that a long line begins with: `12 May 2025, by video. Chair: …`, `Date: 2025-03-12.
/// …`
std::string date_ahead(std::string_view line) {
  static const std::array<std::string_view, 5> heads{"date", "dated", "held", "meeting", "of"};
  constexpr std::size_t reach = 40;  // bytes
  const auto head = line.substr(0, line.substr(0, reach).rfind(' '));
  const auto words = lower_words(head);
  const auto first = std::ranges::find_if(words, [&](const std::string& word) {
    return word != "on" && std::ranges::find(heads, word) == heads.end();
  });
  if (first == words.end()) return {};
  if (is_year(std::string_view{*first}.substr(0, 4))) return numeric_date(head);
  return is_day(*first) ? written_date(head) : std::string{};
}

/// The latest date behind `last updated` or the like, wherever it stands; empty if there is none.
std::string last_update(std::string_view text) {
  constexpr std::size_t reach = 40;  // bytes
  std::string latest;
  const std::string lower = to_lower(text);
  for (const std::string_view sign : {"last updated", "last edited", "last modified",
                                      "last reviewed", "last changed", "last revised"}) {
    for (auto at = lower.find(sign); at != npos; at = lower.find(sign, at + 1)) {
      const auto behind = text.substr(at + sign.size(), reach);
      const auto line = behind.substr(0, behind.find('\n'));
      auto found = numeric_date(line);
      if (found.empty()) found = written_date(line);
      latest = std::max(latest, found);
    }
  }
  return latest;
}

}  // namespace

std::string date_of(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  auto date = numeric_date(name);
  if (!date.empty()) return date;
  std::string words{name.substr(0, name.rfind('.'))};
  std::ranges::replace_if(
      words, [](char c) { return c == '_' || c == '-'; }, ' ');
  return written_date(words);
}

std::string year_named(std::string_view path) {
  static const Signs ahead{{"plan", "strategy", "forecast", "budget", "outlook", "vision",
                            "roadmap", "target", "goal", "projection"}};
  path.remove_prefix(path.rfind('/') + 1);
  const auto name = replace_all(std::string{path.substr(0, path.rfind('.'))}, "_", " ");
  if (ahead.in_text(WordIndex{name})) return {};
  std::string year;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const auto rest = std::string_view{name}.substr(at);
    const bool inside = at > 0 && is_digit(name[at - 1]);
    if (inside || !is_year(rest.substr(0, 4)) || !has_shape(rest, "0000")) continue;
    if (!year.empty()) return {};
    year = rest.substr(0, 4);
  }
  return year;
}

std::string date_of(const Source& source) {
  if (auto named = date_of(source.path); !named.empty()) return named;
  const bool records = is_records(source);  // each row may have its own
  if (auto updated = records ? std::string{} : last_update(source.text); !updated.empty()) {
    return updated;
  }
  std::size_t seen = 0;
  for (const auto line : lines(source.text)) {
    const auto words = trim(line);
    if (words.empty()) continue;
    const bool title = is_csv(source) && words.find_first_of(",;\t|") == npos;
    const bool comment = title || words.starts_with('#');
    if (++seen > head_lines || (records && !comment)) break;
    const bool whole = words.size() <= longest_line;
    auto found = whole ? numeric_date(words) : date_ahead(words);
    if (found.empty() && whole) found = written_date(words);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace memo
