#include "insights/times.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/moments.hpp"
#include "insights/moves.hpp"
#include "insights/said_times.hpp"
#include "insights/seasons.hpp"
#include "insights/spans.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

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

/// `Before Christmas or after New Year`: what lies before the one and behind the other.
bool take_sides(Interest& about, const std::string& prompt, const std::vector<Span>& spans,
                Moment from, Moment to) {
  constexpr const char* behind = "since|after|from";
  const Span& first = spans[0];
  const Span& second = spans[1];
  const bool is_turned = is_behind(prompt, first, behind) && is_behind(prompt, second, "before");
  const bool is_it = is_behind(prompt, first, "before") && is_behind(prompt, second, behind);
  if (!is_it && !is_turned) return false;
  const Span& early = is_turned ? second : first;
  const Span& late = is_turned ? first : second;
  const bool is_after = is_behind(prompt, late, "after") && late.last > late.first;
  const Moment begin = is_after ? late.last + day_length : late.first;
  if (early.first <= from || begin > to || early.first > begin) return false;
  about.periods =
      Periods{moment_text(from, false) + "/" + moment_text(early.first - day_length, false),
              moment_text(begin, false) + "/" + moment_text(to, false)};
  about.turns = true;
  return true;
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
  const std::string prompt = with_two_years(with_plain_times(with_years(question, table), table));
  const auto end = [&](const char* name) {
    return parse_moment(table.at(name).get<std::string>().substr(0, 10))->moment;
  };
  const Moment from = end("from");
  const Moment to = end("to");
  std::vector<Span> spans = spans_in(prompt, from, to, table.value("events", false));
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
    if (take_sides(about, prompt, spans, from, to)) return;
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
