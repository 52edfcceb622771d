#include "research/types.hpp"

#include <nlohmann/json.hpp>

// Both serialisers of a type from the list of its members: written once, so they cannot drift.
// Reading uses at(): a missing member is an error, never a default.
#define RESEARCH_JSON(Type, ...)                                                 \
  void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))     \
  }                                                                              \
  void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) { \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))   \
  }

namespace research {

RESEARCH_JSON(Response, status, type, body)
RESEARCH_JSON(Passage, heading, text)
RESEARCH_JSON(Page, path, url, title, date, tags, passages)
RESEARCH_JSON(Scrape, title, pages, missing)
RESEARCH_JSON(Role, name, focus, pages)
RESEARCH_JSON(Roles, topic, roles)
RESEARCH_JSON(Goal, id, role, question, phrases)
RESEARCH_JSON(Step, id, goal, seek, task, phrases, pages)
RESEARCH_JSON(Finding, quote, url, title, date)
RESEARCH_JSON(StepResult, id, goal, seek, findings, digest)
RESEARCH_JSON(Statement, text, finding)
RESEARCH_JSON(Section, goal, heading, reports, advice)
RESEARCH_JSON(Synthesis, topic, made_by, lead, sections, digests)

}  // namespace research
