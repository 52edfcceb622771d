// The tool that computes what a question asks: a figure of a measure for each group of rows.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/group_figures.hpp"
#include "insights/moments.hpp"
#include "insights/periods.hpp"
#include "insights/spellings.hpp"
#include "insights/spread.hpp"
#include "insights/tools.hpp"
#include "insights/voids.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_computed = 24;

class Computing {
 public:
  Computing(Arguments& arguments, const Readings& readings)
      : table_(readings.table), measure_(arguments, table_), voids_(table_) {
    figure_ = arguments.text("figure").value_or("sum");
    part_.values = arguments.texts("part");
    part_.limit = limit_in(arguments);
    part_.tell = arguments.list("tell");
    by_ = arguments.text("by").value_or("");
    order_ = arguments.text("order").value_or("");
    of_ = arguments.text("of").value_or("");
    sign_ = arguments.text("sign").value_or("");
    having_ = arguments.text("having").value_or("");
    least_rows_ = static_cast<std::size_t>(arguments.number("rows", 0, 0, 1e9));
    compared_ = arguments.texts("compared");
    for (const char* name : {"first", "second"}) {
      const auto period = arguments.text(name);
      if (period && !period_bounds(*period))
        throw ToolError(fmt::format("'{}' is not a period such as 2015-12", *period));
      if (period) periods_.push_back(*period);
    }
    if (periods_.size() == 1) throw ToolError("'first' and 'second' are given together");
    hours_[0] = static_cast<int>(arguments.number("hour_from", 0, 0, 24));
    hours_[1] = static_cast<int>(arguments.number("hour_to", 24, 0, 24));
    rows_ = rows_of(arguments, readings);
    arguments.end();
    check();
    // What is used a day is a mean of days, not of readings.
    if (measure_.is_counter() && figure_ == "mean") figure_ = "sum";
    if (figure_ == "spread" && day_ranges(table_, items()).empty()) figure_ = "deviation";
  }

  Json result() {
    Json result;
    measure_.put(result);
    result["figure"] = figure_;
    if (figure_ == "sum" && !measure_.has_ratio()) result["amount"] = true;
    if (!rows_.where.empty()) result["where"] = rows_.where;
    if (!part_.values.empty()) result["of_which"] = part_.values;
    if (part_.limit) result.update({{"limit", part_.limit->name}, {"bound", part_.limit->value}});
    if (hours_[1] - hours_[0] < 24) result["hours"] = hours_;
    put_span(result);
    if (table_.grain != Grain::day) result["step"] = grain_name(table_.grain);
    put_left_out(result);
    if (!of_.empty()) result["of"] = of_;
    for (const std::string& period : periods_) result["lengths"].push_back(days_read(period));
    if (!sign_.empty()) result["sign"] = sign_;
    if (!periods_.empty() && category() != nullptr) {
      put_moves(result);
      return result;
    }
    std::vector<Asked> groups = grouped();
    if (figure_ == "none") {
      result.update(without_rows(table_, of_, groups, first_row()));
      return result;
    }
    put_all(result, groups);
    if (groups.size() < 2 && by_.empty()) return result;
    result["by"] = periods_.empty() ? by_ : "period";
    result["groups"] = Json::array();
    for (const Asked& group : groups) {
      Json one = figure_of_group(group);
      if (!one.is_null()) result["groups"].push_back(std::move(one));
    }
    keep_having(result, having_, least_rows_);
    put_zeros(result);
    put_order(result);
    if (compared_.size() == 2) result["compared"] = true;
    put_respelt(result);
    return result;
  }

 private:
  void check() const {
    static const std::set<std::string> figures{"sum",       "mean",  "most",  "least",
                                               "spread",    "range", "share", "change",
                                               "different", "none",  "each",  "ends"};
    if (!figures.contains(figure_))
      throw ToolError(
          "'figure' is one of sum, mean, most, least, spread, range, share, change, different, "
          "none, each and ends");
    if (!sign_.empty() && sign_ != "in" && sign_ != "out") throw ToolError("'sign' is in or out");
    if (!having_.empty() && !number_wanted(having_))
      throw ToolError("'having' is a limit such as above 1");
    const Column* of = table_.find(of_);
    const bool is_of_category = of != nullptr && of->kind == Column::Kind::category;
    if (figure_ == "none" && !is_of_category) throw ToolError("'none' needs 'of', a category");
    const bool is_of_time = is_span(of_) && !table_.moments.empty();
    if ((figure_ == "each" || figure_ == "different") && !is_of_category && !is_of_time)
      throw ToolError(fmt::format("'{}' needs 'of', a category or a time", figure_));
    if ((figure_ == "change" || figure_ == "ends") && table_.moments.empty())
      throw ToolError("the table has no times");
    for (const auto& [name, value] : part_.values) {
      const Column* column = table_.find(name);
      if (column == nullptr || column->kind != Column::Kind::category)
        throw ToolError("'part' names a category");
    }
    if (figure_ == "share" && part_.values.empty() && !part_.limit)
      throw ToolError("a share needs 'part' or a limit");
    const Column* category = table_.find(by_);
    const bool is_category = category != nullptr && category->kind == Column::Kind::category;
    if (!by_.empty() && by_ != "measure" && !is_category && !is_span(by_))
      throw ToolError("'by' names a category or a time");
    if (table_.moments.empty() && (is_span(by_) || !periods_.empty()))
      throw ToolError("the table has no times");
  }

