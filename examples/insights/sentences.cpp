#include "insights/sentences.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/periods.hpp"
#include "insights/phrases.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using Findings = std::vector<Finding>;

/// ` on 2015-12-08`
std::string date_of(const Json& r, const std::string& name) {
  return r.contains(name + "_date") ? on_time(word_at(r, (name + "_date").c_str())) : "";
}

/// ` on 2015-12-08 (weather.csv:2904)`, with what it is of
std::string dated(const Json& r, const std::string& name) {
  const std::string text = date_of(r, name);
  std::vector<std::string> more = r.value(name + "_of", std::vector<std::string>{});
  if (r.contains(name + "_line")) more.push_back(word_at(r, (name + "_line").c_str()));
  if (r.contains(name + "_empty_cells")) {
    more.push_back(counted(r.at(name + "_empty_cells"), "empty cell") + " there");
  }
  return text + (more.empty() ? "" : fmt::format(" ({})", fmt::join(more, "; ")));
}

/// `31 readings; sales.csv:2–32`, `31 readings without 2 mistakes (with them: 320 units); …`
std::string of_readings(const Json& r) {
  const auto count = r.at("readings").get<std::int64_t>();
  return counted(count, what_of(r)) + left_out_of(r) + (count == 1 ? "" : lines_of(r));
}

/// ` in 79 days, 1.62 a day; on the 45 days with any 2.84`, where some days have none.
std::string rate_of_events(const Json& r) {
  if (!r.contains("rate")) return ", " + figure(r, r, "mean") + " a day";
  return fmt::format(" in {} days, {} a day; on the {} with any {}", r.at("all_days").dump(),
                     figure(r, r, "rate"), counted(r.at("readings"), what_of(r)),
                     figure(r, r, "mean"));
}

/// `units: 436.3 a day on average, the most 1,140 on 2025-07-13, the least 40 on 2025-05-15`
Findings of_days(const Json& r) {
  if (!r.contains("day_max")) return {};
  const std::string step = word_at(r, "day_step");
  const bool has_rate = r.contains("rate");
  const std::string start =
      r.at("amount").get<bool>()
          ? fmt::format("{} a {} on average", figure(r, r, has_rate ? "rate" : "day_mean"), step)
          : fmt::format("of {} means", step);
  const std::string least =
      has_rate
          ? fmt::format("{} of {} days have none",
                        r.at("all_days").get<std::int64_t>() - r.at("days").get<std::int64_t>(),
                        r.at("all_days").dump())
          : fmt::format("the least {}{}", figure(r, r, "day_min"), dated(r, "day_min"));
  return {{"days", r.at("amount").get<bool>() ? 69.0 : 9.0,
           fmt::format("{}: {}, the most {}{}, {}.", subject(r), start, figure(r, r, "day_max"),
                       dated(r, "day_max"), least)}};
}

/// `takings (Harbour, April 2024)`, where a time was asked for.
std::string subject_in_time(const Json& r) {
  if (!r.contains("time")) return subject(r);
  return subject(r, {period_name(word_at(r, "time"))});
}

/// How many events there were.
Findings counts(const Json& r) {
  const std::string of = r.contains("rate") ? lines_of(r) : "; " + of_readings(r);
  const bool is_one_day = r.at("readings") == 1;
  Finding one{"statistics", 75,
              is_one_day
                  ? fmt::format("{}: {} in all{}.", subject_in_time(r), figure(r, r, "sum"),
                                dated(r, "max"))
                  : fmt::format("{}: {} in all{} on average (median {}), from {}{} to {}{}{}.",
                                subject_in_time(r), figure(r, r, "sum"), rate_of_events(r),
                                figure(r, r, "median"), figure(r, r, "min"), dated(r, "min"),
                                figure(r, r, "max"), dated(r, "max"), of)};
  one.brief = fmt::format("{}: {} in all (at most {} a day{})", subject_in_time(r),
                          figure(r, r, "sum"), figure(r, r, "max"), date_of(r, "max"));
  return {std::move(one)};
}

