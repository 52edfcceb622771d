#include "insights/measure.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/counters.hpp"
#include "insights/words.hpp"

namespace insights::tool {
namespace {

const Column* number_column(const Table& table, const std::string& name) {
  if (name.empty()) return nullptr;
  if (!table.has_numbers(name)) throw ToolError(fmt::format("'{}' is no column of numbers", name));
  return table.find(name);
}

}  // namespace

Measure::Measure(Arguments& arguments, const Table& table) : table_(table) {
  for (const std::string& name : arguments.list("measures")) {
    columns_.push_back(number_column(table, name));
  }
  less_ = number_column(table, arguments.text("less").value_or(""));
  for (const std::string& name : arguments.list("times"))
    times_.push_back(number_column(table, name));
  per_name_ = arguments.text("per").value_or("");
  if (per_name_ != "rows") per_ = number_column(table, per_name_);
  each_ = arguments.number("each", 1, 1e-6, 1e9);
  told_in_ = arguments.text("unit").value_or("");
  if (!told_in_.empty() && (columns_.empty() || !in_unit(columns_[0]->unit, told_in_)))
    throw ToolError(fmt::format("'{}' is no unit of the measure", told_in_));
  if (columns_.empty() && (less_ != nullptr || !times_.empty()))
    throw ToolError("'less' and 'times' need 'measures'");
}

std::optional<Item> Measure::of(std::size_t row, const Column* only) const {
  Item item{row, columns_.empty() ? 1.0 : 0.0, 0};
  bool any = columns_.empty();
  for (const Column* column : columns_) {
    if ((only != nullptr && column != only) || !column->numbers[row]) continue;
    item.value += *column->numbers[row];
    any = true;
  }
  if (!any) return std::nullopt;
  if (less_ != nullptr) item.value -= less_->numbers[row].value_or(0);
  for (const Column* factor : times_) {
    if (!factor->numbers[row]) return std::nullopt;
    item.value *= *factor->numbers[row];
  }
  if (!times_.empty()) item.value *= scale();
  if (!told_in_.empty()) item.value *= *in_unit(columns_[0]->unit, told_in_);
  if (per_ != nullptr && !per_->numbers[row]) return std::nullopt;
  item.per = per_ != nullptr ? *per_->numbers[row] : 1;
  return item;
}

std::vector<Item> Measure::all(const Rows& rows, const Column* only) const {
  std::vector<Item> items;
  if (!is_counter()) {
    for (const std::size_t row : rows.rows) {
      auto item = of(row, only);
      if (!item) continue;
      if (!table_.moments.empty()) item->moment = table_.moments[row];
      items.push_back(*item);
    }
    return items;
  }
  for (const Column* column : columns_) {
    if (only != nullptr && column != only) continue;
    for (const Use& use : uses_in(table_, *column, rows)) {
      auto item = of(use.row, column);
      if (!item) continue;
      items.push_back({use.row, item->value * use.part, item->per * use.part, use.moment});
    }
  }
  return items;
}

bool Measure::is_amount() const {
  return !times_.empty() || std::ranges::all_of(columns_, &Column::is_amount);
}

std::string Measure::unit() const {
  const std::string own = columns_.empty() ? "" : !told_in_.empty() ? told_in_ : columns_[0]->unit;
  if (times_.empty()) return own;
  const std::string price = unit_of_price(this->price().unit);
  const auto whole = words().hundredths.find(price);
  return whole == words().hundredths.end() ? price : whole->second;
}

std::string Measure::name() const {
  if (columns_.empty()) return table_.name;
  std::string all = columns_[0]->name;
  for (std::size_t i = 1; i < columns_.size(); ++i) all += " + " + columns_[i]->name;
  if (less_ != nullptr) all += " less " + less_->name;
  const bool is_one = columns_.size() == 1 && less_ == nullptr;
  if (!times_.empty() && !is_one) all = "(" + all + ")";
  for (const Column* factor : times_) all += " × " + factor->name;
  return all;
}

void Measure::put(nlohmann::json& result) const {
  result["variable"] = name();
  result["amount"] = is_amount();
  if (counts()) result["counts"] = true;
  if (!unit().empty()) result["unit"] = unit();
  if (!has_ratio()) return;
  result["per"] = per_ != nullptr ? per_->name : per_name_;
  if (per_ != nullptr && !per_->unit.empty()) result["per_unit"] = per_->unit;
  if (each_ != 1) result["each"] = each_;
}

const Column& Measure::price() const {
  const auto found = std::ranges::find_if(times_, [](const Column* one) {
    const std::string unit = unit_of_price(one->unit);
    return words().has("money", unit) || words().hundredths.contains(unit);
  });
  return found == times_.end() ? *times_.back() : **found;
}

double Measure::scale() const {
  return words().hundredths.contains(unit_of_price(price().unit)) ? 0.01 : 1;
}

}  // namespace insights::tool