  /// What the rows add at the hours asked for.
  [[nodiscard]] std::vector<Item> items(const Column* only = nullptr) const {
    std::vector<Item> all = measure_.all(rows_, only);
    take_sign(all, sign_);
    std::erase_if(all, [&](const Item& item) {
      if (!part_.is_known(table_, item.row)) return true;
      if (measure_.is_of_two() && item.value == 0 && !voids_.of(item.row).empty()) return true;
      if (hours_[1] - hours_[0] >= 24) return false;
      const int hour = place_in(Cycle::hour, item.moment);
      const bool is_late = hour >= hours_[0];
      const bool is_early = hour < hours_[1];
      return hours_[0] < hours_[1] ? !is_late || !is_early : !is_late && !is_early;
    });
    return all;
  }

  /// Of a ratio: how many rows it is not of.
  void put_left_out(Json& result) const {
    if (!measure_.is_of_two() || measure_.is_counter()) return;
    LeftOut left_out{table_};
    for (const std::size_t row : rows_.rows) {
      const auto item = measure_.of(row);
      static_cast<void>(left_out.leaves_out(row, item ? std::optional{item->value} : std::nullopt,
                                            item ? std::optional{item->per} : std::nullopt));
    }
    left_out.put(result);
  }

  [[nodiscard]] Json figure_of_group(const Asked& group) const {
    if (figure_ == "different") return different_in(table_, of_, group);
    if (figure_ == "ends") return ends_in(table_, group);
    if (figure_ == "each") return each_in(table_, of_, group);
    return figure_of(table_, figure_, measure_, part_, group);
  }

  void put_span(Json& result) const {
    if (table_.moments.empty()) return;
    result["from"] = table_.when(rows_.rows.front());
    result["to"] = table_.when(rows_.rows.back());
    const std::string time = asked_time(table_, rows_);
    if (!time.empty()) result["time"] = time;
  }

  /// By which the rows are grouped; nullptr: by a time, by columns, or by nothing.
  [[nodiscard]] const Column* category() const {
    return is_span(by_) || by_.empty() || by_ == "measure" ? nullptr : table_.find(by_);
  }

  std::vector<Asked> grouped() const {
    if (!periods_.empty()) return of_periods();
    if (by_ == "measure") return of_measures();
    std::map<std::string, Asked> groups;
    const Column* category = this->category();
    const bool has_two = compared_.size() == 2;
    for (const Item& item : items()) {
      const std::size_t row = item.row;
      std::string key;
      if (category != nullptr) {
        key = category->words[row];
        if (key.empty()) continue;
        const auto is_it = [&](const auto& one) { return one.second == key; };
        if (has_two && std::ranges::none_of(compared_, is_it)) continue;
      } else if (!by_.empty()) {
        key = span_key(by_, item.moment);
      }
      groups[key].items.push_back(item);
    }
    std::vector<Asked> all;
    for (auto& [key, group] : groups) {
      group.name = category != nullptr || by_.empty() ? key : span_name(by_, key);
      all.push_back(std::move(group));
    }
    if (category == nullptr && !by_.empty()) count_days(all);
    return all;
  }

  /// Whether also days without a row are days of a time: something may happen on any.
  [[nodiscard]] bool counts_all_days() const {
    return table_.has_events && table_.grain == Grain::day;
  }