/// ` (the lowest reading 3 kg on 2025-06-04, the highest 9 kg on 2025-06-07; sales.csv:2–32)`
std::string range_of(const Json& r) {
  if (r.at("min") == r.at("max")) return " (the same each time" + lines_of(r) + ")";
  const bool is_one_day = date_of(r, "min") == date_of(r, "max");
  return fmt::format(" (the lowest {} {}{}, the highest {}{}{})", what_of(r), figure(r, r, "min"),
                     is_one_day ? "" : date_of(r, "min"), figure(r, r, "max"),
                     is_one_day ? "" : date_of(r, "max"), lines_of(r));
}

Findings statistics(const Json& r) {
  if (r.value("counts", false)) return counts(r);
  const bool amount = r.at("amount").get<bool>();
  std::string text = subject_in_time(r) + ": ";
  if (amount) text += fmt::format("{} in all, ", figure(r, r, "sum"));
  if (r.at("readings") == 1) {
    text = fmt::format("{}: {}{}; {}", subject_in_time(r), figure(r, r, "min"), dated(r, "min"),
                       of_readings(r));
  } else if (r.at("min") == r.at("max")) {
    text += fmt::format("{}{} each time; {}", figure(r, r, "mean"), a_day(r), of_readings(r));
  } else {
    text += fmt::format("{}{} on average (median {}), from {}{} to {}{}; {}", figure(r, r, "mean"),
                        a_day(r), figure(r, r, "median"), figure(r, r, "min"), dated(r, "min"),
                        figure(r, r, "max"), dated(r, "max"), of_readings(r));
  }
  if (may_be_summed(r)) text += fmt::format("; {} in all", figure(r, r, "sum"));
  Findings all{{"statistics", amount ? 70.0 : may_be_summed(r) ? 60.0 : 10.0, text + "."}};
  all.back().brief = fmt::format(
      "{}: {}{}", subject_in_time(r),
      amount ? figure(r, r, "sum") + " in all" : figure(r, r, "mean") + " on average", range_of(r));
  for (Finding& one : of_days(r)) all.push_back(std::move(one));
  return all;
}

/// `, on 2025-05-01 (sales.csv:2–9)`
std::string dated_end(const Json& r, const char* date, const char* line) {
  return "," + on_time(word_at(r, date)) + in_lines(r, line);
}

Findings trend(const Json& r) {
  const double r2 = value_at(r, "r2");
  const double change = value_at(r, "change");
  Findings all;
  if (r.contains("from") && !r.value("counts", false)) {
    all.push_back({"latest", only_asked,
                   fmt::format("{}: {}{} at the start{}, and {} at the end{}{}.", subject(r),
                               figure(r, r, "first"), a_day(r), dated_end(r, "from", "first_line"),
                               figure(r, r, "last"), dated_end(r, "to", "last_line"),
                               difference(r, value_at(r, "first"), value_at(r, "last")))});
  }
  const std::string line = fmt::format(
      "along a straight line, which accounts for {:.0f} % of the differences", 100 * r2);
  if (r2 < 0.3) {
    all.push_back({"no trend", only_asked,
                   fmt::format("{}: no trend to speak of ({}{} {}).", subject(r),
                               change > 0 ? "+" : "", figure(r, r, "change"), line)});
    return all;
  }
  std::string text = fmt::format("{} {} by {} {}", subject(r), change > 0 ? "rises" : "falls",
                                 amount_text(std::abs(change), r.value("unit", "")), line);
  if (r.contains("from")) {
    const double more = rounded(value_at(r, "last") - value_at(r, "first"));
    text += fmt::format("; the first reading is {}{}{}, and the last {}{} ({}{})",
                        figure(r, r, "first"), a_day(r), dated_end(r, "from", "first_line"),
                        figure(r, r, "last"), dated_end(r, "to", "last_line"), more > 0 ? "+" : "",
                        amount_text(more, r.value("unit", "")));
  }
  all.push_back({"trend", 35 + 35 * r2, text + "."});
  return all;
}

/// `on Tuesdays`, `at 15:00`, `in December`
std::string place_in_cycle(const Json& r, const Json& one) {
  if (!one.contains("at")) return "";
  const std::string cycle = word_at(r, "cycle");
  const std::string at = word_at(one, "at");
  if (cycle == "weekday") return fmt::format(" on {}s", at);
  return (cycle == "hour" ? " at " : " in ") + at;
}

