#include "insights/spans.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>

#include <fmt/format.h>

#include "insights/said_times.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

/// Reads the spans of a prompt; a span without a year is the latest that the table can have.
class SpanReader {
 public:
  SpanReader(const std::string& prompt, Moment from, Moment to, bool is_of_events)
      : prompt_(prompt), from_(from), to_(to), is_of_events_(is_of_events) {}

  std::vector<Span> all() {
    // What is found first keeps its letters: the March of `1 March 2025` is no month of its own.
    find(
        R"(\b(\d{1,2})(?:st|nd|rd|th)? ?(?:to|until|and|-|–) ?(\d{1,2})(?:st|nd|rd|th)?(?: of)? )" +
            months() + R"(\b(?:,? (\d{4})\b)?)",
        [&](const auto& m) { return days(m); });
    find(R"(\b([Ff]irst|[Ss]econd|last|latter) half of )" + months() + R"(\b(?:,? (\d{4})\b)?)",
         [&](const auto& m) { return half_of_month(m); });
    find(R"(\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? )" + months() + R"(\b(?:,? (\d{4})\b)?)",
         [&](const auto& m) { return day(number(m[3]), month(m[2]), number(m[1])); });
    find(R"(\b)" + months() + R"( (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?)",
         [&](const auto& m) { return day(number(m[3]), month(m[1]), number(m[2])); });
    find(R"(\b(\d{4})-(\d{2})\b)",
         [&](const auto& m) { return months_from(number(m[1]), number(m[2]), 1); });
    find(R"(\b)" + months() + R"(\b(?:,? (\d{4})\b)?)",
         [&](const auto& m) { return months_from(number(m[2]), month(m[1]), 1); });
    find(R"(\b(?:[Ww]eek|[Cc]alendar week|W|KW) ?(\d{1,2})\b)",
         [&](const auto& m) { return week(number(m[1])); });
    find(R"(\bQ([1-4])\b(?: ?(\d{4})\b)?)",
         [&](const auto& m) { return months_from(number(m[2]), 3 * number(m[1]) - 2, 3); });
    find(R"(\b([Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth) quarter\b(?:(?: of)? (\d{4})\b)?)",
         [&](const auto& m) { return months_from(number(m[2]), 3 * ordinal(m[1]) + 1, 3); });
    find(R"(\b([Ff]irst|[Ss]econd) half of (?:(\d{4})|the year)\b)",
         [&](const auto& m) { return months_from(number(m[2]), 6 * ordinal(m[1]) + 1, 6); });
    find_relatives();
    find(R"(\b(?:19|20)\d\d\b)", [&](const auto& m) { return year(m); });
    find(
        R"(\b(last|past|first) (\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (day|week|month|year)s\b)",
        [&](const auto& m) { return edge(m); });
    find(R"(\b(?:in|during|over|for|of) the (last|past|first)() (week|month|year)\b)",
         [&](const auto& m) { return edge(m); });
    find_halves();
    if (is_of_events_) find_ends();
    std::ranges::sort(found_, {}, &Span::begin);
    return std::move(found_);
  }

 private:
  template <class Make>
  void find(const std::string& pattern, Make make) {
    // It takes longer to compile an expression than to search a prompt for it.
    thread_local std::map<std::string, std::regex> compiled;
    const std::regex& wanted = compiled.try_emplace(pattern, pattern).first->second;
    for (std::sregex_iterator at{prompt_.begin(), prompt_.end(), wanted}, end; at != end; ++at) {
      const auto begin = static_cast<std::size_t>(at->position());
      const std::size_t behind = begin + static_cast<std::size_t>(at->length());
      const bool is_new = std::ranges::none_of(
          found_, [&](const Span& one) { return begin < one.end && one.begin < behind; });
      std::optional<Span> span = is_new ? make(*at) : std::nullopt;
      if (!span) continue;
      span->begin = begin;
      span->end = behind;
      found_.push_back(*span);
    }
  }

