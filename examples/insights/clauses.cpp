#include "insights/clauses.hpp"

#include <algorithm>
#include <regex>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

bool is_asking(const std::string& sentence) {
  static const std::regex asks{
      R"(\?|\b(?:which|who|whose|what|how|whether|why|know|need|want|please)\b|)"
      R"(^\W*(?:is|are|was|were|do|does|did|has|have|can|show|compare|tell|list|give|find|look)\b)",
      std::regex::icase};
  return std::regex_search(sentence, asks);
}

/// The sentences; `Dr. Haas` is within one.
std::vector<std::string> sentences_of(const std::string& prompt) {
  static const std::regex end{R"([?!;]\s+|\.\s+(?=[A-Z])|\n+)"};
  std::vector<std::string> all;
  std::size_t from = 0;
  for (std::sregex_iterator at{prompt.begin(), prompt.end(), end}, none; at != none; ++at) {
    const auto mark = static_cast<std::size_t>(at->position());
    const std::size_t gap = prompt.find_last_of(' ', mark);
    const std::size_t word = gap == prompt.npos || gap < from ? from : gap + 1;
    if (prompt[mark] == '.' && mark - word < 3) continue;
    all.push_back(prompt.substr(from, mark + 1 - from));
    from = mark + static_cast<std::size_t>(at->length());
  }
  if (from < prompt.size()) all.push_back(prompt.substr(from));
  return all;
}

/// Whether a part may ask something: it has a word that asks, or a verb.
bool has_verb(const std::string& part) {
  static const std::regex verb{
      R"(\b(?:which|who|whose|what|how|whether|why|when|where|is|are|was|were|do|does|did|has|have|)"
      R"(had|can|could|show|compare|tell|list|give|find|look|know|need|want)\b)",
      std::regex::icase};
  return std::regex_search(part, verb);
}

/// The parts of a question that begin with a word that asks.
std::vector<std::string> questions_in(const std::string& sentence) {
  static const std::regex next{
      R"(,? (?:and|but|or) (?=(?:(?:on|in|at|by|for|of|to) )?(?:which|who|whose|what|how|when|)"
      R"(where|why|is|are|was|were|do|does|did|has|have)\b)|)"
      R"(, (?=(?:which|who|what|how|where)\b|when (?:is|are|was|were|do|does|did|has|have|had|will)\b)|)"
      R"(, and (?=(?:our|the|my|its|their) (?:[a-z]+est|most|average|mean|total|number)\b))",
      std::regex::icase};
  std::vector<std::string> all;
  std::size_t from = 0;
  for (std::sregex_iterator at{sentence.begin(), sentence.end(), next}, end; at != end; ++at) {
    std::string part = sentence.substr(from, static_cast<std::size_t>(at->position()) - from);
    // `Weekends against weekdays, which bring more?`: what asks nothing is what is asked about.
    if (at->str() == ", " && !has_verb(part)) continue;
    all.push_back(std::move(part));
    from = static_cast<std::size_t>(at->position() + at->length());
  }
  all.push_back(sentence.substr(from));
  return all;
}

/// `Which month was best in 2024, and which one in 2023?`: what the second asks as well.
std::string spelt_out(const std::string& part, const std::string& before) {
  static const std::regex one{R"(^((?:on|in|at|by|for) )?which ones?\b(.*)$)", std::regex::icase};
  static const std::regex which{R"(\bwhich (\w+))", std::regex::icase};
  static const std::regex time{
      R"(,? \b(?:in|during|over|for|since|of)(?: the)? (?:[A-Z][a-z]+ )?(?:19|20)\d\d\b|)"
      R"(,? \b(?:in|during|over|for|since) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|)"
      R"(,? \b(?:this|last) (?:year|season|month|week)\b)"};
  std::smatch found;
  std::smatch noun;
  if (!std::regex_match(part, found, one) || !std::regex_search(before, noun, which)) return part;
  const std::string rest = found[2];
  if (has_verb(rest)) return found[1].str() + "which " + noun[1].str() + rest;
  return std::regex_replace(before, time, "") + rest;
}

std::vector<Clause> split(const std::string& prompt) {
  std::vector<Clause> all;
  for (const std::string& sentence : sentences_of(prompt)) {
    const bool asks = is_asking(sentence);
    bool goes_on = false;
    for (std::string& text : asks ? questions_in(sentence) : std::vector{sentence}) {
      if (goes_on) text = spelt_out(text, all.back().text);
      all.push_back({std::move(text), asks, std::exchange(goes_on, true)});
      all.back().words = words_in(all.back().text);
    }
  }
  if (std::ranges::none_of(all, &Clause::asks)) {
    for (Clause& one : all) one.asks = true;
  }
  return all;
}