/// Dairy and Harbour: the keys of a row, or what an event is of.
std::vector<std::string> keys_of(const Json& one) {
  std::vector<std::string> keys = one.value("of_what", std::vector<std::string>{});
  if (!one.contains("keys")) return keys;
  for (const auto& [name, value] : one.at("keys").items()) keys.push_back(value);
  return keys;
}

/// `2nd`, `13th`
std::string ordinal(std::int64_t number) {
  const bool is_teen = number % 100 / 10 == 1;
  const char* const endings[]{"th", "st", "nd", "rd"};
  return fmt::format("{}{}", number, endings[is_teen || number % 10 > 3 ? 0 : number % 10]);
}

Finding unusual(const Json& r, const Json& one) {
  const bool high = value_at(one, "z") > 0;
  const std::string who = subject(r, keys_of(one));
  const std::string date = one.contains("date") ? word_at(one, "date") : word_at(one, "row");
  std::string text =
      fmt::format("{}: {}{}{} is unusually {}, where {} is usual{} ({} times the usual deviation",
                  who, figure(r, one, "value"), a_day(r), on_time(date), high ? "high" : "low",
                  figure(r, one, "usual"), place_in_cycle(r, one),
                  amount_text(std::round(std::abs(value_at(one, "z"))), ""));
  const auto rank = one.at("rank").get<std::int64_t>();
  const auto of = one.at("of").get<std::int64_t>();
  if (rank * 20 <= of || rank == 1) {
    text += fmt::format("; the {}{} of {}", rank == 1 ? "" : ordinal(rank) + " ",
                        high ? "highest" : "lowest", counted(of, what_of(r)));
  }
  if (one.contains("line")) text += "; " + word_at(one, "line");
  text += ")";
  if (one.contains("count") && word_at(one, "begin") != word_at(one, "end")) {
    text += fmt::format("; it stays so from {} to {}, {}", time_words(word_at(one, "begin")),
                        time_words(word_at(one, "end")), counted(one.at("count"), what_of(r)));
  }
  if (one.contains("empty_cells")) {
    text += fmt::format("; {} of that day", counted(one.at("empty_cells"), "empty cell"));
  }
  return {"unusual", 60 + std::min(25.0, std::abs(value_at(one, "z"))), text + ".", "",
          date.substr(0, 10)};
}

/// The first in full; the others, which matter less, in one sentence.
Findings find_unusual(const Json& r) {
  const Json& all = r.at("unusual");
  if (word_at(r, "method") != "robust" || all.empty()) return {};
  Findings found{unusual(r, all.at(0))};
  std::vector<std::string> others;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Json& one = all.at(i);
    const std::string when = one.contains("begin")
                                 ? fmt::format(" from {} to {}", time_words(word_at(one, "begin")),
                                               time_words(word_at(one, "end")))
                                 : on_time(word_at(one, one.contains("date") ? "date" : "row"));
    std::vector<std::string> what = keys_of(one);
    what.push_back(figure(r, one, "value") + (value_at(one, "z") > 0 ? "" : ", low"));
    others.push_back(fmt::format("{} ({}{})", when, fmt::join(what, ", "),
                                 one.contains("line") ? "; " + word_at(one, "line") : ""));
  }
  const auto rest = r.at("found").get<std::size_t>() - all.size();
  if (!others.empty()) {
    found.push_back({"unusual", found[0].weight - 25,
                     fmt::format("{}: also unusual{}{}.", subject(r), fmt::join(others, ", "),
                                 rest > 0 ? fmt::format(", and {} more", rest) : "")});
  }
  return found;
}

Findings compare_normals(const Json& r) {
  const double mean = value_at(r, "mean_difference");
  const auto far = [&](const char* name) {
    const Json& one = r.at(name);
    return fmt::format("{} ({} against {}; {})", word_at(one, "date"), figure(r, one, "value"),
                       figure(r, one, "normal"), word_at(one, "line"));
  };
  return {{"compare", 64,
           fmt::format("{} is {} {} the normals on average ({}), {} of {} days above them; "
                       "farthest up on {}, farthest down on {}.",
                       subject(r), amount_text(std::abs(mean), r.value("unit", "")),
                       mean > 0 ? "above" : "below", word_at(r, "source"),
                       r.at("days_above").get<int>(),
                       r.at("readings").get<int>() - r.at("without_normal").get<int>(),
                       far("highest"), far("lowest"))}};
}