  /// `the same months of 2024`, `those of 2024`, `a year earlier`, `the two months before`.
  void find_relatives() {
    const std::string unit = "(day|week|month|quarter)s?";
    find(R"(\b(?:the )?(?:(?:same|corresponding|those|these) (?:\w+ )?(?:days?|weeks?|months?|)"
         R"(quarters?|period|time|season|half)|those|that|the ones?)(?: of| in| during| for)?)"
         R"((?: the year)? ((?:19|20)\d\d)\b)",
         [&](const auto& m) { return relative({.year = number(m[1])}); });
    find(R"(\b(?:the same (?:\w+ )?(?:days?|weeks?|months?|quarters?|period|time|season) )?)"
         R"((?:(?:a|one|its|the|of the|in the) year (?:before|earlier|previously|ago)|)"
         R"((?:the|its|of the|in the) (?:previous|preceding|prior) year)\b)",
         [&](const auto&) { return relative({.years = 1}); });
    find(
        R"(\b(?:the )?(?:(\w+) )?)" + unit +
            R"( (?:before|earlier|previously)(?: that| it| them| this| these| those)?(?=\W*$|[?.,;)]))",
        [&](const auto& m) { return before(m[1], m[2]); });
    find(R"(\bthe (?:previous|preceding|prior) (?:(\w+) )?)" + unit + R"(\b)",
         [&](const auto& m) { return before(m[1], m[2]); });
  }
  static std::optional<Span> relative(Relative of) { return Span{.to_other = of}; }
  static std::optional<Span> before(const std::string& count, const std::string& unit) {
    const Grain grain = unit == "day"     ? Grain::day
                        : unit == "week"  ? Grain::week
                        : unit == "month" ? Grain::month
                                          : Grain::quarter;
    return relative({.count = std::max(1, number_said(count)), .grain = grain});
  }

  /// A part of the time that the readings have, in which days are counted from 0 to 1.
  [[nodiscard]] Span part(double begin, double end) const {
    const auto days = static_cast<double>((day_of(to_) - day_of(from_)) / day_length + 1);
    const auto at = [&](double part) {
      return day_of(from_) + static_cast<Moment>(std::floor(part * days)) * day_length;
    };
    return {.first = at(begin), .last = at(end) - day_length, .is_part = true};
  }

  /// `the first half of the season`, and with it `against the second`.
  void find_halves() {
    const std::string second = "(?:second|last|latter|other)";
    const std::string half = " half(?! (?:an?|the|hour|pint|pound|litre|dozen|mile|kilo)\\b)(?!-)";
    find(R"(\b[Ff]irst)" + half, [&](const auto&) { return std::optional{part(0, 0.5)}; });
    find(R"(\b)" + second + half, [&](const auto&) { return std::optional{part(0.5, 1)}; });
    const bool is_one = std::ranges::count(found_, true, &Span::is_part) == 1;
    if (!is_one) return;
    const std::string before = R"(\b(?:against|and|or|than|versus|vs\.?|with) (?:in )?the )";
    find(before + second + R"(\b(?! (?!of|in|was|is)\w+))",
         [&](const auto&) { return std::optional{part(0.5, 1)}; });
    find(before + R"(first\b(?! (?!of|in|was|is)\w+))",
         [&](const auto&) { return std::optional{part(0, 0.5)}; });
  }

  /// `more at the beginning or at the end`: of what happens, the first and the last quarter.
  void find_ends() {
    if (!found_.empty()) return;
    find(R"(\b(?:at|in|near|towards?) (?:the|its|their) (?:very )?(?:beginning|start|outset)\b)",
         [&](const auto&) { return std::optional{part(0, 0.25)}; });
    find(R"(\b(?:at|in|near|towards?) (?:the|its|their) (?:very )?(?:end|close)\b)",
         [&](const auto&) { return std::optional{part(0.75, 1)}; });
    if (found_.size() != 2) found_.clear();
  }

  static int number(const std::string& digits) { return std::atoi(digits.c_str()); }

  /// `May` is a month only with its capital, and so is `March`.
  static std::string months() {
    return "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
           "Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
  }
  static int month(const std::string& name) {
    for (int at = 0; at < 12; ++at) {
      if (place_name(Cycle::month, at).starts_with(name.substr(0, 3))) return at + 1;
    }
    return 0;
  }
  static int ordinal(const std::string& word) {
    const std::string names = "fst";  // first, second, third, or fourth
    if (word.size() == 6 && (word[1] == 'o')) return 3;
    return static_cast<int>(names.find(static_cast<char>(word[0] | 0x20)));
  }