  /// How many days (months, quarters or years, if the table has those) of the time asked about fall
  /// to each group.
  void count_days(std::vector<Asked>& groups) const {
    std::map<std::string, std::size_t> days;
    const auto add = [&](Moment day) { ++days[span_name(by_, span_key(by_, day))]; };
    if (counts_all_days()) {
      const Moment from = day_of(std::max(rows_.from, table_.moments[first_row()]));
      for (const Moment day : days_between(from, std::min(rows_.to, table_.moments.back())))
        add(day);
    } else {
      std::set<Moment> seen;
      for (const std::size_t row : rows_.rows) seen.insert(day_of(table_.moments[row]));
      for (const Moment day : seen) add(day);
    }
    for (Asked& group : groups) {
      group.days = measure_.is_counter() ? days_of(group.items).size() : days[group.name];
    }
  }
  /// The days of a time, but for weekdays that never have a row or are left out.
  [[nodiscard]] std::vector<Moment> days_between(Moment from, Moment to) const {
    std::set<int> open;
    for (const Moment moment : table_.moments) open.insert(place_in(Cycle::weekday, moment));
    std::vector<Moment> days;
    for (Moment day = from; day <= to; day += day_length) {
      if (open.contains(place_in(Cycle::weekday, day)) && is_open_on(rows_.where, day))
        days.push_back(day);
    }
    return days;
  }
  [[nodiscard]] std::size_t first_row() const { return static_cast<std::size_t>(table_.first); }

  /// How many days of a period the table has.
  [[nodiscard]] std::int64_t days_read(const std::string& period) const {
    const auto [from, to] = *period_bounds(period);
    const Moment first = day_of(std::max(from, table_.moments[first_row()]));
    const Moment last = day_of(std::min(to, end_of(table_.grain, table_.moments.back())));
    return (last - first) / day_length + 1;
  }

  std::vector<Asked> of_periods() const {
    std::vector<Asked> all;
    for (const std::string& period : periods_) {
      const auto [from, to] = *period_bounds(period);
      Asked group{period_name(period), {}, 0};
      std::set<Moment> days;
      for (const std::size_t row : rows_.rows) {
        if (table_.moments[row] >= from && table_.moments[row] <= to)
          days.insert(day_of(table_.moments[row]));
      }
      for (const Item& item : items()) {
        if (item.moment >= from && item.moment <= to) group.items.push_back(item);
      }
      if (measure_.is_counter()) days = days_of(group.items);
      const Moment begin = day_of(std::max(from, table_.moments[first_row()]));
      const Moment end = std::min(to, table_.moments.back());
      group.days = days.size();
      if (counts_all_days()) group.days = days_between(begin, end).size();
      all.push_back(std::move(group));
    }
    return all;
  }

  /// What a group is in two periods, and by how much it has moved; null: it lacks one of them.
  [[nodiscard]] Json move_of(const std::string& name, const Asked& first,
                             const Asked& second) const {
    const Json from = figure_of_group(first);
    const Json to = figure_of_group(second);
    if (from.is_null() || to.is_null()) return {};
    return {{"name", name}, {"first", from}, {"second", to}, {"value", moved_by(from, to)}};
  }

  /// Each value of the category in the first and in the second period.
  void put_moves(Json& result) const {
    const std::vector<Asked> both = of_periods();
    std::map<std::string, std::vector<Asked>> groups;
    for (const std::size_t at : {0U, 1U}) {
      for (const Item& item : both[at].items) {
        const std::string& key = category()->words[item.row];
        const auto is_it = [&](const auto& one) { return one.second == key; };
        if (key.empty() || (!compared_.empty() && std::ranges::none_of(compared_, is_it))) continue;
        std::vector<Asked>& group = groups[key];
        for (std::size_t i = group.size(); i < both.size(); ++i)
          group.push_back({both[i].name, {}, both[i].days});
        group[at].items.push_back(item);
      }
    }
    result.update(
        {{"by", by_}, {"groups", Json::array()}, {"periods", {both[0].name, both[1].name}}});
    put_all(result, both);
    const Json all = move_of("all", both[0], both[1]);
    if (!all.is_null()) result["moved"] = all;
    for (const auto& [key, group] : groups) {
      Json one = move_of(key, group[0], group[1]);
      if (!one.is_null()) result["groups"].push_back(std::move(one));
    }
    put_order(result);
    if (compared_.size() == 2) result["compared"] = true;
    put_respelt(result);
  }

  /// Of columns alike, each is a group.
  std::vector<Asked> of_measures() const {
    std::vector<Asked> all;
    for (const Column* column : measure_.columns()) {
      Asked group{column->name, {}, 0};
      group.items = items(column);
      all.push_back(std::move(group));
    }
    return all;
  }