Findings compare_before(const Json& r) {
  Findings all;
  const Json& now = r.at("window");
  for (const auto& [name, what] :
       {std::pair{"before", "days before"}, std::pair{"year_before", "days a year earlier"}}) {
    if (!r.contains(name)) continue;
    const Json& then = r.at(name);
    const double change =
        std::abs(value_at(then, "difference")) / std::max(1e-9, std::abs(value_at(then, "mean")));
    all.push_back({"compare", 40 + std::min(20.0, 40 * change),
                   fmt::format("{}: {}{} on average{}, against {} in the {} {} ({} to {}{}){}.",
                               subject(r), figure(r, now, "mean"), a_day(r), in_lines(now),
                               figure(r, then, "mean"), then.at("readings").get<int>(), what,
                               word_at(then, "from"), word_at(then, "to"), lines_of(then),
                               difference(r, value_at(then, "mean"), value_at(now, "mean")))});
  }
  return all;
}

std::string percent_text(double share) {
  return amount_text(share < 1 ? share : std::round(share * 10) / 10, "");
}

std::string limit_text(const Json& r) {
  const std::string name = word_at(r, "limit");
  const char* text = name == "at_most" ? "at most" : name == "at_least" ? "at least" : name.c_str();
  // From when it was due to when it was done.
  const bool is_late = name == "above" && value_at(r, "value") == 0 &&
                       words().has("time units", r.value("unit", "")) &&
                       word_at(r, "variable").starts_with("time from");
  return fmt::format("{} {}{}", text, figure(r, r, "value"), is_late ? " (late)" : "");
}

/// `0.17 mg/l on 2025-07-15 18:30 (log.csv:199)`
std::string point_text(const Json& r, const Json& point) {
  std::vector<std::string> more = keys_of(point);
  if (point.contains("line")) more.push_back(word_at(point, "line"));
  return figure(r, point, "value") +
         (point.contains("date") ? on_time(word_at(point, "date")) : "") +
         (more.empty() ? "" : fmt::format(" ({})", fmt::join(more, ", ")));
}

/// When it was for the first and the last time, and for how long without a break.
std::string course_of(const Json& r) {
  if (!r.contains("first")) return "";
  std::string text =
      fmt::format("; the first{}, the last{}", on_time(word_at(r.at("first"), "date")),
                  on_time(word_at(r.at("last"), "date")));
  if (r.contains("longest_run")) {
    const Json& run = r.at("longest_run");
    text +=
        fmt::format("; {} in a row at most, from {} to {}", counted(run.at("count"), what_of(r)),
                    time_words(word_at(run, "from")), time_words(word_at(run, "to")));
  }
  return text;
}

Finding often_by(const Json& r) {
  std::vector<std::string> parts;
  for (const Json& group : r.at("groups")) {
    parts.push_back(fmt::format("{} {} of {} ({} %{})", word_at(group, "name"),
                                group.at("count").dump(), group.at("of").dump(),
                                percent_text(value_at(group, "share")), lines_of(group)));
    if (parts.size() == 8) break;
  }
  return {"often", 79,
          fmt::format("{}: {} by {}: {}{}.", subject(r), limit_text(r), word_at(r, "by"),
                      fmt::join(parts, ", "), r.at("groups").size() > parts.size() ? ", …" : "")};
}

Findings how_often(const Json& r) {
  const auto count = r.at("count").get<std::int64_t>();
  const auto of = r.at("readings").get<std::int64_t>();
  if (count == 0) {
    return {{"often", 80,
             fmt::format("{}: {} in none of {}; the nearest is {}.", subject(r), limit_text(r),
                         counted(of, what_of(r)), point_text(r, r.at("nearest")))}};
  }
  std::vector<std::string> places;
  for (const Json& place : r.at("places")) places.push_back(point_text(r, place));
  const bool of_rows = r.contains("days") && r.value("step", "") != "day";
  const std::string days =
      of_rows && r.at("days") != count ? fmt::format(", on {}", counted(r.at("days"), "day")) : "";
  Findings all{{"often", 80,
                fmt::format("{}: {} in {} of {} ({} %){}: {}{}{}.", subject(r), limit_text(r),
                            count, counted(of, what_of(r)), percent_text(value_at(r, "share")),
                            days, fmt::join(places, ", "), count > std::ssize(places) ? ", …" : "",
                            course_of(r))}};
  if (r.contains("groups")) all.push_back(often_by(r));
  return all;
}

