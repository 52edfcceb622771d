/// @file
/// Runs the memo's stages one after the other, as the pipeline does, for tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "memo/extractive.hpp"
#include "memo/outline.hpp"
#include "memo/restating.hpp"
#include "memo/stages.hpp"
#include "support/paths.hpp"

namespace memo::testing {

/// Where the profile pack is.
inline std::filesystem::path data_folder() {
  return resumable::test::source_folder() / "examples/data/memo";
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

inline Sources pack() { return load_sources(data_folder()); }

/// For FakeOpenAi: does the task of a message as the extractive provider would, so that a memo
/// made through the server equals the one made without.
inline std::string extractive_reply(const std::string& message) {
  const auto json = nlohmann::json::parse(message);
  ExtractiveProvider provider;
  return provider.ask({json.at("task").get<std::string>(), "", json.at("input").dump(), ""}, {})
      .json;
}

/// All thirteen stages, with what each of them gave.
struct MemoRun {
  Deck deck;
  Research found;
  SectionResearch plan;
  Header header;
  std::vector<Section> drafted;
  std::vector<Section> sections;
  FinalDraft draft;
  Validation validation;
  MemoState state;
};

inline Section enriched(const model::Call& call, const Request& request, const Section& section,
                        const Sources& sources) {
  const Section socials = enrich_socials(call, section, request, sources);
  const Section links = enrich_links(call, socials, request, sources);
  return enrich_visualizations(call, links, request, sources);
}

inline MemoRun run_memo(const model::Call& call, const Request& request, const Sources& sources) {
  MemoRun run;
  run.deck = analyze_deck(call, request, {}, sources);
  run.found = research(call, request, run.deck, sources);
  run.plan = research_sections(call, request, outline(request), run.found, sources);
  for (const auto& brief : run.plan.sections) {
    run.drafted.push_back(draft_section(call, brief));
    run.sections.push_back(enriched(call, request, run.drafted.back(), sources));
  }
  run.header = enrich_trademark(call, request, sources);
  run.draft = cite(call, run.header, run.sections, sources);
  const Validation cited = validate_citations(call, run.draft, sources);
  const Validation checked = fact_check(call, cited, run.draft, sources);
  run.validation =
      validate(checked, run.plan, run.sections, left_out(request, run.plan, sources),
               placing(request, run.sections, sources), grounds(request, run.plan, sources),
               differing(request, run.sections, sources));
  run.state = finalize(request, run.deck, run.found, run.plan, run.header, run.sections, run.draft,
                       run.validation);
  return run;
}

}  // namespace memo::testing
