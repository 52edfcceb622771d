/// @file
/// What tests of the memo share: its sources, its stages, and a server that quotes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "memo/pipeline.hpp"
#include "model/quoting.hpp"
#include "support/paths.hpp"

namespace memo::testing {

/// A real organisation, in Markdown and YAML.
inline std::filesystem::path data_folder() {
  return resumable::test::source_folder() / "examples/data/memo";
}
/// A made one, in all formats.
inline std::filesystem::path made_folder() {
  return resumable::test::source_folder() / "examples/data/memo-aldermere";
}

/// In the order of declaration.
inline const std::vector<std::string> stages{"deck_analyst",
                                             "research",
                                             "section_research",
                                             "draft",
                                             "enrich_trademark",
                                             "enrich_socials",
                                             "enrich_links",
                                             "enrich_visualizations",
                                             "cite",
                                             "validate_citations",
                                             "fact_check",
                                             "validate",
                                             "finalize"};

/// A memo about the made company, which no person has to approve.
inline Settings made_settings(double min_score = 0.0) {
  Settings all;
  all.request = Request{"Aldermere", "direct", "consider"};
  all.deck = std::vector<std::string>{};
  all.sources = made_folder().string();
  all.provider = "quote";
  all.min_score = min_score;
  return all;
}

/// For FakeOpenAi: does the task of a message as the quoting provider would, so that a memo made
/// through the server equals the one made without.
inline std::string quoting_reply(const std::string& message) {
  const auto json = nlohmann::json::parse(message);
  model::QuotingProvider provider;
  return provider.ask({json.at("task"), "", json.at("input").dump(), ""}, {}).json;
}

}  // namespace memo::testing
