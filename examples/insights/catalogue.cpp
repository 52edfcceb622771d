#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/identifiers.hpp"
#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_values = 40;
constexpr std::size_t most_settings = 12;  // of a column that has a few numbers again and again

/// Whether a column has one number for each value of a key, at whatever time: the height at which a
/// trap hangs.
bool describes(const Column& column, const Column& key, std::size_t first) {
  std::map<std::string, double> numbers;
  for (std::size_t row = first; row < column.numbers.size(); ++row) {
    if (!column.numbers[row] || key.words[row].empty()) continue;
    const auto [one, is_new] = numbers.emplace(key.words[row], *column.numbers[row]);
    if (!is_new && one->second != *column.numbers[row]) return false;
  }
  const std::size_t rows = column.numbers.size() - first;
  return numbers.size() > 1 && 2 * numbers.size() <= rows;
}

/// The key that a column of numbers describes; "": none.
std::string described_by(const Column& column, const Table& table) {
  for (const std::string& name : table.keys) {
    if (!table.has_events &&
        describes(column, *table.find(name), static_cast<std::size_t>(table.first)))
      return name;
  }
  return "";
}

/// Whether an amount is one of what goes out, below zero, and of what comes in.
bool is_signed(const Column& column, const std::vector<double>& known) {
  constexpr double few = 0.15;
  const bool may_be = column.is_amount && !column.is_count && column.between.empty() &&
                      (column.unit.empty() || words().has("money", column.unit));
  const auto negative = std::ranges::count_if(known, [](double one) { return one < 0; });
  const auto positive = std::ranges::count_if(known, [](double one) { return one > 0; });
  return may_be && positive > 2 &&
         static_cast<double>(negative) > few * static_cast<double>(known.size());
}

Json number_entry(const Column& column, std::size_t first) {
  Json entry{{"name", column.name}, {"kind", "number"}, {"amount", column.is_amount}};
  if (!column.unit.empty()) entry["unit"] = column.unit;
  if (!column.of.empty()) entry["of"] = column.of;
  if (!column.between.empty()) {
    entry["between"] = column.between;
    entry["open"] =
        std::count(column.open.begin() + static_cast<std::ptrdiff_t>(first), column.open.end(), 1);
  }
  if (column.is_count) entry["counts"] = true;
  std::size_t missing = 0;
  std::vector<double> known;
  for (std::size_t row = first; row < column.numbers.size(); ++row) {
    const auto& number = column.numbers[row];
    if (!number) {
      ++missing;
      continue;
    }
    known.push_back(*number);
  }
  if (!known.empty()) {
    const auto [least, most] = std::ranges::minmax(known);
    entry["range"] = {rounded(least), rounded(most)};
    entry["median"] = rounded(median(known));
    if (is_signed(column, known)) entry["signed"] = true;
    const std::set<double> different{known.begin(), known.end()};
    if (different.size() <= most_settings && 2 * different.size() <= known.size())
      entry["settings"] = different;
  }
  if (missing > 0) entry["missing"] = missing;
  return entry;
}

Json category_entry(const Column& column, std::size_t first) {
  std::map<std::string, std::size_t> counts;
  std::size_t missing = 0;
  for (std::size_t row = first; row < column.words.size(); ++row) {
    ++(column.words[row].empty() ? missing : counts[column.words[row]]);
  }
  Json entry{{"name", column.name}, {"kind", "category"}, {"values", Json::array()}};
  std::vector<std::pair<std::size_t, std::string>> common;
  for (const auto& [value, count] : counts) common.emplace_back(count, value);
  std::ranges::stable_sort(common, std::ranges::greater{},
                           &std::pair<std::size_t, std::string>::first);
  if (common.size() > most_values) common.resize(most_values);
  std::ranges::sort(common, {}, &std::pair<std::size_t, std::string>::second);
  for (const auto& [count, value] : common) entry["values"].push_back(value);
  if (counts.size() > most_values) entry["more_values"] = counts.size() - most_values;
  if (missing > 0) entry["missing"] = missing;
  if (is_free_text(counts)) entry["free"] = true;
  if (column.is_of_parent) entry["ofParent"] = true;
  if (column.leads_to_parent) entry["leadsToParent"] = true;
  return entry;
}

Json catalogue_of(const Table& table) {
  const auto first = static_cast<std::size_t>(table.first);
  Json json{{"table", table.name}, {"files", table.files},     {"readings", table.rows() - first},
            {"history", first},    {"columns", Json::array()}, {"normals", Json::array()}};
  if (!table.moments.empty()) {
    json["time"] = table.time;
    json["from"] = moment_text(table.moments[first], table.has_clock);
    json["to"] = moment_text(table.moments.back(), table.has_clock);
    json["clock"] = table.has_clock;
    if (table.grain != Grain::day) json["grain"] = table.grain;
  }
  if (!table.keys.empty()) json["keys"] = table.keys;
  if (table.has_events) json["events"] = true;
  if (!table.unused.empty()) json["unused"] = table.unused;
  if (!table.remarks.empty()) json["remarks"] = true;
  Json identifiers = identifier_entries(table);
  if (!identifiers.empty()) json["identifiers"] = std::move(identifiers);
  for (const Column& column : table.columns) {
    if (column.kind == Column::Kind::category) {
      json["columns"].push_back(category_entry(column, first));
      if (std::ranges::find(table.identifiers, column.name) != table.identifiers.end())
        json["columns"].back()["identifies"] = true;
      continue;
    }
    json["columns"].push_back(number_entry(column, first));
    const std::string key = described_by(column, table);
    if (!key.empty()) json["columns"].back()["describes"] = key;
  }
  return json;
}

}  // namespace

Json catalogue(const Readings& readings) {
  Json json = catalogue_of(readings.table);
  for (const Usual& usual : readings.usual) json["normals"].push_back(usual.column);
  for (const Table& table : readings.beside) json["beside"].push_back(catalogue_of(table));
  if (!readings.left_out.empty()) json["leftOut"] = readings.left_out;
  return json;
}

}  // namespace insights
