#include "insights/seasons.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/moments.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

Moment end_at(const Json& table, const char* name) {
  return parse_moment(table.at(name).get<std::string>().substr(0, 10))->moment;
}

/// The whole years, or months, of a table; a few days may lack at either end.
std::optional<std::pair<Moment, Moment>> whole_ones(const Json& table, Grain grain, Moment since) {
  const Moment slack = (grain == Grain::year ? 31 : 3) * day_length;
  const bool is_by_month = table.value("grain", Json{}) != Json{};
  const Moment from = std::max(end_at(table, "from"), since);
  const Moment to = is_by_month ? end_of(Grain::month, end_at(table, "to")) : end_at(table, "to");
  Moment first = start_of(grain, from);
  if (from - first > slack) first = end_of(grain, from) + 1;
  Moment last = start_of(grain, to);
  if (end_of(grain, to) - to > slack) last = start_of(grain, last - 1);
  if (first >= last) return std::nullopt;
  return std::pair{first, last};
}

}  // namespace

std::string season_in(const std::string& text, const Json& table) {
  static const std::regex named{
      R"(\b(this |last |next |every |each )?(spring|summer|autumn|winter)s?\b(?! (?:of )?(?:19|20)\d\d))",
      std::regex::icase};
  constexpr Moment most_of_a_year = 300 * day_length;
  std::smatch found;
  if (!table.contains("to") || !std::regex_search(text, found, named)) return "";
  const std::string which = found[1];
  if (which == "this " || which == "last " || which == "next ") return "";
  if (end_at(table, "to") - end_at(table, "from") < most_of_a_year) return "";
  const std::string season = words_in(found[2].str()).front();
  const std::vector<std::string> names = words_in(table.dump());
  return std::ranges::find(names, season) == names.end() ? season : "";
}

std::string with_years(const std::string& text, const Json& table) {
  static const std::string names =
      "(January|February|March|April|May|June|July|August|September|October|November|December)";
  static const std::regex month{R"(\b(this|last) )" + names + R"(\b(?! \d)|\b)" + names +
                                R"((?: of)? (this|last) year\b)"};
  static const std::regex now{
      R"(\b(?:nowadays|these days|at present|currently|at the moment|now)\b)", std::regex::icase};
  static const std::regex year{R"(\b(?:19|20)\d\d\b)"};
  const Moment to = end_at(table, "to");
  const int last = std::atoi(moment_text(to, false).substr(0, 4).c_str());
  const int last_month = place_in(Cycle::month, to);
  std::string made;
  std::string rest = text;
  for (std::smatch found; std::regex_search(rest, found, month);) {
    const std::string name = found[2].str() + found[3].str();
    int at = 0;
    while (place_name(Cycle::month, at) != name) ++at;
    const bool is_before = found[1] == "last" || found[4] == "last";
    int of = last;
    if (found[1].matched) {
      const bool has_two =
          text.find("this " + name) != text.npos || text.find(name + " this year") != text.npos;
      if (at > last_month) --of;
      if (is_before && (has_two || at == last_month)) --of;
    } else if (is_before) {
      --of;
    }
    made += found.prefix().str() + fmt::format("{} {}", name, of);
    rest = found.suffix();
  }
  made += rest;
  std::smatch found;
  if (!std::regex_search(made, found, now) || !std::regex_search(made, year)) return made;
  const Moment end = end_of(Grain::month, to);
  Moment begin = month_of(end);
  for (int i = 0; i < 11; ++i) begin = month_of(begin - day_length);
  return found.prefix().str() + moment_text(begin, false).substr(0, 7) + " to " +
         moment_text(end, false).substr(0, 7) + found.suffix().str();
}

std::optional<Periods> ends_of_time(const std::string& text, const Json& table) {
  static const std::regex year{R"(\bsince (?:the year )?((?:19|20)\d\d)\b)", std::regex::icase};
  std::smatch found;
  if (!table.contains("to")) return std::nullopt;
  Moment since = 0;
  if (std::regex_search(text, found, year)) since = parse_time(found[1].str())->moment;
  for (const Grain grain : {Grain::year, Grain::month}) {
    const auto whole = whole_ones(table, grain, since);
    if (whole) return Periods{grain_text(grain, whole->first), grain_text(grain, whole->second)};
  }
  return std::nullopt;
}

}  // namespace insights