  /// The latest year in which what begins on this day begins before the readings end.
  [[nodiscard]] std::optional<Moment> begin_of(int year, int month, int day) const {
    const int last = std::atoi(moment_text(to_, false).substr(0, 4).c_str());
    for (const int one : {last, last - 1}) {
      const auto moment =
          parse_moment(fmt::format("{:04}-{:02}-{:02}", year > 0 ? year : one, month, day));
      if (moment && (year > 0 || moment->moment <= to_)) return moment->moment;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<Span> day(int year, int month, int day) const {
    const auto moment = begin_of(year, month, day);
    if (!moment) return std::nullopt;
    return Span{.first = *moment, .last = *moment, .grain = Grain::day};
  }
  /// `3 to 10 June`
  [[nodiscard]] std::optional<Span> days(const std::smatch& m) const {
    std::optional<Span> span = day(number(m[4]), month(m[3]), number(m[1]));
    const auto last = day(number(m[4]), month(m[3]), number(m[2]));
    if (!span || !last || last->first < span->first) return std::nullopt;
    span->last = last->first;
    span->grain.reset();
    span->is_range = true;
    return span;
  }
  [[nodiscard]] std::optional<Span> months_from(int year, int month, int count) const {
    const auto first = begin_of(year, month, 1);
    if (!first) return std::nullopt;
    Moment end = *first;
    for (int i = 0; i < count; ++i) end = month_of(end + 31 * day_length);
    Span span{.first = *first, .last = end - day_length};
    for (const Grain grain : {Grain::month, Grain::quarter, Grain::year}) {
      if (start_of(grain, *first) == *first && end_of(grain, *first) + 1 == end) span.grain = grain;
    }
    return span;
  }
  /// A number that is a year: the readings have it, or a word for a time stands before it, and what
  /// stands beside it does not make it an amount.
  [[nodiscard]] std::optional<Span> year(const std::smatch& m) const {
    static const std::regex counted{
        R"((?:[€£$#/.,\d]|\b(?:no|nr|number|more than|less than|fewer than|above|below|under|)"
        R"(at least|at most|exactly)) ?$)",
        std::regex::icase};
    static const std::regex timed{
        R"(\b(?:in|of|for|during|since|before|after|from|to|until|till|and|with|than|year) $)",
        std::regex::icase};
    static const std::regex unit{R"(^ ?(?:[%€£$]|[./,:]\d|([A-Za-z]+)))"};
    const auto at = static_cast<std::size_t>(m.position());
    const std::string before = prompt_.substr(0, at);
    const std::string behind = prompt_.substr(at + 4);
    std::smatch next;
    if (std::regex_search(before, counted)) return std::nullopt;
    if (std::regex_search(behind, next, unit)) {
      const bool is_unit = !next[1].matched || words().unit_names.contains(next[1]) ||
                           words().units.contains(next[1]);
      if (is_unit) return std::nullopt;
    }
    std::optional<Span> span = months_from(number(m[0]), 1, 12);
    const bool is_read = span && span->last >= from_ && span->first <= to_;
    return is_read || std::regex_search(before, timed) ? span : std::nullopt;
  }
  /// By ISO 8601 the first week is that of 4 January.
  [[nodiscard]] std::optional<Span> week(int number) const {
    const auto fourth = begin_of(0, 1, 4);
    if (!fourth || number < 1 || number > 53) return std::nullopt;
    Moment first = *fourth - place_in(Cycle::weekday, *fourth) * day_length +
                   Moment{number - 1} * 7 * day_length;
    if (first > to_) first -= 52 * 7 * day_length;
    return Span{.first = first, .last = first + 6 * day_length, .grain = Grain::week};
  }
  static bool is_first(const std::string& word) { return word == "first" || word == "First"; }
  /// From the 1st to the 15th, or from the 16th on.
  [[nodiscard]] std::optional<Span> half_of_month(const std::smatch& m) const {
    std::optional<Span> span = months_from(number(m[3]), month(m[2]), 1);
    if (!span) return std::nullopt;
    const Moment middle = span->first + 15 * day_length;
    (is_first(m[1]) ? span->last : span->first) = is_first(m[1]) ? middle - day_length : middle;
    span->grain.reset();
    return span;
  }
  /// `last 14 days`, `first week`: of the readings.
  [[nodiscard]] std::optional<Span> edge(const std::smatch& m) const {
    const Moment times = m[2].length() == 0 ? 1 : number_said(m[2]);
    const std::string unit = m[3];
    const Moment days = times * (unit == "day"     ? 1
                                 : unit == "week"  ? 7
                                 : unit == "month" ? 30
                                                   : 365);
    if (days < 2 || days > 100'000) return std::nullopt;
    const Moment length = (days - 1) * day_length;
    return m[1] == "first" ? Span{.first = from_, .last = from_ + length}
                           : Span{.first = to_ - length, .last = to_};
  }

  const std::string& prompt_;
  Moment from_;
  Moment to_;
  bool is_of_events_;
  std::vector<Span> found_;
};

/// Whether times are compared, or told apart: then `May and June` are two.
bool is_set_against(const std::string& prompt) {
  static const std::regex against{
      R"(\b(?:compar\w+|than|against|versus|vs|between|differ\w*|each|respectively|separately|both|)"
      R"(either|which month|month by month|by month|change\w*|r[io]se|risen|f[ae]ll|fallen|grow\w*|)"
      R"(grew|increas\w+|decreas\w+|drop\w*)\b)",
      std::regex::icase};
  return std::regex_search(prompt, against);
}

Moment with_year(Moment moment, int year) {
  const std::string day = moment_text(moment, false).substr(4);
  const auto parsed = parse_moment(fmt::format("{:04}{}", year, day));
  return parsed ? parsed->moment
                : parse_moment(fmt::format("{:04}-02-28", year))->moment;  // of a leap day
}

/// The span that a relative one means, told by another.
Span told_by(const Span& span, Span other, Moment to) {
  const Relative& of = *span.to_other;
  Span made{.begin = span.begin, .end = span.end};
  if (of.count > 0) {
    made.last = other.first - day_length;
    made.first = other.first;
    for (int i = 0; i < of.count; ++i) made.first = start_of(of.grain, made.first - day_length);
    if (of.grain == Grain::day || start_of(of.grain, other.first) != other.first) {
      const Moment days = of.grain == Grain::day ? 1 : of.grain == Grain::week ? 7 : 30;
      made.first = other.first - of.count * days * day_length;
    }
    if (of.count == 1) made.grain = of.grain;
    made.is_range = of.count > 1;
    return made;
  }
  // What has not ended yet is set against as much of the other year.
  constexpr Moment few = 5 * day_length;
  if (other.grain != Grain::year && other.last > to + few) other.last = std::max(other.first, to);
  const int begin = std::atoi(moment_text(other.first, false).substr(0, 4).c_str());
  const int shift = of.year > 0 ? begin - of.year : of.years;
  const int end = std::atoi(moment_text(other.last, false).substr(0, 4).c_str());
  made.first = with_year(other.first, begin - shift);
  made.last = with_year(other.last, end - shift);
  if (other.grain && *other.grain > Grain::week) {
    made.last = end_of(*other.grain, made.first) / day_length * day_length;
    made.grain = other.grain;
  } else if (end_of(Grain::month, other.last) - other.last < day_length) {
    made.last = day_of(end_of(Grain::month, made.last));
  }
  made.is_range = other.is_range;
  return made;
}

/// With what relative spans mean: each is told by the one before it, or else the one behind it.
void resolve(std::vector<Span>& spans, Moment to) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!spans[i].to_other) continue;
    const std::size_t other = i > 0 ? i - 1 : i + 1;
    const bool is_known = other < spans.size() && !spans[other].to_other;
    if (is_known) {
      spans[i] = told_by(spans[i], spans[other], to);
    } else if (const int year = spans[i].to_other->year; year > 0) {
      const Moment first = parse_time(fmt::format("{:04}", year))->moment;
      spans[i].first = first;
      spans[i].last = day_of(end_of(Grain::year, first));
      spans[i].grain = Grain::year;
      spans[i].to_other.reset();
    }
  }
  std::erase_if(spans, [](const Span& span) { return span.to_other.has_value(); });
}

