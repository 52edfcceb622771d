#include "insights/readings.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace insights {
namespace {

constexpr const char* daily_file = "weather.csv";
constexpr std::string_view daily_columns =
    "location,date,precipitation,temp_max,temp_min,wind,weather";
constexpr std::string_view hourly_columns = "date,pressure,temperature,wind";

/// A table of comma-separated values without quotes, a row at a time.
class Table {
 public:
  Table(const std::filesystem::path& file, std::string_view columns)
      : file_(file.string()), in_(file) {
    if (!in_) throw ReadingsError(file_ + ": cannot be opened");
    if (!next() || fmt::format("{}", fmt::join(cells_, ",")) != columns) {
      fail(fmt::format("the columns are not '{}'", columns));
    }
  }

  bool next() {
    if (!std::getline(in_, text_)) {
      if (in_.bad()) fail("cannot be read");
      return false;
    }
    ++line_;
    if (text_.ends_with('\r')) text_.pop_back();
    const std::size_t wanted = cells_.size();
    cells_.clear();
    std::string_view rest = text_;
    for (auto comma = rest.find(','); comma != rest.npos; comma = rest.find(',')) {
      cells_.push_back(rest.substr(0, comma));
      rest.remove_prefix(comma + 1);
    }
    cells_.push_back(rest);
    if (line_ > 1 && cells_.size() != wanted) fail(fmt::format("has not {} cells", wanted));
    return true;
  }

  [[nodiscard]] std::string_view text(std::size_t cell) const { return cells_.at(cell); }
  [[nodiscard]] double number(std::size_t cell) const {
    double value = 0;
    const std::string_view from = text(cell);
    const auto read = std::from_chars(from.data(), from.data() + from.size(), value);
    if (read.ec != std::errc{} || read.ptr != from.data() + from.size() || !std::isfinite(value)) {
      fail(fmt::format("'{}' is no number", from));
    }
    return value;
  }
  [[noreturn]] void fail(const std::string& how) const {
    throw ReadingsError(fmt::format("{}:{}: {}", file_, line_, how));
  }

 private:
  std::string file_;
  std::ifstream in_;
  std::string text_;
  std::vector<std::string_view> cells_;
  std::size_t line_ = 0;
};

std::vector<Reading> load_days(const std::filesystem::path& file, const std::string& system_id) {
  std::vector<Reading> days;
  std::set<std::string> others;
  for (Table table{file, daily_columns}; table.next();) {
    if (table.text(0) != system_id) {
      others.emplace(table.text(0));
      continue;
    }
    if (!day_number(table.text(1))) table.fail(fmt::format("'{}' is no date", table.text(1)));
    if (!days.empty() && table.text(1) <= days.back().date) table.fail("the dates do not rise");
    days.push_back({std::string{table.text(1)}, table.number(2), table.number(3), table.number(4),
                    table.number(5), std::string{table.text(6)}});
  }
  if (days.empty()) {
    throw ReadingsError(fmt::format("there are no readings of '{}' in {}; there are those of {}",
                                    system_id, file.string(), fmt::join(others, ", ")));
  }
  return days;
}

/// `New York` -> `new-york`
std::string file_stem(const std::string& system_id) {
  std::string stem = system_id;
  for (char& c : stem) {
    c = c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return stem;
}

/// The means over the hours of each day, by day of the year.
std::map<std::string, Normal> load_normals(const std::filesystem::path& file) {
  std::map<std::string, Normal> normals;
  std::map<std::string, int> hours;
  for (Table table{file, hourly_columns}; table.next();) {
    if (!day_number(table.text(0).substr(0, 10))) {
      table.fail(fmt::format("'{}' is no time", table.text(0)));
    }
    const std::string day{table.text(0).substr(5, 5)};
    Normal& normal = normals[day];
    normal.day = day;
    normal.temperature += table.number(2);
    normal.wind += table.number(3);
    ++hours[day];
  }
  for (auto& [day, normal] : normals) {
    normal.temperature /= hours[day];
    normal.wind /= hours[day];
  }
  return normals;
}

}  // namespace

std::optional<int> day_number(std::string_view date) {
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t count) {
    int value = -1;
    const char* end = date.data() + at + count;
    const auto read = std::from_chars(date.data() + at, end, value);
    return read.ec == std::errc{} && read.ptr == end ? value : -1;
  };
  const int year = part(0, 4), month = part(5, 2), day = part(8, 2);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day when{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!when.ok()) return std::nullopt;
  return static_cast<int>(std::chrono::sys_days{when}.time_since_epoch().count());
}

Readings load_readings(const std::filesystem::path& folder, const std::string& system_id,
                       int window_days) {
  Readings readings{system_id, load_days(folder / daily_file, system_id), {}};
  const int after = day_number(readings.days.back().date).value() - window_days;
  std::erase_if(readings.days,
                [&](const Reading& day) { return day_number(day.date).value() <= after; });
  const auto hourly = folder / (file_stem(system_id) + "-weather-hourly-normals.csv");
  if (!std::filesystem::exists(hourly)) return readings;
  std::set<std::string> wanted;
  for (const Reading& day : readings.days) wanted.insert(day.date.substr(5));
  for (const auto& [day, normal] : load_normals(hourly)) {
    if (wanted.contains(day)) readings.normals.push_back(normal);
  }
  return readings;
}

const std::vector<std::string>& variables() {
  static const std::vector<std::string> all{"precipitation", "temp_max", "temp_min", "temp_mean",
                                            "wind"};
  return all;
}

double value_of(const Reading& reading, std::string_view variable) {
  if (variable == "precipitation") return reading.precipitation;
  if (variable == "temp_max") return reading.temp_max;
  if (variable == "temp_min") return reading.temp_min;
  if (variable == "wind") return reading.wind;
  return (reading.temp_max + reading.temp_min) / 2;  // temp_mean
}

const Normal* normal_of(const Readings& readings, std::string_view date) {
  const std::string_view day = date.substr(5);
  const auto found = std::ranges::lower_bound(readings.normals, day, {}, &Normal::day);
  return found != readings.normals.end() && found->day == day ? &*found : nullptr;
}

}  // namespace insights
