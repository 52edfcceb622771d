#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "insights/columns.hpp"
#include "insights/counters.hpp"
#include "insights/figures.hpp"
#include "insights/mistakes.hpp"
#include "insights/shapes.hpp"
#include "insights/spellings.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

/// Rows in the order of `order`, which may name fewer than there are.
void take_rows(Table& table, const std::vector<std::size_t>& order) {
  const auto take = [&](auto& values) {
    if (values.empty()) return;
    std::remove_reference_t<decltype(values)> taken;
    for (const std::size_t row : order) taken.push_back(std::move(values[row]));
    values = std::move(taken);
  };
  take(table.moments);
  take(table.file_of);
  take(table.line_of);
  take(table.names);
  take(table.cells);
  take(table.again);
  take(table.remarks);
  for (Column& column : table.columns) {
    take(column.numbers);
    take(column.set_aside);
    take(column.words);
    take(column.spelt);
    take(column.open);
    take(column.spans);
  }
}

/// How many rows share their time and these categories with another.
std::size_t repeated(const Table& table, const std::vector<const Column*>& keys) {
  std::set<std::pair<Moment, std::vector<std::string>>> seen;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<std::string> words;
    for (const Column* key : keys) words.push_back(key->words[row]);
    seen.emplace(table.moments[row], std::move(words));
  }
  return table.rows() - seen.size();
}

/// The fewest categories that with the time tell nearly all rows apart; none when they cannot.
void find_keys(Table& table) {
  const std::size_t few = table.rows() / 50;  // rows that are there twice by mistake
  std::vector<const Column*> categories;
  for (const Column& column : table.columns) {
    if (column.kind == Column::Kind::category) categories.push_back(&column);
  }
  if (categories.size() > 8) categories.resize(8);
  std::vector<unsigned> subsets(std::size_t{1} << categories.size());
  std::iota(subsets.begin(), subsets.end(), 0U);
  std::ranges::stable_sort(subsets, {}, [](unsigned bits) { return __builtin_popcount(bits); });
  for (const unsigned bits : subsets) {
    std::vector<const Column*> keys;
    for (std::size_t i = 0; i < categories.size(); ++i) {
      if ((bits >> i & 1U) != 0) keys.push_back(categories[i]);
    }
    if (repeated(table, keys) > few) continue;
    for (const Column* key : keys) table.keys.push_back(key->name);
    return;
  }
}

/// Whether a cell calls its row the sum of others: `Total`, `Grand total`.
bool is_called_sum(const std::string& cell) {
  const std::vector<std::string> name = words_in(cell);
  return !name.empty() && std::ranges::all_of(name, [](const std::string& word) {
    return words().has("totals", word);
  });
}

bool is_constant(const Column& column) {
  return column.kind == Column::Kind::category &&
         std::ranges::all_of(column.words,
                             [&](const std::string& word) { return word == column.words[0]; });
}

/// The name without the word of `list` that it has: `temp` of `temp_max`; "" when it has none.
std::string without(const std::string& name, const char* list) {
  std::string rest;
  bool found = false;
  for (const std::string& part : words_in(name)) {
    if (!found && words().has(list, part)) {
      found = true;
    } else {
      rest += (rest.empty() ? "" : "_") + part;
    }
  }
  return found ? rest : "";
}

void add_means(Table& table) {
  const std::vector<Column> columns = table.columns;
  for (const Column& high : columns) {
    const std::string stem = without(high.name, "highest");
    if (stem.empty() || high.kind != Column::Kind::number) continue;
    const auto low = std::ranges::find_if(columns, [&](const Column& other) {
      return other.kind == Column::Kind::number && without(other.name, "lowest") == stem;
    });
    const std::string name = stem + "_mean";
    if (low == columns.end() || table.find(name) != nullptr) continue;
    Column mean{.name = name, .unit = high.unit, .of = {high.name, low->name}};
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto& a = high.numbers[row];
      const auto& b = low->numbers[row];
      mean.numbers.push_back(a && b ? std::optional{(*a + *b) / 2} : std::nullopt);
    }
    table.columns.push_back(std::move(mean));
  }
}

}  // namespace

