#include "research/measures.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "research/text.hpp"

namespace research {

std::pair<std::string, double> in_base_unit(const std::string& unit) {
  static const std::map<std::string, std::pair<std::string, double>> units = [] {
    std::map<std::string, std::pair<std::string, double>> all{{"km", {"m", 1000}},
                                                              {"cm", {"m", 0.01}},
                                                              {"mm", {"m", 0.001}},
                                                              {"kg", {"g", 1000}},
                                                              {"ms", {"s", 0.001}},
                                                              {"min", {"s", 60}},
                                                              {"h", {"s", 3600}},
                                                              {"ml", {"l", 0.001}},
                                                              {"cl", {"l", 0.01}},
                                                              {"mg", {"g", 0.001}},
                                                              {"t", {"g", 1e6}},
                                                              {"kb", {"byte", 1e3}},
                                                              {"mb", {"byte", 1e6}},
                                                              {"gb", {"byte", 1e9}},
                                                              {"tb", {"byte", 1e12}},
                                                              {"kib", {"byte", 1024}},
                                                              {"mib", {"byte", 1048576}},
                                                              {"gib", {"byte", 1073741824}},
                                                              {"tib", {"byte", 1099511627776}},
                                                              {"kw", {"w", 1e3}},
                                                              {"mw", {"w", 1e6}},
                                                              {"gw", {"w", 1e9}},
                                                              {"mwh", {"kwh", 1e3}},
                                                              {"gwh", {"kwh", 1e6}}};
    const std::vector<std::tuple<const char*, const char*, double>> words{
        {"kilometres", "m", 1000}, {"kilometers", "m", 1000}, {"metres", "m", 1},
        {"meters", "m", 1},        {"miles", "mile", 1},      {"tonnes", "g", 1e6},
        {"kilograms", "g", 1000},  {"grams", "g", 1},         {"milliseconds", "s", 0.001},
        {"seconds", "s", 1},       {"minutes", "s", 60},      {"hours", "s", 3600},
        {"days", "day", 1},        {"weeks", "day", 7},       {"months", "month", 1},
        {"years", "month", 12},    {"euros", "\u20AC", 1},    {"dollars", "$", 1},
        {"pounds", "\u00A3", 1},   {"hectares", "ha", 1},     {"litres", "l", 1},
        {"liters", "l", 1}};
    for (const auto& [word, base, factor] : words) all.emplace(stem(word), std::pair{base, factor});
    return all;
  }();
  const auto found = units.find(unit);
  return found == units.end() ? std::pair{unit, 1.0} : found->second;
}

bool is_measure(const std::string& unit) {
  static const std::set<std::string> measures = [] {
    std::set<std::string> stems;
    for (const char* word :
         {"percent", "date",       "clock",      "weekday",   "seconds", "minutes", "hours",
          "days",    "weeks",      "months",     "years",     "nights",  "metres",  "meters",
          "miles",   "kilometres", "kilometers", "feet",      "foot",    "inches",  "yards",
          "square",  "cubic",      "hectares",   "acres",     "litres",  "liters",  "gallons",
          "pints",   "grams",      "kilos",      "kilograms", "tonnes",  "tons",    "pounds",
          "ounces",  "euros",      "dollars",    "pence",     "cents",   "degrees", "volts",
          "watts",   "amps",       "kilowatts",  "hertz",     "bits",    "bytes",   "points",
          "times",   "working",    "min",        "sec",       "hrs",     "mph",     "khz",
          "mhz",     "ghz",        "kwh",        "mwh",       "kib",     "mib",     "gib",
          "tib",     "lux",        "ppm",        "mah",       "rpm"}) {
      stems.insert(stem(word));
    }
    return stems;
  }();
  const bool is_word = std::ranges::all_of(unit, [](char c) { return c >= 'a' && c <= 'z'; });
  return unit.size() < 3 || !is_word || measures.contains(unit);
}

std::string measure_in(const std::string& text) {
  static const std::set<std::string_view> things{
      "prices", "charges", "fees",    "amounts", "costs",     "rates",   "lengths", "heights",
      "depths", "widths",  "weights", "times",   "distances", "figures", "values",  "sizes"};
  static const std::set<std::string_view> between{"are", "all", "given", "stated", "shown"};
  const Words said = words(text);
  bool named = false;
  for (std::size_t i = 0; i + 1 < said.size(); ++i) {
    if (named && said[i] == "in" && is_measure(stem(said[i + 1]))) return stem(said[i + 1]);
    named = things.contains(said[i]) || (named && between.contains(said[i]));
  }
  return {};
}

}  // namespace research