/// `from 3 to 10 June`, `between June and August`: one span.
std::vector<Span> joined(const std::string& prompt, std::vector<Span> spans) {
  // Two months that follow each other are one time, if they are not compared: `in May and June`.
  const auto follows_on = [&](const Span& a, const Span& b) {
    return prompt.substr(a.end, b.begin - a.end) == " and " && a.grain && a.grain == b.grain &&
           *a.grain > Grain::week && a.last + day_length == b.first;
  };
  const bool may_join = spans.size() > 2 || !is_set_against(prompt);
  for (std::size_t i = 1; may_join && i < spans.size();) {
    // `In May, June and July`: each by itself.
    const bool is_list =
        i > 1 && prompt.substr(spans[i - 2].end, spans[i - 1].begin - spans[i - 2].end) == ", ";
    if (is_list || !follows_on(spans[i - 1], spans[i])) {
      ++i;
      continue;
    }
    spans[i - 1] = {.begin = spans[i - 1].begin,
                    .end = spans[i].end,
                    .first = spans[i - 1].first,
                    .last = spans[i].last,
                    .is_range = true};
    spans.erase(spans.begin() + static_cast<std::ptrdiff_t>(i));
  }
  static const std::regex ranging{R"(^ ?(?:to|until|till|through|-|–|up to)(?: the)? ?$)"};
  static const std::regex ended{R"(\bbetween (?:the )?$)", std::regex::icase};
  std::vector<Span> all;
  for (const Span& span : spans) {
    if (!all.empty()) {
      Span& last = all.back();
      const std::string between = prompt.substr(last.end, span.begin - last.end);
      const bool is_and =
          between == " and " && std::regex_search(prompt.substr(0, last.begin), ended);
      if ((is_and || std::regex_match(between, ranging)) && last.first <= span.last &&
          !span.is_part) {
        last = {.begin = last.begin,
                .end = span.end,
                .first = last.first,
                .last = span.last,
                .is_range = true};
        continue;
      }
    }
    all.push_back(span);
  }
  return all;
}

}  // namespace

std::vector<Span> spans_in(const std::string& prompt, Moment from, Moment to, bool is_of_events) {
  std::vector<Span> spans = joined(prompt, SpanReader{prompt, from, to, is_of_events}.all());
  resolve(spans, to);
  return spans;
}

}  // namespace insights