Findings compare_periods(const Json& r) {
  const std::string step = word_at(r, "step");
  const bool amount = r.at("amount").get<bool>();
  const auto period = [&](const char* name) {
    const Json& one = r.at(name);
    const std::string of = word_at(one, "name");
    const std::string when = of.find('/') == of.npos
                                 ? of
                                 : fmt::format("{} to {}", time_words(word_at(one, "from")),
                                               time_words(word_at(one, "to")));
    if (!amount) {
      return fmt::format("{} on average in {} (median {}; {}{})", figure(r, one, "mean"), when,
                         figure(r, one, "median"), counted(one.at("readings"), "reading"),
                         lines_of(one));
    }
    const std::string each = r.value("events", false)
                                 ? fmt::format("; {} each on average, median {}",
                                               figure(r, one, "mean"), figure(r, one, "median"))
                                 : "";
    const std::string rate = one.at("days") == 1 && step != "day"
                                 ? ""
                                 : fmt::format("{}, {} a {}", counted(one.at("days"), step),
                                               figure(r, one, "day_mean"), step);
    return fmt::format("{} in {} ({}{}{})", figure(r, one, "sum"), when, rate, each, lines_of(one));
  };
  const double from = value_at(r.at("first"), amount ? "sum" : "mean");
  const double to = value_at(r.at("second"), amount ? "sum" : "mean");
  // Periods of different lengths have different sums.
  const auto are_alike = [&](const char* days) {
    return are_as_long(r.at("first").value(days, 0.0), r.at("second").value(days, 0.0));
  };
  std::string change = difference(r, from, to);
  if (amount && !are_alike("length") && !are_alike("days")) {
    change =
        difference(r, value_at(r.at("first"), "day_mean"), value_at(r.at("second"), "day_mean"));
    if (!change.empty()) change += " a " + step;
  }
  Findings all{
      {"periods", 82,
       fmt::format("{}: {}, {}{}.", subject(r), period("first"), period("second"), change)}};
  if (r.contains("of")) {
    all.push_back(
        {"periods", 83,
         fmt::format("{}: {:.1f} % of {} before {}, {:.1f} % since.", subject(r),
                     value_at(r.at("first"), "share"), word_at(r, "of"),
                     word_at(r.at("second"), "from"), value_at(r.at("second"), "share"))});
  }
  return all;
}

/// Rows alone prove something, they are no finding.
Findings query_window(const Json& r) {
  std::vector<std::string> rows;
  for (const Json& row : r.at("rows")) {
    std::vector<std::string> cells;
    for (const auto& [name, value] : row.items()) {
      if (name == "date" || name == "time" || name == "line" || value.is_null()) continue;
      cells.push_back(
          name + " " +
          (value.is_string() ? value.get<std::string>() : amount_text(value.get<double>(), "")));
    }
    const std::string when = row.value("date", row.value("time", row.value("line", "")));
    if (rows.size() < 3) rows.push_back(fmt::format("{} {}", when, fmt::join(cells, ", ")));
  }
  if (rows.empty()) return {};
  return {{"rows", 1, fmt::format("Around the most unusual reading: {}.", fmt::join(rows, "; "))}};
}

}  // namespace

std::vector<Finding> findings_of(const std::string& tool, const Json& result) {
  if (result.contains("error")) return {};
  if (tool == "statistics") return statistics(result);
  if (tool == "trend") return trend(result);
  if (tool == "find_change") return change_findings(result);
  if (tool == "find_settings") return setting_findings(result);
  if (tool == "find_unusual") return find_unusual(result);
  if (tool == "compare_normals") return compare_normals(result);
  if (tool == "compare_before") return compare_before(result);
  if (tool == "how_often") return how_often(result);
  if (tool == "compare_periods") return compare_periods(result);
  if (tool == "query_window") return query_window(result);
  if (tool == "compute") return query_findings(result);
  if (tool == "remarks") return remark_findings(result);
  if (tool == "find_faults") return fault_findings(result);
  if (tool == "look_up") return row_findings(result);
  return group_findings(tool, result);
}

}  // namespace insights
