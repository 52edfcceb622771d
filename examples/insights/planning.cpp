#include "insights/planning.hpp"

#include <algorithm>

#include "insights/conversation.hpp"
#include "insights/moments.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t few_values = 8;

class Plan {
 public:
  Plan(const Interest& about, const Json& table, bool is_beside)
      : about_(about), table_(table), is_beside_(is_beside) {}

  std::vector<Question> all() {
    figures();
    bounds();
    periods();
    groups();
    if (has_times()) changes();
    unusual();
    comparisons();
    if (has_times()) patterns();
    ask("What is wrong with the data?", {call("find_faults", Json::object())});
    if (is_beside_) name_table();
    return std::move(questions_);
  }

 private:
  [[nodiscard]] bool has_times() const { return table_.contains("time"); }
  [[nodiscard]] bool has_clock() const { return has_times() && table_.at("clock").get<bool>(); }
  /// Whether a key is left open, so that a moment has several rows.
  [[nodiscard]] bool is_panel() const {
    return std::ranges::any_of(keys(),
                               [&](const std::string& key) { return !about_.where.contains(key); });
  }
  [[nodiscard]] std::vector<std::string> keys() const {
    return table_.value("keys", std::vector<std::string>{});
  }
  [[nodiscard]] const Json& column(const std::string& name) const {
    return *std::ranges::find_if(table_.at("columns"),
                                 [&](const Json& one) { return one.at("name") == name; });
  }
  [[nodiscard]] std::size_t days() const {
    const auto day = [&](const char* end) {
      return day_number(table_.at(end).get<std::string>().substr(0, 10)).value_or(0);
    };
    return static_cast<std::size_t>(day("to") - day("from") + 1);
  }

  /// With the values and the month that the prompt names.
  [[nodiscard]] Json call(const char* tool, Json arguments) const {
    if (!about_.where.empty()) arguments["where"] = about_.where;
    if (!about_.month.empty()) {
      arguments["from"] = about_.month;
      arguments["to"] = about_.month;
    }
    return {{"tool", tool}, {"arguments", std::move(arguments)}};
  }

  void ask(const char* thought, const std::vector<Json>& calls) {
    for (std::size_t from = 0; from < calls.size(); from += most_calls) {
      Question question{thought};
      for (std::size_t i = from; i < std::min(calls.size(), from + most_calls); ++i) {
        question.calls.push_back(calls[i]);
      }
      questions_.push_back(std::move(question));
    }
  }

  /// What is asked of a table that stands beside the one of the job says so.
  void name_table() {
    for (Question& question : questions_) {
      for (Json& one : question.calls) one["arguments"]["table"] = table_.at("table");
    }
  }

  void bounds() {
    if (!about_.bound) return;
    std::vector<Json> calls;
    for (const std::string& name : about_.statistics) {
      Json one = call("how_often", {{"variable", name}, {about_.bound->name, about_.bound->value}});
      if (about_.bound->of_days && has_times()) one["arguments"]["step"] = "day";
      const auto range = column(name).value("range", Json::array({0, 0}));
      const bool is_far =
          !about_.names_columns && (about_.bound->value < range.at(0).get<double>() ||
                                    about_.bound->value > range.at(1).get<double>());
      if (!is_far || about_.bound->of_days) calls.push_back(std::move(one));
    }
    ask("How often is it beyond the limit?", calls);
  }

  void periods() {
    if (!about_.periods || !has_times()) return;
    std::vector<Json> calls;
    for (const std::string& name : about_.columns) {
      Json one = call("compare_periods", {{"variable", name},
                                          {"first", about_.periods->first},
                                          {"second", about_.periods->second}});
      one["arguments"].erase("from");
      one["arguments"].erase("to");
      calls.push_back(std::move(one));
    }
    ask("How do the two compare?", calls);
  }

  void figures() {
    std::vector<Json> calls;
    for (const std::string& name : about_.statistics) {
      calls.push_back(call("statistics", {{"variable", name}}));
    }
    ask("What are the figures?", calls);
  }

