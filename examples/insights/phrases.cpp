#include "insights/phrases.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/figures.hpp"
#include "insights/words.hpp"

namespace insights {

namespace {
using Json = nlohmann::json;

/// Whether 0 means none, so that one value can be so many times another: not of temperatures.
bool has_zero(const Json& r) {
  const std::vector<std::string> name = words_in(r.value("variable", ""));
  return r.value("amount", false) ||
         (!words().has("signed units", r.value("unit", "")) &&
          std::ranges::none_of(name, [](const auto& word) { return words().has("signed", word); }));
}

/// `, 3.2 times as much`, `, twice as much`; "" where it is much the same.
std::string times_text(double factor) {
  const double shown = factor < 10 ? std::round(factor * 10) / 10 : std::round(factor);
  if (shown <= 1) return "";
  return shown == 2 ? ", twice as much" : fmt::format(", {} times as much", amount_text(shown, ""));
}

}  // namespace

std::string word_at(const Json& json, const char* name) { return json.at(name).get<std::string>(); }

double value_at(const Json& json, const char* name) { return json.at(name).get<double>(); }

std::string amount_text(double value, const std::string& unit) {
  const double size = std::abs(value);
  const bool is_plain = size >= 1 ? size < 1e15 : size == 0;
  const bool is_money = words().has("money", unit_of_price(unit));
  std::string text = is_plain ? fmt::format("{:.{}f}", size, size < 10 && !is_money ? 3 : 2)
                              : fmt::format("{:.{}g}", size, size < 1 ? 3 : 6);
  if (is_plain) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  const std::size_t whole = std::min(text.find('.'), text.size());
  if (is_money && whole + 2 == text.size()) text += '0';
  for (std::size_t at = whole; is_plain && whole > 4 && at > 3;) text.insert(at -= 3, ",");
  if (value < 0 && text != "0") text = "−" + text;
  return unit.empty() ? text : text + " " + unit;
}

std::string figure(const Json& result, const Json& of, const char* name) {
  return amount_text(value_at(of, name), result.value("unit", ""));
}

std::string value_text(const std::string& column, const std::string& value) {
  if (value.starts_with(exactly)) return fmt::format("{} {}", column, value.substr(exactly.size()));
  if (number_wanted(value)) return fmt::format("{} {}", column, value);
  const bool is_any = value.starts_with(one_of);
  if (is_any || value.starts_with(all_but)) {
    std::string text{is_any ? "" : all_but};
    const std::vector<std::string> all = values_in(value);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) text += i + 1 < all.size() ? ", " : is_any ? " or " : " and ";
      text += value_text(column, all[i]) + (column == weekday_key ? "s" : "");
    }
    return text;
  }
  const bool is_plain = value.size() < 3 || words().has("yes", value) || words().has("no", value) ||
                        value.find_first_not_of("0123456789") == value.npos;
  return is_plain ? fmt::format("{} {}", column, value) : value;
}

std::string subject(const Json& result, const std::vector<std::string>& more) {
  const std::string name = result.value("variable", "the readings");
  std::vector<std::string> values;
  if (result.contains("where")) {
    for (const auto& [column, value] : result.at("where").items()) {
      values.push_back(value_text(column, value.get<std::string>()));
    }
  }
  values.insert(values.end(), more.begin(), more.end());
  return values.empty() ? name : fmt::format("{} ({})", name, fmt::join(values, ", "));
}

std::string where_of(const Json& r) {
  std::vector<std::string> values;
  if (!r.contains("where")) return "";
  for (const auto& [column, value] : r.at("where").items()) {
    values.push_back(value_text(column, value.get<std::string>()));
  }
  return fmt::format("{}: ", fmt::join(values, ", "));
}

bool may_be_summed(const Json& result) {
  const std::string unit = result.value("unit", "");
  return !result.value("amount", false) &&
         (words().has("time units", unit) ||
          (result.value("events", false) && words().has("amount units", unit)));
}

std::size_t count_words(const std::string& text) {
  auto words = static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
  for (auto at = text.find("sv:"); at != text.npos; at = text.find("sv:", at + 1)) --words;
  return words;
}

std::string not_in_ratio(const Json& result) {
  std::vector<std::string> texts;
  if (result.contains("lacking"))
    texts.push_back(counted(result.at("lacking"), "row") + " that lack one of the two");
  if (result.contains("void")) {
    const auto why = result.at("why").get<std::vector<std::string>>();
    texts.push_back(
        fmt::format("{} with {} and 0", counted(result.at("void"), "row"), fmt::join(why, " or ")));
  }
  return texts.empty() ? "" : fmt::format("; without {}", fmt::join(texts, " and "));
}

std::string a_day(const Json& result) {
  const std::string step = result.value("step", "date");
  return step != "date" && step != "row" && result.value("amount", false) ? " a " + step : "";
}

std::string difference(const Json& result, double from, double to) {
  const char* sign = to > from ? ", +" : ", ";
  if (!result.value("amount", false))
    return sign + amount_text(to - from, result.value("unit", ""));
  if (from == 0) return "";
  const double change = 100 * (to - from) / std::abs(from);
  const double shown = std::abs(change) < 10 ? std::round(change * 10) / 10 : std::round(change);
  return sign + amount_text(shown, "%");
}

std::string more_text(const Json& result, const std::string& name, double less, double more,
                      bool is_sum) {
  if (less == more) return ", the same";
  const std::string unit = result.value("unit", "");
  const char* const degree = is_sum                            ? "has {} more"
                             : words().has("time units", unit) ? "is {} longer"
                                                               : "is {} higher";
  return fmt::format("; {} {}{}", name,
                     fmt::format(fmt::runtime(degree), amount_text(rounded(more - less), unit)),
                     less > 0 && has_zero(result) ? times_text(more / less) : "");
}

std::string what_of(const Json& result) { return result.value("step", "reading"); }

std::string counted(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string left_out_of(const Json& result) {
  const auto aside = result.value("set_aside", std::vector<double>{});
  if (aside.empty()) return "";
  std::string text =
      fmt::format(" without {}", counted(static_cast<std::int64_t>(aside.size()), "mistake"));
  if (result.value("amount", false) && result.contains("sum")) {
    const double sum = value_at(result, "sum") + std::accumulate(aside.begin(), aside.end(), 0.0);
    text += fmt::format(" (with {}: {})", aside.size() == 1 ? "it" : "them",
                        amount_text(sum, result.value("unit", "")));
  }
  return text;
}

std::string lines_of(const Json& json) {
  const std::string lines = json.value("lines", "");
  return lines.empty() ? "" : "; " + lines;
}

std::string in_lines(const Json& json, const char* name) {
  const std::string lines = json.value(name, "");
  return lines.empty() ? "" : fmt::format(" ({})", lines);
}

Json without_scattered(Json group) {
  if (group.value("lines", "").find("…") != std::string::npos) group.erase("lines");
  return group;
}

std::string merged_text(const Json& r) {
  std::string text;
  for (const Json& one : r.value("merged", Json::array())) {
    text += fmt::format("; '{}' ({}) counts as {}", one.at("value").get<std::string>(),
                        one.at("count").dump(), one.at("like").get<std::string>());
  }
  return text;
}

}  // namespace insights
