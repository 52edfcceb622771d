#include "insights/computed.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/clauses.hpp"
#include "insights/conversation.hpp"
#include "insights/direct.hpp"
#include "insights/moments.hpp"
#include "insights/planning.hpp"
#include "insights/sentences.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_findings = 10;  // in the first list
constexpr std::size_t most_others = 20;    // in the second
constexpr double asked_for = 40;           // more weight than what nobody asked for
constexpr double directly_asked = 150;     // what a clause asks for stands first
constexpr double named_in_broad = 10;      // the same of what a broad question names

/// What the tool gave to these arguments, if it was called.
std::optional<Json> result_of(const Json& exchanges, const Json& wanted) {
  for (const Json& exchange : exchanges) {
    if (!exchange.contains("calls")) continue;  // the mark of a gap
    for (const Json& made : exchange.at("calls")) {
      if (made.at("tool") == wanted.at("tool") && made.at("arguments") == wanted.at("arguments")) {
        return made.at("result");
      }
    }
  }
  return std::nullopt;
}

/// Whether turns that are summarised have called the tool with these arguments.
bool was_called(const Json& exchanges, const Json& wanted) {
  if (exchanges.empty() || !exchanges.front().contains("called")) return false;
  return std::ranges::any_of(exchanges.front().at("called"), [&](const Json& call) {
    return call.at("tool") == wanted.at("tool") && call.at("arguments") == wanted.at("arguments");
  });
}

/// A look at the most unusual reading, and at those beside it that have the same keys.
std::optional<Question> look(const Json& exchanges, const std::vector<Question>& plan) {
  double most = 0;
  Json reading;
  for (const Question& question : plan) {
    for (const Json& one : question.calls) {
      const auto found = result_of(exchanges, one);
      // Of a day that joins several rows no single one is to be looked at.
      if (!found || !found->contains("unusual") || found->contains("step")) continue;
      for (const Json& unusual : found->at("unusual")) {
        const double z = std::abs(unusual.at("z").get<double>());
        if (z <= most || !unusual.contains("date")) continue;
        most = z;
        reading = unusual;
        reading["where"] = found->value("where", Json::object());
        if (unusual.contains("keys")) reading["where"].update(unusual.at("keys"));
      }
    }
  }
  if (reading.is_null()) return std::nullopt;
  const auto date = reading.at("date").get<std::string>();
  const auto moment = parse_moment(date).value_or(ParsedMoment{});
  const Moment around = moment.has_clock ? day_length / 8 : day_length;
  Json window{{"from", moment_text(moment.moment - around, moment.has_clock)},
              {"to", moment_text(moment.moment + around, moment.has_clock)}};
  if (!reading.at("where").empty()) window["where"] = reading.at("where");
  return Question{fmt::format("What else was there around {}?", date),
                  Json::array({{{"tool", "query_window"}, {"arguments", window}}})};
}

/// Of a long plan neighbouring questions are asked in one turn, so that the turns suffice.
std::vector<Question> packed(const std::vector<Question>& plan) {
  constexpr std::size_t many = 15;
  if (plan.size() <= many) return plan;
  std::vector<Question> all;
  for (const Question& one : plan) {
    if (all.empty() || all.back().calls.size() + one.calls.size() > most_calls) {
      all.push_back(one);
      continue;
    }
    all.back().thought += " " + one.thought;
    for (const Json& call : one.calls) all.back().calls.push_back(call);
  }
  return all;
}

/// The first question whose calls are not all in the conversation.
std::optional<Question> next_question(const Json& input) {
  const Json& exchanges = input.at("exchanges");
  const auto is_open = [&](const Question& question) {
    return std::ranges::any_of(question.calls, [&](const Json& one) {
      return !result_of(exchanges, one) && !was_called(exchanges, one);
    });
  };
  const Json& table = input.at("context").at("table");
  const auto prompt = input.at("prompt").get<std::string>();
  Question direct{"What is asked?"};
  for (const Json& one :
       direct_calls(prompt, table, [&](const Json& call) { return result_of(exchanges, call); })) {
    const bool is_done = result_of(exchanges, one) || was_called(exchanges, one);
    if (!is_done && direct.calls.size() < most_calls) direct.calls.push_back(one);
  }
  if (!direct.calls.empty()) return direct;
  const std::vector<Question> plan = packed(questions(prompt, table));
  for (const Question& question : plan) {
    if (is_open(question)) return question;
  }
  const auto last = look(exchanges, plan);
  return last && is_open(*last) ? last : std::nullopt;
}