  void groups() {
    std::vector<Json> calls;
    for (const std::string& by : about_.categories) {
      bool is_counted = false;
      for (const std::string& name : about_.columns) {
        Json one = call("shares", {{"variable", name}, {"by", by}});
        // The share that a value has is one of all values.
        if (about_.where.contains(by)) one["arguments"]["where"].erase(by);
        calls.push_back(std::move(one));
        is_counted = is_counted || column(name).at("amount").get<bool>();
      }
      // Of events that are not asked for, their number says little.
      const bool says_more = !table_.value("events", false) || about_.named.contains(by);
      if (!is_counted && says_more) calls.push_back(call("shares", {{"by", by}}));
    }
    ask("What falls to which category?", calls);
  }

  void changes() {
    std::vector<Json> calls;
    for (const std::string& name : about_.columns) {
      calls.push_back(call("trend", {{"variable", name}, {"step", "day"}}));
      calls.push_back(call("find_change", {{"variable", name}}));
      for (const std::string& key : keys()) {
        const bool few = column(key).at("values").size() <= few_values;
        if (about_.where.contains(key) || !few || column(key).contains("more_values")) continue;
        calls.push_back(call("find_change", {{"variable", name}, {"by", key}}));
      }
    }
    ask("What has changed, and when?", calls);
  }

  void unusual() {
    std::vector<Json> calls;
    for (const std::string& name : about_.columns) {
      const Json robust{{"variable", name}, {"method", "robust"}};
      calls.push_back(call("find_unusual", robust));
      if (!is_panel()) continue;
      calls.push_back(call("find_unusual", robust));
      calls.back()["arguments"]["step"] = "row";
    }
    ask("Which readings are unusual?", calls);
  }

  void comparisons() {
    std::vector<Json> calls;
    const auto normals = table_.at("normals").get<std::vector<std::string>>();
    for (const std::string& name : about_.columns) {
      if (std::ranges::find(normals, name) != normals.end()) {
        calls.push_back(call("compare_normals", {{"variable", name}}));
      }
      if (table_.at("history") > 0) {
        calls.push_back(call("compare_before", {{"variable", name}}));
      }
    }
    ask("How is this against what is usual, and against before?", calls);
  }

  void patterns() {
    std::vector<Json> calls;
    for (const std::string& name : about_.columns) {
      const auto by = [&](const char* cycle) {
        calls.push_back(call("pattern", {{"variable", name}, {"by", cycle}}));
      };
      if (has_clock()) by("hour");
      if (days() >= 21) by("weekday");
      if (days() >= 45 && about_.month.empty()) by("month");
      if (days() >= 14 && about_.asks.contains("weeks")) by("week");
    }
    const bool alone = table_.at("columns").size() < 2 && !table_.contains("beside");
    if (about_.columns.size() > 0 && !alone && (!is_beside_ || about_.pair.size() == 2)) {
      calls.push_back(call("related", Json::object()));
      if (about_.columns.size() == 1) {
        calls.back()["arguments"]["variable"] = about_.columns.front();
      }
      if (about_.pair.size() == 2) {
        calls.back()["arguments"]["variable"] = about_.pair[0];
        calls.back()["arguments"]["with"] = about_.pair[1];
      }
    }
    ask("Is there a rhythm, and what moves together?", calls);
  }

  const Interest& about_;
  const Json& table_;
  const bool is_beside_;
  std::vector<Question> questions_;
};

}  // namespace

std::vector<Question> questions(const std::string& prompt, const Json& table) {
  Interest about = interest_of(prompt, table);
  std::vector<Interest> others;
  std::vector<std::string> said{about.said.begin(), about.said.end()};
  for (const Json& other : table.value("beside", Json::array())) {
    others.push_back(interest_of(prompt, other));
    said.insert(said.end(), others.back().said.begin(), others.back().said.end());
  }
  if (said.size() == 2) about.pair = said;
  // What another table's columns answer is not asked of all columns of this one.
  const bool is_elsewhere = !about.names_columns && !about.is_broad && !said.empty();
  std::vector<Question> all;
  if (!is_elsewhere) all = Plan{about, table, false}.all();
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!others[i].names_columns && !about.is_broad) continue;
    others[i].pair = about.pair;
    for (Question& one : Plan{others[i], table.at("beside").at(i), true}.all()) {
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace insights