/// Whether a category is one of persons: `it` is none of them.
bool is_of_people(const std::string& category) {
  return std::ranges::any_of(words_in(category),
                             [](const auto& word) { return words().has("people", word); });
}

/// `that lift`, of a category that is called so.
bool points_to(const std::vector<std::string>& asked, const std::string& category) {
  const std::vector<std::string> name = words_in(category);
  for (std::size_t i = 1; i < asked.size(); ++i) {
    const bool is_name = std::ranges::any_of(
        name, [&](const std::string& word) { return speaks_of(asked[i], word); });
    if (is_name && words().has("pointing", asked[i - 1])) return true;
  }
  return false;
}

/// Whether the text asks for a value of a category, which is no more than mentioned by `paid with
/// it`.
bool asks_which(const std::string& text, const std::string& category) {
  static const std::regex open{R"(\b(?:which|what|who|whose|where|each|every|per|by|most|least)\b)",
                               std::regex::icase};
  return std::regex_search(text, open) && is_named(words_in(category), words_in(text));
}

void take_columns(Interest& about, const Interest& before) {
  about.columns = before.columns;
  about.statistics = before.statistics;
  about.said = before.said;
  about.names_columns = before.names_columns;
  about.is_meant = before.is_meant;
  about.is_whole = before.is_whole;
}

/// What a clause does not say itself.
void take_over(Clause& clause, const Clause& before, const Json& table) {
  Interest& about = clause.about;
  const bool names_value = !about.where.empty() || !about.compared.empty();
  // `What did job 7 cost, and who did it?`
  if (about.looked_up.empty() && !names_value && (clause.goes_on || clause.points()))
    about.looked_up = before.about.looked_up;
  for (const auto& [name, value] : before.about.where) {
    const bool is_it = clause.says("persons")
                           ? is_of_people(name)
                           : clause.is_short() || (clause.says("pointing") && !is_of_people(name));
    const bool is_left =
        !names_value && (!about.named.contains(name) || !asks_which(clause.text, name));
    if ((is_it && is_left) || points_to(clause.words, name)) about.where.emplace(name, value);
  }
  const bool is_open = !about.names_columns && (about.named.empty() || clause.points());
  if (is_open && before.about.names_columns) {
    take_columns(about, before.about);
    // `How many?` goes on about the rows, where these and something of them were named.
    const Json& first = table.at("columns").at(0);
    const bool is_of_rows = first.contains("counts") &&
                            about.said.contains(insights::name_of(first)) &&
                            clause.text.find("how many") != clause.text.npos;
    if (is_of_rows) about.columns = about.statistics = {insights::name_of(first)};
  }
  if (is_open && before.about.asks.contains("late")) about.asks.insert("late");
  // `How many before, and how many after?` the day that was named.
  static const std::regex turn{R"(\b(?:before|after|since)\b\W*$)", std::regex::icase};
  if (before.about.turns && about.from.empty() && !about.periods &&
      std::regex_search(clause.text, turn)) {
    about.periods = before.about.periods;
    about.turns = true;
  }
  static const std::regex same{R"(\b(?:in|over|during) (?:the|that) same )", std::regex::icase};
  if (about.periods) return;
  if (before.asks) {
    const bool is_of_it =
        clause.goes_on || clause.says("pointing") || std::regex_search(clause.text, same);
    if (is_of_it && about.from.empty() && !before.about.periods) {
      about.from = before.about.from;
      about.to = before.about.to;
    }
    return;
  }
  // What is told of one time is compared with another.
  const bool is_other = !about.from.empty() && !before.about.from.empty();
  if (is_other && about.asks.contains("periods") && about.from != before.about.from) {
    const auto period = [](const Interest& one) {
      return one.from == one.to ? one.from : one.from + "/" + one.to;
    };
    const bool is_first = about.from < before.about.from;
    about.periods =
        Periods{period(is_first ? about : before.about), period(is_first ? before.about : about)};
  }
  // `Month by month, March, April and May`: these are the times that are asked about.
  static const std::string month =
      "(?:January|February|March|April|May|June|July|August|"
      "September|October|November|December)";
  static const std::regex months{fmt::format(R"(\b{0}\b.*\b{0}\b)", month)};
  if (!about.from.empty() || std::regex_search(clause.text, months)) return;
  about.periods = before.about.periods;
  about.turns = before.about.turns;
  about.from = before.about.from;
  about.to = before.about.to;
}