/// What a question about mistakes is answered by: not how much there was of what.
bool is_of_totals(const std::string& kind) {
  static const std::set<std::string> kinds{"statistics", "shares", "averages", "months",
                                           "each month", "weeks",  "pattern",  "weekdays"};
  return kinds.contains(kind);
}

/// The columns, with the values that they are restricted to, that step to another level.
std::set<std::string> changed(const Json& exchanges) {
  std::set<std::string> all;
  for (const Json& exchange : exchanges) {
    for (const Json& made : exchange.value("calls", Json::array())) {
      const Json& result = made.at("result");
      if (made.at("tool") != "find_change" || result.contains("by")) continue;
      if (result.value("changes", Json::array()).empty()) continue;
      all.insert(result.value("variable", "") + result.value("where", Json::object()).dump());
    }
  }
  return all;
}

/// What the tools gave, said in sentences; what was asked for and what matters most first.
std::vector<Finding> findings(const Json& input) {
  const auto prompt = input.at("prompt").get<std::string>();
  const Json& table = input.at("context").at("table");
  const Interest about = interest_in(prompt, table);
  std::set<std::string> named = about.said;
  for (const Json& other : table.value("beside", Json::array()))
    named.merge(interest_of(prompt, other).said);
  const std::vector<Json> direct = direct_calls(
      prompt, table, [&](const Json& call) { return result_of(input.at("exchanges"), call); });
  const auto is_direct = [&](const Json& made) {
    return std::ranges::any_of(direct, [&](const Json& one) {
      return one.at("tool") == made.at("tool") && one.at("arguments") == made.at("arguments");
    });
  };
  std::vector<Finding> all;
  std::set<std::string> said;
  const std::set<std::string> steps = changed(input.at("exchanges"));
  const bool asks_for_faults = about.asks.contains("quality");
  for (const Json& exchange : input.at("exchanges")) {
    if (!exchange.contains("calls")) continue;
    for (const Json& made : exchange.at("calls")) {
      for (Finding& one : findings_of(made.at("tool").get<std::string>(), made.at("result"))) {
        if (!said.insert(one.text).second) continue;
        if (one.weight >= 0 && is_direct(made)) {
          one.weight += directly_asked;
          all.push_back(std::move(one));
          continue;
        }
        const bool is_named = about.named.contains(made.at("result").value("by", ""));
        // What is wrong with a column that is not named is told when mistakes are the question.
        const bool is_seen =
            named.contains(one.variable) || about.named.contains(one.variable) ||
            (!about.names_columns &&
             std::ranges::find(about.columns, one.variable) != about.columns.end());
        const bool is_fault = made.at("tool") == "find_faults";
        const bool is_beside = !about.is_broad && !one.variable.empty() && !is_seen;
        if (is_beside && is_fault && !asks_for_faults) continue;
        // A column that steps to another level has a better description than a straight line.
        const Json& result = made.at("result");
        if (one.kind == "no trend" && steps.contains(result.value("variable", "") +
                                                     result.value("where", Json::object()).dump()))
          continue;
        // What is not clear is told when it is the question, not when it is one of many.
        // Every month of the first column is enough, unless months are the question.
        if (one.kind == "each month" && !about.asks.contains("months") &&
            about.columns.size() > 2 &&
            made.at("result").value("variable", "") != about.columns.front())
          continue;
        const bool is_one_of_many = about.columns.size() > 2 && !is_named && one.kind != "counts";
        if ((one.weight < 0 || one.kind == "rows") && is_one_of_many) continue;
        if (one.kind == "averages" && about.asks.contains(one.kind)) one.weight += 100;
        // Who asks for everything wants what weighs most of every kind.
        const std::string asked_as = one.kind == "each month" ? "months"
                                     : one.kind == "no trend" ? "trend"
                                                              : one.kind;
        if ((is_named && one.kind != "peaks") || about.asks.contains(asked_as)) {
          one.weight += about.is_broad && !is_named ? named_in_broad : asked_for;
        }
        if (asks_for_faults && one.kind == "quality" && about.is_broad) one.weight += asked_for;
        if (asks_for_faults && is_of_totals(one.kind) && !about.asks.contains(one.kind))
          one.weight -= asked_for;
        // The figures of what is named come before what has happened to it.
        const bool is_asked = about.names_columns && one.kind == "statistics";
        if (is_asked && about.asks.contains("statistics") && !about.is_broad) one.weight += 20;
        const bool is_about = named.contains(
            one.variable.empty() ? made.at("result").value("variable", "") : one.variable);
        if (about.is_broad && is_about) one.weight += named_in_broad;
        if (one.weight >= 0) all.push_back(std::move(one));
      }
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &Finding::weight);
  return all;
}

/// The lines of the summary that stands in front of these turns.
std::vector<std::string> lines_of_summary(const Json& turns) {
  std::vector<std::string> lines;
  if (turns.empty() || !turns.front().contains("summary")) return lines;
  std::istringstream text{turns.front().at("summary").get<std::string>()};
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string section(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  return fmt::format("\n{}\n{}\n", title, fmt::join(lines, "\n"));
}

/// Says what the question asks for and no table has.
std::string unread(const Json& input) {
  const auto prompt = input.at("prompt").get<std::string>();
  const Json& table = input.at("context").at("table");
  std::vector<std::string> words = interest_of(prompt, table).unread;
  for (const Json& other : table.value("beside", Json::array())) {
    const std::vector<std::string> theirs = interest_of(prompt, other).unread;
    std::erase_if(words, [&](const std::string& word) {
      return std::ranges::find(theirs, word) == theirs.end();
    });
  }
  if (words.empty()) return "";
  return fmt::format("\nNot found in the data: no column and no value is called \"{}\".\n",
                     fmt::join(words, "\", \""));
}

/// Findings, what is beside them, and the figures.
std::string conclusion(const Json& input, bool complete) {
  const Json& context = input.at("context");
  const Json& table = context.at("table");
  std::string text = context.at("systemId").get<std::string>();
  if (table.contains("from")) {
    text += fmt::format(", {} to {}", context.at("from").get<std::string>(),
                        context.at("to").get<std::string>());
  }
  text += fmt::format(", {} readings of {}.\n", context.at("readings").get<std::int64_t>(),
                      fmt::join(table.at("files").get<std::vector<std::string>>(), ", "));
  text += unread(input);
  std::vector<std::string> first;
  std::vector<std::string> more;
  std::vector<std::string> figures;
  const std::vector<Finding> found = findings(input);
  // What is asked clause by clause needs less beside its answers.
  const Interest about = interest_in(input.at("prompt").get<std::string>(), table);
  const bool is_direct =
      !about.is_broad && !found.empty() && found.front().weight >= directly_asked;
  const std::size_t most = is_direct ? most_others * 3 / 4 : most_others;
  for (const Finding& one : found) {
    if (is_direct && one.kind == "quality" && !about.asks.contains(one.kind)) continue;
    const std::string line = "- " + one.text;
    if (one.weight < 15) {
      figures.push_back(line);
    } else {
      // However much there is to tell, what is wrong with the data is told.
      const bool is_full = more.size() >= most && one.kind != "quality";
      if (first.size() < most_findings) {
        first.push_back(line);
      } else if (!is_full) {
        more.push_back(line);
      }
    }
  }
  if (first.empty()) first.emplace_back("- Nothing stands out.");
  text += section("Findings", first) + section("Also", more) + section("Figures", figures) +
          section("From earlier turns", lines_of_summary(input.at("exchanges"))) + "\n";
  for (const Json& exchange : input.at("exchanges")) {
    if (exchange.contains("omitted")) {
      text += fmt::format("({} turns are no longer shown.)\n", exchange.at("omitted").dump());
    }
  }
  if (!complete) {
    text += "This is not the whole answer: the turns were over before every question was asked.\n";
  }
  return text +
         "Put together by rules from the figures that the tools computed; no language model was "
         "asked.";
}

/// What older turns found, a line each: those of the summary before, then what is found by the
/// tools' results. No line is a figure of its own.
std::string summary(const Json& input) {
  std::vector<std::string> lines = lines_of_summary(input.at("turns"));
  std::vector<Finding> found;
  for (const Json& turn : input.at("turns")) {
    if (!turn.contains("calls")) continue;
    for (const Json& made : turn.at("calls")) {
      for (Finding& one : findings_of(made.at("tool").get<std::string>(), made.at("result"))) {
        if (one.weight >= 0) found.push_back(std::move(one));
      }
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &Finding::weight);
  for (const Finding& one : found) {
    const std::string line = "- " + one.text;
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

model::Answer ComputedProvider::do_ask(const model::Task& task, const std::stop_token&) {
  const Json input = Json::parse(task.input);
  if (task.name == "summary") return {Json{{"summary", summary(input)}}.dump(), {}};
  if (task.name != "turn") {
    throw model::ProviderError("the computed provider knows no task '" + task.name + "'", {});
  }
  const auto question = next_question(input);
  if (question && input.at("turnsLeft") > 1) {
    return {Json{{"thought", question->thought}, {"calls", question->calls}}.dump(), {}};
  }
  const char* thought = question ? "This is the last turn." : "Every question has its figures.";
  const Json answer{
      {"thought", thought}, {"answer", conclusion(input, !question)}, {"complete", !question}};
  return {answer.dump(), {}};
}

}  // namespace insights
