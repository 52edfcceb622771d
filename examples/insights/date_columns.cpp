#include "insights/date_columns.hpp"

#include <algorithm>
#include <regex>

#include "insights/figures.hpp"
#include "insights/moments.hpp"
#include "insights/numbers.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

/// Whether any word of one name is one of the other.
bool share_a_word(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& word) {
    return !words().has("stop", word) && !words().has("times", word) &&
           std::ranges::any_of(b, [&](const auto& other) { return is_same_word(word, other); });
  });
}

/// Whether a word is followed by what is said of dates: `arrival day`, `booked on a Monday`,
/// `booked in May`, but not `ready on time`.
bool is_dated(const std::vector<std::string>& asked, std::size_t at) {
  static const std::regex when{
      R"(\d+(?:st|nd|rd|th)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|)"
      R"((?:jan|febr)(?:uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|)"
      R"((?:sept|octo|novem|decem)(?:ber)?|which|what)"};
  const auto word = [&](std::size_t i) { return i < asked.size() ? asked[i] : ""; };
  if (words().has("times", word(at + 1))) return true;
  if (word(at + 1) != "on" && word(at + 1) != "in") return false;
  const bool has_article = word(at + 2) == "a" || word(at + 2) == "the";
  return std::regex_match(word(at + (has_article ? 3 : 2)), when);
}

/// Whether a question asks for a time, or is about one: then its verb means the date that is called
/// after it, as `on which day do we pour the most` means `Poured`. How long something takes, and
/// what is not done, is about no date of its own.
bool is_about_time(const std::string& prompt) {
  static const std::regex time{
      R"(\b(?:when|(?:which|what|by|per|each) (?:the )?(?:day|weekday|week|month|quarter|year)s?|)"
      R"(weekdays?|weekends?|(?:this|last) (?:year|month|week|spring|summer|autumn|winter)|)"
      R"((?:in|since|before|after|until|during|of|on|and|than) (?:the )?(?:\d{1,2}(?:st|nd|rd|th)? )?)"
      R"((?:(?:19|20)\d\d|january|february|march|april|may|june|july|august|september|october|)"
      R"(november|december))\b)",
      std::regex::icase};
  static const std::regex other{
      R"(\b(?:no|without|how (?:long|old|quick\w*|fast|soon|many days)|share|per ?cent\w*|proportion|not|never|)"
      R"(still|yet|un\w+ed|unpaid|open|outstanding|on time|in time|late|overdue|average time)\b|n['’]t\b|%)",
      std::regex::icase};
  return std::regex_search(prompt, time) && !std::regex_search(prompt, other);
}

/// Whether a question is about days on which something happened, and not about when it did in rows
/// in which it may not have: then only those are asked about in which it has.
bool is_of_its_days(const std::string& prompt) {
  const std::vector<std::string> asked = words_in(prompt);
  return is_about_time(prompt) && std::ranges::find(asked, "when") == asked.end();
}

/// Whether two words are of one happening: `deliver` and `Delivered`, `sent` and `Shipped`.
bool is_same_happening(const std::string& a, const std::string& b) {
  return is_same_word(a, b) || std::ranges::any_of(words().happenings, [&](const auto& group) {
           return group.contains(a) && group.contains(b);
         });
}

/// How surely a question names a date: by all words of its name that tell it from others, said as a
/// date (2), or by what happens on it (1 where the word is one for the rows, else 2); 0: not at
/// all.
int named_by(const std::string& header, const std::string& prompt,
             const std::vector<std::string>& rows) {
  const std::vector<std::string> asked = words_in(prompt);
  std::vector<std::string> name = words_in(header);
  std::erase_if(name, [](const std::string& word) { return words().has("stop", word); });
  const bool is_about = is_about_time(prompt);
  bool is_date = false;
  bool is_name = false;
  bool is_of_rows = false;
  for (const std::string& word : name) {
    const auto is_it = [&](const std::string& one) { return is_same_word(one, word); };
    const auto is_like = [&](const std::string& one) { return is_same_happening(one, word); };
    auto found = std::ranges::find_if(asked, is_it);
    const bool is_general = words().has("times", word);
    const bool is_told = name.size() > 1 && is_general && is_about;
    if (found == asked.end() && is_told) continue;  // of `Order date` only `ordered` is said
    if (found == asked.end() && is_about) found = std::ranges::find_if(asked, is_like);
    if (found == asked.end()) return 0;
    is_name = is_name || !is_general;
    const bool happens =
        !is_general && is_about &&
        (word.ends_with("ed") || std::ranges::any_of(words().happenings, [&](const auto& group) {
           return group.contains(word);
         }));
    const bool is_row = share_a_word({*found}, rows);
    is_of_rows = is_of_rows || (is_row && !is_general);
    is_date = is_date || is_general || happens ||
              is_dated(asked, static_cast<std::size_t>(found - asked.begin()));
  }
  if (!is_name || !is_date) return 0;
  return is_of_rows ? 1 : 2;
}