void add_remarks(Table& table, const std::vector<std::string>& texts) {
  table.remarks.resize(texts.size());
  for (std::size_t row = 0; row < texts.size(); ++row) {
    std::string& remark = table.remarks[row];
    remark += (remark.empty() || texts[row].empty() ? "" : "; ") + texts[row];
  }
}

void append(Table& table, const Table& more) {
  const int shift = static_cast<int>(table.files.size());
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(table.files, more.files);
  add(table.moments, more.moments);
  add(table.line_of, more.line_of);
  add(table.cells, more.cells);
  add(table.problems, more.problems);
  if (!table.remarks.empty() || !more.remarks.empty()) {
    table.remarks.resize(table.line_of.size() - more.line_of.size());
    add(table.remarks, more.remarks);
    table.remarks.resize(table.line_of.size());
  }
  if (table.header != more.header) {
    table.header.clear();
    table.identifiers.clear();
  }
  add(table.names, more.names);
  if (table.names.size() != table.line_of.size()) table.names.clear();
  for (const int file : more.file_of) table.file_of.push_back(file + shift);
  for (Column& column : table.columns) {
    const Column& other = *more.find(column.name);
    add(column.numbers, other.numbers);
    add(column.words, other.words);
    add(column.open, other.open);
  }
  table.has_clock = table.has_clock || more.has_clock;
}

void keep_rows(Table& table, const std::vector<bool>& keep) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (keep[row]) rows.push_back(row);
  }
  take_rows(table, rows);
}

void leave_out_totals(Table& table) {
  std::vector<bool> keep(table.rows(), true);
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::category) continue;
    const std::set<std::string> values(column.words.begin(), column.words.end());
    if (values.size() < 3) continue;  // `part` and `total` may be of what something was
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (is_called_sum(column.words[row])) keep[row] = false;
    }
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!keep[row])
      table.problems.push_back(
          fmt::format("{} adds up other rows; it is left out", table.place(row)));
  }
  keep_rows(table, keep);
}

namespace {

void leave_out_far_rows(Table& table) {
  std::vector<bool> keep = far_in_time(table);
  keep.flip();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (keep[row]) continue;
    table.problems.push_back(fmt::format("{}: {} is far from all other times; the row is left out",
                                         table.place(row), table.when(row)));
  }
  keep_rows(table, keep);
}

/// Month, quarter or year, if each time is the first day of one; else day.
Grain grain_of(const Table& table) {
  constexpr std::size_t fewest = 3;  // times: by chance two are the first of a month
  const std::set<Moment> times(table.moments.begin(), table.moments.end());
  if (table.has_clock || times.size() < fewest) return Grain::day;
  for (const Grain grain : {Grain::year, Grain::quarter, Grain::month}) {
    const auto begins = [&](Moment time) { return start_of(grain, time) == time; };
    if (std::ranges::all_of(times, begins)) return grain;
  }
  return Grain::day;
}

/// What hardly differs from one row to the next of its keys is how large something is, not how much
/// was added: the girths of trees.
void find_levels(Table& table) {
  constexpr double little = 0.1;  // of the values
  constexpr std::size_t fewest = 10;
  if (table.keys.empty()) return;
  std::vector<const Column*> keys;
  for (const std::string& key : table.keys) keys.push_back(table.find(key));
  for (Column& column : table.columns) {
    const bool may_be_one = !column.unit.empty() || table.grain == Grain::year;
    if (!column.is_amount || !may_be_one || words().has("money", column.unit)) continue;
    std::map<std::vector<std::string>, double> last;
    std::vector<double> steps;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (!column.numbers[row] || *column.numbers[row] <= 0) continue;
      std::vector<std::string> key;
      for (const Column* one : keys) key.push_back(one->words[row]);
      const double value = *column.numbers[row];
      const auto [before, is_new] = last.emplace(std::move(key), value);
      if (!is_new) steps.push_back(std::abs(value - before->second) / value);
      before->second = value;
    }
    const bool is_filled = steps.size() * 2 > table.rows();
    if (steps.size() < fewest || !is_filled) continue;
    column.is_amount = quantile(steps, 0.9) > little;
  }
}

