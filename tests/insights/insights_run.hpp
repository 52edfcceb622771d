/// @file
/// What the tests of insights share: the data, and a model on the loopback device.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "insights/computed.hpp"
#include "insights/readings.hpp"

namespace insights::testing {

using Json = nlohmann::json;

inline std::filesystem::path data_folder() {
  return RESUMABLE_SOURCE_DIR "/examples/data/insights";
}

/// December 2015 in Seattle.
inline Readings december() { return load_readings(data_folder(), "Seattle", 31); }

/// For FakeOpenAi: replies as the computed provider would.
inline std::string computed_reply(const std::string& message) {
  const Json json = Json::parse(message);
  ComputedProvider provider;
  return provider.ask({json.at("task").get<std::string>(), "", json.at("input").dump(), ""}, {})
      .json;
}

/// For FakeOpenAi: calls a tool in every turn and never answers.
inline std::string endless_reply(const std::string&) {
  return R"({"thought":"on","calls":[{"tool":"trend","arguments":{"variable":"wind"}}]})";
}

}  // namespace insights::testing
