#include "insights/computed.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/caveats.hpp"
#include "insights/conversation.hpp"
#include "insights/direct.hpp"
#include "insights/moments.hpp"
#include "insights/periods.hpp"
#include "insights/planning.hpp"
#include "insights/readings.hpp"
#include "insights/selection.hpp"
#include "insights/sentences.hpp"
#include "insights/worded.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

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

/// Of a long plan several questions are asked in one turn, so that the turns suffice: each in the
/// first that has room for it.
std::vector<Question> packed(const std::vector<Question>& plan) {
  constexpr std::size_t many = 15;
  if (plan.size() <= many) return plan;
  std::vector<Question> all;
  for (const Question& one : plan) {
    const auto turn = std::ranges::find_if(all, [&](const Question& other) {
      return other.calls.size() + one.calls.size() <= most_calls;
    });
    if (turn == all.end()) {
      all.push_back(one);
      continue;
    }
    turn->thought += " " + one.thought;
    for (const Json& call : one.calls) turn->calls.push_back(call);
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

/// How many rows are too old for the window: without it, a reader takes a figure to be of all rows.
std::string before_window(std::size_t rows) {
  if (rows == 0) return "";
  return fmt::format(" ({}{} earlier {} outside the window)",
                     rows == most_history ? "at least " : "", rows,
                     rows == 1 ? "row is" : "rows are");
}

/// Beside what is not the question that was asked little is worth reading.
void keep_first(Selection& selection) {
  constexpr std::size_t most = 3;
  selection.figures = std::min(selection.figures, most);
  selection.left_out += selection.told.size() - selection.figures;
  selection.told.resize(selection.figures);
}

/// Findings, what is beside them, and the figures.
/// @param taken  which words of the question were taken for others
std::string conclusion(const Json& input, const std::vector<Taken>& taken, bool complete) {
  const Json& context = input.at("context");
  const Json& table = context.at("table");
  std::string text = context.at("systemId").get<std::string>();
  if (table.contains("from")) {
    text += fmt::format(", {} to {}", time_words(context.at("from").get<std::string>()),
                        time_words(context.at("to").get<std::string>()));
  }
  text += fmt::format(", {} {} of {}{}.\n", context.at("readings").get<std::int64_t>(),
                      table.value("events", false) ? "rows" : "readings",
                      fmt::join(table.at("files").get<std::vector<std::string>>(), ", "),
                      before_window(table.value("history", std::size_t{0})));
  Selection selection = selection_of(input);
  const Caveats caveats = caveats_of(input, selection);
  for (const std::string& one : caveats.all) text += "\n" + one + "\n";
  if (caveats.is_other) keep_first(selection);
  if (const std::string words = taken_words(taken); !words.empty()) text += "\n" + words + "\n";
  if (selection.is_vague) {
    text += "\nThe question names no column, value or time of the data; this is what stands out.\n";
  }
  std::vector<std::string> first;
  std::vector<std::string> figures;
  for (std::size_t i = 0; i < selection.told.size(); ++i) {
    (i < selection.figures ? first : figures).push_back("- " + selection.told[i].text);
  }
  if (first.empty()) {
    first.emplace_back(selection.is_broad ? "- Nothing stands out."
                                          : "- Nothing was found that answers the question.");
  }
  text += section("Findings", first) + section("Figures", figures) +
          section("From earlier turns", lines_of_summary(input.at("exchanges"))) + "\n";
  for (const Json& exchange : input.at("exchanges")) {
    if (exchange.contains("omitted")) {
      text += fmt::format("({} turns are no longer shown.)\n", exchange.at("omitted").dump());
    }
  }
  if (!selection.is_broad && selection.left_out > 0) {
    text += "There is more: ask \"Is anything wrong?\" or \"What happened?\".\n";
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
  Json input = Json::parse(task.input);
  if (task.name == "summary") return {Json{{"summary", summary(input)}}.dump(), {}};
  if (task.name != "turn") {
    throw model::ProviderError("the computed provider knows no task '" + task.name + "'", {});
  }
  const Worded worded = in_words_of(input.at("context").at("table"), input.at("prompt"));
  input["prompt"] = worded.prompt;
  const auto question = next_question(input);
  if (question && input.at("turnsLeft") > 1) {
    return {Json{{"thought", question->thought}, {"calls", question->calls}}.dump(), {}};
  }
  const char* thought = question ? "This is the last turn." : "Every question has its figures.";
  const Json answer{{"thought", thought},
                    {"answer", conclusion(input, worded.taken, !question)},
                    {"complete", !question}};
  return {answer.dump(), {}};
}

}  // namespace insights
