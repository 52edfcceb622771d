#include "memo/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

/// Names of units other than their plain stem.
constexpr std::array<Pair, 46> short_names{{{"s", "second"},
                                            {"sec", "second"},
                                            {"min", "minute"},
                                            {"mins", "minute"},
                                            {"h", "hour"},
                                            {"hr", "hour"},
                                            {"hrs", "hour"},
                                            {"d", "day"},
                                            {"wk", "week"},
                                            {"yr", "year"},
                                            {"yrs", "year"},
                                            {"mm", "millimetre"},
                                            {"cm", "centimetre"},
                                            {"m", "metre"},
                                            {"meter", "metre"},
                                            {"km", "kilometre"},
                                            {"kilometer", "kilometre"},
                                            {"mi", "mile"},
                                            {"ft", "foot"},
                                            {"feet", "foot"},
                                            {"inches", "inch"},
                                            {"ha", "hectare"},
                                            {"l", "litre"},
                                            {"liter", "litre"},
                                            {"ml", "millilitre"},
                                            {"g", "gram"},
                                            {"kg", "kilogram"},
                                            {"kilo", "kilogram"},
                                            {"t", "tonne"},
                                            {"ton", "tonne"},
                                            {"lb", "lb"},
                                            {"lbs", "lb"},
                                            {"w", "watt"},
                                            {"kw", "kilowatt"},
                                            {"mw", "megawatt"},
                                            {"gw", "gigawatt"},
                                            {"wh", "watthour"},
                                            {"kwh", "kilowatthour"},
                                            {"mwh", "megawatthour"},
                                            {"gwh", "gigawatthour"},
                                            {"kb", "kilobyte"},
                                            {"mb", "megabyte"},
                                            {"gb", "gigabyte"},
                                            {"tb", "terabyte"},
                                            {"x", "time"},
                                            {"pence", "penny"}}};

constexpr std::array<std::string_view, 40> full_names{
    "second",   "minute",   "hour",       "day",        "week",         "month",        "quarter",
    "year",     "decade",   "season",     "night",      "metre",        "kilometre",    "mile",
    "foot",     "inch",     "millimetre", "centimetre", "hectare",      "acre",         "litre",
    "gallon",   "barrel",   "gram",       "kilogram",   "tonne",        "ounce",        "watt",
    "kilowatt", "megawatt", "gigawatt",   "watthour",   "kilowatthour", "megawatthour", "byte",
    "megabyte", "gigabyte", "terabyte",   "time",       "cent"};

/// The unit that `word` names; empty for none.
std::string measure_named(std::string_view word) {
  const auto brief = std::ranges::find(short_names, word, &Pair::first);
  if (brief != short_names.end()) return std::string{brief->second};
  if (word.ends_with('s') && word.size() > 3) word.remove_suffix(1);
  const auto whole = std::ranges::find(full_names, word);
  if (whole != full_names.end()) return std::string{*whole};
  const auto single = std::ranges::find(short_names, word, &Pair::first);
  return single == short_names.end() ? std::string{} : std::string{single->second};
}

/// `annual` gives `year`; empty for another word.
std::string_view adverb_of(std::string_view word) {
  static constexpr std::array<Pair, 8> adverbs{{{"annual", "year"},
                                                {"annually", "year"},
                                                {"yearly", "year"},
                                                {"quarterly", "quarter"},
                                                {"monthly", "month"},
                                                {"weekly", "week"},
                                                {"daily", "day"},
                                                {"hourly", "hour"}}};
  const auto found = std::ranges::find(adverbs, word, &Pair::first);
  return found == adverbs.end() ? std::string_view{} : found->second;
}

std::string_view word_at(const std::vector<Token>& tokens, std::size_t at) {
  return at < tokens.size() ? std::string_view{tokens[at].text} : std::string_view{};
}

/// `square metres`, `m²`, `90-hour`
UnitName measure_at(const std::vector<Token>& tokens, std::size_t at) {
  const auto word = word_at(tokens, at);
  if (word == "-" && at > 0 && tokens[at].follows(tokens[at - 1])) {
    const auto behind = measure_at(tokens, at + 1);
    return behind.name.empty() ? UnitName{} : behind;
  }
  if (word == "square" || word == "cubic") {
    const auto side = measure_named(word_at(tokens, at + 1));
    return side.empty() ? UnitName{} : UnitName{std::string{word} + ' ' + side, at + 2};
  }
  const auto name = measure_named(word);
  if (name.empty()) return {};
  if (word_at(tokens, at + 1) == "²") return {"square " + name, at + 2};
  if (word_at(tokens, at + 1) == "³") return {"cubic " + name, at + 2};
  return {name, at + 1};
}

/// `for a year` says how long.
bool is_duration(const std::vector<Token>& tokens, std::size_t at) {
  static constexpr std::array<std::string_view, 6> words{"for",  "within", "after",
                                                         "than", "before", "of"};
  return at > 0 && std::ranges::find(words, tokens[at - 1].text) != words.end();
}

}  // namespace

std::string currency_at(std::string_view text, const std::vector<Token>& tokens, std::size_t at) {
  if (at >= tokens.size() || tokens[at].kind == Token::Kind::number) return {};
  std::string word{text.substr(tokens[at].begin, tokens[at].end - tokens[at].begin)};
  auto found = currency_of(word);
  if (found.empty() && word.size() == 3) {  // `eur`, the key of a record
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
    found = currency_of(word);
  }
  return std::string{found};
}

UnitName unit_at(std::string_view text, const std::vector<Token>& tokens, std::size_t at) {
  const auto word = word_at(tokens, at);
  const auto next = word_at(tokens, at + 1);
  if (word == "%") return {"%", at + 1};
  if (word == "per" && next == "cent") return {"%", at + 2};
  const bool percent = word == "percent" || word == "pct";
  const bool points = next == "point" || next == "points";
  if ((percent || word == "percentage") && points) return {"point", at + 2};
  if (percent) return {"%", at + 1};
  if (word == "pp") return {"point", at + 1};
  if (auto currency = currency_at(text, tokens, at); !currency.empty()) return {currency, at + 1};
  return measure_at(tokens, at);
}

bool is_measure(std::string_view name) {
  return !measure_named(name.substr(name.rfind(' ') + 1)).empty();
}

bool is_measure_stem(const std::string& stem) {
  static const std::set<std::string> stems = [] {
    std::set<std::string> all;
    for (const auto& [name, measure] : short_names) all.insert(std::string{name});
    for (const auto name : full_names) all.insert(stem_of(std::string{name}));
    return all;
  }();
  return stems.contains(stem);
}

UnitName per_at(const std::vector<Token>& tokens, std::size_t at) {
  const auto word = word_at(tokens, at);
  if (const auto adverb = adverb_of(word); !adverb.empty()) return {std::string{adverb}, at + 1};
  if (word == "p" && word_at(tokens, at + 1) == "." && word_at(tokens, at + 2) == "a") {
    return {"year", at + 3};
  }
  auto measure = measure_at(tokens, at + 1);
  const bool article = word == "a" || word == "an" || word == "each" || word == "every";
  if (article) return is_duration(tokens, at) ? UnitName{} : measure;
  const bool per = word == "per" || word == "/";
  if (!per || at + 1 >= tokens.size() || tokens[at + 1].kind != Token::Kind::word) return {};
  if (tokens[at + 1].is("cent")) return {};
  return measure.name.empty() ? UnitName{stem_of(tokens[at + 1].text), at + 2} : measure;
}

}  // namespace memo