  /// The figure of all groups together.
  void put_all(Json& result, const std::vector<Asked>& groups) const {
    Asked all{"all", {}, 0};
    for (const Asked& group : groups) {
      all.items.insert(all.items.end(), group.items.begin(), group.items.end());
    }
    if (all.items.empty()) throw ToolError("no row has what is asked for");
    if (measure_.is_counter() && by_.empty() && periods_.empty())
      all.days = days_of(all.items).size();
    Json figure = figure_of_group(all);
    if (!figure.is_null()) result["all"] = std::move(figure);
    if (figure_ != "sum" || measure_.counts() || measure_.has_ratio()) return;
    // One row that is most of a sum is told: it may be a mistake.
    const Item most = *std::ranges::max_element(all.items, {}, &Item::value);
    const double sum = sum_of(all.items);
    constexpr std::size_t many = 10;
    if (all.items.size() < many || sum <= 0 || 2 * most.value < sum) return;
    result["one"] = {{"value", rounded(most.value)},
                     {"line", table_.place(most.row)},
                     {"rest", rounded(sum - most.value)}};
  }

  /// Of what is left of one column without another, groups with nothing left are only counted.
  void put_zeros(Json& result) const {
    if (!measure_.is_left() || category() == nullptr || figure_ != "sum") return;
    std::vector<Json> groups = result.at("groups");
    const auto is_zero = [](const Json& one) { return one.at("value") == 0; };
    const auto zeros = std::ranges::count_if(groups, is_zero);
    if (zeros == 0 || zeros == std::ssize(groups)) return;
    std::erase_if(groups, is_zero);
    result["groups"] = groups;
    result["zeros"] = zeros;
  }

  /// The values of groups that are spelt otherwise in some rows.
  void put_respelt(Json& result) const {
    if (category() == nullptr) return;
    for (const Respelt& one : respelt(*category(), rows_.rows))
      result["merged"].push_back({{"value", one.value}, {"count", one.count}, {"like", one.like}});
  }

  /// The most or the least first; a sequence in time stays one where no end of it is asked for.
  void put_order(Json& result) const {
    Json& groups = result["groups"];
    const bool is_moved = result.contains("periods");
    if ((!periods_.empty() && !is_moved) || (is_span(by_) && order_.empty())) return;
    std::stable_sort(groups.begin(), groups.end(), [&](const Json& a, const Json& b) {
      if (is_part(a) != is_part(b)) return is_part(b);
      const double first = is_moved ? rank_of_move(a) : a.at("value").get<double>();
      const double second = is_moved ? rank_of_move(b) : b.at("value").get<double>();
      return order_ == "least" || order_ == "fall" ? first < second : first > second;
    });
    if (!order_.empty()) result["order"] = order_;
    if (groups.size() <= most_computed) return;
    result["last"] = groups.back();
    result["not_shown"] = groups.size() - most_computed;
    groups.erase(groups.begin() + most_computed, groups.end());
  }

  /// By which the groups of two periods are ordered: what they moved by, or both figures.
  [[nodiscard]] double rank_of_move(const Json& group) const {
    const double moved = group.at("value");
    if (order_ == "rise" || order_ == "fall") return moved;
    if (order_ != "most" && order_ != "least") return std::abs(moved);
    return group.at("first").at("value").get<double>() +
           group.at("second").at("value").get<double>();
  }

  /// Whether it is a week or month of which less than half has been read.
  [[nodiscard]] bool is_part(const Json& group) const {
    if ((by_ != "month" && by_ != "week") || table_.grain != Grain::day) return false;
    const std::string name = group.at("name");
    const Moment first = day_of(std::max(rows_.from, table_.moments[first_row()]));
    const Moment last = day_of(std::min(rows_.to, table_.moments.back()));
    std::size_t days = 0;
    const auto is_it = [&](Moment day) { return span_name(by_, span_key(by_, day)) == name; };
    for (Moment day = first; day <= std::min(last, first + 30 * day_length); day += day_length) {
      if (is_it(day)) ++days;
    }
    if (!is_it(first)) {
      days = 0;
      for (Moment day = std::max(first, last - 30 * day_length); day <= last; day += day_length) {
        if (is_it(day)) ++days;
      }
    }
    return (is_it(first) || is_it(last)) && days < (by_ == "week" ? 4 : 15);
  }

  const Table& table_;
  Measure measure_;
  Voids voids_;
  std::string figure_;
  Wanted part_;
  std::string by_;
  std::string order_;
  std::string of_;
  std::string sign_;
  std::string having_;
  std::size_t least_rows_ = 0;
  std::map<std::string, std::string> compared_;
  std::vector<std::string> periods_;
  int hours_[2]{0, 24};
  Rows rows_;
};

}  // namespace

Json compute(Arguments& arguments, const Readings& readings) {
  return Computing{arguments, readings}.result();
}

}  // namespace insights::tool
