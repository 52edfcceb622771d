#include "insights/request.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 9> known{"customPrompt",  "systemId",       "contextWindowDays",
                                           "maxIterations", "modelOverride",  "mode",
                                           "pictures",      "summarizeAbove", "resumeJobId"};

constexpr std::size_t longest_prompt = 4000;  // std::regex recurses with each character of a word

[[noreturn]] void fail(const std::string& message) { throw BadRequest(message); }

const Json* field(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

std::string text(const Json& json, const char* name, std::string otherwise) {
  const Json* value = field(json, name);
  if (value == nullptr) return otherwise;
  if (!value->is_string()) fail(fmt::format("'{}' is not a text", name));
  return value->get<std::string>();
}

int number(const Json& json, const char* name, int otherwise, int most) {
  const Json* value = field(json, name);
  if (value == nullptr) return otherwise;
  const bool whole = value->is_number_integer();
  const auto given = whole ? value->get<std::int64_t>() : 0;
  if (!whole || given < 1 || given > most || *value > most) {
    fail(fmt::format("'{}' is not a whole number from 1 to {}", name, most));
  }
  return static_cast<int>(given);
}

/// `openai:MODEL@URL` with another model.
std::string with_model(const std::string& provider, const std::string& model) {
  if (provider == "computed") {
    fail(fmt::format("'modelOverride' names a model, and the provider '{}' has none", provider));
  }
  if (model.empty() || model.find('@') != model.npos)
    fail("'modelOverride' is not the name of a model");
  return "openai:" + model + provider.substr(provider.find('@'));
}

void check_provider(const std::string& provider) {
  const auto at = provider.find('@');
  const bool model = provider.starts_with("openai:") && at != provider.npos && at > 7;
  if (provider != "computed" && !model) {
    fail(fmt::format("the provider '{}' is not computed or openai:MODEL@URL", provider));
  }
}

Json parse(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    fail(fmt::format("the request is not JSON, from byte {} on", error.byte));
  }
}

}  // namespace

Incoming read_request(const std::string& from, const ForNewJobs& defaults) {
  const Json json = parse(from);
  if (!json.is_object()) fail("the request is not a JSON object");
  for (const auto& [name, value] : json.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      fail(fmt::format("there is no field '{}'; there are {}", name, fmt::join(known, ", ")));
    }
  }
  if (field(json, "resumeJobId") != nullptr) {
    if (json.size() > 1) {
      fail("a job keeps its request: send 'resumeJobId' without other fields");
    }
    return {std::nullopt, text(json, "resumeJobId", "")};
  }
  Request request;
  request.system_id = text(json, "systemId", "");
  if (request.system_id.empty())
    fail("'systemId' is missing: a value of a category, or a file's name without its ending");
  request.custom_prompt = text(json, "customPrompt", "What do the readings show?");
  if (request.custom_prompt.size() > longest_prompt)
    fail(fmt::format("'customPrompt' has more than {} bytes", longest_prompt));
  request.context_window_days =
      number(json, "contextWindowDays", request.context_window_days, 36'500);
  request.max_iterations = number(json, "maxIterations", request.max_iterations, 1'000);
  request.mode = text(json, "mode", request.mode);
  if (request.mode != "sync") {
    fail("'mode' is sync: there is no background mode, a job that is out of time is continued");
  }
  if (const Json* pictures = field(json, "pictures")) {
    if (!pictures->is_boolean()) fail("'pictures' is not true or false");
    request.pictures = pictures->get<bool>();
  }
  if (field(json, "summarizeAbove") != nullptr) {
    request.summarize_above =
        static_cast<std::size_t>(number(json, "summarizeAbove", 0, 100'000'000));
  }
  check_provider(defaults.provider);
  request.provider = defaults.provider;
  if (field(json, "modelOverride") != nullptr) {
    request.provider = with_model(request.provider, text(json, "modelOverride", ""));
  }
  request.ttl_seconds = defaults.ttl_seconds;
  return {request, ""};
}

}  // namespace insights
