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

void to_json(nlohmann::json& json, const Response& value) {
  json = {{"status", value.status},
          {"type", value.type},
          {"body", value.body},
          {"cut", value.cut},
          {"location", value.location}};
}
/// Answers that were recorded before redirects were followed have neither of the last two.
void from_json(const nlohmann::json& json, Response& value) {
  json.at("status").get_to(value.status);
  json.at("type").get_to(value.type);
  json.at("body").get_to(value.body);
  value.cut = json.value("cut", false);
  value.location = json.value("location", std::string{});
}

RESEARCH_JSON(Limits, pages, bytes, seconds)
RESEARCH_JSON(Passage, heading, text, columns, is_row)
RESEARCH_JSON(Page, path, url, title, date, tags, passages)
RESEARCH_JSON(Scrape, title, pages, missing, notes)
RESEARCH_JSON(Budget, reports, advice)
RESEARCH_JSON(Role, name, focus, evidence, words)
RESEARCH_JSON(Roles, topic, roles, silent, notes)
RESEARCH_JSON(Goal, id, role, question, phrases)
RESEARCH_JSON(Step, id, goal, seek, task, phrases, evidence, words)
RESEARCH_JSON(Finding, quote, columns, heading, path, url, title, date, place, passage, weight,
              seek, page_words, newer)
RESEARCH_JSON(StepResult, id, goal, seek, findings, digest)
RESEARCH_JSON(Statement, text, finding)
RESEARCH_JSON(Paragraph, statements, note)
RESEARCH_JSON(Section, goal, heading, paragraphs)
RESEARCH_JSON(Synthesis, topic, made_by, lead, sections, silent, notes, digests)

}  // namespace research
