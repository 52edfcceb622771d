#include "insights/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr Moment never = std::numeric_limits<Moment>::min();
constexpr Moment always = std::numeric_limits<Moment>::max();

/// A year counts with all of its months, a day with all of its hours.
Moment bound(Arguments& arguments, const char* name, Moment otherwise, bool last) {
  const auto text = arguments.text(name);
  if (!text) return otherwise;
  const auto moment = parse_time(*text);
  if (!moment) throw ToolError(fmt::format("'{}' is not a date such as 2015-12-31", *text));
  return !last || moment->has_clock ? moment->moment : end_of(moment->grain, moment->moment);
}

void check_where(const Table& table, const std::map<std::string, std::string>& where) {
  for (const auto& [name, value] : where) {
    const Column* column = table.find(name);
    if (column == nullptr && name == weekday_key && !table.moments.empty()) continue;
    if (column != nullptr && column->kind == Column::Kind::number && number_wanted(value)) continue;
    if (column == nullptr || column->kind != Column::Kind::category) {
      throw ToolError(fmt::format("'where' names a category, one of {}",
                                  fmt::join(category_names(table), ", ")));
    }
    const std::set<std::string> known{column->words.begin(), column->words.end()};
    for (const std::string& one : values_in(value)) {
      if (!known.contains(one))
        throw ToolError(
            fmt::format("'{}' has no value '{}'; it has {}", name, one, fmt::join(known, ", ")));
    }
  }
}

}  // namespace

bool fits(const Table& table, std::size_t row, const std::map<std::string, std::string>& where) {
  return std::ranges::all_of(where, [&](const auto& wanted) {
    const Column* column = table.find(wanted.first);
    return column == nullptr ? is_open_on(where, table.moments[row])
                             : has_wanted(*column, row, wanted.second);
  });
}

bool has_wanted(const Column& column, std::size_t row, const std::string& wanted) {
  if (column.kind != Column::Kind::number) return admits(wanted, column.words[row]);
  const auto& number = column.numbers[row];
  const auto limit = number_wanted(wanted);
  return number && limit && is_within(*limit, *number);
}

bool is_open_on(const std::map<std::string, std::string>& where, Moment day) {
  const auto weekdays = where.find(std::string{weekday_key});
  return weekdays == where.end() ||
         admits(weekdays->second, place_name(Cycle::weekday, place_in(Cycle::weekday, day)));
}

Arguments::Arguments(Json json) : json_(std::move(json)) {
  if (!json_.is_object()) throw ToolError("the arguments are not a JSON object");
}

std::optional<std::string> Arguments::text(const char* name) {
  const Json value = take(name);
  if (value.is_null()) return std::nullopt;
  if (!value.is_string()) throw ToolError(fmt::format("'{}' is not a text", name));
  return value.get<std::string>();
}

double Arguments::number(const char* name, double otherwise, double least, double most) {
  const Json value = take(name);
  if (value.is_null()) return otherwise;
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= least && number <= most)) {
    throw ToolError(fmt::format("'{}' is not a number from {} to {}", name, least, most));
  }
  return number;
}

std::map<std::string, std::string> Arguments::texts(const char* name) {
  const Json value = take(name);
  std::map<std::string, std::string> all;
  if (value.is_null()) return all;
  if (!value.is_object()) throw ToolError(fmt::format("'{}' is not an object", name));
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) throw ToolError(fmt::format("'{}' in '{}' is not a text", key, name));
    all[key] = text.get<std::string>();
  }
  return all;
}

std::vector<std::string> Arguments::list(const char* name) {
  const Json value = take(name);
  std::vector<std::string> all;
  if (value.is_null()) return all;
  const bool is_list = value.is_array() && std::ranges::all_of(value, &Json::is_string);
  if (!is_list) throw ToolError(fmt::format("'{}' is not a list of texts", name));
  value.get_to(all);
  return all;
}

void Arguments::end() const {
  if (!json_.empty())
    throw ToolError(fmt::format("there is no argument '{}'", json_.begin().key()));
}

Json Arguments::take(const char* name) {
  Json value;
  if (const auto found = json_.find(name); found != json_.end()) {
    value = *found;
    json_.erase(found);
  }
  return value;
}

Rows rows_of(Arguments& arguments, const Readings& readings, bool history) {
  const Table& table = readings.table;
  const Moment from = bound(arguments, "from", never, false);
  const Moment to = bound(arguments, "to", always, true);
  if (table.moments.empty() && (from != never || to != always)) {
    throw ToolError("the table has no times: leave out 'from' and 'to'");
  }
  Rows found{{}, 0, arguments.texts("where")};
  check_where(table, found.where);
  std::size_t before = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Moment moment = table.moments.empty() ? 0 : table.moments[row];
    const bool is_history = row < static_cast<std::size_t>(table.first) || moment < from;
    if ((is_history && !history) || moment > to || !fits(table, row, found.where)) continue;
    before += is_history ? 1 : 0;
    found.rows.push_back(row);
  }
  found.first = before;
  found.from = from;
  found.to = to;
  if (found.rows.size() == before) {
    const auto first = static_cast<std::size_t>(table.first);
    throw ToolError(fmt::format("there are no such readings; the window is {} to {}",
                                table.when(first).substr(0, 10),
                                table.when(table.rows() - 1).substr(0, 10)));
  }
  return found;
}

std::string asked_time(const Table& table, const Rows& rows) {
  if (table.moments.empty()) return "";
  const Moment first = table.moments[static_cast<std::size_t>(table.first)];
  const Moment last = table.moments.back();
  if (rows.from <= first && rows.to >= last) return "";
  return table.day_text(std::max(rows.from, first)) + "/" + table.day_text(std::min(rows.to, last));
}

std::vector<std::string> number_names(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) {
    if (column.kind == Column::Kind::number) names.push_back(column.name);
  }
  return names;
}

std::vector<std::string> category_names(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) {
    if (column.kind == Column::Kind::category) names.push_back(column.name);
  }
  return names;
}

const Column& column_of(Arguments& arguments, const char* name, const Table& table,
                        const std::vector<std::string>& known) {
  const auto text = arguments.text(name);
  if (!text || std::ranges::find(known, *text) == known.end()) {
    if (known.empty()) throw ToolError(fmt::format("the table has no column for '{}'", name));
    throw ToolError(fmt::format("'{}' is one of {}", name, fmt::join(known, ", ")));
  }
  return *table.find(*text);
}

}  // namespace insights