/// The column of numbers that is the product of these two in nearly all rows; nullptr: none.
const Column* product_of(const Table& table, const Column& a, const Column& b) {
  constexpr std::size_t fewest = 10;
  for (const Column& c : table.columns) {
    if (c.kind != Column::Kind::number || &c == &a || &c == &b) continue;
    std::size_t filled = 0;
    std::size_t equal = 0;
    std::set<double> of_a;
    std::set<double> of_b;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (!a.numbers[row] || !b.numbers[row] || !c.numbers[row]) continue;
      const double product = *a.numbers[row] * *b.numbers[row];
      ++filled;
      if (std::abs(product - *c.numbers[row]) <= 0.01 * std::max(1.0, std::abs(product))) ++equal;
      of_a.insert(*a.numbers[row]);
      of_b.insert(*b.numbers[row]);
    }
    if (filled >= fewest && equal * 10 >= filled * 9 && of_a.size() > 1 && of_b.size() > 1)
      return &c;
  }
  return nullptr;
}

/// `Part price (EUR)`, but not `Total price`.
bool is_called_price(const Column& column) {
  const std::vector<std::string> name = words_in(column.name);
  const auto is_price = [](const std::string& word) { return is_same_word(word, "price"); };
  const auto is_sum = [](const std::string& word) { return words().has("amounts", word); };
  return words().has("money", column.unit) && std::ranges::any_of(name, is_price) &&
         std::ranges::none_of(name, is_sum);
}

/// `fee each`, `price per hour`, `hourly rate`: what its name says is so much of something. Takings
/// per day may be added up.
bool is_called_rate(const Column& column) {
  const std::vector<std::string> name = words_in(column.name);
  const auto has = [&](const char* list, std::size_t from, std::size_t to) {
    return std::any_of(name.begin() + static_cast<std::ptrdiff_t>(from),
                       name.begin() + static_cast<std::ptrdiff_t>(to),
                       [&](const auto& word) { return words().has(list, word); });
  };
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (name[i] == "each" || name[i] == "apiece") return has("charged", 0, i);
    const bool is_of_time = i + 1 < name.size() && words().has("times", name[i + 1]);
    const bool is_per = name[i] == "per" && i + 1 < name.size();
    if (is_per && (has("rates", 0, i) || (!is_of_time && has("charged", 0, i)))) return true;
  }
  return !name.empty() && name.back() == "rate" && words().has("money", column.unit);
}

/// Whether the rows tell that it is a price, whose unit says of what.
bool settle_price(const Table& table, Column& price) {
  if (is_called_price(price) && has_quantity(table)) {
    price.is_amount = false;
    price.unit += " each";
    return true;
  }
  for (const Column& quantity : table.columns) {
    const bool is_other = quantity.kind == Column::Kind::number && quantity.unit != price.unit;
    const Column* product = is_other ? product_of(table, price, quantity) : nullptr;
    if (product == nullptr || product->unit != price.unit) continue;
    price.is_amount = false;
    price.unit += quantity.unit.empty() ? " each" : "/" + quantity.unit;
    return true;
  }
  return false;
}

/// What is multiplied by a quantity to give an amount of its own unit, or is called a price beside
/// a quantity, is so much for each of them: prices are not added up, and their unit says so.
void find_prices(Table& table) {
  for (Column& price : table.columns) {
    if (!price.is_amount || price.is_count) continue;
    if (!price.unit.empty() && settle_price(table, price)) continue;
    if (is_called_rate(price)) price.is_amount = false;
  }
}

}  // namespace

void finish(Table& table) {
  if (!table.moments.empty()) {
    std::vector<std::size_t> order(table.rows());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return table.moments[row]; });
    take_rows(table, order);
    leave_out_far_rows(table);
  }
  table.grain = grain_of(table);
  settle_spellings(table);
  std::erase_if(table.columns, is_constant);
  take_uses(table);
  if (!table.moments.empty()) find_keys(table);
  table.has_events = is_of_events(table);
  if (table.has_events) {
    count_events(table);
  } else {
    find_levels(table);
  }
  find_prices(table);
  drop_doubles(table);
  set_mistakes_aside(table);
  add_means(table);
}

}  // namespace insights
