#include "insights/times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/moments.hpp"
#include "insights/moves.hpp"
#include "insights/seasons.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// Days from `first` to `last`, and where the prompt names them.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  Moment first = 0;
  Moment last = 0;
  std::optional<Grain> grain{};  ///< it is one day, week, month, quarter or year
  bool is_part = false;          ///< of all the time that there is: its first half
  bool is_range = false;         ///< from a first to a last day

  [[nodiscard]] std::string from() const { return moment_text(first, false); }
  [[nodiscard]] std::string to() const { return moment_text(last, false); }
  /// As the tools take it: a month or a year by its name.
  [[nodiscard]] std::string period() const {
    const bool has_name = grain && *grain > Grain::week;
    return has_name ? grain_text(*grain, first) : from() + "/" + to();
  }
};

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
    find(R"(\b(?:19|20)\d\d\b)", [&](const auto& m) { return year(m); });
    find(
        R"(\b(last|past|first) (\d+|two|three|four|five|six|seven|eight|nine|ten) (day|week|month)s\b)",
        [&](const auto& m) { return edge(m); });
    find(R"(\b(?:in|during|over|for|of) the (last|past|first)() (week|month)\b)",
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
    static const std::vector<std::string> names{"one", "two",   "three", "four", "five",
                                                "six", "seven", "eight", "nine", "ten"};
    const std::string count = m[2];
    const auto name = std::ranges::find(names, count);
    const Moment times = count.empty()         ? 1
                         : name != names.end() ? name - names.begin() + 1
                                               : number(count);
    const std::string unit = m[3];
    const Moment days = times * (unit == "day" ? 1 : unit == "week" ? 7 : 30);
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

/// `from 3 to 10 June`, `between June and August`: one span.
std::vector<Span> joined(const std::string& prompt, std::vector<Span> spans) {
  // Of three and more, two months that follow each other are one time: `in May and June`.
  const auto follows_on = [&](const Span& a, const Span& b) {
    return prompt.substr(a.end, b.begin - a.end) == " and " && a.grain && a.grain == b.grain &&
           *a.grain > Grain::week && a.last + day_length == b.first;
  };
  for (std::size_t i = 1; spans.size() > 2 && i < spans.size();) {
    if (!follows_on(spans[i - 1], spans[i])) {
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

/// Whether one of these words stands right before the span: `since June`.
bool is_behind(const std::string& prompt, const Span& span, const char* words) {
  const std::regex wanted{fmt::format(R"(\b(?:{}) (?:the )?$)", words), std::regex::icase};
  return std::regex_search(prompt.substr(0, span.begin), wanted);
}

/// Whether it does, or with an event between: `since the move in June`.
bool follows(const std::string& prompt, const Span& span, const char* words) {
  const std::regex wanted{
      fmt::format(R"(\b(?:{}) (?:[^ .,;?]+ ){{0,7}}(?:(?:of|in|on) (?:the )?|\()$)", words),
      std::regex::icase};
  return is_behind(prompt, span, words) || std::regex_search(prompt.substr(0, span.begin), wanted);
}

/// Whether how much there was in a time is asked, `how much since 2020`, and not how that differs
/// from another: `how much more since 2020`.
bool asks_for_amount(const std::string& prompt) {
  static const std::regex amount{
      R"(\b(?:how (?:much|many)|total|in all|altogether|in sum|number of)\b)", std::regex::icase};
  static const std::regex other{
      R"(\b(?:than|compare[ds]?|comparison|against|versus|chang\w+|more|less|fewer|gone|went|)"
      R"(r[io]se|risen|f[ae]ll|fallen|gr[eo]w\w*|increas\w+|decreas\w+|drop\w*|improv\w+|better|)"
      R"(worse|a (?:day|week|month|year)|per (?:day|week|month|year)|and (?:\w+ ){0,4}(?:before|)"
      R"(after|since))\b|\bbefore\b.*\b(?:after|since)\b|\b(?:after|since)\b.*\bbefore\b)",
      std::regex::icase};
  return std::regex_search(prompt, amount) && !std::regex_search(prompt, other);
}

/// `(fitted 7 April)`: on that day something changed.
bool is_of_event(const std::string& prompt, std::size_t at) {
  static const std::regex event{R"(\((?:it |they )?(?:was |were )?\w+ed (?:on |in )?(?:the )?$)"};
  return std::regex_search(prompt.substr(0, at), event);
}

/// The day of the first or the last round of a table whose rows come in rounds, one for each of
/// its keys: `at the last round`, `the tallest now`.
std::optional<std::string> day_of_round(const std::string& prompt, const Json& table) {
  static const std::regex round{
      R"(\b(first|last|latest|most recent) (?:round|visit|measurement|measuring|survey|check|)"
      R"(inspection|weighing|census|sampling|sample|reading)\b)",
      std::regex::icase};
  static const std::regex now{R"(\b\w{3,}est\b.*\b(?:now|today|currently|at present)\b)",
                              std::regex::icase};
  if (!table.contains("keys")) return std::nullopt;
  std::sregex_iterator at{prompt.begin(), prompt.end(), round};
  const bool is_round = at != std::sregex_iterator{};
  if (!is_round && !std::regex_search(prompt, now)) return std::nullopt;
  static const std::regex first{R"(\bfirst\b)", std::regex::icase};
  static const std::regex last{R"(\blast\b)", std::regex::icase};
  if (std::regex_search(prompt, first) && std::regex_search(prompt, last)) return std::nullopt;
  const bool is_first = is_round && std::regex_match((*at)[1].str(), first);
  return table.at(is_first ? "from" : "to").get<std::string>().substr(0, 10);
}

/// A year may be the name of a value: the vintage 2019.
void leave_out_values(std::vector<Span>& spans, const Interest& about, const std::string& prompt) {
  std::erase_if(spans, [&](const Span& span) {
    const std::string text = prompt.substr(span.begin, span.end - span.begin);
    return span.grain == Grain::year && std::ranges::any_of(about.where, [&](const auto& one) {
             const std::vector<std::string> name = words_in(one.second);
             return std::ranges::find(name, text) != name.end();
           });
  });
}

}  // namespace

void find_times(Interest& about, const std::string& question, const Json& table) {
  if (!table.contains("to")) return;
  const std::string prompt = with_two_years(with_years(question, table));
  const auto end = [&](const char* name) {
    return parse_moment(table.at(name).get<std::string>().substr(0, 10))->moment;
  };
  const Moment from = end("from");
  const Moment to = end("to");
  std::vector<Span> spans =
      joined(prompt, SpanReader{prompt, from, to, table.value("events", false)}.all());
  const auto is_same = [](const Span& a, const Span& b) {
    return a.first == b.first && a.last == b.last;
  };
  spans.erase(std::unique(spans.begin(), spans.end(), is_same), spans.end());
  leave_out_values(spans, about, prompt);
  if (spans.empty()) {
    if (const auto day = day_of_round(prompt, table)) about.from = about.to = *day;
    return;
  }
  const auto is_limit = [&](const Span& span) {
    return span.grain == Grain::year && about.bound && about.bound->unit.empty() &&
           span.from().substr(0, 4) == fmt::format("{}", about.bound->value);
  };
  if (std::ranges::any_of(spans, is_limit)) about.bound.reset();
  if (spans.size() > 1) {
    const bool of_months = std::ranges::any_of(spans, [&](const Span& span) {
      return span.grain == Grain::month || (span.grain == Grain::year && spans.size() > 2);
    });
    if (of_months) about.asks.insert("months");
    if (spans.size() > 2) return;
    const bool turned = spans[1].first < spans[0].first;
    about.periods = Periods{spans[turned ? 1 : 0].period(), spans[turned ? 0 : 1].period()};
    return;
  }
  const Span& span = spans.front();
  const bool is_event = !span.is_range && is_of_event(prompt, span.begin);
  // `From the move in June on`, but not `from the move in June`, which tells what it came from.
  const bool is_on = std::regex_search(prompt.substr(span.end), std::regex{R"(^ on(?:wards?)?\b)"});
  const bool is_from =
      !span.is_range && (is_on ? follows(prompt, span, "from") : is_behind(prompt, span, "from"));
  if (is_event || is_from || follows(prompt, span, "since|before|after")) {
    // What comes after a day begins with it, since the day is when something happened.
    const bool whole = follows(prompt, span, "after") && span.last > span.first;
    const Moment turn = whole ? span.last + day_length : span.first;
    if (turn <= from || turn > to) return;
    const bool is_plain = !is_event && is_behind(prompt, span, "since|before|after|from");
    if (is_plain && asks_for_amount(prompt)) {
      const bool is_before = is_behind(prompt, span, "before");
      about.from = moment_text(is_before ? from : turn, false);
      about.to = moment_text(is_before ? turn - day_length : to, false);
      return;
    }
    about.turns = !follows(prompt, span, "before");
    about.periods = Periods{moment_text(from, false) + "/" + moment_text(turn - day_length, false),
                            moment_text(turn, false) + "/" + moment_text(to, false)};
    return;
  }
  Moment first = span.first;
  if (follows(prompt, span, "until|till|up to")) first = from;
  const bool is_inside = span.last >= from && first <= to && (first > from || span.last < to);
  if (!is_inside) return;
  const bool has_name = span.grain && *span.grain > Grain::week && first == span.first;
  about.from = has_name ? span.period() : moment_text(first, false);
  about.to = has_name ? span.period() : span.to();
}

}  // namespace insights