/// What `since the new van came` or `now that it is new` says of a time names no value that is
/// asked about.
void leave_out_events(Clause& clause, const Json& table) {
  const std::string rest = without_events(clause.text);
  if (rest == clause.text) return;
  const Interest about = interest_of(rest, table);
  // A value of several words is one wherever it is said: `because there was no driver`.
  const std::vector<std::string> asked = words_in(clause.text);
  std::erase_if(clause.about.where, [&](const auto& one) {
    const std::vector<std::string> value = words_in(one.second);
    return !about.where.contains(one.first) && (value.size() < 2 || !is_said(asked, value));
  });
  for (const auto& [category, value] : about.where) clause.about.where[category] = value;
  clause.about.compared = about.compared;
  clause.about.named = about.named;
  clause.about.is_broad = about.is_broad;
}

/// A day on which something happened is the end of one time and the beginning of another.
void turn_at_day(Interest& about, const Json& table) {
  if (about.from.size() != 10 || about.from != about.to) return;
  const std::string first = table.at("from").get<std::string>().substr(0, 10);
  const std::string last = table.at("to").get<std::string>().substr(0, 10);
  if (about.from <= first) return;
  const Moment day = parse_moment(about.from)->moment;
  about.periods =
      Periods{first + "/" + moment_text(day - day_length, false), about.from + "/" + last};
  about.turns = true;
  about.from.clear();
  about.to.clear();
}

/// `How much did we take, and how much is that per mile?`: with the name of the column that the
/// clause before is about.
std::string with_part(const std::string& text, const Interest& before) {
  static const std::regex part{
      R"(\b(?:that|it|this|those|they)( (?:come|comes|came)(?: out)? (?:at|to))? (?=per\b|for each\b))",
      std::regex::icase};
  if (before.said.size() != 1) return text;
  return std::regex_replace(text, part, *before.said.begin() + " ",
                            std::regex_constants::format_first_only);
}

/// `How many came, per day? Only in 2024.`: what asks nothing and names a time alone says which one
/// was meant.
void take_last_time(std::vector<Clause>& all) {
  const Clause& last = all.back();
  const bool is_time = !last.asks && last.is_short() && !last.about.from.empty() &&
                       last.about.where.empty() && last.about.compared.empty();
  for (Clause& one : all) {
    if (!is_time || !one.asks || !one.about.from.empty() || one.about.periods) continue;
    one.about.from = last.about.from;
    one.about.to = last.about.to;
  }
}

}  // namespace

std::string without_events(const std::string& text) {
  static const std::regex event{
      R"(\b(?:since|before|after|until) (?!the (?:first|last|end|start)\b)(?!then\b)(?:the )?)"
      R"((?![A-Z][a-z]* (?:\d|$))(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Q)\b)[a-zA-Z][^,;?)]*)"};
  static const std::regex reason{
      R"(\b(?:now that|because|so that|although|in case)\b[^,;?)]*|, when\b[^,;?)]*)",
      std::regex::icase};
  return std::regex_replace(std::regex_replace(text, event, ""), reason, "");
}

bool Clause::says(const char* list) const {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return insights::words().has(list, word); });
}

bool Clause::is_short() const {
  constexpr std::size_t most = 6;
  return words.size() <= most && !says("verbs");
}

bool Clause::restricts_to_none() const {
  return std::ranges::any_of(about.where, [](const auto& one) {
    const std::vector<std::string> value = words_in(one.second);
    return value.size() > 1 && (value[0] == "no" || insights::words().has("denials", value[0]));
  });
}

std::vector<Clause> clauses_of(const std::string& prompt, const Json& table) {
  std::vector<Clause> all = split(prompt);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].about =
        interest_of(i > 0 ? with_part(all[i].text, all[i - 1].about) : all[i].text, table);
    leave_out_events(all[i], table);
    if (!all[i].asks) turn_at_day(all[i].about, table);
    if (i > 0) take_over(all[i], all[i - 1], table);
  }
  if (!all.empty()) take_last_time(all);
  return all;
}

Interest interest_in(const std::string& prompt, const Json& table) {
  std::vector<Clause> clauses = clauses_of(prompt, table);
  if (clauses.size() == 1) return clauses.front().about;
  Interest about = interest_of(prompt, table);
  if (clauses.empty()) return about;
  std::erase_if(clauses, [](const Clause& one) { return !one.asks; });
  about.is_broad =
      std::ranges::any_of(clauses, [](const Clause& one) { return one.about.is_broad; });
  std::erase_if(about.where, [&](const auto& value) {
    return !std::ranges::all_of(clauses, [&](const Clause& one) {
      const auto found = one.about.where.find(value.first);
      return found != one.about.where.end() && found->second == value.second;
    });
  });
  const Interest& first = clauses.front().about;
  if (!about.periods && first.periods) {
    about.periods = first.periods;
    about.turns = first.turns;
  }
  const bool have_time =
      std::ranges::all_of(clauses, [&](const Clause& one) { return one.about.from == about.from; });
  if (about.periods || !have_time) {
    about.from.clear();
    about.to.clear();
  }
  return about;
}

}  // namespace insights
