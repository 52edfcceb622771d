#include "insights/computed.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/sentences.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

Json call(const char* tool, Json arguments) {
  return {{"tool", tool}, {"arguments", std::move(arguments)}};
}

/// What is asked in one turn, and why.
struct Step {
  std::string thought;
  Json calls = Json::array();
};

/// What the prompt is about; all when it names nothing.
struct Interest {
  explicit Interest(std::string prompt) {
    std::ranges::transform(prompt, prompt.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto names = [&](std::initializer_list<const char*> words) {
      return std::ranges::any_of(
          words, [&](const char* word) { return prompt.find(word) != prompt.npos; });
    };
    temperature = names({"temperature", "warm", "cold", "heat", "hot", "frost"});
    rain = names({"rain", "precipitation", "wet", "dry", "snow"});
    wind = names({"wind", "storm", "gust"});
    if (!temperature && !rain && !wind) temperature = rain = wind = true;
  }
  bool temperature = false;
  bool rain = false;
  bool wind = false;
};

/// The questions that need no answer of another.
std::vector<Step> steps(const Interest& about, bool normals) {
  std::vector<Step> all;
  const auto ask = [&](const char* thought, const std::vector<Json>& calls) {
    Step step{thought};
    for (const Json& one : calls) {
      if (!one.is_null()) step.calls.push_back(one);
    }
    if (!step.calls.empty()) all.push_back(std::move(step));
  };
  const auto of = [](bool wanted, const char* tool, const char* variable) {
    return wanted ? call(tool, {{"variable", variable}}) : Json{};
  };
  const bool warm = about.temperature;
  ask("How warm and how cold was it?",
      {of(warm, "statistics", "temp_max"), of(warm, "statistics", "temp_min")});
  ask("How much rain and wind was there?",
      {of(about.rain, "statistics", "precipitation"), of(about.wind, "statistics", "wind")});
  ask("Does the temperature rise or fall?", {of(warm, "trend", "temp_mean")});
  ask("Do rain and wind rise or fall?",
      {of(about.rain, "trend", "precipitation"), of(about.wind, "trend", "wind")});
  ask("How far is this from the normals?", {of(warm && normals, "compare_normals", "temp_mean"),
                                            of(about.wind && normals, "compare_normals", "wind")});
  ask("Which days are unusually warm or cold?", {of(warm, "find_unusual", "temp_mean")});
  ask("Which days are unusually wet or windy?",
      {about.rain
           ? call("find_unusual",
                  {{"variable", "precipitation"}, {"method", "percentile"}, {"threshold", 95}})
           : Json{},
       of(about.wind, "find_unusual", "wind")});
  return all;
}

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

/// A look at the most unusual day that a search found, and at the days beside it.
Step look_at(const Json& found) {
  const Json& first = found.at("unusual").at(0);
  const std::string date = first.at("date").get<std::string>();
  return {
      fmt::format("What else was there around {}?", date),
      Json::array({call("query_window", {{"from", day_before(date)}, {"to", day_after(date)}})})};
}

/// The first step whose calls are not all in the conversation.
std::optional<Step> next_step(const Json& input) {
  const Json& exchanges = input.at("exchanges");
  const auto is_open = [&](const Step& step) {
    return std::ranges::any_of(step.calls,
                               [&](const Json& one) { return !result_of(exchanges, one); });
  };
  const Interest about{input.at("prompt").get<std::string>()};
  const std::vector<Step> plan = steps(about, input.at("context").at("normals").get<bool>());
  for (const Step& step : plan) {
    if (is_open(step)) return step;
  }
  for (const Step& step : plan) {
    for (const Json& one : step.calls) {
      const auto found = result_of(exchanges, one);
      if (!found || !found->contains("unusual") || found->at("unusual").empty()) continue;
      if (Step look = look_at(*found); is_open(look)) return look;
    }
  }
  return std::nullopt;
}

/// Sentences made of what the tools gave, in the order in which they gave it.
std::string conclusion(const Json& input, bool complete) {
  const Json& context = input.at("context");
  std::string text =
      fmt::format("{}, {} to {}, {} days.\n", context.at("systemId").get<std::string>(),
                  context.at("from").get<std::string>(), context.at("to").get<std::string>(),
                  context.at("readings").get<std::int64_t>());
  for (const Json& exchange : input.at("exchanges")) {
    if (!exchange.contains("calls")) {
      text += fmt::format("- ({} turns are not seen any more)\n", exchange.at("omitted").dump());
      continue;
    }
    for (const Json& made : exchange.at("calls")) {
      const std::string line = sentence(made.at("tool").get<std::string>(), made.at("result"));
      if (!line.empty()) text += "- " + line + "\n";
    }
  }
  if (!complete) {
    text += "This is not the whole answer: the turns were over before every question was asked.\n";
  }
  return text +
         "Put together by rules from the figures that the tools computed; no language model was "
         "asked.";
}

}  // namespace

model::Answer ComputedProvider::do_ask(const model::Task& task, const std::stop_token&) {
  if (task.name != "turn") {
    throw model::ProviderError("the computed provider knows no task '" + task.name + "'", {});
  }
  const Json input = Json::parse(task.input);
  const auto step = next_step(input);
  if (step && input.at("turnsLeft") > 1) {
    return {Json{{"thought", step->thought}, {"calls", step->calls}}.dump(), {}};
  }
  const char* thought = step ? "This is the last turn." : "Every question has its figures.";
  const Json answer{
      {"thought", thought}, {"answer", conclusion(input, !step)}, {"complete", !step}};
  return {answer.dump(), {}};
}

}  // namespace insights