/// `Date`, `Day`: a date of nothing else.
bool is_plain(const std::vector<std::string>& name) {
  return std::ranges::all_of(name,
                             [](const std::string& word) { return words().has("times", word); });
}

bool says_how_long(const std::string& header) {
  return std::ranges::any_of(
      words_in(header), [](const std::string& word) { return words().has("durations", word); });
}

/// Whether cells such as 0:53:54 are none of the small hours, but how long something took: all are
/// below six hours, and say it to the second.
bool is_short(const CsvFile& file, std::size_t column) {
  constexpr Moment early = 6 * 3600;
  return holds(file, column, [](const std::string& cell) {
    const auto clock = parse_clock(cell);
    return clock && *clock < early && std::ranges::count(cell, ':') == 2;
  });
}

}  // namespace

bool is_clock(const CsvFile& file, std::size_t column) {
  const auto is_it = [](const std::string& cell) { return parse_clock(cell).has_value(); };
  return holds(file, column, is_it) && !says_how_long(file.header[column]) &&
         !is_short(file, column);
}

std::vector<std::size_t> clock_columns(const CsvFile& file) {
  std::vector<std::size_t> clocks;
  for (std::size_t column = 0; column < file.header.size(); ++column) {
    if (is_clock(file, column)) clocks.push_back(column);
  }
  return clocks;
}

bool is_duration(const CsvFile& file, std::size_t column) {
  constexpr double short_time = 240;
  const auto is_it = [](const std::string& cell) { return parse_duration(cell).has_value(); };
  if (!holds(file, column, is_it)) return false;
  std::vector<double> minutes;
  for (const CsvRow& row : file.rows) {
    const auto one = parse_duration(row.cells[column]);
    if (one) minutes.push_back(one->value);
  }
  return says_how_long(file.header[column]) || median(minutes) < short_time ||
         std::ranges::max(minutes) >= 24 * 60;
}

std::size_t date_of_clock(const CsvFile& file, const std::vector<DateColumn>& dates,
                          std::size_t clock) {
  const std::vector<std::string> name = words_in(file.header[clock]);
  std::size_t nearest = dates.front().at;
  for (const DateColumn& date : dates) {
    if (share_a_word(name, words_in(file.header[date.at]))) return date.at;
    if (date.at < clock) nearest = date.at;
  }
  return nearest;
}

std::optional<std::size_t> time_of_rows(const CsvFile& file, const std::vector<DateColumn>& dates,
                                        const std::vector<std::size_t>& clocks,
                                        const std::string& prompt) {
  if (dates.empty()) return std::nullopt;
  const std::size_t few = file.rows.size() / 50;
  const std::size_t least = std::ranges::min(dates, {}, &DateColumn::lacking).lacking;
  const std::vector<std::string> rows = words_in(file.name);
  const auto named = [&](const DateColumn& date) {
    return named_by(file.header[date.at], prompt, rows);
  };
  const int best_name = named(std::ranges::max(dates, {}, named));
  const auto asked = [&](const DateColumn& date) {
    return best_name > 0 && named(date) == best_name;
  };
  const bool is_one = std::ranges::count_if(dates, asked) == 1;
  std::optional<std::size_t> best;
  int most = -1;
  for (const DateColumn& date : dates) {
    const bool is_named = is_one && asked(date);
    if (date.lacking > least + few && !(is_named && best_name == 2 && is_of_its_days(prompt)))
      continue;
    const std::vector<std::string> name = words_in(file.header[date.at]);
    const bool is_of_rows = share_a_word(name, rows) || is_plain(name);
    const bool has_clock = std::ranges::any_of(
        clocks, [&](std::size_t clock) { return date_of_clock(file, dates, clock) == date.at; });
    const int weight = is_named ? 3 : has_clock ? 2 : is_of_rows ? 1 : 0;
    if (weight <= most) continue;
    most = weight;
    best = date.at;
  }
  return best;
}

bool lacks_many(const std::vector<DateColumn>& dates, std::size_t time, std::size_t rows) {
  if (dates.empty()) return false;
  const std::size_t least = std::ranges::min(dates, {}, &DateColumn::lacking).lacking;
  return std::ranges::any_of(dates, [&](const DateColumn& date) {
    return date.at == time && date.lacking > least + rows / 50;
  });
}

}  // namespace insights
