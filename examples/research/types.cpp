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
void to_json(nlohmann::json& json, const Passage& value) {
  json = {{"heading", value.heading},
          {"text", value.text},
          {"columns", value.columns},
          {"is_row", value.is_row}};
  if (value.is_link) json["is_link"] = true;
}
/// Passages of earlier versions have no `is_link`.
void from_json(const nlohmann::json& json, Passage& value) {
  json.at("heading").get_to(value.heading);
  json.at("text").get_to(value.text);
  json.at("columns").get_to(value.columns);
  json.at("is_row").get_to(value.is_row);
  value.is_link = json.value("is_link", false);
}

RESEARCH_JSON(Page, path, url, title, date, tags, passages)
RESEARCH_JSON(Scrape, title, pages, missing, notes)
RESEARCH_JSON(Budget, reports, advice)
RESEARCH_JSON(Role, name, focus, evidence, words)
RESEARCH_JSON(Goal, id, role, question, phrases)
RESEARCH_JSON(Step, id, goal, seek, task, phrases, evidence, words)

void to_json(nlohmann::json& json, const Finding& value) {
  json = {{"quote", value.quote},   {"columns", value.columns}, {"heading", value.heading},
          {"path", value.path},     {"url", value.url},         {"title", value.title},
          {"date", value.date},     {"place", value.place},     {"passage", value.passage},
          {"weight", value.weight}, {"seek", value.seek},       {"page_words", value.page_words}};
  if (value.written != value.date) json["written"] = value.written;
  if (!value.newer.empty()) json["newer"] = value.newer;
  if (value.rank > 0) json["rank"] = value.rank;
}
/// Findings of earlier versions have no `newer` and no `rank`.
void from_json(const nlohmann::json& json, Finding& value) {
  json.at("quote").get_to(value.quote);
  json.at("columns").get_to(value.columns);
  json.at("heading").get_to(value.heading);
  json.at("path").get_to(value.path);
  json.at("url").get_to(value.url);
  json.at("title").get_to(value.title);
  json.at("date").get_to(value.date);
  value.written = json.value("written", value.date);
  json.at("place").get_to(value.place);
  json.at("passage").get_to(value.passage);
  json.at("weight").get_to(value.weight);
  json.at("seek").get_to(value.seek);
  json.at("page_words").get_to(value.page_words);
  value.newer = json.value("newer", std::vector<std::size_t>{});
  value.rank = json.value("rank", std::size_t{0});
}

void to_json(nlohmann::json& json, const Roles& value) {
  json = {{"topic", value.topic},
          {"roles", value.roles},
          {"silent", value.silent},
          {"notes", value.notes},
          {"most_words", value.most_words}};
}
/// Roles that were recorded before the words of a report were counted have no `most_words`.
void from_json(const nlohmann::json& json, Roles& value) {
  json.at("topic").get_to(value.topic);
  json.at("roles").get_to(value.roles);
  json.at("silent").get_to(value.silent);
  json.at("notes").get_to(value.notes);
  value.most_words = json.value("most_words", std::size_t{0});
}

RESEARCH_JSON(StepResult, id, goal, seek, findings, digest)
RESEARCH_JSON(Statement, text, finding)
RESEARCH_JSON(Paragraph, statements)
RESEARCH_JSON(Section, goal, heading, paragraphs)
RESEARCH_JSON(Synthesis, topic, made_by, lead, sections, silent, notes, digests)

}  // namespace research
