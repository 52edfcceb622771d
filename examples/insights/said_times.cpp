#include "insights/said_times.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/moments.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

std::string with_each(const std::string& text, const std::regex& wanted,
                      const std::function<std::string(const std::smatch&)>& made) {
  std::string all;
  std::string rest = text;
  for (std::smatch found; std::regex_search(rest, found, wanted);) {
    all += found.prefix().str() + made(found);
    rest = found.suffix();
  }
  return all + rest;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

const std::string month_names_said =
    "(January|February|March|April|May|June|July|August|September|October|November|December)";

int month_of_name(const std::string& name) {
  int at = 0;
  while (place_name(Cycle::month, at) != name) ++at;
  return at + 1;
}

std::string month_text(int year, int month) { return fmt::format("{:04}-{:02}", year, month); }

/// `2024-12 to 2025-02`
std::string months_from(int year, int month, int count) {
  const int last = month + count - 1;
  return month_text(year, month) + " to " + month_text(year + (last - 1) / 12, (last - 1) % 12 + 1);
}

class Saying {
 public:
  explicit Saying(const Json& table)
      : table_(table),
        from_(day_at("from")),
        to_(day_at("to")),
        year_(std::atoi(moment_text(to_, false).substr(0, 4).c_str())) {}

  [[nodiscard]] std::string plain(std::string text) const {
    text = with_shared_year(text);
    text = with_seasons(text);
    text = with_parts_of_years(text);
    text = with_feasts(text);
    return with_this_and_last(text);
  }

 private:
  [[nodiscard]] Moment day_at(const char* end) const {
    return parse_moment(table_.at(end).get<std::string>().substr(0, 10))->moment;
  }

  /// `January and February 2025`: the year is that of both.
  [[nodiscard]] static std::string with_shared_year(const std::string& text) {
    static const std::regex two{R"(\b)" + month_names_said +
                                R"(( and | to | until | through |, | or | ?[-–] ?))" +
                                month_names_said + R"(,? ((?:19|20)\d\d)\b)"};
    return with_each(text, two, [](const std::smatch& m) {
      const int year = std::atoi(m[4].str().c_str());
      const bool is_before = month_of_name(m[1]) > month_of_name(m[3]);
      return fmt::format("{} {}{}{} {}", m[1].str(), is_before ? year - 1 : year, m[2].str(),
                         m[3].str(), year);
    });
  }

  /// Whether something of the table is called so.
  [[nodiscard]] bool is_name(const std::string& word) const {
    const std::vector<std::string> names = words_in(table_.dump());
    return std::ranges::find(names, word) != names.end();
  }

  /// `summer 2024 (June to August)`, `this winter`, `since the summer`.
  [[nodiscard]] std::string with_seasons(const std::string& text) const {
    static const std::regex season{
        R"(\b(?:(this|last|since the|before the|after the|until the) )?(spring|summer|autumn|winter))"
        R"((?:(?: of)?(?: the year)? ((?:19|20)\d\d)(?:[/-]\d\d(?:\d\d)?)?)?\b)"
        R"((?: ?\([A-Z][a-z]+ ?(?:to|until|through|-|–) ?[A-Z][a-z]+\))?)",
        std::regex::icase};
    return with_each(text, season, [&](const std::smatch& m) {
      const std::string name = lower_case(m[2]);
      const std::string before = lower_case(m[1]);
      const bool is_open = !m[3].matched;
      if (is_open && (before.empty() || is_name(name) || is_short())) return m.str();
      const int month = name == "spring" ? 3 : name == "summer" ? 6 : name == "autumn" ? 9 : 12;
      const int year =
          m[3].matched ? std::atoi(m[3].str().c_str()) : year_of_season(month, before == "last");
      const bool is_side = !before.empty() && before != "this" && before != "last";
      const bool is_there =
          !is_open || parse_moment(month_text(year, month) + "-01")->moment >= from_;
      return is_there ? (is_side ? m[1].str() + " " : "") + months_from(year, month, 3) : m.str();
    });
  }

  /// Whether the table is of less than most of a year: then `this winter` is all of it.
  [[nodiscard]] bool is_short() const {
    constexpr Moment most_of_a_year = 300 * day_length;
    return to_ - from_ < most_of_a_year;
  }

  /// The year in which the latest one begins that the table has; or that it has to its end.
  [[nodiscard]] int year_of_season(int month, bool has_ended) const {
    int year = year_;
    const auto begins = [&] { return parse_moment(month_text(year, month) + "-01")->moment; };
    const Moment length = has_ended ? 89 * day_length : 0;
    while (begins() + length > to_) --year;
    return year;
  }

  /// `the first three months of 2025`, `the last quarter of 2024`.
  [[nodiscard]] std::string with_parts_of_years(const std::string& text) const {
    static const std::regex months{
        R"(\b(first|last|final) (\d+|[a-z]+) months (?:of|in) (?:the year )?((?:19|20)\d\d|this year|last year)\b)",
        std::regex::icase};
    static const std::regex parts{
        R"(\b(last|latter|final) (quarter|half) (?:of |in )?((?:19|20)\d\d|this year|last year)\b)",
        std::regex::icase};
    const auto year = [&](const std::string& said) {
      const std::string low = lower_case(said);
      return low == "this year" ? year_ : low == "last year" ? year_ - 1 : std::atoi(said.c_str());
    };
    const std::string made = with_each(text, months, [&](const std::smatch& m) {
      const int count = number_said(lower_case(m[2]));
      if (count < 1 || count > 12) return m.str();
      const bool is_first = lower_case(m[1]) == "first";
      return months_from(year(m[3]), is_first ? 1 : 13 - count, count);
    });
    return with_each(made, parts, [&](const std::smatch& m) {
      const bool is_quarter = lower_case(m[2]) == "quarter";
      return months_from(year(m[3]), is_quarter ? 10 : 7, is_quarter ? 3 : 6);
    });
  }

  /// `before Christmas`, `after New Year 2025`, `at Christmas 2024`.
  [[nodiscard]] std::string with_feasts(const std::string& text) const {
    static const std::regex feast{
        R"(\b(before|after|since|until|till|from|over|at|around|for) (Christmas(?: Day)?|(?:the )?New Year(?:'s Day|’s Day)?)(?:(?: of| in)? ((?:19|20)\d\d))?\b)",
        std::regex::icase};
    return with_each(text, feast, [&](const std::smatch& m) {
      const std::string before = lower_case(m[1]);
      const bool is_turn =
          before != "over" && before != "at" && before != "around" && before != "for";
      const bool is_christmas = lower_case(m[2]).starts_with("christmas");
      if (!is_turn && !is_christmas) return m.str();
      const std::string time = is_turn ? is_christmas ? "25 December" : "1 January" : "December";
      return fmt::format("{} {}{}", is_turn ? m[1].str() : "in", time,
                         m[3].matched ? " " + m[3].str() : "");
    });
  }

  /// `this year`, `last month`: of the table's last date. `Than last year` goes on from a time that
  /// is named, or else from this year.
  [[nodiscard]] std::string with_this_and_last(const std::string& text) const {
    static const std::regex than_last{
        R"(\b(than|as|against|versus|to|with) (?:in |for |it was |we did |they did )?last year\b)",
        std::regex::icase};
    static const std::regex timed{R"(\b(?:19|20)\d\d\b|\bthis year\b|\b)" + month_names_said +
                                  R"(\b)"};
    std::string made = text;
    std::smatch found;
    const bool is_against = std::regex_search(made, found, than_last);
    if (is_against && !std::regex_search(made, timed)) {
      made = fmt::format("{}in {} {} in {}{}", found.prefix().str(), year_, found[1].str(),
                         year_ - 1, found.suffix().str());
    } else if (is_against && !std::regex_search(made, std::regex{R"(\bthis year\b)"})) {
      made = fmt::format("{}{} a year earlier{}", found.prefix().str(), found[1].str(),
                         found.suffix().str());
    }
    static const std::regex named{R"(\b(the |our |your )?(this|last) (year|month|week)\b)",
                                  std::regex::icase};
    return with_each(made, named, [&](const std::smatch& m) {
      const bool is_last = lower_case(m[2]) == "last";
      if (is_last && m[1].matched) return m.str();
      return time_of(lower_case(m[3]), is_last, m.str());
    });
  }
  /// @param said  what is left as it is where the table has nothing of that time
  [[nodiscard]] std::string time_of(const std::string& unit, bool is_last,
                                    const std::string& said) const {
    const Grain grain = unit == "year" ? Grain::year : unit == "month" ? Grain::month : Grain::week;
    Moment first = start_of(grain, to_);
    if (is_last) first = start_of(grain, first - day_length);
    if (end_of(grain, first) < from_) return said;
    if (grain == Grain::year) return moment_text(first, false).substr(0, 4);
    if (grain == Grain::month) return moment_text(first, false).substr(0, 7);
    return day_said(first) + " to " + day_said(first + 6 * day_length);
  }
  /// `6 May 2024`
  static std::string day_said(Moment day) {
    const std::string text = moment_text(day, false);
    return fmt::format("{} {} {}", std::atoi(text.substr(8).c_str()),
                       place_name(Cycle::month, place_in(Cycle::month, day)), text.substr(0, 4));
  }

  const Json& table_;
  Moment from_;
  Moment to_;
  int year_;
};

}  // namespace

int number_said(const std::string& word) {
  constexpr std::array names{"one",   "two",   "three", "four", "five",   "six",
                             "seven", "eight", "nine",  "ten",  "eleven", "twelve"};
  if (!word.empty() && word.find_first_not_of("0123456789") == word.npos && word.size() < 5)
    return std::atoi(word.c_str());
  const auto found = std::ranges::find(names, word);
  return found == names.end() ? 0 : static_cast<int>(found - names.begin()) + 1;
}

std::string with_plain_times(const std::string& text, const Json& table) {
  return table.contains("to") ? Saying{table}.plain(text) : text;
}

}  // namespace insights
